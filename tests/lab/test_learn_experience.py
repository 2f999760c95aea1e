"""Learning how good actions are: what is written down, the same from the same seed, whole after a stop."""

import csv
import json
import pathlib
from typing import Any

import numpy as np
import pytest

from ludoteca import catalogue
from ludoteca.core.errors import BadData
from ludoteca.games.challengers import experience
from ludoteca.lab import learn_experience
from ludoteca.lab.learn_experience import Plan

TINY = Plan("challengers", seed=3, games=12_000)


@pytest.fixture(scope="module")
def short_ladder() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learn_experience, "MEASURE_GAMES", 40)
        patch.setattr(learn_experience, "FINAL_GAMES", 40)
        patch.setattr(learn_experience, "MEASURED", 2)
        yield


@pytest.fixture(scope="module")
def whole(short_ladder: None, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("whole")
    return folder, learn_experience.run(TINY, folder, processes=1)


def test_a_run_leaves_experience_record_and_curve(whole: Any) -> None:
    folder, run = whole
    assert run.games == 12_000
    written = experience.read_numbers(folder / "experience.json")
    np.testing.assert_allclose(written[: experience.PAIR], run.mean[: experience.PAIR], atol=0.006)
    assert np.abs(run.mean - experience.beginners_numbers()).max() > 0.5, "something was learned"
    record = json.loads((folder / "record.json").read_text())
    assert record["command"] == "ludoteca learn challengers --games 12000 --seed 3"
    assert record["at_sight_against_greedy"]["games"] == 40
    assert json.loads((folder / "experience.json").read_text())["record"] == record
    with (folder / "curve.csv").open() as file:
        assert [int(row["games"]) for row in csv.DictReader(file)] == [6000, 12_000]
    assert "<svg" in (folder / "curve.svg").read_text()


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(whole: Any, tmp_path: pathlib.Path) -> None:
    class Stopped(Exception):
        pass

    def stop(done: int, _total: int, _stands: str) -> None:
        if done == 9000:  # a step after what was saved last
            raise Stopped

    with pytest.raises(Stopped):
        learn_experience.run(TINY, tmp_path, progress=stop, processes=1)
    with pytest.raises(BadData, match="--resume"):
        learn_experience.run(TINY, tmp_path, processes=1)
    with pytest.raises(BadData, match="other settings: games 12000"):
        learn_experience.run(Plan("challengers", seed=3, games=15_000), tmp_path, resume=True, processes=1)
    again = learn_experience.run(TINY, tmp_path, resume=True, processes=1)
    assert (again.mean == whole[1].mean).all()
    assert [row["games"] for row in again.curve] == [6000, 12_000]


def test_processes_learn_the_same(whole: Any, tmp_path: pathlib.Path) -> None:
    again = learn_experience.run(TINY, tmp_path, processes=2)
    assert (again.mean == whole[1].mean).all()


def test_games_without_such_a_module_learn_to_judge() -> None:
    assert learn_experience.has_learning(catalogue.game("challengers"))
    assert not learn_experience.has_learning(catalogue.game("loot"))
    with pytest.raises(BadData, match="no way to learn"):
        learn_experience.Run(Plan("loot"), pathlib.Path())


def test_what_cannot_be_learned_is_said(tmp_path: pathlib.Path) -> None:
    with pytest.raises(BadData, match="a game to learn from"):
        learn_experience.run(Plan("challengers", games=0), tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(BadData, match="cannot be made"):
        learn_experience.run(TINY, tmp_path / "file" / "run")
