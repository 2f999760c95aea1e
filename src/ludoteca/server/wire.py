"""What browser and server say to each other: every message is one of these classes.

Decoding is strict: an unknown field or a wrong type is refused with a sentence. `docs/wire.md` lists the same classes
in words, and `tests/server/test_wire_docs.py` compares the two; `tools/generate.py` makes `web/src/wire.ts` of them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict, TypeVar, get_args

import msgspec
from msgspec import Meta, Struct

from ludoteca.review.hinting import Advice, HintMay, HintMove
from ludoteca.review.pieces import (
    HintFact,
    ReviewDecision,
    ReviewMoment,
    ReviewOption,
    ReviewPiece,
    ReviewPoint,
    ReviewStroke,
    ReviewTotal,
)

from .refusals import BadRequest

REVIEW = (ReviewOption, ReviewDecision, ReviewPoint, ReviewStroke, ReviewPiece, ReviewTotal, ReviewMoment)
HINT = (HintMay, HintFact, HintMove, Advice)
MOST_BYTES = 16 * 1024  # of a message from a browser, by socket or HTTP

Json = dict[str, Any]
Options = dict[str, str]
Phase = Literal["open", "playing", "over"]
Kind = Literal["person", "bot", "empty"]
WhenOut = Literal["standin", "out"]
Ended = Literal[
    "rules", "damaged", "closed"
]  # why a game had to end before its time: `ended.<reason>` in the catalogues

Symbol = Literal["heart", "wave", "star", "leaf", "moon", "bolt", "flower", "key"]
SYMBOLS: tuple[Symbol, ...] = get_args(Symbol)
COLOURS = 8
How = Literal["first", "link", "passkey"]  # a device became yours
NoticeKind = Literal["turn", "low", "start", "over", "invited"]  # what somebody who is not there is told of
Secret = Annotated[str, Meta(min_length=1, max_length=200)]
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
    symbol: Symbol
    colour: int


class Rename(Struct, forbid_unknown_fields=True):
    """What you want to be called."""

    name: Name


class Avatar(Struct, forbid_unknown_fields=True):
    """The sign by which you want to be known: one of our symbols, in one of our colours."""

    symbol: Symbol
    colour: Annotated[int, Meta(ge=0, lt=COLOURS)]


class DeviceInfo(Struct, forbid_unknown_fields=True):
    """A device on which you are at home."""

    id: str
    name: str
    how: How
    created: float
    seen: float
    here: bool


class PasskeyInfo(Struct, forbid_unknown_fields=True):
    """A passkey that opens your games."""

    id: str
    name: str
    created: float
    used: float


Minute = Annotated[int, Meta(ge=0, lt=24 * 60)]  # of a day


class QuietHours(Struct, forbid_unknown_fields=True):
    """From when to when nobody is to tell you of anything that can wait, by the clocks of a place."""

    begin: Minute
    end: Minute
    zone: Annotated[str, Meta(min_length=1, max_length=64, description="As browsers name it: `Europe/Rome`.")]


class NoticesInfo(Struct, forbid_unknown_fields=True):
    """How you are told that you are awaited: with which key, and of what not."""

    key: Annotated[str, Meta(description="The house's, for `pushManager.subscribe`.")]
    browsers: int
    muted: list[NoticeKind]
    muted_tables: list[str]
    quiet: QuietHours | None


class Subscribe(Struct, forbid_unknown_fields=True):
    """A browser that wants to be told, as its `PushSubscription` says."""

    endpoint: Annotated[str, Meta(min_length=1, max_length=1000)]
    p256dh: Secret
    auth: Secret
    language: Annotated[str, Meta(max_length=10)]


class Unsubscribe(Struct, forbid_unknown_fields=True):
    """A browser that does not want to be told any more."""

    endpoint: Annotated[str, Meta(min_length=1, max_length=1000)]


class Muted(Struct, forbid_unknown_fields=True):
    """A kind of notice, or a table, of which you want to be told or not."""

    muted: bool
    kind: NoticeKind | None = None
    table: Name | None = None


class Quiet(Struct, forbid_unknown_fields=True):
    """Your quiet hours, or none."""

    quiet: QuietHours | None


class Person(Struct, forbid_unknown_fields=True):
    """A friend, or somebody whom you have blocked."""

    id: str
    name: str
    symbol: Symbol
    colour: int


class You(Struct, forbid_unknown_fields=True):
    """Everything that is yours to arrange."""

    me: Me
    devices: list[DeviceInfo]
    passkeys: list[PasskeyInfo]
    passkeys_here: Annotated[bool, Meta(description="By an address in numbers there can be none.")]
    notices: NoticesInfo
    friends: list[Person]
    blocked: list[Person]
    chat: bool


class PersonAt(Struct, forbid_unknown_fields=True):
    """Somebody at a table: on that chair, or who has said something at that time."""

    seat: Number | None = None
    said: float | None = None
    invite: str | None = None


class AskFriend(Struct, forbid_unknown_fields=True):
    """A friend to be asked to a table, and whether a chair is kept for them."""

    friend: Name
    keep: bool = False


class AskedInfo(Struct, forbid_unknown_fields=True):
    """A friend of somebody at a table who is asked to it and has not answered."""

    person: Person
    kept: bool


class ReportIt(Struct, forbid_unknown_fields=True):
    """What whoever keeps the house should know about somebody at a table, or about something they have said."""

    text: Annotated[str, Meta(max_length=1000)]
    seat: Number | None = None
    said: float | None = None
    invite: str | None = None


class Reported(Struct, forbid_unknown_fields=True):
    """Whoever keeps the house will read it."""

    table: str


class Hush(Struct, forbid_unknown_fields=True):
    """Whether there is to be no chat at a table."""

    quiet: bool


class ChatWish(Struct, forbid_unknown_fields=True):
    """Whether you want to take part in chats."""

    on: bool


class Ceremony(Struct, forbid_unknown_fields=True):
    """What the browser is to ask of an authenticator, and the name under which its answer is awaited."""

    ticket: str
    options: View


class Passkey(Struct, forbid_unknown_fields=True):
    """An authenticator's answer, and a name for what it has made: the passkey, or the device that it opens."""

    ticket: Secret
    credential: Annotated[Json, Meta(extra={"typescript": "unknown"})]
    name: Name = ""


class OneTimeLink(Struct, forbid_unknown_fields=True):
    """What a link to a further device ends with; good once, for so many seconds."""

    code: str
    seconds: int


class UseLink(Struct, forbid_unknown_fields=True):
    """The end of a link, and a name for the device it was opened on."""

    code: Secret
    name: Name = ""


class Whose(Struct, forbid_unknown_fields=True):
    """Who a link is from."""

    name: str
    symbol: Symbol
    colour: int


class OneOfYours(Struct, forbid_unknown_fields=True):
    """A device or a passkey of yours, by its id; of devices also none: all others than this one."""

    id: Name | None = None


class NameDevice(Struct, forbid_unknown_fields=True):
    """What you want to call a device."""

    id: Name
    name: Name


class Sure(Struct, forbid_unknown_fields=True):
    """That you mean it: your own name, once more."""

    name: Name


class Forgotten(Struct, forbid_unknown_fields=True):
    """You are not known here any more; in so many games your chair is a former guest's."""

    games: int


class OptionInfo(Struct, forbid_unknown_fields=True):
    """A choice made before the game."""

    key: str
    values: list[str]
    default: str
    titles: dict[str, dict[str, str]] = {}


Words = dict[str, dict[str, str]]  # by language, then by key: templates


class LessonInfo(Struct, forbid_unknown_fields=True):
    """That a game has a lesson: of so many steps, and about how many minutes."""

    steps: int
    minutes: int


class RulesInfo(Struct, forbid_unknown_fields=True):
    """That a game's rules can be read here: so many chapters, and about how many minutes."""

    chapters: int
    minutes: int


class BoardInfo(Struct, forbid_unknown_fields=True):
    """A board that a game brings along in its own package: the addresses of its module and of its style sheet."""

    module: str
    style: str | None = None


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
    lesson: LessonInfo | None = None
    puzzles: Annotated[int, Meta(description="How many there are.")] = 0
    board: Annotated[BoardInfo | None, Meta(description="If the page has none of its own for it.")] = None
    rules: RulesInfo | None = None


class GameWords(Struct, forbid_unknown_fields=True):
    """All words of a game, for a page that has no board of its own for it."""

    words: Words


class RulesPage(Struct, forbid_unknown_fields=True):
    """The rules of a game in Markdown, and the language they are in."""

    language: str
    text: str


class ClockTerms(Struct, frozen=True, forbid_unknown_fields=True):
    """The clock of a table: none, live, or by days (then the bank is there anew for each decision)."""

    kind: Literal["none", "live", "days"]
    bank: Annotated[Number, Meta(description="Seconds.")] = 0
    increment: Annotated[Number, Meta(description="Seconds, with each turn; never beyond the bank.")] = 0
    when_out: Annotated[WhenOut, Meta(description="Who plays for whoever has no time left.")] = "standin"


class Length(Struct, forbid_unknown_fields=True):
    """How long games with so many seats have taken here, in minutes: nine in ten between `low` and `high`."""

    seats: int
    games: int
    low: int
    middle: int
    high: int


class ClockPreset(Struct, forbid_unknown_fields=True):
    """A clock to choose, by name, and the games that were played with it."""

    name: Annotated[str, Meta(description="`clock.preset.<name>` in the catalogues.")]
    clock: ClockTerms
    lengths: list[Length]


TakeBackRule = Literal["information", "consent"]  # when nobody has learnt anything; or also when the others agree


class OpenTable(Struct, forbid_unknown_fields=True):
    """A table to open; `bots` has a level or null for each chair."""

    game: str
    seats: Number
    options: Options
    public: bool
    bots: list[str | None]
    name: Name | None = None
    clock: ClockTerms | None = None
    take_back: TakeBackRule = "information"
    rated: bool = False
    hints: bool = False


class BranchOff(Struct, forbid_unknown_fields=True):
    """Another table that goes on from a moment of this game: of a finished one after `step`, with you on `seat`.

    `people`: those who sat here keep their chairs, and it begins when they start it; otherwise bots have the other chairs.
    """

    step: Number | None = None
    seat: Number | None = None
    level: str | None = None
    people: bool = False


class BranchInfo(Struct, forbid_unknown_fields=True):
    """Where a branch comes from: a table, or a puzzle.

    `guessed`: from one seat's view of a running game or a puzzle, with the unknown dealt again.
    """

    table: str
    step: int
    guessed: bool
    puzzle: str = ""


class AskHint(Struct, forbid_unknown_fields=True):
    """A hint, please: 1 what may I do, 2 what matters here, 3 what would the bot do."""

    strength: Annotated[int, Meta(ge=1, le=3)]


class PlayNow(Struct, forbid_unknown_fields=True):
    """A table full of bots, please."""

    game: str
    seats: Number | None = None
    level: str | None = None
    options: Options | None = None
    wait: Annotated[bool, Meta(description="Deal only at `start`, so that your entropy can follow the commitment.")] = (
        False
    )


class QuickWish(Struct, forbid_unknown_fields=True):
    """With anybody who would like the same: a game, so many seats, a clock by its name, rated or friendly."""

    game: str
    seats: Number
    speed: Annotated[str, Meta(max_length=20, description="Of a `ClockPreset`, or `none`.")] = "none"
    rated: bool = False
    bots: Annotated[bool, Meta(description="After a minute they fill up.")] = False


class Come(Struct, forbid_unknown_fields=True):
    """You come to the table that was found for you, with your own entropy."""

    entropy: str


class Start(Struct, forbid_unknown_fields=True):
    """Deal, please; with your own entropy for it."""

    entropy: str | None = None


class OneScreenTable(Struct, forbid_unknown_fields=True):
    """A table for one screen that is passed around: you, the `others` by name, and bots by level."""

    game: str
    others: Annotated[list[Name], Meta(max_length=7)]
    bots: Annotated[list[str], Meta(max_length=7)] = []
    options: Options = {}
    clock: ClockTerms | None = None
    wait: Annotated[bool, Meta(description="Deal only at `start`, so that your entropy can follow the commitment.")] = (
        False
    )


Contest = Literal["robin", "swiss", "knockout"]


class MakeTournament(Struct, forbid_unknown_fields=True):
    """A tournament to be made: `seats` at a table at most, `rounds` of a Swiss, a level for each bot that takes part."""

    name: Name
    game: str
    kind: Contest
    seats: Number
    clock: ClockTerms
    rounds: Number = 0
    bots: Annotated[list[str], Meta(max_length=64)] = []
    options: Options = {}
    rated: bool = False
    play: Annotated[bool, Meta(description="You take part yourself.")] = True
    wait: Annotated[Number | None, Meta(description="Seconds after which it begins by itself.")] = None


class AddBot(Struct, forbid_unknown_fields=True):
    """A bot that is to take part."""

    level: str


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
    """Other chairs, options or clock, rated or friendly, what can be taken back, hints; what is left out stays as it is."""

    seats: Number | None = None
    options: Options | None = None
    clock: ClockTerms | None = None
    rated: bool | None = None
    take_back: TakeBackRule | None = None
    hints: bool | None = None


class Ready(Struct, forbid_unknown_fields=True):
    """Whether you would like to begin, as things are arranged now."""

    ready: bool


class StandIn(Struct, forbid_unknown_fields=True):
    """The chair of somebody who is not there."""

    seat: Number


class MoreTime(Struct, forbid_unknown_fields=True):
    """The chair of somebody who gets more time."""

    seat: Number


class CheckDeck(Struct, forbid_unknown_fields=True):
    """A deck as the text of its file, to be looked through; no game named: the one its columns fit."""

    game: str
    text: str
    form: str = ""
    language: str = "en"


class SaveDeck(Struct, forbid_unknown_fields=True):
    """A deck to be kept under a name."""

    game: str
    text: str
    name: str
    form: str = ""


class AskReport(Struct, forbid_unknown_fields=True):
    """What does this deck do? Bots play so many deals with it and with another one (nothing: the printed deck)."""

    game: str
    deck: str
    before: str = ""
    seats: Number = 2
    deals: int = 1000
    bot: str = "greedy"
    language: str = "en"
    worth: Annotated[Literal["changed", "all"], Meta(description="Which cards are exchanged for others.")] = "changed"


class AskSearch(Struct, forbid_unknown_fields=True):
    """Which numbers would make these wishes come true? Decks that differ from this one in these cells are tried."""

    game: str
    deck: str
    wishes: list[str]
    cells: list[str]
    seats: Number = 2
    deals: int = 400
    tries: int = 60
    bot: str = "greedy"
    language: str = "en"


class GoOn(Struct, forbid_unknown_fields=True):
    """A search is to go on until so many decks are tried."""

    tries: int


class PutAway(Struct, forbid_unknown_fields=True):
    """A deck to be taken off the shelf."""

    hash: str


REQUESTS = (
    AskReport,
    AskSearch,
    GoOn,
    CheckDeck,
    SaveDeck,
    PutAway,
    Rename,
    Avatar,
    Passkey,
    UseLink,
    OneOfYours,
    NameDevice,
    Sure,
    Subscribe,
    Unsubscribe,
    Muted,
    PersonAt,
    AskFriend,
    ReportIt,
    Hush,
    ChatWish,
    OpenTable,
    PlayNow,
    OneScreenTable,
    MakeTournament,
    AddBot,
    QuickWish,
    Come,
    Start,
    Rematch,
    Sit,
    Chair,
    Arrange,
    AskHint,
    BranchOff,
    Ready,
    StandIn,
    MoreTime,
)  # what a browser sends by HTTP


class ChairInfo(Struct, forbid_unknown_fields=True):
    """Who sits on a chair."""

    seat: int
    kind: Kind
    name: str
    level: str | None
    online: bool
    standin: Annotated[bool, Meta(description="A bot plays for someone who left.")]
    former: Annotated[bool, Meta(description="A former guest's, who is forgotten.")]
    ready: Annotated[bool, Meta(description="Before the start: would like to begin as things are arranged now.")]
    person: Annotated[str | None, Meta(description="Of a guest of this house: where their page is.")] = None
    host: Annotated[bool, Meta(description="Arranges the table before the start.")] = False
    sign: Annotated[Avatar | None, Meta(description="A person's own; the chair has its own colour and symbol too.")] = (
        None
    )


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
    beginning: Annotated[str, Meta(description="Of a branch: the record it begins with, in hexadecimal.")] = ""


class Outcome(Struct, forbid_unknown_fields=True):
    """How a game ended, in short: for each seat its rank and points; `won` where one plays alone against the game."""

    ranks: list[int]
    scores: list[int]
    won: bool | None = None


class Asks(Struct, forbid_unknown_fields=True):
    """Somebody asks the others to be let take a decision back: whose it is, who agrees, who has not answered."""

    seat: int
    agreed: list[int]
    asked: list[int]


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
    clock: ClockTerms | None
    due: Annotated[float | None, Meta(description="Seconds until the first clock runs out, while one runs.")]
    take_back: TakeBackRule
    asks: Asks | None
    quiet: Annotated[bool, Meta(description="There is no chat here.")]
    rated: bool = False
    imported: Annotated[bool, Meta(description="Played elsewhere, and brought here as a record.")] = False
    tournament: Annotated[str | None, Meta(description="The one it belongs to.")] = None
    one_screen: Annotated[bool, Meta(description="One screen is passed around.")] = False
    hints: Annotated[bool, Meta(description="Whoever is to decide may ask for a hint.")] = False
    branch: Annotated[BranchInfo | None, Meta(description="It goes on from a moment of another game.")] = None


class InvitationInfo(Struct, forbid_unknown_fields=True):
    """A table to which a friend asks you, and what opens it."""

    table: TableInfo
    invite: str
    by: Person
    kept: Annotated[bool, Meta(description="A chair, for you.")]


class FriendInfo(Struct, forbid_unknown_fields=True):
    """One of your friends: whether they are here, or when they were, and where you may watch them play."""

    person: Person
    here: bool
    away: Annotated[float | None, Meta(description="Seconds since they were last here, to the minute.")]
    table: Annotated[str | None, Meta(description="A public game that they play now.")]
    game: Annotated[str | None, Meta(description="What is played there.")]


class LookingInfo(Struct, forbid_unknown_fields=True):
    """How many others look for a quick match on these terms."""

    game: str
    seats: int
    speed: str
    rated: bool
    people: int


class Around(Struct, forbid_unknown_fields=True):
    """What goes on in the house: your friends, public games that are played now, and who looks for others."""

    friends: list[FriendInfo]
    running: list[TableInfo]
    looking: list[LookingInfo]


class QuickInfo(Struct, forbid_unknown_fields=True):
    """How your wish for a quick match stands; without one, nothing is said."""

    wish: QuickWish | None = None
    waited: Annotated[float, Meta(description="Seconds.")] = 0.0
    people: Annotated[int, Meta(description="Who could sit down together by now, you too.")] = 0
    bots_in: Annotated[float | None, Meta(description="Seconds until bots fill up.")] = None
    table: Annotated[TableInfo | None, Meta(description="What was found.")] = None


class ClockInfo(Struct, forbid_unknown_fields=True):
    """One seat's clock: seconds left when this was sent (a sealed one tells none), and for how many it stands still."""

    left: float | None
    state: Annotated[
        Literal["waiting", "running", "held", "sealed", "out", "bot"], Meta(description="Each has a shape of its own.")
    ]
    held: float
    days_off: Annotated[int, Meta(description="That may still be taken, by days.")]


class ClockEvent(Struct, forbid_unknown_fields=True):
    """Something that happened to a seat's clock besides turns; `by` is who gave time, `amount` how many seconds."""

    at: float
    what: Literal["more", "off", "lost", "out", "back"]
    seat: int
    by: int | None
    amount: float


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
    steps: Annotated[list[int] | None, Meta(description="For each decision 0, or which further step of one it is.")] = (
        None
    )
    times: list[float] | None = None
    deciders: list[Literal["person", "bot", "standin"] | None] | None = None
    levels: Annotated[list[str | None] | None, Meta(description="For each seat the level of its bot.")] = None
    rated: bool = False
    origin: Annotated[BranchInfo | None, Meta(description="Of a branch: the game it comes from.")] = None
    deck: Annotated[str | None, Meta(description="The whole deck, if it was not the printed one.")] = None


class DeckMistake(Struct, forbid_unknown_fields=True):
    """What is wrong in a deck: the line of its text, which row from 0 (-1: no single one), the column, and the sentence."""

    line: int
    row: int
    column: str
    sentence: str


class DeckChecked(Struct, forbid_unknown_fields=True):
    """A deck without a mistake: its hash, game, form, content and titles; or every mistake."""

    hash: str | None
    mistakes: list[DeckMistake]
    game: str = ""
    form: str = ""
    content: Any = None
    words: dict[str, dict[str, str]] = {}


class DeckColumn(Struct, forbid_unknown_fields=True):
    """A column of a deck: what may stand in it, and for which kinds of row; both also in words."""

    key: str
    sort: Literal["number", "choice", "id", "text"]
    values: list[str]
    kinds: list[str]
    about: str
    allowed: str
    label: Annotated[str, Meta(description="A short name of the column, in words; nothing: its key will do.")] = ""
    names: Annotated[
        dict[str, str], Meta(description="What its values are called, where they are called anything.")
    ] = {}
    fits: Annotated[
        dict[str, dict[str, list[str]]], Meta(description="By value: what may then stand in other columns.")
    ] = {}


class DeckForm(Struct, forbid_unknown_fields=True):
    """A sort of deck that a game has: a table with columns, or a sheet; and the printed one."""

    key: str
    title: str
    sheet: bool
    kinds: list[str]
    columns: list[DeckColumn]
    content: Any
    words: Annotated[dict[str, str], Meta(description="`kind.<kind>`, `count.<kind>`; of a form without kinds, `row`.")]
    worth: Annotated[bool, Meta(description="What a card is worth can be known: it can be exchanged for another.")] = (
        False
    )


class DeckOnShelf(Struct, forbid_unknown_fields=True):
    """A deck that was saved."""

    hash: str
    name: str
    game: str
    form: str
    at: float


class ReportState(Struct, forbid_unknown_fields=True):
    """How far a report is, and what it says by now."""

    id: str
    done: int
    total: int
    running: bool
    report: Any


class SearchState(Struct, forbid_unknown_fields=True):
    """How far a search is: decks tried, what it has found, or why it cannot be made."""

    id: str
    done: int
    total: int
    running: bool
    refused: str
    search: Any


class ReportFiles(Struct, forbid_unknown_fields=True):
    """A report that is done, as a page of its own and as a table."""

    html: str
    csv: str


class DeckContent(Struct, forbid_unknown_fields=True):
    """What is printed on a deck's components, and their titles by language and key."""

    hash: str
    game: str
    form: str
    content: Any
    words: dict[str, dict[str, str]]


class Brought(Struct, forbid_unknown_fields=True):
    """Where a record that was brought here can be looked at; whether it is new here."""

    table: str
    new: bool


class Rating(Struct, forbid_unknown_fields=True):
    """How strong somebody is in a game with so many seats: a best guess; nine times of ten it is off by `margin` at most."""

    game: str
    seats: int
    points: int
    margin: int
    games: int
    sure: Annotated[bool, Meta(description="From enough games to be on the leaderboard.")]
    bots: Annotated[dict[str, int], Meta(description="How strong each level of bot was measured to be there.")]


class Profile(Struct, forbid_unknown_fields=True):
    """Somebody's page."""

    id: str
    name: str
    you: bool
    since: float
    finished: int
    rated: int
    left: Annotated[int, Meta(description="Rated games in which a stand-in had to finish for them.")]
    ratings: list[Rating]
    enough: Annotated[int, Meta(description="Rated games for a place on a leaderboard.")]
    symbol: Symbol
    colour: int


class RatingPoint(Struct, forbid_unknown_fields=True):
    """Somebody's rating after one game; its table, if you may know of it."""

    at: float
    points: int
    margin: int
    games: int
    table: str | None


class RatingHistory(Struct, forbid_unknown_fields=True):
    """Somebody's rating over time; of very many games evenly some."""

    game: str
    seats: int
    points: list[RatingPoint]


class Opening(Struct, forbid_unknown_fields=True):
    """A way to begin, in words; in how many games, and how many of them were won."""

    words: str
    games: int
    won: int


class Openings(Struct, forbid_unknown_fields=True):
    """How somebody likes to begin, from so many of their last games."""

    game: str
    games: int
    openings: list[Opening]


class Ahead(Struct, forbid_unknown_fields=True):
    """How often somebody came out ahead: of a person or a level of bot, in a game, or with so many seats.

    `won` of `games`, with its nine-in-ten interval; `fair` is what chance alone would give.
    """

    person: str | None
    name: str | None
    symbol: Symbol | None
    colour: int | None
    level: str | None
    game: str | None
    seats: int | None
    games: int
    won: float
    low: float
    high: float
    fair: float


class Shares(Struct, forbid_unknown_fields=True):
    """How often somebody came out ahead, from so many games; below `enough` of them a share says too little."""

    counted: int
    enough: int
    opponents: list[Ahead]
    games: list[Ahead]
    seats: list[Ahead]


class Leader(Struct, forbid_unknown_fields=True):
    """Somebody on a leaderboard, between these places: where intervals overlap the order is not settled."""

    person: str
    name: str
    first: int
    last: int
    points: int
    margin: int
    games: int
    you: bool
    symbol: Symbol
    colour: int


class BotRating(Struct, forbid_unknown_fields=True):
    """A level of bot, as it was measured in so many games among bots."""

    level: str
    points: int
    margin: int
    games: int


class Leaderboard(Struct, forbid_unknown_fields=True):
    """Who is how strong in a game with so many seats; `fewer` have not played `enough` rated games yet."""

    game: str
    seats: int
    people: list[Leader]
    bots: list[BotRating]
    enough: int
    fewer: int


class SeatRating(Struct, forbid_unknown_fields=True):
    """How strong whoever sits there is; after a rated game, what it has changed."""

    seat: int
    points: int
    margin: int
    games: Annotated[int | None, Meta(description="Rated ones so far; null for a bot.")]
    change: int | None
    left: bool


class TournamentInfo(Struct, forbid_unknown_fields=True):
    """A tournament in a list: how many take part, the round that is played, of how many if that is known."""

    id: str
    name: str
    game: str
    kind: Contest
    seats: int
    clock: ClockTerms | None
    rated: bool
    phase: Phase
    created: float
    begins: Annotated[float | None, Meta(description="In so many seconds it begins by itself; later: the next round.")]
    entrants: int
    round: int
    rounds: int | None
    you: bool
    table: Annotated[str | None, Meta(description="Where you play in it now.")]
    winner: str | None


class EntrantInfo(Struct, forbid_unknown_fields=True):
    """Somebody who takes part: a person with a page of their own, or a bot of a level; from round `since` on."""

    n: int
    name: str
    person: str | None
    level: str | None
    symbol: Symbol
    colour: int
    since: int
    gone: Annotated[Literal["left", "absent"] | None, Meta(description="Takes part no more.")]
    former: Annotated[bool, Meta(description="A former guest, who is forgotten.")] = False
    points: Annotated[int | None, Meta(description="Their rating with so many seats, where it is known.")] = None
    margin: int | None = None


class MeetingInfo(Struct, forbid_unknown_fields=True):
    """A table of a round: who sits where, by number; `ranks` as they count, once it is over; who is awaited, by seat."""

    table: str
    entrants: list[int]
    ranks: list[int] | None
    phase: Phase
    waiting: list[int]
    scores: Annotated[list[int] | None, Meta(description="By seat, once it is over.")] = None
    due: Annotated[float | None, Meta(description="Seconds until the first clock runs out, while one runs.")] = None


class RoundInfo(Struct, forbid_unknown_fields=True):
    """A round: its tables, and who has none."""

    meetings: list[MeetingInfo]
    free: list[int]


Cell = Literal["played", "running", "free", "missed"]


class CellInfo(Struct, forbid_unknown_fields=True):
    """What a round has brought somebody: `points` where it is over."""

    what: Cell
    points: float


class StandingInfo(Struct, forbid_unknown_fields=True):
    """How somebody stands: points, then the mean of the opponents' points, then won less lost against whoever is level,
    then lots."""

    entrant: int
    place: int
    points: float
    opponents: float
    direct: int
    by_lot: bool
    rounds: list[CellInfo]


class Tournament(Struct, forbid_unknown_fields=True):
    """A tournament. `commitment` is the hash of the `seed` with which lots are drawn, which is shown when it is over."""

    info: TournamentInfo
    host: Annotated[bool, Meta(description="You have made it.")]
    you: int | None
    may_join: bool
    options: Options
    entrants: list[EntrantInfo]
    standings: list[StandingInfo]
    played: list[RoundInfo]
    commitment: str
    seed: str | None
    ends: Annotated[
        float | None,
        Meta(description="In so many seconds 19 of 20 such games were over: as long as the round may take."),
    ] = None


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


class TakeBack(Struct, forbid_unknown_fields=True, tag_field="type", tag="take_back"):
    """Takes your decisions back to where the game stood after step `to`."""

    id: CommandId
    to: Number


class AskBack(Struct, forbid_unknown_fields=True, tag_field="type", tag="ask_back"):
    """Asks the others to be let take back what `may_take_back` refuses."""


class AnswerBack(Struct, forbid_unknown_fields=True, tag_field="type", tag="answer_back"):
    """Whether you let them; `at` is the sequence number at which they have asked."""

    yes: bool
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


FromBrowser = Do | OpenAgain | TakeBack | AskBack | AnswerBack | Say | Entropy | Ping


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


class ClocksMessage(Struct, forbid_unknown_fields=True, tag_field="type", tag="clocks"):
    """Everybody's clocks, the same for all who look on. `low`: from so many seconds on, a player is warned."""

    low: float
    gift: Annotated[int, Meta(description="Seconds that «give more time» gives.")]
    clocks: list[ClockInfo]
    story: list[ClockEvent]


class Done(Struct, forbid_unknown_fields=True, tag_field="type", tag="done"):
    """Your decision is stored."""

    id: str
    seq: int


class MayTakeBack(Struct, forbid_unknown_fields=True, tag_field="type", tag="may_take_back"):
    """Your last decision can be taken back to step `to`, or why not; none, if you have decided nothing."""

    to: int | None
    why: Refused | None
    ask: Annotated[bool, Meta(description="The others can be asked.")] = False


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
    own: Annotated[int | None, Meta(description="Through your own eyes: the moment of your last decision.")] = None


# ── Learning ─────────────────────────────────────────────────


class LessonStep(Struct, forbid_unknown_fields=True):
    """One step of a lesson: what it says (`title`, `text`, `other`), its paragraph, what to press and what to look at."""

    words: Words
    rule: str
    press: list[str]
    look: list[str]
    reads: Annotated[bool, Meta(description="There is nothing to decide.")]


class Lesson(Struct, forbid_unknown_fields=True):
    """A lesson: the table it is played at, and its steps."""

    minutes: int
    table: TableInfo
    steps: list[LessonStep]


class Decision(Struct, forbid_unknown_fields=True):
    """What you would decide at a step of a lesson or in a puzzle."""

    actions: Annotated[list[Number], Meta(min_length=1, max_length=64)]


class LessonAnswer(Struct, forbid_unknown_fields=True):
    """Whether that is what the lesson is about, and what happens then."""

    right: bool
    updates: list[Update]


class PuzzleInfo(Struct, forbid_unknown_fields=True):
    """A puzzle: at how many seats, in which round, and how many in a hundred of each level of bots find it."""

    id: str
    game: str
    seats: int
    round: int
    found: Annotated[dict[str, int], Meta(description="By level, the mildest first.")]
    grade: Annotated[int, Meta(description="1 to 3: how few of them find it.")]


class Puzzle(Struct, forbid_unknown_fields=True):
    """A puzzle as it lies on the table."""

    info: PuzzleInfo
    table: TableInfo
    update: Update
    moves: Annotated[
        list[PuzzleMove], Meta(description="Some to weigh, the best among them, in the order of the rules.")
    ]


class PuzzleMove(Struct, forbid_unknown_fields=True):
    """A move of a puzzle in words; nothing of what it is worth."""

    action: int
    words: Annotated[dict[str, str], Meta(description="By language.")]


class PuzzleOption(Struct, forbid_unknown_fields=True):
    """A move of a puzzle in words, its chance to win in hundredths, and two standard errors of that."""

    action: int
    words: Annotated[dict[str, str], Meta(description="By language.")]
    chance: int
    error: int


class PuzzleAnswer(Struct, forbid_unknown_fields=True):
    """Whether your move is the best one; yours, and the best moves in order."""

    right: bool
    yours: PuzzleOption
    best: list[PuzzleOption]
    guesses: Annotated[int, Meta(description="In which each move was tried.")]


class PuzzleWhy(Struct, forbid_unknown_fields=True):
    """What tells the best move apart from yours, or from the next best: what comes of each in guesses that are played on."""

    best: list[HintFact]
    other: list[HintFact]


class ReviewSoFar(Struct, forbid_unknown_fields=True):
    """A review of a finished game, as far as it is made: `parts` of `of`; the pieces are those from part `first` on.

    `ends` has the last step of each moment that can be looked back at. Totals, moments and verdicts come with the last part.
    `earlier`: it was judged otherwise than reviews are today; whoever asks for it has it made anew.
    """

    state: Literal["none", "running", "failed", "done"]
    parts: int
    of: int
    first: int
    pieces: list[ReviewPiece]
    ends: list[int]
    judge: str = ""
    totals: list[ReviewTotal] = []
    moments: list[ReviewMoment] = []
    verdicts: list[str] = []
    earlier: bool = False


class Sight(Struct, forbid_unknown_fields=True):
    """A game as your own seat may see it, for a program that plays with the same rules: the record itself, redacted."""

    seq: int
    seat: int
    version: str
    record: Annotated[str, Meta(description="In base64.")]


FromServer = TableMessage | Update | ClocksMessage | MayTakeBack | Done | RefusedMessage | Said | Pong | Revealed


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
