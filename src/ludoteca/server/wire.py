"""What browser and server say to each other: every message is one of these classes.

Decoding is strict: an unknown field or a wrong type is refused with a sentence. `docs/wire.md` lists the same classes
in words, and `tests/server/test_wire_docs.py` compares the two; `tools/generate.py` makes `web/src/wire.ts` of them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict, TypeVar

import msgspec
from msgspec import Meta, Struct

from .refusals import BadRequest

MOST_BYTES = 16 * 1024  # of a message from a browser, by socket or HTTP

Json = dict[str, Any]
Options = dict[str, str]
Phase = Literal["open", "playing", "over"]
Kind = Literal["person", "bot", "empty"]
Ended = Literal["rules", "damaged"]  # why a game had to end before its time: `ended.<reason>` in the catalogues

Name = Annotated[str, Meta(max_length=200)]  # tidied and cut to size where it is used
CommandId = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[^\x00-\x1f]*$")]
Number = Annotated[int, Meta(ge=0, le=(1 << 53) - 1)]  # what a browser can count to
Seed = Annotated[int, Meta(extra={"typescript": "string"})]  # has 63 bits: the page reads it as text
View = Annotated[Json, Meta(extra={"typescript": "unknown"})]  # of a game, which knows its type


# ── Objects ──────────────────────────────────────────────────


class Me(Struct, forbid_unknown_fields=True):
    """Who you are."""

    id: str
    name: str


class Rename(Struct, forbid_unknown_fields=True):
    """What you want to be called."""

    name: Name


class OptionInfo(Struct, forbid_unknown_fields=True):
    """A choice made before the game."""

    key: str
    values: list[str]
    default: str
    titles: dict[str, dict[str, str]] = {}


Words = dict[str, dict[str, str]]  # by language, then by key: templates


class GameInfo(Struct, forbid_unknown_fields=True):
    """A game of this server: what stands on its box. `words` are the pitch and the names of options."""

    key: str
    title: str
    seats: list[int]
    minutes: int
    options: list[OptionInfo]
    levels: list[str]
    version: str
    colour: str
    cover: bool
    words: Words


class GameWords(Struct, forbid_unknown_fields=True):
    """All words of a game, for a page that has no board of its own for it."""

    words: Words


class RulesPage(Struct, forbid_unknown_fields=True):
    """The rules of a game in Markdown, and the language they are in."""

    language: str
    text: str


class OpenTable(Struct, forbid_unknown_fields=True):
    """A table to open; `bots` has a level or null for each chair."""

    game: str
    seats: Number
    options: Options
    public: bool
    bots: list[str | None]
    name: Name | None = None


class PlayNow(Struct, forbid_unknown_fields=True):
    """A table full of bots, please."""

    game: str
    seats: Number | None = None
    level: str | None = None
    options: Options | None = None
    wait: Annotated[bool, Meta(description="Deal only at `start`, so that your entropy can follow the commitment.")] = (
        False
    )


class Start(Struct, forbid_unknown_fields=True):
    """Deal, please; with your own entropy for it."""

    entropy: str | None = None


class Rematch(Struct, forbid_unknown_fields=True):
    """Once more, please; a table full of bots is dealt at once, unless you want to `wait` for `start`."""

    wait: bool = False


class Sit(Struct, forbid_unknown_fields=True):
    """A chair to take; none named: your own, or the first free one."""

    seat: Number | None = None
    invite: str | None = None


class Chair(Struct, forbid_unknown_fields=True):
    """A bot for a chair, or nobody."""

    seat: Number
    level: str | None = None


class Arrange(Struct, forbid_unknown_fields=True):
    """Another number of chairs, or other options; what is left out stays as it is."""

    seats: Number | None = None
    options: Options | None = None


class Ready(Struct, forbid_unknown_fields=True):
    """Whether you would like to begin, as things are arranged now."""

    ready: bool


class StandIn(Struct, forbid_unknown_fields=True):
    """The chair of somebody who is not there."""

    seat: Number


REQUESTS = (
    Rename,
    OpenTable,
    PlayNow,
    Start,
    Rematch,
    Sit,
    Chair,
    Arrange,
    Ready,
    StandIn,
)  # what a browser sends by HTTP


class ChairInfo(Struct, forbid_unknown_fields=True):
    """Who sits on a chair."""

    seat: int
    kind: Kind
    name: str
    level: str | None
    online: bool
    standin: Annotated[bool, Meta(description="A bot plays for someone who left.")]
    ready: Annotated[bool, Meta(description="Before the start: would like to begin as things are arranged now.")]


class ShuffleInfo(Struct, forbid_unknown_fields=True):
    """One shuffle of the set-up: `order[i]` is the piece that came to place i."""

    name: str
    order: list[int]


class DrawsInfo(Struct, forbid_unknown_fields=True):
    """What chance said in the deal (0) or in a step of the game: `4/6 2/6` are two numbers drawn below 6."""

    seq: int
    drawn: str


class Fair(Struct, forbid_unknown_fields=True):
    """The promise of fair chance and, after the end, its proof."""

    commitment: str
    entropy: list[str]
    server_seed: str | None = None
    seed: Seed | None = None
    shuffles: list[ShuffleInfo] | None = None
    chance: Literal["seed", "keyed"] | None = None
    draws: list[DrawsInfo] | None = None


class Outcome(Struct, forbid_unknown_fields=True):
    """How a game ended, in short: for each seat its rank and points; `won` where one plays alone against the game."""

    ranks: list[int]
    scores: list[int]
    won: bool | None = None


class TableInfo(Struct, forbid_unknown_fields=True):
    """A table as one guest may see it."""

    id: str
    game: str
    name: str
    options: Options
    public: bool
    phase: Phase
    chairs: list[ChairInfo]
    you: int | None
    host: bool
    invite: str | None
    spectators: int
    waiting: list[int]
    seq: int
    created: float
    moved: float
    fair: Fair
    rematch: str | None
    ended: Ended | None
    result: Outcome | None


class Result(Struct, forbid_unknown_fields=True):
    """How a game ended."""

    ranks: list[int]
    scores: list[int]
    reasons: list[Json]


class Record(Struct, forbid_unknown_fields=True):
    """A finished game, written down."""

    game: str
    version: str
    seats: int
    options: Options
    seed: Seed | None
    decisions: list[list[int]]
    names: list[str]
    fair: Fair
    result: Result


class Refused(Struct, forbid_unknown_fields=True):
    """Why something was not done."""

    key: str
    facts: Json
    sentence: str


class Warmup(Struct, forbid_unknown_fields=True):
    """How far the fast engine is."""

    ready: bool
    done: int
    total: int
    what: str


# ── Socket: from the browser ─────────────────────────────────


class Do(Struct, forbid_unknown_fields=True, tag_field="type", tag="do"):
    """A decision."""

    id: CommandId
    action: Number
    at: Number
    then: Annotated[list[Number], Meta(max_length=200)] = []


class OpenAgain(Struct, forbid_unknown_fields=True, tag_field="type", tag="open_again"):
    """Takes back what you have sealed."""

    id: CommandId
    at: Number


class Say(Struct, forbid_unknown_fields=True, tag_field="type", tag="say"):
    """Chat."""

    text: str


class Entropy(Struct, forbid_unknown_fields=True, tag_field="type", tag="entropy"):
    """Something random for the shuffle."""

    text: str


class Ping(Struct, forbid_unknown_fields=True, tag_field="type", tag="ping"):
    """Still here."""

    at: Number


FromBrowser = Do | OpenAgain | Say | Entropy | Ping


# ── Socket: from the server ──────────────────────────────────


class Choice(TypedDict):
    """What a seat may do now; the game's own values come with it (see the game's `facts.ts`)."""

    action: int
    kind: str


class GameEvent(TypedDict):
    """A fact of the game, with its values (see the game's `facts.ts`); what this viewer may not know is null.

    `at` is when it was decided (of sealed decisions: when the screens went up), `decider` who decided for its seat.
    """

    n: int
    kind: str
    seat: int | None
    at: NotRequired[float]
    decider: NotRequired[Literal["person", "bot", "standin"] | None]


class TableMessage(Struct, forbid_unknown_fields=True, tag_field="type", tag="table"):
    """The table changed."""

    table: TableInfo


class Update(Struct, forbid_unknown_fields=True, tag_field="type", tag="update"):
    """The game as one viewer may see it."""

    seq: int
    view: View
    choices: list[Annotated[Json, Meta(extra={"typescript": Choice.__name__})]]
    waiting: list[int]
    events: list[Annotated[Json, Meta(extra={"typescript": GameEvent.__name__})]]
    fresh: bool
    result: Result | None = None
    sealed: bool = False


class Done(Struct, forbid_unknown_fields=True, tag_field="type", tag="done"):
    """Your decision is stored."""

    id: str
    seq: int


class RefusedMessage(Struct, forbid_unknown_fields=True, tag_field="type", tag="refused"):
    """Nothing changed, and why."""

    id: str | None
    key: str
    facts: Json
    sentence: str


class Said(Struct, forbid_unknown_fields=True, tag_field="type", tag="said"):
    """Somebody said something."""

    seat: int | None
    name: str
    text: str
    at: float


class Pong(Struct, forbid_unknown_fields=True, tag_field="type", tag="pong"):
    """The newest sequence number."""

    seq: int


class Revealed(Struct, forbid_unknown_fields=True, tag_field="type", tag="revealed"):
    """The game is over: check its chance."""

    fair: Fair


class Moments(Struct, forbid_unknown_fields=True):
    """Some of a game's positions, from number `first` (0: the deal) on; `total` of them so far.

    When the game is over, each has everybody's chance to win as it was then, in hundredths.
    """

    first: int
    total: int
    moments: list[Update]
    chances: list[list[int]]


FromServer = TableMessage | Update | Done | RefusedMessage | Said | Pong | Revealed


# ── Bytes ────────────────────────────────────────────────────

T = TypeVar("T")
encode = msgspec.json.Encoder().encode
_from_browser: msgspec.json.Decoder[FromBrowser] = msgspec.json.Decoder(FromBrowser)


FEW = 60  # choices that are not worth packing


def packed(choices: list[Json]) -> list[Json]:
    """Many choices in a row that differ only by counting up (offers of 1, 2, 3 … tokens) as one with a `run`."""
    if len(choices) < FEW:
        return choices
    runs: list[Json] = []
    for choice in choices:
        if not runs or not _joins(runs[-1], choice):
            runs.append(dict(choice))
    return runs


def _joins(run: Json, choice: Json) -> bool:
    """Adds a choice to a run if it is its next."""
    along, length = next(iter(run["run"].items())) if "run" in run else (None, 1)
    if choice["action"] != run["action"] + length or choice.keys() != run.keys() - {"run"}:
        return False
    changed = [key for key, value in choice.items() if key != "action" and value != run[key]]
    if len(changed) != 1 or along not in (None, changed[0]):
        return False
    [along] = changed
    if type(choice[along]) is not int or choice[along] != run[along] + length:
        return False
    run["run"] = {along: length + 1}
    return True


def understand(data: str | bytes) -> FromBrowser:
    """A message from a socket, or a refusal that says what is wrong with it."""
    try:
        return _from_browser.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise _garbled(error) from None


def name_in(data: str | None) -> str | None:
    """The name of the command in a message that is refused, if it can be read: whoever sent it waits for an answer."""
    try:
        found = msgspec.json.decode(data) if data is not None and len(data) <= MOST_BYTES else None
        return msgspec.convert(found["id"], CommandId) if isinstance(found, dict) and "id" in found else None
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


def read(data: bytes, kind: type[T]) -> T:
    """The body of a request; an empty one stands for an object without fields."""
    try:
        return msgspec.json.decode(data or b"{}", type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise _garbled(error) from None


def _garbled(error: Exception) -> BadRequest:
    return BadRequest("garbled", problem=str(error)[:200])
