"""What a card of a deck says, where it does something else than the printed card of its id: made of its columns."""

from __future__ import annotations

import pathlib
from collections.abc import Mapping

from ludoteca.core.forms import deck_word

FOLDER = pathlib.Path(__file__).parents[1]
DOES = ("timing", "effect", "amount", "measure", "which", "must")  # the columns that a card's text speaks of


def does_the_same(row: Mapping[str, str], printed: Mapping[str, str] | None) -> bool:
    """Whether a card does what the printed one does, so that its text holds."""
    return printed is not None and all(row[column] == printed[column] for column in DOES)


def text_of(row: Mapping[str, str], language: str) -> str:
    """The sentence; nothing for a card that does nothing."""
    effect, measure = row["effect"], row["measure"]
    if not effect:
        return ""
    what, _, value = row["which"].partition(" ")
    amount = int(row["amount"])
    cards = deck_word(
        FOLDER, language, f"cards.{what or 'any'}", value=value if what != "set" else set_name(value, language)
    )
    facts = {"n": abs(amount), "sign": "+" if amount > 0 else "−", "cards": cards, "level": value}
    facts["may"] = "must" if row["must"] == "yes" else "may"
    said = deck_word(FOLDER, language, f"does.{effect}", **facts)
    if measure in ("", "one"):
        return f"{said}."
    return f"{said}{deck_word(FOLDER, language, f'measure.{measure}', **facts)}."


def set_name(key: str, language: str) -> str:
    """What a set is called."""
    return deck_word(FOLDER, language, f"set.{key}")
