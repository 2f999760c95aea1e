"""What is read from noisy looks: equal options cost nothing, whichever was chosen, and a better one is found."""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt
import pytest

from ludoteca.bots.weigh import DRAWN, Scales
from ludoteca.core.play import Play
from ludoteca.core.record import copied
from ludoteca.review.judging import MEASURE, Effort, Judge, compared, crossed, judge_of, verdict
from ludoteca.review.mixing import as_list, expect
from ludoteca.review.pieces import AS_GOOD, COSTLY, ReviewDecision
from review.games import engine, played, positions

Table = npt.NDArray[np.float64]
LOOKS, NOISE = 6, 0.03
CHOSEN = 0


def noisy(rng: np.random.Generator, *worth: float) -> dict[int, Table]:
    """Options of these chances, seen in a few noisy looks."""
    looks = {n: chance + NOISE * rng.standard_normal(LOOKS) for n, chance in enumerate(worth)}
    return {n: np.stack([seen, 1.0 - seen], 1) for n, seen in looks.items()}


def judged(weighed: dict[int, Table]) -> ReviewDecision:
    return verdict({n: weighed[n] for n in weighed if n != DRAWN}, weighed, 0, CHOSEN, 0, DRAWN in weighed)


def test_equal_options_cost_nothing() -> None:
    rng = np.random.default_rng(3)
    seen = [noisy(rng, *[0.5] * 8) for _ in range(1500)]
    highest = np.mean([max(found[n][:, 0].mean() for n in found) - found[CHOSEN][:, 0].mean() for found in seen])
    assert highest > 0.015, "read from the same looks, something would seem better each time"
    decisions = [judged(found) for found in seen]
    assert abs(np.mean([decision.change[0] for decision in decisions])) < 0.001
    assert np.mean([decision.loss for decision in decisions]) < 0.002
    assert np.mean([decision.verdict == COSTLY for decision in decisions]) < 0.05


def test_what_is_better_is_found_and_valued_without_flattery() -> None:
    rng = np.random.default_rng(4)
    decisions = [judged(noisy(rng, 0.5, 0.62, *[0.5] * 6)) for _ in range(400)]
    assert np.mean([decision.verdict == COSTLY and decision.best == 1 for decision in decisions]) > 0.95
    assert abs(-np.mean([decision.change[0] for decision in decisions]) - 0.12) < 0.004
    assert abs(np.mean([decision.before.chances[0] for decision in decisions if decision.before]) - 0.62) < 0.004


def test_a_loss_within_its_error_is_none_but_its_measure_is_kept_for_the_account() -> None:
    rng = np.random.default_rng(5)
    found = next(
        judged(weighed)
        for weighed in (noisy(rng, 0.5, 0.51) for _ in range(100))
        if 0 < crossed(weighed, 0, CHOSEN).loss < crossed(weighed, 0, CHOSEN).error
    )
    assert found.verdict == AS_GOOD
    assert found.loss == 0.0
    assert found.change[0] < 0.0 < found.change[1]


def test_a_sealed_choice_is_measured_against_what_the_mixture_brings() -> None:
    rng = np.random.default_rng(6)
    seen = [noisy(rng, 0.5, 0.56, 0.44) for _ in range(400)]
    for found in seen:
        found[DRAWN] = (found[0] + found[1] + found[2]) / 3 + 0.01 * rng.standard_normal((LOOKS, 2))
    decisions = [judged(found) for found in seen]
    assert abs(np.mean([decision.change[0] for decision in decisions])) < 0.002, "as good as the mixture"
    assert np.mean([crossed(noisy(rng, 0.5, 0.56, 0.44), 0, CHOSEN).loss for _ in seen]) > 0.05, (
        "not as the best answer"
    )
    assert {decision.best for decision in decisions} <= {0, 1, 2}, "a mixture is no option"
    assert all(len(decision.options) == 3 for decision in decisions)
    worst = [compared(found, 0, 2) for found in seen]
    assert abs(np.mean([one.loss for one in worst]) - 0.06) < 0.004


@pytest.mark.parametrize("key", ["king_of_con", "loot"])
def test_whoever_seals_last_decides_against_a_mixture_too(key: str) -> None:
    judge = Judge(engine(key), Effort(options=3, search=60, guesses=8, sketch=2, deep=8, refine=2, further=2))
    last = 0
    for states, seat, action in list(positions(played(key, 1, "club")))[2:16]:
        game = engine(key).game
        seen = game.redact(states, 0, seat)
        if not judge.sealed(seen, seat):
            continue
        alone = engine(key).waiting(states) == [seat]
        last += alone
        legal = engine(key).legal(seen, 0, seat)
        if len(legal) < 2:
            continue
        assert judge.decision(states, seat, action, 5).sealed
        for look in expect(engine(key), seen, seat, 5, judge.settings_for(60), 2, range(3)):
            assert set(look.own) <= set(legal)
            assert set(look.others) >= set(engine(key).waiting(states))
            for chances in look.others.values():
                assert sum(chances.values()) == pytest.approx(1.0)
    assert last, "somebody decided when the others had sealed"


@pytest.mark.parametrize("key", ["king_of_con", "loot"])
def test_what_somebody_has_sealed_changes_nothing_for_who_decides_later(key: str) -> None:
    judge = Judge(engine(key), Effort(options=3, search=60, guesses=8, sketch=2, deep=8, refine=2, further=2))
    found = 0
    for states, seat, action in list(positions(played(key, 1, "club")))[2:20]:
        after = copied(states)
        engine(key).apply(after, 0, seat, action)
        later = [other for other in engine(key).waiting(states) if other != seat]
        if later and engine(key).waiting(after) == later:
            chosen = engine(key).legal(states, 0, later[0])[0]
            found += 1
            assert judge.decision(after, later[0], chosen, 5) == judge.decision(states, later[0], chosen, 5)
    assert found, "somebody sealed while another had not"


def test_a_list_has_each_action_as_often_as_it_is_likely() -> None:
    found = as_list({7: 0.25, 3: 0.5, 9: 0.25})
    assert [found.count(action) / len(found) for action in (7, 3, 9)] == [0.25, 0.5, 0.25]


class Unsure(Judge):
    """Sees two options of these chances, each look with much noise."""

    looked = 0

    def __init__(self, chances: tuple[float, float], noise: float) -> None:
        self.effort, self.chances, self.noise = Effort(), chances, noise
        self.rng = np.random.default_rng(8)

    def _looks(self, redacted, seat, options, seed, guesses, numbers, mixtures):  # type: ignore[no-untyped-def]
        self.looked += len(numbers)
        seen = {n: self.chances[n] + self.noise * self.rng.standard_normal(len(numbers)) for n in options}
        return {n: np.stack([one, 1.0 - one], 1) for n, one in seen.items()}


@pytest.mark.parametrize(
    ("chances", "noise", "looks"),
    [((0.5, 0.6), 0.001, 4), ((0.2, 0.6), 0.2, Effort().further), ((0.6, 0.2), 0.2, 4)],
)
def test_where_much_seems_lost_and_nobody_knows_how_much_one_looks_further(
    chances: tuple[float, float], noise: float, looks: int
) -> None:
    """A moment that decided a game of Splendor was said to have cost 32 ± 22."""
    judge = Unsure(chances, noise)
    judge._weighed(played("loot").states, 0, [0, 1], CHOSEN, 1, [])
    assert judge.looked == looks


# Who judges.

SMALL = Effort(options=4, search=100, guesses=32, sketch=2, deep=64, refine=2, further=2)
SAID = {3: [0.4066, 0.3553, 0.1779]}  # by measure: what is said of one decision


def test_whoever_judges_otherwise_has_raised_the_measure() -> None:
    """Stored reviews say by whom they were judged; the judge's own code is in that only through `MEASURE`."""
    states, seat, action = list(positions(played("loot")))[20]
    said = Judge(engine("loot"), SMALL).decision(states, seat, action, 5)
    chances = [option.chance for option in said.options]
    assert chances == pytest.approx(SAID[MEASURE], abs=0.002), "raise MEASURE and write what is said now beside it"


def test_other_settings_and_other_weights_are_another_judge() -> None:
    game = engine("splendor").game
    assert judge_of(game) != judge_of(dataclasses.replace(game, judging={"exploration": 0.9}))
    assert judge_of(game) != judge_of(dataclasses.replace(game, judging={"weights": "-"}))


@pytest.mark.parametrize("seats", [3, 5])
def test_at_the_deal_nobody_thinks_less_of_themselves_than_of_the_others(seats: int) -> None:
    """Everybody was thought to have a richer rival: of five, each gave themselves 6 in a hundred."""
    known = engine("king_of_con")
    own = []
    for seed in range(1, 4):
        deal = Play.deal(known, seats, {}, seed).states
        for seat in range(seats):
            redacted = known.game.redact(deal, 0, seat)
            own.append(Judge(known, Effort())._brought(redacted, seat, [], seed, 64)[0][seat])
    assert np.mean(own) == pytest.approx(1 / seats, abs=0.03)


def test_in_king_of_con_a_lead_for_two_is_trusted_as_far_as_it_lasts() -> None:
    """`outlook` was weighed by games of players who do not look ahead: said to have 97, others won 91 of 100."""
    known, said, won = engine("king_of_con"), [], []
    out = np.zeros(known.game.max_seats)
    for seed in range(1, 151):
        play, number = played("king_of_con", seed, "club"), 1
        for states, _, _ in positions(play):
            if number < int(states["round_number"][0]):
                number = int(states["round_number"][0])
                known.call("outlook", states, 0, out)
                said.append(np.log(out[:2]))
                won.append(Judge(known, Effort()).result(play.states))

    def missed(power: float) -> float:
        """How badly the chances foretell who wins, with odds raised to this power."""
        chances = np.exp(power * np.array(said))
        return -float((np.array(won) * np.log(chances / chances.sum(1, keepdims=True))).sum())

    powers = np.arange(0.3, 1.5, 0.05)
    assert known.game.trust[2] == pytest.approx(powers[np.argmin([missed(power) for power in powers])], abs=0.16)


def test_who_decides_together_with_others_goes_on_from_the_own_choice() -> None:
    """Everybody went on from the choice of whoever looked, so that one seemed to bid better than the others."""
    known = engine("king_of_con")
    play = Play.deal(known, 3, {}, 4)
    while play.states["phase"][0] == 0:
        seat = play.waiting()[0]
        play.decide(seat, known.legal(play.states, 0, seat)[:1])
    redacted, judge = known.game.redact(play.states, 0, 0), Judge(known, Effort())
    scales = Scales(known, redacted, 0, 5, judge.settings, [], 400)
    scales.weigh(400)
    nodes = scales._tree[1 : scales._kept[1]]
    below = nodes[nodes["parent"] != 0]
    assert {int(mover) for mover in below["mover"]} == {0, 1, 2}
    assert (scales._tree["mover"][below["parent"]] == below["mover"]).all()
