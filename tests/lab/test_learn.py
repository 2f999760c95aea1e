"""Learning: what is written down, the same numbers from the same seed, nothing illegal, a step in the right direction."""

import csv
import dataclasses
import pathlib
import sys
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from ludoteca import catalogue
from ludoteca.cli import main
from ludoteca.core.errors import BadData
from ludoteca.lab.bar import Bar

CLOCKS = ("seconds", "core_seconds")


def test_without_torch_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: pathlib.Path
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "ludoteca.lab.learn", raising=False)
    assert main(["baseline", "splendor", "--out", str(tmp_path)]) == 2
    assert 'no torch here: pip install "ludoteca[learn]"' in capsys.readouterr().err


def test_the_rate_is_that_of_this_run_where_another_did_a_part() -> None:
    bar = Bar(400, "games")
    bar.start = 300
    assert bar.line(350, 10.0).endswith("350/400 games · 5/s · 0:10 left")


@pytest.fixture(scope="module")
def learn() -> Any:
    pytest.importorskip("torch", reason='PyTorch is not installed: pip install "ludoteca[learn]"')
    from ludoteca.lab import learn

    return learn


@pytest.fixture(scope="module")
def plan(learn: Any) -> Any:
    """Six updates of a few hundred decisions."""
    return learn.Plan(
        "splendor", decisions=6 * 32 * 24, tables=32, steps=24, hidden=16, batch=256,
        measure_every=3, measure_games=4, final_games=6,
    )  # fmt: skip


@pytest.fixture(scope="module")
def whole(learn: Any, plan: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The folder and the result of a run."""
    folder = tmp_path_factory.mktemp("whole")
    return folder, learn.run(plan, folder)


def figures(folder: pathlib.Path) -> list[dict[str | Any, str | Any]]:
    """The curve without its clocks."""
    with (folder / "curve.csv").open() as file:
        return [{name: text for name, text in row.items() if name not in CLOCKS} for row in csv.DictReader(file)]


def weights(folder: pathlib.Path) -> dict[Any, Any]:
    with np.load(folder / "weights.npz") as found:
        return {name: found[name].tolist() for name in found.files}


def test_a_run_leaves_weights_curve_and_picture(plan: Any, whole: Any) -> None:
    folder, result = whole
    names = ["checkpoint.pt", "curve.csv", "curve.svg", "weights.npz"]
    assert sorted(file.name for file in folder.iterdir()) == names
    rows = figures(folder)
    assert [int(row["decisions"]) for row in rows] == [768 * n for n in range(1, 7)]
    assert [row["update"] for row in rows if row["win_rate"]] == ["1", "3", "6"]
    for row in rows:
        assert all(np.isfinite(float(row[name])) for name in ("policy_loss", "value_loss", "entropy"))
    assert float(rows[-1]["value_loss"]) > 0.0, "games have ended: there is something to learn from"
    assert [standing.bot for standing in result.standings] == ["greedy", f"learned:{folder / 'weights.npz'}"]
    assert result.games == 6
    boxes = ElementTree.parse(folder / "curve.svg").findall("{http://www.w3.org/2000/svg}rect[@x]")
    assert [float(box.attrib["x"]) + 3 for box in boxes] == pytest.approx(
        [64 + 616 * n / 6 for n in (1, 3, 6)], abs=0.01
    )


def test_the_same_seed_learns_the_same(learn: Any, plan: Any, whole: Any, tmp_path: pathlib.Path) -> None:
    learn.run(plan, tmp_path / "again")
    assert figures(tmp_path / "again") == figures(whole[0])
    learn.run(dataclasses.replace(plan, seed=2), tmp_path / "other")
    assert figures(tmp_path / "other") != figures(whole[0])


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(
    learn: Any, plan: Any, whole: Any, tmp_path: pathlib.Path
) -> None:
    def stop(done: Any, total: Any, stands: Any) -> None:
        if done >= 4 * 768:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn.run(plan, tmp_path, progress=stop)
    assert len(figures(tmp_path)) == 3, "the last checkpoint is older than what was done"
    learn.run(plan, tmp_path, resume=True)
    assert figures(tmp_path) == figures(whole[0])
    assert weights(tmp_path) == weights(whole[0])


def test_a_run_is_not_written_over_and_not_mixed(learn: Any, plan: Any, whole: Any) -> None:
    with pytest.raises(BadData, match="--resume goes on"):
        learn.run(plan, whole[0])
    with pytest.raises(BadData, match=f"other settings: seed {plan.seed}, rate {plan.rate}. With these"):
        learn.run(dataclasses.replace(plan, seed=7, rate=0.5), whole[0], resume=True)


def test_illegal_actions_have_no_chance(learn: Any, plan: Any) -> None:
    import torch

    learner = learn.Learner(plan)
    with torch.no_grad():
        learner.network[-1].weight.normal_(std=30.0)  # strong opinions, also about what is not allowed
    batch = learner.collect()
    odds, worth = learn.judge(learner.network, batch.seen.flatten(0, 1), batch.legal.flatten(0, 1))
    chances = odds.exp()
    illegal = batch.legal.flatten(0, 1) == 0
    assert (chances[illegal] == 0.0).all()
    assert torch.allclose(chances.sum(1), torch.ones(len(chances)))
    assert batch.legal.gather(2, batch.chosen[:, :, None]).all()
    assert not learner.env.refused.any()
    assert (worth.abs() <= 1.0).all()


def test_the_bot_plays_what_the_network_thinks(learn: Any, plan: Any, whole: Any) -> None:
    import torch

    from ludoteca.bots import learned

    learner = learn.Learner(plan)
    learner.restore(whole[0] / "checkpoint.pt")
    bot = learned.load(catalogue.game("splendor"), str(whole[0] / "weights.npz"))
    seen, _ = learner.now()
    with torch.no_grad():
        thought = learner.network(seen)[:, :-1].numpy()
    for n in range(len(seen)):
        assert bot.preferences(seen[n].numpy()) == pytest.approx(thought[n], abs=1e-4)


def test_good_decisions_become_likelier(learn: Any, plan: Any) -> None:
    import torch

    learner = learn.Learner(dataclasses.replace(plan, curiosity=0.0))
    while learner.games == 0:
        batch = learner.collect()
        learner.games += int(batch.ended.sum())
    better = learn.advantages(batch.expected.numpy(), batch.seat, batch.ended, batch.rewards, batch.ahead, 0.95)
    learner.improve(batch)
    with torch.no_grad():
        odds, _ = learn.judge(learner.network, batch.seen.flatten(0, 1), batch.legal.flatten(0, 1))
    now = odds.gather(1, batch.chosen.flatten()[:, None])[:, 0]
    gained = (now - batch.likelihood.flatten()).numpy() * better.ravel()
    assert gained.mean() > 0.0


def test_the_command_says_how_good_it_became(
    learn: Any, whole: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: pathlib.Path
) -> None:
    asked = []

    def run(plan: Any, folder: pathlib.Path, resume: Any, progress: Any) -> Any:
        asked.append((plan, folder, resume))
        progress(0, 100, "…")
        progress(100, 100, "61% against novice")
        return whole[1]

    monkeypatch.setattr(learn, "run", run)
    words = ["--option", "edition=base", "--decisions", "100", "--rival", "novice", "--seed", "4", "--resume"]
    assert main(["baseline", "splendor", "--out", str(tmp_path), "--progress", *words]) == 0
    plan = learn.Plan("splendor", options={"edition": "base"}, decisions=100, rival="novice", seed=4)
    assert asked == [(plan, tmp_path, True)]
    said = capsys.readouterr()
    assert "95 % interval" in said.out
    assert "100/100 decisions · 61% against novice" in said.err


def test_an_unknown_rival_is_refused_before_the_work(learn: Any, plan: Any) -> None:
    with pytest.raises(BadData, match="no bot called «champion»"):
        learn.Learner(dataclasses.replace(plan, rival="champion"))


# Advantages, at one table: seats in the order in which they decided.


def advantages(
    learn: Any,
    seats: list[int],
    expected: list[float],
    ended: Sequence[int] = (),
    rewards: tuple[float, float] = (0.0, 0.0),
    ahead: tuple[float, float] = (np.nan, np.nan),
    lookahead: float = 1.0,
) -> Any:
    steps = len(seats)
    over = np.zeros((steps, 1), bool)
    over[list(ended)] = True
    paid = np.where(over[:, :, None], np.array(rewards), 0.0)
    given = np.array(expected, float)[:, None]
    better = learn.advantages(given, np.array(seats)[:, None], over, paid, np.array([ahead], float), lookahead)
    return better[:, 0].tolist()


def test_each_seat_is_credited_with_its_own_end(learn: Any) -> None:
    """Seat 1 ends the game and wins; with a long lookahead all that counts is the end."""
    better = advantages(learn, [0, 1, 0, 1], [0.5, 0.1, -0.3, 0.2], ended=[3], rewards=(-1.0, 1.0))
    assert better == pytest.approx([-1.5, 0.9, -0.7, 0.8])


def test_a_short_lookahead_compares_with_the_next_own_decision(learn: Any) -> None:
    better = advantages(
        learn, [0, 1, 0, 1], [0.5, 0.1, -0.3, 0.2], ended=[3], rewards=(-1.0, 1.0), lookahead=0.0
    )  # fmt: skip
    assert better == pytest.approx([-0.8, 0.1, -0.7, 0.8])


def test_the_next_game_has_no_part_in_this_one(learn: Any) -> None:
    better = advantages(learn, [0, 1, 0, 1], [0.0, 0.0, 0.9, 0.9], ended=[1], rewards=(1.0, -1.0), ahead=(0.4, np.nan))
    assert better[:2] == [1.0, -1.0]


def test_who_is_asked_next_is_judged_by_the_outlook_and_who_is_not_learns_nothing_yet(learn: Any) -> None:
    better = advantages(learn, [0, 1], [0.5, 0.1], ahead=(0.7, np.nan))
    assert better == pytest.approx([0.2, 0.0])


def test_alone_there_is_nothing_to_learn_from(learn: Any) -> None:
    with pytest.raises(BadData, match="at least two seats"):
        learn.Learner(learn.Plan("loot", seats=1))
