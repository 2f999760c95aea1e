"""Challengers! as text: the values of sentences in words, and the tournament for the terminal."""

from __future__ import annotations

import pathlib
from typing import Any

from ludoteca.core.game import Json
from ludoteca.core.words import Speaker, Telling, catalogue, fill

from .components import LEVEL_NAMES

HERE = pathlib.Path(__file__).parent


def word(language: str, key: str, **facts: Any) -> str:
    return fill(catalogue(HERE, language)[key], facts)


def card_name(language: str, card: str | None, level: str | None) -> str:
    """A card by its name, or by its level where the viewer may not know it."""
    if card is not None:
        return word(language, f"card.{card}")
    return word(language, "card.level", level=level) if level in LEVEL_NAMES else word(language, "card.hidden")


def team_name(state: Any, names: list[str], language: str, team: int) -> str:
    return names[team] if team < state.seats else word(language, "robot")


def say_card(telling: Telling, card: str | None, said: Json) -> str:
    return card_name(telling.language, card, said.get("level"))


def say_team(telling: Telling, team: int, said: Json) -> str:
    return team_name(telling.seen, telling.names, telling.language, team)


SPOKEN: dict[str, Speaker] = {
    "card": say_card,
    "team": say_team,
    "signed": lambda telling, amount, said: f"{amount:+d}",
}


def picture(view: Json, names: list[str], language: str) -> str:
    """The tournament as text: standings, matches, and what the player may know of their own deck."""
    robot = view["robot"]["team"] if view["robot"] else None
    who = [*names, word(language, "robot")] if robot is not None else names
    lines = [f"{word(language, 'round', n=view['round'])}  " + standings_line(view, who)]
    lines += [match_line(match, who, language) for match in view["matches"] if match["state"] == "live"]
    you = view["you"]
    if you is None:
        return "\n".join(lines)
    if any(you["display"]):
        shown = [card_name(language, card, None) if card else "-" for card in you["display"]]
        lines.append("  ".join(f"{n}. {name}" for n, name in enumerate(shown, 1)))
    deck = [f"{entry['count']} {card_name(language, entry['card'], None)}" for entry in you["deck"]]
    lines.append(f"{word(language, 'cards', n=sum(e['count'] for e in you['deck']))}: " + ", ".join(deck))
    return "\n".join(lines)


def standings_line(view: Json, who: list[str]) -> str:
    def fans(line: Json) -> str:
        return str(line["low"]) if line["low"] == line["high"] else f"{line['low']}-{line['high']}"

    return "  ".join(f"{who[line['team']]} {fans(line)}" for line in view["standings"])


def match_line(match: Json, who: list[str], language: str) -> str:
    """One match: each side's cards in the park, and its bench."""
    halves = []
    for side in match["sides"]:
        lineup = " ".join(f"{card_name(language, c['card'], None)} {c['power']}" for c in side["lineup"])
        bench = ", ".join(card_name(language, seat["cards"][0], None) for seat in side["bench"] if seat)
        halves.append(f"{who[side['team']]}: {lineup or '-'} [{bench}] ({side['pile']})")
    return f"{word(language, 'park.' + match['park'])}: " + "  |  ".join(halves)
