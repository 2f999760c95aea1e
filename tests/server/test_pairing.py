"""Who meets whom in a tournament, and how everybody stands: whatever happens, by hypothesis; and ruling by ruling."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from ludoteca.server.matching import most_couples
from ludoteca.server.pairing import Form, Kind, Meeting, Round, lot, next_round, points, seated, standings, table_sizes

SEED = b"seed"


def over(drawn: Round, results: Sequence[Sequence[int]]) -> Round:
    """The same round, played."""
    played = [meeting._replace(ranks=tuple(ranks)) for meeting, ranks in zip(drawn.meetings, results, strict=True)]
    return drawn._replace(meetings=tuple(played))


def won_by(*winners: int) -> list[list[int]]:
    """The ranks of tables of two, each won by that seat."""
    return [[1, 2] if seat == 0 else [2, 1] for seat in winners]


@st.composite
def tournaments(draw: st.DrawFn, kind: Kind) -> tuple[Form, list[int], list[Round], bytes]:
    """A tournament that was played to its end: people come late to a Swiss, and leave all of them."""
    least = draw(st.integers(2, 3))
    form = Form(
        kind, draw(st.integers(least, 5)) if least > 2 else draw(st.integers(2, 4)), least, draw(st.integers(1, 6))
    )
    number, seed = draw(st.integers(least, 9)), draw(st.binary(min_size=4, max_size=4))
    present, everybody, played = set(range(number)), number, list[Round]()
    while (drawn := next_round(form, played, present, seed)) is not None:
        assert not drawn.done or not drawn.meetings
        check_round(form, drawn, present, played)
        ranks = [
            draw(st.lists(st.integers(1, 3), min_size=len(m.entrants), max_size=len(m.entrants)))
            for m in drawn.meetings
        ]
        played.append(over(drawn, ranks))
        if kind == "swiss" and draw(st.booleans()):
            present.add(everybody)
            everybody += 1
        if draw(st.integers(0, 5)) == 0:
            present.discard(draw(st.integers(0, everybody - 1)))
    return form, list(range(everybody)), played, seed


def check_round(form: Form, drawn: Round, present: set[int], played: Sequence[Round]) -> None:
    sitting = [entrant for meeting in drawn.meetings for entrant in meeting.entrants]
    assert len(set(sitting)) == len(sitting) and set(sitting) <= present
    assert not set(sitting) & set(drawn.byes)
    assert all(form.least <= len(meeting.entrants) <= form.seats for meeting in drawn.meetings)
    if form.kind != "knockout":
        assert set(sitting) | set(drawn.byes) == present
    if form.kind == "swiss":
        free = Counter(entrant for round in played for entrant in round.byes)
        assert all(free[out] <= min(free[one] for one in present) for out in drawn.byes) or form.seats > 2


def met(played: Sequence[Round]) -> Counter[frozenset[int]]:
    return Counter(
        frozenset(couple) for r in played for m in r.meetings for couple in itertools.combinations(m.entrants, 2)
    )


# ── Every kind ───────────────────────────────────────────────


@settings(max_examples=60, deadline=None)
@given(st.one_of(tournaments("swiss"), tournaments("robin"), tournaments("knockout")))
def test_standings_are_an_order_and_the_same_seed_draws_the_same_again(
    one: tuple[Form, list[int], list[Round], bytes],
) -> None:
    form, entrants, played, seed = one
    lines = standings(form, played, entrants, seed)
    assert [line.place for line in lines] == list(range(1, len(entrants) + 1))
    assert sorted(line.entrant for line in lines) == entrants
    scored = points(form, played, seed)
    for better, worse in itertools.pairwise(lines):
        assert (better.points, better.opponents, better.direct) >= (worse.points, worse.opponents, worse.direct)
    for line in lines:
        assert line.points == scored.get(line.entrant, 0) <= len(played)
    assert lines == standings(form, played, reversed(entrants), seed)


@settings(max_examples=30, deadline=None)
@given(tournaments("knockout"))
def test_a_knock_out_has_one_winner_and_ends_soon(one: tuple[Form, list[int], list[Round], bytes]) -> None:
    form, entrants, played, seed = one
    assert len(played) <= 2 * len(entrants).bit_length()
    if played and len(played[-1].meetings) == 1 and not played[-1].byes:
        [final] = played[-1].meetings
        first, *rest = standings(form, played, entrants, seed)
        assert first.entrant in final.entrants
        assert [line.entrant for line in rest[: len(final.entrants) - 1]] == [
            line.entrant for line in rest if line.entrant in final.entrants
        ]


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 9), st.integers(2, 4), st.binary(min_size=2, max_size=2))
def test_in_a_round_robin_everybody_meets_everybody(number: int, seats: int, seed: bytes) -> None:
    form, played = Form("robin", seats, 2), list[Round]()
    while (drawn := next_round(form, played, range(number), seed)) is not None:
        played.append(over(drawn, [range(1, len(m.entrants) + 1) for m in drawn.meetings]))
    times = met(played)
    assert all(times[frozenset(couple)] for couple in itertools.combinations(range(number), 2))
    if seats == 2:
        assert set(times.values()) == {1}
        assert len(played) == (number - 1 if number % 2 == 0 else number)
        places = Counter(m.entrants[0] for r in played for m in r.meetings)
        assert max(places.values()) - min(places[one] for one in range(number)) <= 1


def fewest_rematches(people: Sequence[int], times: Counter[frozenset[int]]) -> int:
    """By trying everything."""
    if not people:
        return 0
    one, rest = people[0], people[1:]
    return min(
        bool(times[frozenset((one, other))]) + fewest_rematches([each for each in rest if each != other], times)
        for other in rest
    )


@settings(max_examples=60, deadline=None)
@given(tournaments("swiss"))
def test_in_a_swiss_of_couples_nobody_meets_again_unless_it_must_be(
    one: tuple[Form, list[int], list[Round], bytes],
) -> None:
    _, _, played, _ = one
    for number, round in enumerate(played):
        if any(len(m.entrants) != 2 for m in round.meetings) or len(round.byes) > 1:
            continue
        before = met(played[:number])
        sitting = [entrant for m in round.meetings for entrant in m.entrants]
        again = sum(bool(before[frozenset(m.entrants)]) for m in round.meetings)
        if played[number].byes or len(sitting) % 2 == 0:
            assert again == fewest_rematches(sitting, before) or max(len(m.entrants) for m in played[0].meetings) > 2


@given(st.lists(st.sets(st.integers(0, 7)), min_size=8, max_size=8))
def test_as_many_couples_as_there_can_be(friends: list[set[int]]) -> None:
    both = [[b for b in range(8) if a != b and (b in friends[a] or a in friends[b])] for a in range(8)]

    def most(left: frozenset[int]) -> int:
        if not left:
            return 0
        one, rest = min(left), left - {min(left)}
        return max([most(rest), *(1 + most(rest - {other}) for other in both[one] if other in rest)])

    assert most_couples(both) == most(frozenset(range(8)))


@given(st.integers(0, 40), st.integers(2, 8), st.integers(2, 8))
def test_tables_are_as_even_as_can_be(number: int, seats: int, least: int) -> None:
    seats = max(seats, least)
    sizes = table_sizes(number, seats, least)
    assert all(least <= size <= seats for size in sizes) and sum(sizes) <= number
    assert not sizes or max(sizes) - min(sizes) <= 1
    assert number - sum(sizes) < least


# ── Rulings ──────────────────────────────────────────────────


def test_a_win_is_one_a_tie_half_and_many_share_by_whom_they_beat() -> None:
    form = Form("swiss", 4, 2, 3)
    played = [Round((Meeting((0, 1, 2, 3), (1, 2, 2, 4)),), ())]
    assert points(form, played, SEED) == {0: 1, 1: Fraction(1, 2), 2: Fraction(1, 2), 3: 0}


def test_a_free_round_counts_as_won_in_a_swiss_and_a_missed_one_as_nothing() -> None:
    form = Form("swiss", 2, 2, 3)
    played = [Round((Meeting((0, 1), (1, 2)),), (2,))]
    lines = {line.entrant: line.points for line in standings(form, played, [0, 1, 2, 3], SEED)}
    assert lines == {0: 1, 1: 0, 2: 1, 3: 0}


def test_nobody_has_a_second_free_round_before_everybody_had_one() -> None:
    form, played = Form("swiss", 2, 2, 5), list[Round]()
    for _ in range(5):
        drawn = next_round(form, played, range(5), SEED)
        assert drawn is not None
        played.append(over(drawn, won_by(0, 0)))
    assert sorted(entrant for round in played for entrant in round.byes) == [0, 1, 2, 3, 4]


def test_level_on_points_the_stronger_opponents_decide_then_who_beat_whom_then_lots() -> None:
    form = Form("swiss", 2, 2, 3)
    strong = [
        Round((Meeting((0, 1), (1, 2)), Meeting((2, 3), (1, 2)))),
        Round((Meeting((0, 2), (1, 2)), Meeting((1, 3), (1, 2)))),
    ]
    lines = standings(form, strong, range(4), SEED)
    assert [line.entrant for line in lines] in ([0, 2, 1, 3], [0, 1, 2, 3])
    assert lines[1].by_lot and lines[2].by_lot  # 1 and 2 never met, and beat or lost to the same
    met_too = [*strong, Round((Meeting((1, 2), (1, 2)), Meeting((0, 3), (1, 2))))]
    again = standings(form, met_too, range(4), SEED)
    assert [line.entrant for line in again] == [0, 1, 2, 3] and not any(line.by_lot for line in again)


def test_lots_can_be_drawn_again_by_anybody() -> None:
    assert lot(b"seed", 3, 7).hex().startswith("c3b1") or len(lot(b"seed", 3, 7)) == 32
    import hashlib
    import hmac

    assert lot(b"seed", 3, 7) == hmac.new(b"seed", b"3 7", hashlib.sha256).digest()


def test_a_knock_out_of_five_gives_three_free_rounds_once() -> None:
    form, played = Form("knockout", 2, 2), list[Round]()
    drawn = next_round(form, played, range(5), SEED)
    assert drawn is not None and len(drawn.meetings) == 1 and len(drawn.byes) == 3
    played.append(over(drawn, won_by(0)))
    semi = next_round(form, played, range(5), SEED)
    assert semi is not None and len(semi.meetings) == 2 and not semi.byes
    played.append(over(semi, won_by(1, 0)))
    final = next_round(form, played, range(5), SEED)
    assert final is not None
    played.append(over(final, won_by(0)))
    assert next_round(form, played, range(5), SEED) is None
    assert standings(form, played, range(5), SEED)[0].entrant == final.meetings[0].entrants[0]


def test_of_a_table_of_four_two_go_on_and_of_a_tie_lots_decide() -> None:
    form, played = Form("knockout", 4, 2), list[Round]()
    drawn = next_round(form, played, range(8), SEED)
    assert drawn is not None and [len(m.entrants) for m in drawn.meetings] == [4, 4]
    played.append(over(drawn, [(1, 2, 3, 4), (1, 1, 1, 1)]))
    final = next_round(form, played, range(8), SEED)
    assert final is not None and len(final.meetings) == 1 and len(final.meetings[0].entrants) == 4
    tied = sorted(drawn.meetings[1].entrants, key=lambda one: lot(SEED, 1, one))
    assert set(tied[:2]) | set(drawn.meetings[0].entrants[:2]) == set(final.meetings[0].entrants)


def test_who_has_left_is_not_drawn_and_whom_they_would_have_met_has_a_free_round() -> None:
    form = Form("robin", 2, 2)
    first = next_round(form, [], range(4), SEED)
    assert first is not None
    played = [over(first, won_by(0, 0))]
    second = next_round(form, played, [0, 1, 2], SEED)
    assert second is not None and len(second.meetings) == 1 and len(second.byes) == 1


def test_seats_go_round() -> None:
    before = Counter({(0, 0): 2, (1, 0): 1, (2, 0): 1, (0, 1): 0, (1, 1): 2, (2, 1): 1, (2, 2): 1})
    assert seated([0, 1, 2], before, SEED, 1)[0] != 0


def test_strangers_meet_at_larger_tables_before_old_acquaintances() -> None:
    form, played = Form("swiss", 3, 2, 2), list[Round]()
    drawn = next_round(form, played, range(9), SEED)
    assert drawn is not None
    played.append(over(drawn, [(1, 2, 3)] * 3))
    again = next_round(form, played, range(9), SEED)
    assert again is not None and not set(met([again])) & set(met(played))
