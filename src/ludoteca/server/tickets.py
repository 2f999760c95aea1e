"""Tickets: what is good once and for a short time. A link to a further device is one, the challenge of a passkey another.

Like every secret a ticket is random and long, and only its hash is stored. Whoever shows it takes it: the row goes in the
transaction that uses it, so a second one with the same ticket, at the same moment or with another server, finds nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from .database import Connection
from .guests import SECRET_BYTES, hashed
from .limits import Limit
from .queries import spend


@dataclass(frozen=True)
class Ticket:
    """What is written on one."""

    guest: str | None  # whose it is
    facts: str  # JSON


def new_ticket() -> str:
    """Something nobody can guess."""
    return secrets.token_urlsafe(SECRET_BYTES)


def issue(
    db: Connection,
    ticket: str, kind: str, written: Ticket, now: float, until: float, limits: Sequence[Limit], alone: bool = True,
) -> None:  # fmt: skip
    """A new ticket; if it is to be `alone`, a guest's earlier ones of this kind are good for nothing any more."""
    spend(db, limits, now)
    db.execute("DELETE FROM tickets WHERE until <= ?", (now,))
    if alone:
        db.execute("DELETE FROM tickets WHERE guest = ? AND kind = ?", (written.guest, kind))
    db.execute(
        "INSERT INTO tickets (secret, kind, guest, facts, until) VALUES (?, ?, ?, ?, ?)",
        (hashed(ticket), kind, written.guest, written.facts, until),
    )


def look_at(db: Connection, ticket: str, kind: str, now: float) -> Ticket | None:
    """What is written on a ticket that is still good."""
    found = db.execute(
        "SELECT guest, facts FROM tickets WHERE secret = ? AND kind = ? AND until > ?", (hashed(ticket), kind, now)
    ).fetchone()
    return Ticket(*found) if found else None


def take(db: Connection, ticket: str, kind: str, now: float) -> Ticket | None:
    """The same, for the one who uses it: after that it is gone."""
    found = db.execute(
        "DELETE FROM tickets WHERE secret = ? AND kind = ? AND until > ? RETURNING guest, facts",
        (hashed(ticket), kind, now),
    ).fetchall()
    return Ticket(*found[0]) if found else None
