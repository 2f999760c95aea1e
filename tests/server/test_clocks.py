"""Clocks as a function of what is written: no server, no store, no waiting."""

from __future__ import annotations

import dataclasses
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludoteca.server.audit import ticked
from ludoteca.server.clock_choice import lengths
from ludoteca.server.clocks import (
    A_DAY,
    DAYS_OFF,
    HOLD,
    Clocks,
    Row,
    Terms,
    Up,
    gift,
    low,
    most,
    read_terms,
    turns_begun,
    write_terms,
)
from ludoteca.server.queries import ChairRow, TableRow

LIVE = Terms("live", 300, 20)
DAYS = Terms("days", int(3 * A_DAY))
ALWAYS = Up.of([(0.0, math.inf)])
ANNA, BRUNO = 0b01, 0b10
BOTH = ANNA | BRUNO


def dealt(terms: Terms = LIVE, running: int = ANNA, at: float = 1000.0) -> Clocks:
    return Clocks.begin(terms, 2).after(Row(at, "deal", running), ALWAYS)


# ── Live ─────────────────────────────────────────────────────


def test_a_clock_runs_while_its_seat_is_awaited_and_a_turn_brings_a_little_more() -> None:
    clocks = dealt()
    assert clocks.left(0, 1030.0, ALWAYS) == 270 and clocks.left(1, 1030.0, ALWAYS) == 300
    clocks = clocks.after(Row(1030.0, "turn", BRUNO, begun=BRUNO), ALWAYS)
    assert clocks.left(1, 1030.0, ALWAYS) == 300  # never beyond the bank
    clocks = clocks.after(Row(1050.0, "turn", ANNA, begun=ANNA), ALWAYS)
    assert clocks.left(0, 1050.0, ALWAYS) == 290 and clocks.left(1, 1060.0, ALWAYS) == 280


def test_several_steps_of_one_turn_bring_it_once() -> None:
    assert turns_begun(LIVE, ANNA, ANNA, decided=ANNA, together=False) == 0
    assert turns_begun(LIVE, ANNA, BRUNO, decided=ANNA, together=False) == BRUNO
    assert turns_begun(DAYS, ANNA, ANNA, decided=ANNA, together=False) == ANNA  # by days, every decision counts


def test_where_all_decide_at_once_all_who_are_awaited_pay() -> None:
    clocks = dealt(running=BOTH).after(Row(1010.0, "seal", BRUNO), ALWAYS)
    assert clocks.left(0, 1100.0, ALWAYS) == 290 and clocks.left(1, 1100.0, ALWAYS) == 200
    begun = turns_begun(LIVE, BOTH, BOTH, decided=BOTH, together=True)
    assert begun == BOTH  # whoever sealed last begins a new turn like the others
    clocks = clocks.after(Row(1100.0, "turn", BOTH, begun), ALWAYS)
    assert clocks.left(0, 1100.0, ALWAYS) == 300 and clocks.left(1, 1100.0, ALWAYS) == 220


def test_a_turn_that_is_taken_back_costs_nobody_and_brings_nothing() -> None:
    clocks = dealt().after(Row(1100.0, "turn", BRUNO, begun=BRUNO), ALWAYS)
    clocks = clocks.after(Row(1140.0, "undo", ANNA), ALWAYS)
    assert clocks.left(1, 1140.0, ALWAYS) == 300  # Bruno's turn has never begun
    assert clocks.left(0, 1150.0, ALWAYS) == 190  # Anna goes on from where she was
    for _ in range(5):  # and nobody gains by doing so again and again
        clocks = clocks.after(Row(1150.0, "turn", BRUNO, begun=BRUNO), ALWAYS).after(Row(1150.0, "undo", ANNA), ALWAYS)
    assert clocks.left(0, 1150.0, ALWAYS) == 190 and clocks.left(1, 1150.0, ALWAYS) == 300


def test_a_gift_is_not_capped_and_not_lost_with_the_next_turn() -> None:
    clocks = dealt().after(Row(1000.0, "more", ANNA, seat=0, by=1, amount=120.0), ALWAYS)
    clocks = clocks.after(Row(1000.0, "turn", ANNA, begun=ANNA), ALWAYS)
    assert clocks.left(0, 1000.0, ALWAYS) == 420


def test_a_lost_connection_holds_the_clock_once_and_for_twenty_seconds_at_most() -> None:
    clocks = dealt().after(Row(1010.0, "lost", ANNA, seat=0), ALWAYS)
    assert clocks.left(0, 1010.0 + HOLD, ALWAYS) == 290 and clocks.held(0, 1015.0) == HOLD - 5
    assert clocks.left(0, 1040.0, ALWAYS) == 280
    found = clocks.after(Row(1015.0, "found", ANNA, seat=0), ALWAYS)
    assert found.left(0, 1020.0, ALWAYS) == 285
    again = found.after(Row(1020.0, "lost", ANNA, seat=0), ALWAYS)
    assert again.left(0, 1030.0, ALWAYS) == 275  # not a second time


def test_running_out_and_coming_back() -> None:
    clocks = dealt()
    assert clocks.due(1000.0, ALWAYS) == 1300.0 and clocks.expired(1299.0, ALWAYS) == []
    assert clocks.expired(1300.0, ALWAYS) == [0] and clocks.left(0, 9999.0, ALWAYS) == 0
    out = clocks.after(Row(1300.0, "out", 0, seat=0), ALWAYS)
    assert out.expired(2000.0, ALWAYS) == [] and out.due(2000.0, ALWAYS) is None
    assert out.after(Row(1310.0, "back", ANNA, seat=0), ALWAYS).left(0, 1310.0, ALWAYS) == 150  # half, then a quarter …
    twice = out.after(Row(1320.0, "out", 0, seat=0), ALWAYS).after(Row(1330.0, "back", ANNA, seat=0), ALWAYS)
    assert twice.left(0, 1330.0, ALWAYS) == 75


def test_whoever_leaves_and_comes_back_gains_nothing_by_it() -> None:
    clocks = dealt().after(Row(1299.0, "left", 0, seat=0), ALWAYS).after(Row(1310.0, "back", ANNA, seat=0), ALWAYS)
    assert clocks.left(0, 1310.0, ALWAYS) == 1


def test_others_can_fill_a_clock_up_to_three_banks() -> None:
    clocks = dealt(running=0)
    for _ in range(50):
        clocks = clocks.after(Row(1000.0, "more", 0, seat=0, by=1, amount=120.0), ALWAYS)
    assert clocks.left(0, 1000.0, ALWAYS) == most(LIVE) == 900


# ── By days ──────────────────────────────────────────────────


def test_by_days_every_decision_has_its_days() -> None:
    clocks = dealt(DAYS).after(Row(1000.0 + 2 * A_DAY, "turn", ANNA, begun=ANNA), ALWAYS)
    assert clocks.left(0, 1000.0 + 4 * A_DAY, ALWAYS) == A_DAY


def test_days_off_follow_each_other_and_are_limited() -> None:
    clocks = dealt(DAYS)
    for _ in range(DAYS_OFF + 3):
        clocks = clocks.after(Row(1000.0, "off", ANNA, seat=0), ALWAYS)
    assert clocks.due(1000.0, ALWAYS) == 1000.0 + (DAYS_OFF + 3) * A_DAY  # seven off, then three for the decision
    assert clocks.left(0, 1000.0 + DAYS_OFF * A_DAY, ALWAYS) == 3 * A_DAY


# ── The house ────────────────────────────────────────────────


def test_no_time_runs_while_the_house_is_down() -> None:
    up = Up.of([(0.0, 1100.0), (2000.0, math.inf)])
    clocks = dealt()
    assert clocks.left(0, 2010.0, up) == 190


def test_what_was_written_after_the_last_sign_of_life_proves_that_the_house_was_up() -> None:
    up = Up.of([(0.0, 1098.0), (2000.0, math.inf)])  # killed after 1100, before the next sign
    clocks = dealt().after(Row(1100.0, "turn", ANNA), up)
    assert clocks.left(0, 1100.0, up) == 200 and clocks.left(0, 2010.0, up) == 190


def test_servers_that_take_turns_keep_one_house_open() -> None:
    up = Up.of([(0.0, 500.0), (400.0, 900.0), (880.0, math.inf)])
    assert up.between(100.0, 1000.0) == 900
    assert Up.of([]).between(1.0, 3.0) == 2


def test_a_clock_set_back_gives_and_takes_nothing() -> None:
    clocks = dealt().after(Row(1100.0, "turn", ANNA), ALWAYS)
    assert clocks.after(Row(900.0, "turn", ANNA), ALWAYS).left(0, 1100.0, ALWAYS) == 200


def test_terms_are_stored_as_written() -> None:
    assert read_terms(write_terms(LIVE)) == LIVE and write_terms(Terms("none")) == "" and read_terms("{") is None
    assert low(LIVE) == 30 and low(Terms("live", 20)) == 10 and low(DAYS) == 3600
    assert gift(LIVE) == 60 and gift(Terms("live", 600)) == 180 and gift(DAYS) == A_DAY


def test_the_length_of_a_game_is_told_from_games_with_that_clock_and_that_many_seats() -> None:
    final = Terms("live", 300, 20, "out")
    played = [(write_terms(LIVE), 2, 60.0 * minutes) for minutes in range(10, 30)]
    played += [(write_terms(final), 2, 60.0 * 100), (write_terms(LIVE), 4, 3000.0), (write_terms(DAYS), 2, 1e6)]
    two, four = lengths(LIVE, played)
    assert (two.seats, two.games, two.low, two.middle, two.high) == (2, 21, 11, 20, 29)
    assert (four.seats, four.games, four.low, four.high) == (4, 1, 50, 50)
    assert lengths(Terms("live", 600, 20), played) == []


# ── What holds whatever happens ──────────────────────────────

rows = st.lists(
    st.builds(
        Row,
        at=st.floats(0, 5000),
        what=st.sampled_from(["turn", "seal", "undo", "more", "off", "lost", "found", "left", "out", "back"]),
        running=st.integers(0, 7),
        begun=st.integers(0, 7),
        seat=st.integers(0, 2),
        amount=st.floats(0, 600),
    ),
    max_size=30,
)
spans = st.lists(st.tuples(st.floats(0, 5000), st.floats(0, 1000)).map(lambda s: (s[0], s[0] + s[1])), max_size=6)
terms = st.sampled_from([LIVE, DAYS, Terms("live", 10, 0), Terms("live", 60, 60, "out")])


@given(terms, rows, spans)
def test_no_clock_is_ever_below_nothing_and_gains_only_by_what_gives(
    agreed: Terms, written: list[Row], when: list[tuple[float, float]]
) -> None:
    up, clocks = Up.of(when), Clocks.begin(agreed, 3)
    for row in written:
        after = clocks.after(row, up)
        for seat in range(3):
            was, now = clocks.seats[seat].left, after.seats[seat].left
            assert now >= 0
            gives = row.begun >> seat & 1 or row.what == "undo" or (row.seat == seat and row.what in ("more", "back"))
            assert now <= was or gives
            if row.what not in ("more", "undo"):
                assert now <= max(was, agreed.bank)
        clocks = after


@given(terms, rows, spans, st.floats(0, 5000), st.floats(0, 5000))
def test_time_only_runs_down_and_reading_changes_nothing(
    agreed: Terms, written: list[Row], when: list[tuple[float, float]], one: float, other: float
) -> None:
    up = Up.of(when)
    clocks = Clocks.of(agreed, 3, written, up)
    assert clocks == Clocks.of(agreed, 3, written, up)  # another server finds the same
    early, late = sorted((max(one, clocks.at), max(other, clocks.at)))
    open_end = Up.of([*when, (clocks.at, math.inf)])
    for seat in range(3):
        assert clocks.left(seat, late, open_end) <= clocks.left(seat, early, open_end)
    due = clocks.due(late, open_end)
    assert due is None or not clocks.expired(math.nextafter(due, 0) - 1e-3, open_end) or clocks.expired(late, open_end)


@given(spans, st.lists(st.floats(0, 6000), min_size=2, max_size=6))
def test_the_house_is_never_up_for_longer_than_the_time_that_passed(
    when: list[tuple[float, float]], moments: list[float]
) -> None:
    up = Up.of(when)
    for before, then in zip(sorted(moments), sorted(moments)[1:], strict=False):
        assert 0 <= up.between(before, then) <= then - before + 1e-9
        assert (
            up.between(before, then)
            >= sum(max(0.0, min(until, then) - max(since, before)) for since, until in when[:1]) - 1e-9
        )


@pytest.mark.parametrize("seat", [0, 1])
def test_nobody_pays_for_a_time_in_which_they_are_not_awaited(seat: int) -> None:
    clocks = dealt(running=1 << seat)
    assert clocks.left(1 - seat, 1e9, ALWAYS) == 300


def test_an_audit_tells_what_happened_to_the_clocks() -> None:
    chairs = [ChairRow("a", "Anna"), ChairRow("b", "Bruno")]
    table = TableRow(
        "t", "splendor", "1", {}, True, "", "a", "over", "", "", 0, 0, clock=write_terms(LIVE), chairs=chairs
    )
    rows = [
        Row(1000.0, "deal", ANNA),
        Row(1100.0, "more", ANNA, seat=0, by=1, amount=60.0),
        Row(1110.0, "turn", BRUNO, begun=BRUNO),
    ]
    found = ticked(table, rows, ALWAYS)
    assert [(one.what, one.running, one.left) for one in found] == [
        ("deal", [0], [300, 300]),
        ("more", [0], [260, 300]),
        ("turn", [1], [250, 300]),
    ]
    line = found[1].line(["Anna", "Bruno"])
    assert "clock: more seat 0 Anna, 60 s from seat 1 Bruno   left: 0 260.0  1 300.0" in line
    assert ticked(dataclasses.replace(table, clock=""), rows, ALWAYS) == []
