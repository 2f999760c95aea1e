"""A game in the terminal: pictures made of letters, sentences instead of animations."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from .bots import levels
from .core import journal as journals
from .core.chance import derive
from .core.engine import Engine, interpreted
from .core.errors import Refusal
from .core.facts import Fact
from .core.game import Game, Json
from .core.journal import Journal
from .core.play import Play
from .core.record import SPECTATOR, Record, States
from .core.words import Telling, sentence

BOTS = ("Ada", "Bruno", "Carla", "Dario", "Elsa", "Fosco", "Gilda")


class Session:
    """One person (seat 0) and bots, in one process."""

    def __init__(
        self, game: Game, seats: int, options: Mapping[str, str], seed: int, level: str, language: str
    ) -> None:
        levels.read_bot(game, level)  # refuses an unknown level before anything is dealt
        self.game, self.level, self.language, self.seed = game, level, language, seed
        self.names = [self.word("you"), *BOTS][:seats]
        self.options = game.full_options(options)
        self.play = Play.deal(levels.engine_of(game), seats, self.options, seed)

    def word(self, key: str) -> str:
        """Words of the terminal's own."""
        return sentence(self.game, self.language, f"terminal.{key}", {})

    @property
    def journal(self) -> Journal:
        """The game so far, to be kept."""
        game, play = self.game, self.play
        return Journal(game.key, game.version, play.seats, self.options, self.seed, play.decisions(), names=self.names)

    def run(self, watch: bool = False) -> None:
        """Until the end, or until the person leaves."""
        print(f"{self.game.title} · seed {self.seed}")
        while not self.play.is_over():
            seat = self.play.waiting()[0]
            if seat == 0 and not watch:
                action = self.ask()
                if action is None:
                    return
            else:
                action = self.think(seat)
            self.say(self.play.decide(seat, [action]))
        print(ranking(self.play.engine, self.play.states, self.names, self.word("over")))

    def think(self, seat: int) -> int:
        """A bot's decision, from what its seat may see."""
        redacted = self.game.redact(self.play.states, 0, seat)
        return levels.choose(self.game, self.level, redacted, seat, derive(self.seed, self.play.seq, seat))

    def seen(self) -> Record:
        """The record as the person may see it."""
        return Record(self.game.redact(self.play.states, 0, 0))

    def say(self, happened: list[Fact]) -> None:
        """What happened, as the person may know it."""
        seen = self.seen()
        for fact in happened:
            print("  " + event_sentence(self.game, seen, fact.seen_by(0), self.names, self.language, you=0))

    def ask(self) -> int | None:
        """What the person does; None to leave."""
        print()
        position = self.play.position(0)
        view, choices, seen = position.view(), position.choices(), self.seen()
        print(self.game.picture(view, self.names, self.language) if self.game.picture else json.dumps(view, indent=1))
        offered = [choice_sentence(self.game, seen, choice, self.names, self.language) for choice in choices]
        print(f"\n{self.word('turn')}")
        print(columns([f"{number:3} {text}" for number, text in enumerate(offered, 1)]))
        while True:
            try:
                typed = input(f"[{self.word('hint')}] > ").strip()
            except EOFError:
                return None
            if typed in ("q", "quit", "exit"):
                return None
            if typed == "?":
                written = [self.game.actions.write(choice["action"]) for choice in choices]
                print(
                    "\n".join(
                        f"{n:3} {text}  = {w}" for n, (text, w) in enumerate(zip(offered, written, strict=True), 1)
                    )
                )
                continue
            if not typed:
                continue
            try:
                action = self.read(typed, choices)
                self.play.check(0, [action])
                return action
            except Refusal as refusal:
                print("  " + refusal_sentence(self.game, refusal, self.language))

    def read(self, typed: str, choices: list[Json]) -> int:
        if typed.isdigit() and 1 <= int(typed) <= len(choices):
            return int(choices[int(typed) - 1]["action"])
        return self.game.actions.read(typed)


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


def columns(lines: list[str], count: int = 3) -> str:
    """Short lines side by side."""
    if not lines:
        return ""
    width = max(map(len, lines)) + 2
    count = max(1, min(count, 130 // width))
    height = -(-len(lines) // count)
    rows = [lines[n::height] for n in range(height)]
    return "\n".join("".join(f"{cell:{width}}" for cell in row).rstrip() for row in rows)


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
        print(ranking(engine, states, names, sentence(game, language, "terminal.over", {})))
