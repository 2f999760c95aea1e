"""How a server is set up: defaults, then the environment (`LUDOTECA_PORT=9000`), then whoever calls."""

from __future__ import annotations

import dataclasses
import os
import pathlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ludoteca.catalogue import Which


def is_address(database: pathlib.Path | str) -> bool:
    """Whether this names a Postgres database and no file."""
    return str(database).startswith(("postgresql://", "postgres://"))


def data_folder() -> pathlib.Path:
    """Where games are kept unless told otherwise."""
    base = os.environ.get("XDG_DATA_HOME") or pathlib.Path.home() / ".local" / "share"
    return pathlib.Path(base) / "ludoteca"


@dataclass(frozen=True)
class Settings:
    """Everything that can be set; each field can also be given as LUDOTECA_<FIELD> in the environment."""

    host: str = "127.0.0.1"
    port: int = 8000
    database: str = ""  # a file; empty: ludoteca.db in the user's data folder; or postgresql://… for several servers
    bus: str = ""  # with Postgres: redis://…, over which servers wake each other; empty: Postgres' own notifications
    games: str | Sequence[Which] = (
        ""  # keys or places (my_package:GAME), with commas; empty: every installed game; in Python also a list
    )
    page: str = ""  # the folder of the built page; empty: the one in the package
    origins: str = ""  # further origins a page may come from, with commas: https://games.example
    secure: bool = False  # cookies only over https
    hosts: str = ""  # names this house answers to, with commas, beside localhost, the machine's own and its addresses
    log: str = "warning"  # what is written about it: debug, info, warning, error
    log_format: str = "text"  # how it is written: text, or json (one object a line)
    metrics: str = ""  # the token with which /metrics may be read; empty: nobody may
    drain: float = 8.0  # seconds a server takes to end when it is told to (SIGTERM), at most; 0: at once
    proxies: str = ""  # addresses of balancers whose word about who asks, and how, is trusted, with commas

    bots: str = ""  # a Dask cluster where bots think: tcp://scheduler:8786; empty: in processes of this machine
    workers: int = 0  # processes for bots; 0: one less than there are cores
    bot_pause: float = 0.7  # seconds a bot seems to think at least, so that people can follow
    think_limit: float = 10.0  # seconds after which a bot's turn is played for it
    bot_turns_a_host: int = 32  # decisions bots owe at one guest's tables; with more, no further game with bots begins
    standin_level: str = "club"  # the bot that plays for those who left
    warmup: bool = True  # compile the games in the background

    idle: float = 60.0  # seconds after which a table nobody looks at leaves the memory
    silent: float = 30.0  # seconds without a word from a browser after which a guest counts as away
    patience: float = 60.0  # seconds somebody is away before others may let a bot play for them
    ping: float = 15.0  # seconds between the server's own pings; a second silence of that length closes the socket
    outbox: int = 32  # messages waiting for a slow reader before its socket is dropped
    outbox_bytes: int = 128 * 1024  # likewise, in bytes; with what the system holds that is under 256 kB
    slow: float = 8.0  # seconds in which a slow reader must have read what waits for it
    connections: int = 8000  # open at once, in all
    connections_an_address: int = 200  # open at once, from one address that is no trusted balancer
    request_patience: float = 15.0  # seconds in which a request must be there and be answered; also between two
    requests_a_minute: int = 1200  # of one guest; dear ones count several times, files of the page do not count
    requests_a_minute_an_address: int = 6000  # of all guests and people unknown there
    sockets_a_seat: int = 5  # of one guest at one table
    sockets_a_guest: int = 20  # of one guest, in all
    sockets_an_address: int = 50  # of people unknown, from one address, in all
    sockets_an_address_in_all: int = 100  # of guests and people unknown, from one address
    spectators_a_table: int = 200  # watching at once
    spectators_a_table_an_address: int = 50  # of them, from one address
    misses_a_minute: int = 60  # questions for tables that are not there, or with a wrong invitation, from one address
    pictures_a_minute: int = 120  # drawn for messengers, in all; beyond that they show the box
    tables_a_guest: int = 50  # unfinished ones
    tables_an_hour: int = 120  # opened by one guest
    tables_an_hour_an_address: int = 1200  # opened from one address
    tournaments_a_guest: int = 3  # made by one guest, that are not over
    tournaments_an_hour: int = 10  # made by one guest
    tournament_break: float = 30.0  # seconds between two rounds, so that people find their way to the next
    quick_bots: float = 60.0  # seconds after which bots fill up a quick match, where that is wanted
    imports_an_hour: int = 30  # games of other houses that one guest brings in
    reviews_an_hour: int = 20  # of finished games that one guest asks for
    hints_a_minute: int = 20  # that one guest asks for
    guests_a_minute: int = 120  # new ones, from one address
    devices_a_guest: int = 20  # on which one guest is at home
    links_an_hour: int = 30  # to a further device, made by one guest
    link_seconds: int = 600  # for which such a link is good, once
    sign_ins_a_minute: int = 60  # begun with a passkey, from one address

    notice_delay: float = 5.0  # seconds somebody is awaited before they are told of it where they are not
    push_contact: str = ""  # whom a push service may write to, https://… or mailto:…; empty: the house itself
    push_local: bool = False  # for tests: push to this machine, without https

    keep_games: int = 0  # days after which a finished game is forgotten; 0: never
    keep_guests: int = 0  # days without a visit after which a guest who sits at no table is forgotten; 0: never

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None, **chosen: Any) -> Settings:
        """Settings from the environment; what is given by name (and is not None) wins."""
        found: dict[str, Any] = {}
        values = os.environ if environment is None else environment
        for field in dataclasses.fields(cls):
            text = values.get(f"LUDOTECA_{field.name.upper()}")
            if text is not None:
                found[field.name] = _value(field.name, text, type(field.default))
        found.update({name: value for name, value in chosen.items() if value is not None})
        return cls(**found)

    def path(self) -> pathlib.Path:
        """The database file."""
        return pathlib.Path(self.database) if self.database else data_folder() / "ludoteca.db"

    def place(self) -> pathlib.Path | str:
        """The database: a file, or an address."""
        return self.database if is_address(self.database) else self.path()

    def worker_count(self) -> int:
        """How many processes play for bots."""
        return self.workers or max(1, (os.cpu_count() or 2) - 1)


def _value(name: str, text: str, kind: type) -> Any:
    if kind is bool:
        if text.lower() in ("1", "true", "yes", "on"):
            return True
        if text.lower() in ("0", "false", "no", "off", ""):
            return False
        raise SystemExit(f"LUDOTECA_{name.upper()} can be yes or no, not «{text}».")
    try:
        return kind(text)
    except ValueError:
        raise SystemExit(f"LUDOTECA_{name.upper()} should be a number, not «{text}».") from None
