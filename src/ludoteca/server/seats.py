"""Chairs: who may sit where. Plain functions on a table's list of chairs; each returns a new list."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from .guests import Guest
from .names import told_apart
from .queries import ChairRow
from .refusals import BadRequest, NotNow

BOT_NAMES = ("Ada", "Bruno", "Cleo", "Dario", "Elsa", "Fermo", "Gilda", "Hugo")

Chairs = list[ChairRow]


def seat_of(chairs: Sequence[ChairRow], guest: str | None) -> int | None:
    """Where this guest sits; also while a bot plays for them."""
    if guest is not None:
        for seat, chair in enumerate(chairs):
            if chair.guest == guest:
                return seat
    return None


def names_on(chairs: Sequence[ChairRow]) -> list[str]:
    """Who sits there, as they are told apart."""
    return told_apart([chair.name for chair in chairs])


def check_seat(chairs: Sequence[ChairRow], seat: int) -> None:
    """Refuses a chair that is not there."""
    if not 0 <= seat < len(chairs):
        raise BadRequest("no_such_seat")


def bot_name(chairs: Sequence[ChairRow]) -> str:
    """A name that no bot at this table has."""
    return free_name({chair.name for chair in chairs if chair.guest is None})


def free_name(taken: Collection[str]) -> str:
    """A bot's name that is none of these."""
    return next((name for name in BOT_NAMES if name not in taken), f"Bot {len(taken) + 1}")


def with_bot(chairs: Sequence[ChairRow], seat: int, level: str) -> Chairs:
    """A bot on this chair."""
    check_seat(chairs, seat)
    name = chairs[seat].name if chairs[seat].level is not None else bot_name(chairs)
    return _with(chairs, seat, ChairRow(None, name, level))


def tried_by(guest: Guest, chairs: Sequence[ChairRow], seat: int, level: str) -> Chairs:
    """These chairs with a guest on one and bots on all others, where nobody is called like somebody else who sat there."""
    taken = {chair.name for chair in chairs}
    now = _with(chairs, seat, person(guest))
    for other, chair in enumerate(chairs):
        if other != seat:
            was_bot = chair.guest is None and chair.level is not None
            name = chair.name if was_bot else free_name(taken)
            taken.add(name)
            now[other] = ChairRow(None, name, level)
    return now


def freed(chairs: Sequence[ChairRow], seat: int) -> Chairs:
    """Nobody on this chair."""
    check_seat(chairs, seat)
    return _with(chairs, seat, ChairRow())


def filled(chairs: Sequence[ChairRow], level: str) -> Chairs:
    """Bots on all empty chairs."""
    now = list(chairs)
    for seat, chair in enumerate(chairs):
        if chair.empty:
            now = with_bot(now, seat, level)
    return now


def resized(chairs: Sequence[ChairRow], number: int) -> Chairs:
    """Before the start: more chairs, or fewer; people keep theirs, the last free ones go first, then the last bots."""
    now = [*chairs, *(ChairRow() for _ in range(number - len(chairs)))]
    people = sum(chair.guest is not None for chair in chairs)
    if people > number:
        raise NotNow("people_on_chairs", people=people)
    for goes in (lambda chair: chair.empty, lambda chair: chair.guest is None):
        for seat in reversed(range(len(now))):
            if len(now) > number and goes(now[seat]):
                del now[seat]
    return now


def person(guest: Guest, entropy: str = "") -> ChairRow:
    """The chair of somebody who sits down."""
    return ChairRow(guest.id, guest.name, entropy=entropy, sign=guest.sign)


def taken(chairs: Sequence[ChairRow], guest: Guest, seat: int | None) -> Chairs:
    """Before the start: this guest on that chair, or on the first free one; its old chair becomes free."""
    before = seat_of(chairs, guest.id)
    if seat is None:
        if before is not None:
            return list(chairs)
        seat = next((n for n, chair in enumerate(chairs) if chair.empty), None)
        if seat is None:
            raise NotNow("table_full")
    check_seat(chairs, seat)
    if seat == before:
        return list(chairs)
    if not chairs[seat].empty:
        raise NotNow("seat_taken")
    entropy = chairs[before].entropy if before is not None else ""
    now = freed(chairs, before) if before is not None else list(chairs)
    return _with(now, seat, person(guest, entropy))


def with_entropy(chairs: Sequence[ChairRow], seat: int, entropy: str) -> Chairs:
    """Before the start: another share of chance for whoever sits here."""
    return _with(chairs, seat, replace(chairs[seat], entropy=entropy))


def with_ready(chairs: Sequence[ChairRow], seat: int, ready: bool) -> Chairs:
    """Before the start: whoever sits here would like to begin, or not yet."""
    return _with(chairs, seat, replace(chairs[seat], ready=ready))


def not_ready(chairs: Sequence[ChairRow]) -> Chairs:
    """Nobody has said yes."""
    return [replace(chair, ready=False) for chair in chairs]


def stood_in(chairs: Sequence[ChairRow], seat: int, level: str) -> Chairs:
    """In a running game: a bot plays for whoever sits here."""
    return _with(chairs, seat, replace(chairs[seat], level=level))


def given_back(chairs: Sequence[ChairRow], seat: int) -> Chairs:
    """The guest of this chair plays again."""
    return _with(chairs, seat, replace(chairs[seat], level=None))


def rotated(chairs: Sequence[ChairRow]) -> Chairs:
    """For a rematch: everybody moves up one chair, the first becomes the last."""
    return anew([*chairs[1:], chairs[0]])


def anew(chairs: Sequence[ChairRow]) -> Chairs:
    """The same people before another game; bots stay in for those who left."""
    now: Chairs = []
    for chair in chairs:
        if chair.standin:
            now.append(ChairRow(None, bot_name([*chairs, *now]), chair.level))
        elif chair.former:
            now.append(ChairRow())
        else:
            now.append(replace(chair, entropy="", ready=False))
    return now


def _with(chairs: Sequence[ChairRow], seat: int, chair: ChairRow) -> Chairs:
    return [*chairs[:seat], chair, *chairs[seat + 1 :]]
