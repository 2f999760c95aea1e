"""Challengers! without pictures: the table as text, and what is printed on a card."""

from __future__ import annotations

from collections import Counter

from ludoteca.core.game import Json
from ludoteca.core.paper import Paper

from .components import CARDS, KIND, THE_ROUND, Card
from .words import card_name, word

INK_OF_SET = {
    "city": "grey",
    "castle": "blue",
    "film-studio": "orange",
    "funfair": "red",
    "haunted-house": "purple",
    "outer-space": "green",
    "shipwreck": "yellow",
}


def picture(view: Json, names: list[str], language: str) -> str:
    """The table as text."""
    return board(view, names, Paper(language))


def board(view: Json, names: list[str], paper: Paper) -> str:
    """The tournament as text: standings, matches, and what the player may know of their own deck."""
    language = paper.language
    robot = view["robot"]["team"] if view["robot"] else None
    who = [*names, word(language, "robot")] if robot is not None else names
    head = paper.ink(word(language, "round", n=view["round"]), "bold")
    lines = [paper.flow([f"{who[line['team']]} {fans(line)}" for line in view["standings"]], f"{head}  ")]
    for match in view["matches"]:
        if match["state"] == "live":
            lines += match_lines(match, who, paper)
    you = view["you"]
    if you is None:
        return "\n".join(lines)
    if any(you["display"]):
        places = [(n, card) for n, card in enumerate(you["display"], 1) if card is not None]
        lines += [paper.wrapped(facts(card, paper), f"{n}. ", "   ") for n, card in places]
    deck = [f"{entry['count']} {inked(entry['card'], paper)}" for entry in you["deck"]]
    cards = word(language, "cards", n=sum(e["count"] for e in you["deck"]))
    lines.append(paper.flow(deck, f"{cards}: ", "  "))
    return "\n".join(lines)


def fans(line: Json) -> str:
    return str(line["low"]) if line["low"] == line["high"] else f"{line['low']}-{line['high']}"


def match_lines(match: Json, who: list[str], paper: Paper) -> list[str]:
    """One match: each side's cards in the park with their power, its bench, and how many cards are left."""
    language = paper.language
    lines = [paper.ink(word(language, "park." + match["park"]), "bold")]
    for side in match["sides"]:
        lineup = [f"{inked(c['card'], paper)} {paper.ink(str(c['power']), 'bold')}" for c in side["lineup"]]
        seats = [Counter(seat["cards"]) for seat in side["bench"] if seat]
        bench = [
            f"{n} {inked(card, paper)}" if n > 1 else inked(card, paper) for seat in seats for card, n in seat.items()
        ]
        lines.append(paper.flow(lineup or ["–"], f"  {who[side['team']]} ({side['pile']}): ", "    "))
        if bench:
            lines.append(paper.flow(bench, "    [", "     ").rstrip() + "]")
    return lines


def inked(card: str, paper: Paper) -> str:
    """A card's name, in the colour of its set."""
    return paper.ink(card_name(paper.language, card, None), INK_OF_SET.get(CARDS[KIND[card]].set, ""))


def facts(card_id: str, paper: Paper) -> str:
    """What is printed on a card: `Hermit: power 3, Castle, level A. While attacking: +2 if …`."""
    card, language = CARDS[KIND[card_id]], paper.language
    level = word(language, "level.means", level=card.level)
    said = f"{inked(card_id, paper)}: {power(card, language)}, {word(language, f'set.{card.set}')}, {level}."
    effect = (
        word(language, f"text.{card.id}") if card.effect or card.power == THE_ROUND else word(language, "text.none")
    )
    timing = f"{word(language, f'timing.{card.timing}')}: " if card.timing else ""
    return f"{said} {timing}{effect}"


def power(card: Card, language: str) -> str:
    """As printed."""
    return word(language, "power.round") if card.power == THE_ROUND else word(language, "power.n", n=card.power)


def lookup(view: Json, language: str) -> list[tuple[str, str]]:
    """Every card of the sets that are played, by name."""
    paper = Paper(language)
    return [
        (card_name(language, card.id, None), facts(card.id, paper))
        for card in CARDS
        if card.set in (*view["sets"], "city", "robot")
    ]
