"""Challengers! without pictures: the table as text."""

from __future__ import annotations

from ludoteca.core.game import Json

from .words import card_name, word


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
