"""What the table refuses, and with which status. The sentences are in the table's catalogue, as `why.<key>`."""

from __future__ import annotations

import functools
import pathlib

from ludoteca.core.errors import BadData, IllegalAction, Refusal, Unknown
from ludoteca.core.words import catalogue, fill

WORDS = pathlib.Path(__file__).parents[1]


@functools.cache
def sentences(language: str) -> dict[str, str]:
    """Everything the table says, in one language: also what only the pages of tournaments load."""
    return catalogue(WORDS, language) | catalogue(WORDS, language, "contests")


class TableRefusal(Refusal):
    """A refusal by the table itself: `SeatTaken("seat_taken", seat=2)`."""

    def __init__(self, key: str, **facts: object) -> None:
        super().__init__(fill(sentences("en")[f"why.{key}"], facts), key, **facts)


class BadRequest(TableRefusal):
    """Cannot be understood."""


class NoGuest(TableRefusal):
    """Nobody has said who they are."""


class NotAllowed(TableRefusal):
    """Not for you."""


class NotFound(TableRefusal):
    """There is nothing of that name, or nothing you may know of."""


class WrongHouse(TableRefusal):
    """Asked by a name that is not this house's."""


class NoLength(TableRefusal):
    """A request that does not say how long it is."""


class NotNow(TableRefusal):
    """Not in this state of the table."""


class TooBig(TableRefusal):
    """More than fits."""


class TooMuch(TableRefusal):
    """Too often, or too many."""


class Trouble(TableRefusal):
    """The server's own fault."""


_STATUS: tuple[tuple[type[Refusal], int], ...] = (
    (NoGuest, 401),
    (NotAllowed, 403),
    (NotFound, 404),
    (Unknown, 404),
    (NotNow, 409),
    (NoLength, 411),
    (WrongHouse, 421),
    (IllegalAction, 409),
    (TooBig, 413),
    (TooMuch, 429),
    (Trouble, 503),
    (BadRequest, 400),
    (BadData, 400),
)


def status_of(refusal: Refusal) -> int:
    """The HTTP status of a refusal."""
    return next((status for kind, status in _STATUS if isinstance(refusal, kind)), 400)
