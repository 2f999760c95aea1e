"""A game in the terminal: boards made of letters, in colours where the terminal has them; sentences instead of animations.

Everything is written line by line, so it works over ssh, in any window, and with a screen reader (`plain`).
"""

from __future__ import annotations

import difflib
import functools
import json
import os
import pathlib
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from .bots import levels
from .bots.own import AnyBots, seated
from .core import journal as journals
from .core.chance import derive
from .core.engine import Engine, interpreted
from .core.errors import Refusal
from .core.facts import Fact
from .core.game import Game, Json
from .core.journal import Journal
from .core.paper import Paper, breadth, joined
from .core.play import Play, Position
from .core.record import SPECTATOR, Record, States
from .core.words import Telling, fill, sentence

BOTS = ("Ada", "Bruno", "Carla", "Dario", "Elsa", "Fosco", "Gilda")
WIDTH = 130  # letters in a line, where nobody says how many there are
LAST = 20  # sentences of the log
MOST_FOUND = 8  # things that are told of at once

# What may be typed beside a decision.
LEAVE = ("q", "quit", "exit", "esci")
HELP = ("?", "help", "aiuto")
BOARD = ("board", "tavolo")
LOG = ("log",)
LOOK = ("look", "guarda")


@functools.cache
def own_words(language: str) -> dict[str, str]:
    """The terminal's own words."""
    path = pathlib.Path(__file__).parent / "words" / "terminal" / f"{language}.json"
    return dict(json.loads(path.read_text("utf-8")))


def has_colours() -> bool:
    """Whether what we write is seen in colours: in a terminal that can, unless its owner wants none (no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"


class Session:
    """One person (seat 0) and bots, in one process."""

    def __init__(
        self,
        game: Game,
        seats: int,
        options: Mapping[str, str],
        seed: int,
        bots: AnyBots,
        language: str,
        plain: bool = False,
    ) -> None:
        game.check_seats(seats)
        self.bots = seated(game, bots, seats, own=0)  # refuses unknown ones before anything is dealt
        self.bots[0] = self.bots[0] or self.bots[-1] or seated(game, "club", 1)[0]  # for who only watches
        self.game, self.language, self.seed, self.plain = game, language, seed, plain
        self.names = [self.word("you"), *BOTS][:seats]
        self.options = game.full_options(options)
        self.play = Play.deal(levels.engine_of(game), seats, self.options, seed)
        self.told: list[str] = []  # the last sentences

    def word(self, key: str, **facts: Any) -> str:
        """Words of the terminal's own."""
        return fill(own_words(self.language)[key], facts)

    @property
    def paper(self) -> Paper:
        """What is written on: as wide as the window is now."""
        width = shutil.get_terminal_size((WIDTH, 40)).columns
        return Paper(self.language, width, has_colours() and not self.plain, self.plain)

    @property
    def journal(self) -> Journal:
        """The game so far, to be kept."""
        game, play = self.game, self.play
        deck = game.deck.text if game.deck is not None else None
        return Journal(
            game.key, game.version, play.seats, self.options, self.seed, play.decisions(), names=self.names, deck=deck
        )

    def run(self, watch: bool = False) -> None:
        """Until the end, or until the person leaves."""
        print(f"{self.paper.ink(self.game.title, 'bold')} · seed {self.seed}")
        while not self.play.is_over():
            seat = self.play.waiting()[0]
            if seat == 0 and not watch:
                action = self.ask()
                if action is None:
                    print(self.word("left"))
                    return
            else:
                action = self.think(seat)
            self.say(self.play.decide(seat, [action]))
        print(ranking(self.play.engine, self.play.states, self.names, self.word("over")))

    def think(self, seat: int) -> int:
        """A bot's decision, from what its seat may see."""
        redacted = self.game.redact(self.play.states, 0, seat)
        bot = self.bots[seat]
        assert bot is not None
        return bot.choose(levels.engine_of(self.game), redacted, seat, derive(self.seed, self.play.seq, seat))

    def seen(self) -> Record:
        """The record as the person may see it."""
        return Record(self.game.redact(self.play.states, 0, 0))

    def say(self, happened: list[Fact]) -> None:
        """What happened, as the person may know it; what others did more softly."""
        seen, paper = self.seen(), self.paper
        for fact in happened:
            said = event_sentence(self.game, seen, fact.seen_by(0), self.names, self.language, you=0)
            self.told = [*self.told[1 - LAST :], said]
            print(paper.wrapped(said if fact.seat == 0 else paper.ink(said, "dim"), "  ", "    "))

    # The person's turn.

    def ask(self) -> int | None:
        """What the person does; None to leave."""
        position, seen = self.play.position(0), self.seen()
        choices = position.choices()
        offered = [choice_sentence(self.game, seen, choice, self.names, self.language) for choice in choices]
        self.show(position, offered)
        while True:
            try:
                typed = input(f"[{self.word('hint')}] > ").strip()
            except (EOFError, KeyboardInterrupt):
                print()
                return None
            command, _, rest = typed.partition(" ")
            if typed in LEAVE:
                return None
            if typed in HELP:
                self.explain(position.view(), choices, offered)
            elif typed in BOARD:
                self.show(position, offered)
            elif typed in LOG:
                print("\n".join(self.paper.wrapped(said, "  ", "    ") for said in self.told))
            elif command in LOOK:
                self.look(position.view(), rest, offered)
            elif typed:
                try:
                    action = self.read(typed, choices)
                    self.play.check(0, [action])
                    return action
                except Refusal as refusal:
                    print("  " + refusal_sentence(self.game, refusal, self.language))

    def show(self, position: Position, offered: list[str]) -> None:
        """The table, and what may be done."""
        view, paper = position.view(), self.paper
        if self.game.board is not None:
            table = self.game.board(view, self.names, paper)
        else:
            table = (
                self.game.picture(view, self.names, self.language) if self.game.picture else json.dumps(view, indent=1)
            )
        print(f"\n{table}\n\n{paper.ink(self.word('turn'), 'bold')}")
        print(columns([f"{paper.ink(f'{n:3}', 'bold')} {text}" for n, text in enumerate(offered, 1)], paper))

    def explain(self, view: Json, choices: list[Json], offered: list[str]) -> None:
        """What can be typed: every choice in the words that it is read from, and the rest."""
        for number, (choice, text) in enumerate(zip(choices, offered, strict=True), 1):
            print(f"{number:3} {text}  = {self.game.actions.write(choice['action'])}")
        book = self.game.lookup(view, self.language)
        lines = self.word("help", name=book[0][0] if book else "none").splitlines()
        width = max(map(len, lines)) if self.paper.plain else self.paper.width  # two spaces in a line are meant
        print("\n".join(textwrap.fill(line, width, subsequent_indent="  ") for line in lines))

    def look(self, view: Json, typed: str, offered: list[str]) -> None:
        """Tells what is printed on what was named, or on all that a choice names; if nothing was, what has a name."""
        book = self.game.lookup(view, self.language)
        if not typed:
            names = ", ".join(dict.fromkeys(name for name, _ in book))
            print(self.paper.wrapped(self.word("names", names=names), "  ", "    "))
            return
        is_choice = typed.isdigit() and 1 <= int(typed) <= len(offered)
        if is_choice:
            about = folded(offered[int(typed) - 1])
            found = [told for name, told in book if folded(name) in about]
        else:
            found = looked_up(book, typed)
        paper = self.paper
        for told in found[:MOST_FOUND]:
            print(paper.wrapped(told, "  ", "    "))
        if len(found) > MOST_FOUND:
            print("  " + self.word("more", n=len(found) - MOST_FOUND))
        if not found and is_choice:
            print("  " + self.word("nothing_of_choice", n=typed))
        elif not found:
            known = {folded(name): name for name, _ in book}
            near = [known[name] for name in difflib.get_close_matches(folded(typed), known)]
            print("  " + self.word("nothing", name=typed, near=", ".join(near) or "none"))

    def read(self, typed: str, choices: list[Json]) -> int:
        if typed.isdigit():
            if not 1 <= int(typed) <= len(choices):
                raise Refusal(self.word("no_choice", n=typed, most=len(choices)), "no_choice")
            return int(choices[int(typed) - 1]["action"])
        return self.game.actions.read(typed)


def folded(name: str) -> str:
    """A name as it is compared: small letters without accents."""
    split = unicodedata.normalize("NFD", name.casefold())
    return "".join(letter for letter in split if not unicodedata.combining(letter)).replace("’", "'")


def looked_up(book: Sequence[tuple[str, str]], typed: str) -> list[str]:
    """What is printed on everything of that name; if there is none, of a name that begins with it, or has it inside."""
    wanted = folded(typed)
    names = [(folded(name), told) for name, told in book]
    exact = [told for name, told in names if name == wanted]
    begun = [told for name, told in names if name.startswith(wanted)]
    return exact or begun or [told for name, told in names if wanted in name]


def event_sentence(
    game: Game, seen: Record, fact: Fact, names: list[str], language: str, you: int | None = None
) -> str:
    """An event in words."""
    return Telling(game, seen, names, language, you).event(game.event(seen, fact))


def choice_sentence(game: Game, seen: Record, choice: Json, names: list[str], language: str) -> str:
    """A choice in words."""
    return Telling(game, seen, names, language).choice(choice)


def refusal_sentence(game: Game, refusal: Refusal, language: str) -> str:
    """Why not, in words."""
    key = f"why.{refusal.key}"
    words = sentence(game, language, key, refusal.facts)
    return refusal.sentence if words == key else words


def columns(lines: list[str], paper: Paper, most: int = 4) -> str:
    """Short lines side by side, in as many columns as fit; on plain paper one below the other."""
    for count in range(1 if paper.plain else most, 0, -1):
        height = max(1, -(-len(lines) // count))
        blocks = [lines[n : n + height] for n in range(0, len(lines), height)]
        if count == 1 or sum(map(breadth, blocks)) + 2 * (len(blocks) - 1) <= paper.width:
            break
    return "\n".join(joined(blocks, "  ")) if lines else ""


def ranking(engine: Engine, states: States, names: list[str], title: str) -> str:
    """Who won."""
    result = engine.result(states)
    order = sorted(range(len(names)), key=lambda seat: result.ranks[seat])
    return "\n".join([title, *(f"  {result.ranks[s]}. {names[s]:12} {result.scores[s]}" for s in order)])


def tell(game: Game, written: Journal, language: str, as_json: bool) -> None:
    """A recorded game, told to somebody who watches."""
    engine = interpreted(game)
    names = list(written.names) or [f"{number}" for number in range(1, written.seats + 1)]
    states = journals.begin(engine, written)
    for states, _seat, _action, happened in journals.replay(engine, written):
        seen: Any = Record(game.redact(states, 0, SPECTATOR))
        for fact in happened:
            if as_json:
                sys.stdout.write(json.dumps(game.event(seen, fact.seen_by(SPECTATOR))) + "\n")
            else:
                print(event_sentence(game, seen, fact.seen_by(SPECTATOR), names, language))
    if not as_json and engine.is_over(states):
        print(ranking(engine, states, names, own_words(language)["over"]))
