"""`ludoteca tidy`: what a house would forget, or has it forgotten now, while no server runs.

A running server does it by itself each hour, by its settings.
"""

from __future__ import annotations

import pathlib

from ludoteca.core.errors import BadData

from . import queries
from .looking import looked_at
from .neighbours import count_alive
from .settings import Settings, is_address
from .store import Store


def what_would_go(place: pathlib.Path | str, settings: Settings) -> list[str]:
    """What these settings would have forgotten now, in lines; nothing is changed, and servers may be running."""
    with looked_at(place) as db:
        games = queries.expired_games(db, settings.keep_games) if settings.keep_games else []
        guests = queries.expired_guests(db, settings.keep_guests) if settings.keep_guests else []
        lines = [_line("finished games", settings.keep_games, len(games), "LUDOTECA_KEEP_GAMES")]
        for id in games:
            table = queries.find_table(db, id)
            if table is not None:  # a running server may have dropped it by now
                lines.append(f"  {table.game}, {table.seq} steps, {', '.join(chair.name for chair in table.chairs)}")
    lines.append(_line("guests", settings.keep_guests, len(guests), "LUDOTECA_KEEP_GUESTS"))
    return lines


def _line(what: str, days: int, count: int, setting: str) -> str:
    if not days:
        return f"{what}: all are kept ({setting}=0)"
    return f"{what} of more than {days} days: {count}"


def tidy(place: pathlib.Path | str, settings: Settings) -> str:
    """Forgets it, and makes a file smaller; refuses while servers are running: they know who is where."""
    kept = Store(place)
    try:
        if is_address(place) and (alive := kept.now(count_alive)):
            raise BadData(
                f"{alive} servers are running, and forget by themselves each hour. End them first, or let them.",
                "store_in_use",
            )
        gone = kept.now(queries.expire, settings.keep_games, settings.keep_guests, (), ())
        kept.shrink()
    finally:
        kept.close()
    return f"Forgotten: {gone[0]} finished games, {gone[1]} guests."
