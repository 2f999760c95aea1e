"""A game is an object of data and functions: everything the rest of the house needs to know about it."""

from __future__ import annotations

import functools
import importlib
import pathlib
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from .actions import Actions
from .chance import reseed
from .errors import BadData, Unknown
from .facts import Choices, Fact, Facts
from .facts import Json as Json
from .forms import Form, Words
from .kernel import ActionList, ChanceList, Log, NumberList, OptionList, Page, ScoreList
from .record import Field, Record, Redactor, See, States
from .view_parts import ViewInParts

if TYPE_CHECKING:
    from .canvas import Canvas, Scene
    from .decks import Deck
    from .paper import Paper
    from .words import Speaker

State = Any  # a record of the game's own fields; interpreted it is a `Record`

MOST_SEATS = 8  # audiences are bits of 16: eight seats, and room for those who watch
MOST_ACTIONS = 2**15  # numbers of actions are int16, in lists of legal actions and in the store
MOST_LOG_ROWS = 2**16
LONGEST_KEY = 40
DECK = "deck"  # among the options of a game with a deck of its own: the hash of it
KEY = re.compile(r"[a-z][a-z0-9_]*")
COLOUR = re.compile(r"#[0-9a-f]{6}")


# The functions of a game, as everybody else calls them. Kernels first; `state` is the whole record, `redacted` what the
# seat may see of it. What is handed in as `out` or `actions` is written into.


class Setup(Protocol):
    """Deals: the record is all zero before; `options` are the numbers of the chosen values."""

    def __call__(self, state: State, seats: int, options: OptionList, seed: int, /) -> None: ...


class Legal(Protocol):
    """Lists what a waiting seat may do, ascending, and says how many; may look only at what the seat may see."""

    def __call__(self, state: State, seat: int, actions: ActionList, /) -> int: ...


class Apply(Protocol):
    """Does a legal action and tells the log what happened."""

    def __call__(self, state: State, seat: int, action: int, log: Log, /) -> None: ...


class IsOver(Protocol):
    """Whether the game has ended."""

    def __call__(self, state: State, /) -> bool: ...


class Count(Protocol):
    """A number for each seat: its points, or its rank (1 for the first, equal when shared)."""

    def __call__(self, state: State, out: ScoreList, /) -> None: ...


class Guess(Protocol):
    """Fills in, in place, what the viewer (a seat, or SPECTATOR) cannot see."""

    def __call__(self, redacted: State, viewer: int, seed: int, /) -> None: ...


class Observe(Protocol):
    """The record as numbers for a network."""

    def __call__(self, redacted: State, seat: int, out: NumberList, /) -> None: ...


class Features(Protocol):
    """What a learned judgement looks at in a seat's position: numbers of about 0 to 1, the same kinds for every seat."""

    def __call__(self, state: State, seat: int, out: NumberList, /) -> None: ...


class Appraise(Protocol):
    """How good an action looks; the greedy bot takes the best."""

    def __call__(self, redacted: State, seat: int, action: int, /) -> float: ...


class Experience(Protocol):
    """How good each of so many actions is, by many games."""

    def __call__(self, redacted: State, seat: int, actions: ActionList, count: int, out: ChanceList, /) -> None: ...


class Write(Protocol):
    """A view without `you` as JSON, on a page: see pen.py."""

    def __call__(self, redacted: State, page: Page, /) -> None: ...


class WriteOwn(Protocol):
    """Likewise what a view has under `you`."""

    def __call__(self, redacted: State, seat: int, page: Page, /) -> None: ...


class Offer(Protocol):
    """So many actions as JSON, each with what a page needs to offer it."""

    def __call__(self, redacted: State, seat: int, actions: ActionList, count: int, page: Page, /) -> None: ...


class Outlook(Protocol):
    """Each seat's chance to win at a glance, 0..1; search cuts play-outs with it."""

    def __call__(self, state: State, out: ChanceList, /) -> None: ...


# Words and pictures, in ordinary Python, from the redacted record only.


class View(Protocol):
    """The game as this viewer may see it."""

    def __call__(self, redacted: State, viewer: int, /) -> Json: ...


class Own(Protocol):
    """What a view has under `you` for its own seat."""

    def __call__(self, redacted: State, seat: int, /) -> Json: ...


class Cover(Protocol):
    """Covers, in place, what others may not see through this seat's eyes even when they look back at a finished game."""

    def __call__(self, redacted: States, seat: int, /) -> None: ...


class Choice(Protocol):
    """What a page needs to offer this action, beside its arguments."""

    def __call__(self, redacted: State, seat: int, action: int, /) -> Json: ...


class Reasons(Protocol):
    """For each seat, the facts behind its final rank."""

    def __call__(self, state: State, /) -> list[Json]: ...


class Shuffles(Protocol):
    """Every shuffle that set-up begins with, in the order made: its name, and how many pieces."""

    def __call__(self, state: State, /) -> list[tuple[str, int]]: ...


class Components(Protocol):
    """Every component counted; must never change in a game."""

    def __call__(self, state: State, /) -> Json: ...


class Explain(Protocol):
    """Why an action is not legal: the key of a sentence `why.<key>`, and its facts."""

    def __call__(self, redacted: State, seat: int, action: int, /) -> tuple[str, Json]: ...


class Exchange(Protocol):
    """Two components, by id, change places in a game that was just set up; false if they are not of a kind."""

    def __call__(self, state: State, one: str, other: str, /) -> bool: ...


class Picture(Protocol):
    """A view as text."""

    def __call__(self, view: Json, names: list[str], language: str, /) -> str: ...


class Board(Protocol):
    """A view as text for a terminal, with its width and its colours; see paper.py."""

    def __call__(self, view: Json, names: list[str], paper: Paper, /) -> str: ...


class Lookup(Protocol):
    """What can be looked up: names, and what is printed there. A name may come several times."""

    def __call__(self, view: Json, language: str, /) -> list[tuple[str, str]]: ...


class Draw(Protocol):
    """A view as a picture; see canvas.py."""

    def __call__(self, canvas: Canvas, scene: Scene, /) -> None: ...


@dataclass(frozen=True)
class Option:
    """A choice made before the game: `Option("goal", ("100", "50"))`; the first value is the default."""

    key: str
    values: tuple[str, ...]
    titles: Mapping[str, Mapping[str, str]] = field(default_factory=dict, compare=False)  # of values without words


@dataclass(frozen=True, eq=False)
class Game:
    """Data first, then the rules (kernels: plain functions over the record), then what makes words and pictures of them.

    Limits, checked when a game is made: a key of at most 40 small letters, digits and `_`; 1 to 8 seats, every number of
    them from the fewest to the most; 1 to 32 768 numbered actions; room for 1 to 65 536 facts in the answer to one
    decision; at least one number in an observation; a place for each seat in `waiting` and in every field that is its
    owner's. Beside the code, the folder holds `words/<language>.json`, and, where the game has them, `docs/<language>.md`
    (the numbered rules), `cover.svg` (the box) and `board/board.js` (what draws it in a browser).
    """

    key: str  # the same string as entry point, folder, docs, tests, web folder and wire value
    title: str
    seats: range
    minutes: int
    version: str  # of the rules; a journal is replayed by the version that wrote it
    folder: pathlib.Path
    options: tuple[Option, ...]
    state: type[Record]  # its class, which declares the fields
    actions: Actions
    facts: Facts  # what can happen
    choices: Choices  # what comes with the actions that are offered

    # The rules.
    setup: Setup
    legal: Legal
    apply: Apply
    is_over: IsOver
    scores: Count  # points of each seat
    ranks: Count  # 1 for the first, equal when shared
    observe: Observe
    observation: int  # how many numbers
    appraise: Appraise
    outlook: Outlook

    # Words and pictures.
    view: View

    # What a small game can do without.
    determinize: Guess = reseed  # fairly: every world that the seat cannot tell from the true one, as likely as it is
    choice: Choice = lambda redacted, seat, action: {}  # the arguments say it all
    reasons: Reasons = lambda state: [Json() for _ in range(state.seats)]  # the points say it all
    shuffles: Shuffles = lambda state: []  # nothing is shuffled
    components: Components = lambda state: {}  # nothing can be lost
    explain: Explain | None = None
    spoken: Mapping[str, Speaker] = field(default_factory=dict)
    # Types of values that are said in a way of their own: (telling, value, event or choice) → word; see words.py.
    picture: Picture | None = None
    board: Board | None = None  # in a terminal; without it, the picture
    lookup: Lookup = lambda view, language: []  # nothing is printed
    draw: Draw | None = None
    colour: str = "#5b6472"  # of the box's spine
    observation_names: tuple[tuple[str, int], ...] = ()  # named parts of the observation and their sizes
    behind_screen: Mapping[str, bool] = field(default_factory=dict)
    # Kinds of action that are secret, and can be taken back, until every seat that is asked has sealed; true: it seals.
    teams: Callable[[int], int] = lambda seats: seats
    # How many rows of what has one for each seat are in use at a table of so many: more where the game itself has one.
    by_seat: tuple[str, ...] = ()  # marked fields that have a row for each seat, so that those of nobody need no cover
    rival_alone: bool = False  # alone one plays against the game itself and can lose: `outlook` says how it stands
    things: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # What a player comes to have, for the balance report: kinds of event, and the parts of it that name the thing.
    exchange: Exchange | None = None  # for the report of what a card is worth: it, or another in its place
    fitting: Mapping[str, Mapping[str, Mapping[str, tuple[str, ...]]]] = field(default_factory=dict)
    # For people who make a row of a deck: by column and value, what may then stand in other columns.
    log_rows: int = 512
    longest: int = 20_000  # decisions no game passes
    thinking: Mapping[str, Any] = field(
        default_factory=dict
    )  # settings of the search that suit this game, at any level
    levels: Mapping[str, Json] = field(default_factory=dict)  # settings of the named bots, where they differ
    judging: Json = field(default_factory=dict)  # where reviews search otherwise than the strongest level does
    imagine: Guess | None = None
    # How search fills in what is hidden, if not by `determinize`: as experience would guess; what others have sealed may
    # be opened again, so that they decide within the search.
    features: Features | None = None  # what a learned judgement looks at; without it bots judge by `outlook` alone
    feature_names: tuple[tuple[str, int], ...] = ()  # its named parts and their sizes
    experience: Experience | None = None  # how good actions are by many games; without it bots go by how good they look
    stays_secret: Cover | None = None
    dealt_face_down: tuple[str, ...] = ()
    # Marked fields whose unseen values lie in an order that nobody knows, as those of secret fields do: a review deals both
    # again to see what was luck.
    trust: Mapping[int, float] = field(default_factory=dict)
    # For so many seats, how far `outlook` can be trusted as a chance, where that is not fully: reviews raise its odds to
    # this power. `make calibration` shows it.
    own: Own | None = None
    # `view(redacted, seat)["you"]`, if nothing else in a view depends on whose it is: then a server makes the rest of it
    # once for all who see the same record.
    # The same by machine code, for a game that servers play much: a view without `you`, `you`, and `choice` for many.
    write: Write | None = None
    write_own: WriteOwn | None = None
    offer: Offer | None = None
    parts: ViewInParts | None = None  # the same view in parts: then a server writes only what has changed
    forms: tuple[Form, ...] = ()  # what decks of its own it can be played with; see forms.py
    deck: Deck | None = None  # the one its tables are made of, if it is not the printed one; see decks.py

    def __post_init__(self) -> None:
        """Refuses what the house could not play, with a sentence for whoever wrote the game."""
        for problem in problems(self):
            raise BadData(f"The game «{self.key}» cannot be played: {problem}", "bad_game", game=str(self.key)[:40])

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields of the record: shape, meaning, and who may see them."""
        return self.state.FIELDS

    @property
    def dtype(self) -> np.dtype[Any]:
        """The record."""
        return self.state.DTYPE

    @functools.cached_property
    def streams(self) -> tuple[str, ...]:
        """The fields that numbers still to be drawn come from."""
        return tuple(field_.name for field_ in self.fields if field_.stream or field_.name == "rng")

    @functools.cached_property
    def redact(self) -> Redactor:
        """(states, i, viewer) → the record as this viewer may see it."""
        return Redactor(self.fields)

    @functools.cached_property
    def place(self) -> str:
        """Where another process finds this game: `my_package.my_game:GAME`; with a deck, the deck comes after it."""
        if self.deck is not None:
            return self.deck.place
        return place_of(self)

    @property
    def variant(self) -> str:
        """The hash of the deck that its tables are made of; nothing for the printed one."""
        return self.deck.hash if self.deck is not None else ""

    @functools.cached_property
    def own_words(self) -> Words:
        """The titles that a deck of its own brings, by language and key."""
        return self.deck.form_in(self).words(self.deck.content) if self.deck is not None else {}

    def __reduce__(self) -> tuple[Any, ...]:
        return game_at, (self.place,)  # another process imports it: kernels are code, not data

    @property
    def events(self) -> tuple[str, ...]:
        """The kinds of fact, by number."""
        return self.facts.names

    def offers(self, redacted: Record, seat: int) -> Callable[[int], Json]:
        """What gives, for each action that is offered now, the facts a page needs beside its arguments."""
        offer = self.parts.offer(redacted, seat) if self.parts is not None else None
        return functools.partial(self.choice, redacted, seat) if offer is None else offer

    def event(self, redacted: Record, fact: Fact) -> Json:
        """A fact, as its viewer may know it, as JSON."""
        return self.facts.named(redacted, fact)

    @property
    def feature_count(self) -> int:
        """How many numbers `features` fills in for a seat."""
        return sum(size for _, size in self.feature_names)

    @property
    def max_seats(self) -> int:
        """The most seats this game has."""
        return max(self.seats)

    def read_options(self, chosen: Mapping[str, str]) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Options by name → the numbers that `setup` reads."""
        known = {option.key: option for option in self.options}
        if chosen.get(DECK, self.variant) != self.variant:
            raise BadData("This is played with another deck.", "other_deck", deck=str(chosen[DECK])[:12])
        for key in chosen:
            if key not in known and not (key == DECK and self.variant):
                raise BadData(f"{self.title} has no option «{key}».", "no_such_option", option=key)
        numbers = []
        for option in self.options:
            value = chosen.get(option.key, option.values[0])
            if value not in option.values:
                raise BadData(
                    f"«{option.key}» can be {', '.join(option.values)}; not «{value}».",
                    "no_such_value",
                    option=option.key,
                    value=str(value),
                )
            numbers.append(option.values.index(value))
        return np.array(numbers, np.int64)

    def full_options(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """Every option with its value, checked."""
        numbers = self.read_options(chosen)
        full = {option.key: option.values[n] for option, n in zip(self.options, numbers.tolist(), strict=True)}
        return full | ({DECK: self.variant} if self.variant else {})

    def check_seats(self, seats: int) -> None:
        """Refuses a number of seats the game is not made for."""
        if seats not in self.seats:
            few, many = min(self.seats), max(self.seats)
            raise BadData(f"{self.title} is for {few} to {many} players.", "seats_out_of_range", few=few, many=many)


def problems(game: Game) -> Iterator[str]:
    """What is wrong with a game, in sentences."""
    if not KEY.fullmatch(game.key) or len(game.key) > LONGEST_KEY:
        yield f"its key has 1 to {LONGEST_KEY} small letters, digits and _, and begins with a letter."
    if not game.title.strip() or not game.version.strip():
        yield "it needs a title and a version."
    if not game.folder.is_dir():
        yield f"there is no folder {game.folder}."
    if not COLOUR.fullmatch(game.colour):
        yield f"its colour is written like #1b1446, not «{game.colour}»."
    if not game.seats or game.seats.step != 1 or game.seats[0] < 1 or game.seats[-1] > MOST_SEATS:
        yield f"its seats are a range within 1 to {MOST_SEATS}, as range(2, 5) for two to four."
        return  # the rest counts with them
    yield from _problems_of_fields(game)
    yield from _problems_of_options(game)
    if not 1 <= len(game.actions) <= MOST_ACTIONS:
        yield f"it has {len(game.actions)} actions; 1 to {MOST_ACTIONS} can be numbered."
    if len(set(game.events)) < len(game.events):
        yield "two kinds of event have the same name."
    if not 1 <= game.log_rows <= MOST_LOG_ROWS:
        yield f"its log has {game.log_rows} rows; there can be 1 to {MOST_LOG_ROWS}."
    if game.longest < 1 or game.minutes < 1:
        yield "its longest game and its minutes are at least 1."
    if game.observation < 1:
        yield "an observation has at least one number."
    if game.observation_names and sum(size for _, size in game.observation_names) != game.observation:
        yield f"the named parts of its observation do not make {game.observation} numbers."
    if (game.features is None) != (game.feature_count == 0):
        yield "features come with the names and sizes of their parts."
    for kind in game.behind_screen:
        if kind not in game.actions.names:
            yield f"«{kind}» is behind a screen and no kind of action."
    for name in game.dealt_face_down:
        if name not in [field_.name for field_ in game.fields if field_.see is See.MARKED]:
            yield f"«{name}» is dealt face down and no marked field."
    for name in game.by_seat:
        if name not in [field_.name for field_ in game.fields if field_.see is See.MARKED]:
            yield f"«{name}» has a row for each seat and is no marked field."
    for kind in game.things:
        if kind not in game.events:
            yield f"«{kind}» is among its things and no kind of event."


def _problems_of_fields(game: Game) -> Iterator[str]:
    if "round_number" not in [field_.name for field_ in game.fields]:
        yield "every game's state has a field called round_number: search counts rounds with it."
    for field_ in game.fields:
        if field_.see is not See.PUBLIC and field_.name != "rng" and game.determinize is reseed:
            yield f"the field {field_.name} is hidden, so it needs a `determinize` that guesses it."
        by_seat = field_.name == "waiting" or field_.see is See.OWNER
        if by_seat and (not field_.shape or field_.shape[0] < game.max_seats):
            yield f"the field {field_.name} needs a place for each of {game.max_seats} seats."


def _problems_of_options(game: Game) -> Iterator[str]:
    keys = [option.key for option in game.options]
    if len(set(keys)) < len(keys):
        yield "two options have the same key."
    for option in game.options:
        if not KEY.fullmatch(option.key) or option.key == DECK:
            yield f"the key of an option is made of small letters, digits and _, not «{option.key}»."
        if not option.values or len(set(option.values)) < len(option.values):
            yield f"the option «{option.key}» needs values, each once."


# Where a game is.


def game_at(place: str) -> Game:
    """The game at `module:NAME`, or with a deck at `module:NAME@…`."""
    if "@" in place:
        from .decks import game_with  # here, because decks know games

        return game_with(place)
    module, _, name = place.partition(":")
    try:
        found = functools.reduce(getattr, name.split("."), importlib.import_module(module))
    except (ImportError, AttributeError, ValueError) as error:
        raise Unknown(f"There is no game at «{place}»: {error}.", "no_such_game", game=place[:40]) from error
    if not isinstance(found, Game):
        raise Unknown(f"What is at «{place}» is not a Game.", "no_such_game", game=place[:40])
    return found


def place_of(game: Game) -> str:
    """`module:NAME` of a game: in a module of its own folder, or else wherever an imported module has it."""
    found = [
        (game.folder not in pathlib.Path(getattr(module, "__file__", None) or "").parents, f"{module.__name__}:{name}")
        for key, module in list(sys.modules.items())
        if key == getattr(module, "__name__", "") and key != "__main__"
        for name, value in list(vars(module).items())
        if value is game
    ]
    if not found:
        raise BadData(
            f"{game.title} stands in no module, so another process cannot import it: give it a name there.", "bad_game"
        )
    return min(found)[1]
