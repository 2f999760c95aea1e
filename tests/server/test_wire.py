"""Whatever arrives is either understood or refused with a sentence."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludoteca import catalogue
from ludoteca.core.engine import interpreted
from ludoteca.core.errors import Refusal
from ludoteca.core.play import Play
from ludoteca.core.record import SPECTATOR
from ludoteca.server import projections, queries, wire
from ludoteca.server.marks import Together
from ludoteca.server.screens import Screens

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
near_misses = st.fixed_dictionaries(
    {"type": st.sampled_from(["do", "say", "entropy", "ping", "done", ""])},
    optional={name: json_values for name in ("id", "action", "at", "text", "extra")},
)
bodies = (wire.Rename, wire.OpenTable, wire.PlayNow, wire.Sit, wire.Chair)


@given(st.binary(max_size=200) | st.text(max_size=200) | near_misses.map(lambda v: msgspec.json.encode(v)))
def test_the_decoder_understands_or_refuses(data: bytes | str) -> None:
    body = data if isinstance(data, bytes) else data.encode(errors="replace")
    for read in (lambda: wire.understand(data), *(lambda kind=kind: wire.read(body, kind) for kind in bodies)):
        outcome = understood(read)
        if isinstance(outcome, Refusal):
            assert outcome.key == "garbled"
            assert msgspec.json.encode(outcome.facts)


def understood(read: Callable[[], object]) -> object:
    """What was read, or the refusal; anything else that is raised is a mistake."""
    try:
        return read()
    except Refusal as refusal:
        return refusal


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b'{"type": "do", "id": "a", "action": true, "at": 0}',  # a boolean is not a number
        b'{"type": "do", "id": "a", "action": 1.0, "at": 0.5}',
        b'{"type": "do", "id": "a", "action": NaN, "at": 0}',
        b'{"type": "do", "id": "", "action": 1, "at": 0}',
        b'{"type": "do", "id": "' + b"x" * 65 + b'", "action": 1, "at": 0}',
        b'{"type": "do", "id": "a", "action": -1, "at": 0}',
        b'{"type": "do", "id": "a", "action": 1, "at": 0, "seat": 2}',
        b'{"type": "do", "id": "a", "action": ' + b"9" * 5000 + b', "at": 0}',
        b'{"type": "say"}',
        b'{"type": "say", "text": "\xff"}',
        b'{"type": "say", "text": ' + b"[" * 5000 + b"]" * 5000 + b"}",
        b'{"type": "shout", "text": "x"}',
    ],
)
def test_what_is_not_quite_a_message_is_refused(data: bytes) -> None:
    with pytest.raises(Refusal) as refused:
        wire.understand(data)
    assert refused.value.key == "garbled"


def test_an_empty_body_is_an_object_without_fields() -> None:
    assert wire.read(b"", wire.Sit) == wire.Sit()


def unpacked(choices: list[dict[str, object]]) -> list[dict[str, object]]:
    """What a browser makes of runs."""
    found = []
    for choice in choices:
        first = {key: value for key, value in choice.items() if key != "run"}
        [(along, length)] = choice.get("run", {"action": 1}).items()  # type: ignore[attr-defined]
        for n in range(length):
            found.append(first | {along: first[along] + n, "action": first["action"] + n})  # type: ignore[operator]
    return found


def test_choices_that_count_up_travel_as_one() -> None:
    from ludoteca.games.king_of_con import GAME

    places = [GAME.actions.described(n) for n in range(len(GAME.actions))]
    gaps = [choice for choice in places if choice["action"] % 7]
    for choices in (places, gaps, places[:10], []):
        assert unpacked(wire.packed(choices)) == choices
    assert len(wire.packed(places)) < len(places) / 20
    assert wire.packed(places[:10]) == places[:10], "few choices are written out"


@pytest.mark.parametrize("place", catalogue.games())
def test_a_position_that_is_written_in_pieces_is_an_update_to_the_letter(place: str) -> None:
    game = catalogue.game(place)
    engine = interpreted(game)
    play = Play.deal(engine, game.max_seats, {}, 5)
    screens = Screens(game)
    for number in range(6):
        seat = play.waiting()[0]
        actions = engine.legal(play.states, 0, seat)
        action = actions[number % len(actions)]
        if game.behind_screen and screens.covers(action):
            screens = screens.adding(seat, [action], None)
            happened = []
        else:
            happened = play.follow(seat, [action])
        waiting = sum(1 << owing for owing in play.waiting())
        row = queries.TableRow(
            "t", game.key, game.version, {}, True, "", None, "playing", "", "", 0.0, 0.0, play.seq, waiting,
            chairs=[queries.ChairRow(str(chair), "Guest") for chair in range(play.seats)],
        )  # fmt: skip
        sights = projections.Sights(row, play, screens, None, happened, together=Together(1.0, {seat: "person"}))
        for viewer in (*range(play.seats), SPECTATOR):
            written = sights.written(viewer)
            read = msgspec.json.decode(written, type=wire.Update)
            assert wire.encode(read) == written
            assert screens.steps or bool(read.choices) == (viewer in play.waiting())
        if screens.steps:
            break  # what is behind them is not part of the game yet
