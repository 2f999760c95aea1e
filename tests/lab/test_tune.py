"""Searching for balance: a planted imbalance is found and repaired, and how the work is done changes nothing."""

import json
import os
import pathlib
from collections.abc import Sequence
from typing import Any

import pytest

from ludoteca import catalogue, cli
from ludoteca.core import decks
from ludoteca.core.errors import BadData
from ludoteca.core.game import Game
from ludoteca.lab import tune, wishes
from ludoteca.lab.balance import Watched, watch
from ludoteca.lab.pools import Workers
from ludoteca.lab.report_words import Unread
from ludoteca.lab.tune import Search

pytest.importorskip("optuna")
SPLENDOR, LOOT = catalogue.listed("splendor"), catalogue.listed("loot")
ROWS = SPLENDOR.forms[0].printed()


def watched(first_wins: int, had: tuple[Sequence[str], Sequence[str]] = ((), ()), rounds: int = 30) -> Any:
    named = [{f"recruited: {id}": id for id in ids} for ids in had]
    shares = [float(first_wins), 1.0 - first_wins]
    return Watched(shares, [1, 2], [[], []], 60, 9.0, 2, None, 0.5, named, rounds)


# Wishes


@pytest.mark.parametrize(
    ("text", "figure", "low", "high"),
    [
        ("seats within 1 %", "seats", 0, 0.01),
        ("28 rounds", "rounds", 27.5, 28.5),
        ("27 to 29 rounds", "rounds", 27, 29),
        ("at most 60 decisions", "decisions", 0, 60),
        ("28 rounds, give or take 2", "rounds", 26, 30),
        ("no card of level 1 above 55 %", "wins", 0, 0.55),
        ("no card below 45,5 %", "wins", 0.455, float("inf")),
        ("Venom 45 to 55 %", "wins", 0.45, 0.55),
        ("venom taken by at least 20 %", "taken", 0.2, float("inf")),
        ("decided after at least 60 %", "decided after", 0.6, float("inf")),
        ("Venom is worth at most +2.0", "worth", -float("inf"), 0.02),
        ("Venom worth −1 to 1", "worth", -0.01, 0.01),
        ("posti entro 1 %", "seats", 0, 0.01),
        ("28 round, più o meno 2", "rounds", 26, 30),
        ("da 27 a 29 round", "rounds", 27, 29),
        ("al massimo 60 decisioni", "decisions", 0, 60),
        ("nessuna carta di livello 1 sopra il 55 %", "wins", 0, 0.55),
        ("Venom dal 45 al 55 %", "wins", 0.45, 0.55),
        ("Venom presa da almeno 20 %", "taken", 0.2, float("inf")),
        ("Venom vale al massimo 2", "worth", -float("inf"), 0.02),
        ("chi era in testa a metà ha vinto al massimo 70 %", "who led halfway won", 0, 0.7),
    ],
)
def test_wishes_are_words_of_the_report(text: str, figure: str, low: Any, high: Any) -> None:
    wish = wishes.read_wish(SPLENDOR, ROWS, text)
    assert wish.figure == figure
    assert [wish.low, wish.high] == pytest.approx([low, high])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("seats even", "no number"),
        ("Godzilla at most 55 %", "called «godzilla»"),
        ("no card of level 9 above 55 %", "no row has 9 in the column level"),
        ("no dragon above 5 %", "no «dragon»"),
        ("Venom above 55 %", "belong to «no card"),
        ("60 to 40 rounds", "range is empty"),
        ("Godzilla vale al massimo 2", "called «godzilla»"),
    ],
)
def test_what_cannot_be_wished_is_refused_with_a_sentence(text: str, why: str) -> None:
    with pytest.raises(Unread, match="is no wish") as refused:
        wishes.read_wish(SPLENDOR, ROWS, text)
    assert why in refused.value.sentence
    assert "non è un desiderio" in refused.value.in_language("it")


def test_how_far_games_are_from_a_wish() -> None:
    games = [watched(n < 30, had=(["M101"], ["M301"]), rounds=20 + n % 2) for n in range(40)]

    def looked_at(text: str) -> Any:
        wish = wishes.read_wish(SPLENDOR, ROWS, text)
        return wish.value(games), wish.miss(wish.value(games))

    assert looked_at("seats within 1 %") == pytest.approx((0.5, 49))
    assert looked_at("20 to 21 rounds") == pytest.approx((20.5, 0))
    assert looked_at("41 rounds") == pytest.approx((20.5, 100 * 20 / 41.5))
    assert looked_at("M101 at most 55 %") == pytest.approx((0.75, 20))
    assert looked_at("no card of level 1 above 70 %") == pytest.approx((0.75, 5))
    assert looked_at("no card of level 3 above 70 %") == pytest.approx((0.25, 0))
    assert looked_at("M102 at most 55 %") == (None, wishes.UNKNOWN), "nobody had it: nothing is known"
    assert looked_at("M101 taken by 50 %") == pytest.approx((0.5, 0))


def test_what_a_card_is_worth_is_wished_by_exchange(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its owners won all games; whoever took another card in its place won half of them."""
    wish = wishes.read_wish(SPLENDOR, ROWS, "M101 worth at most 20")
    pairs = [(watched(n % 2, had=(["M101"], [])), watched(True, had=(["M101"], []))) for n in range(40)]
    assert wish.card == "M101"
    assert wish.value([], {"M101": pairs}) == pytest.approx(0.5) and wish.miss(0.5) == pytest.approx(30)
    assert wish.shown(0.5) == "+50.0" and wish.value([], {}) is None
    with pytest.raises(BadData, match="not known of Loot"):
        wishes.read_wish(LOOT, [], "combo red worth at most 2")
    monkeypatch.setattr(wishes, "FEW", 1)
    place = decks.with_deck(SPLENDOR, decks.Deck("splendor", "marvel", ROWS, SPLENDOR.place)).place
    trial = tune.Try(place, "", ("uniform",) * 2, SPLENDOR.full_options({}), 2, 0, (wish,))
    monkeypatch.setattr(tune, "plays_plainly", lambda *_: True)
    exchanged = []

    def seen(table: Any) -> Any:
        exchanged.append(table.exchanged)
        return watch(table)

    monkeypatch.setattr(tune, "watch", seen)
    tune.play_deck(trial)
    deals = [pair for pair in exchanged if pair]
    assert len(exchanged) == 4 and [pair[0] for pair in deals] == ["M101", "M101"], "the same deals once more"


# Cells


def test_cells_are_named_as_people_name_them() -> None:
    group = tune.read_cell(SPLENDOR, ROWS, "level=1 points -1..+1")
    assert len(group.rows) == sum(row["level"] == "1" for row in ROWS if "level" in row) and group.by
    changed = json.loads(json.dumps(ROWS))
    group.write(changed, 1)
    assert [int(changed[n]["points"]) - int(ROWS[n]["points"]) for n in group.rows] == [1] * len(group.rows)
    sheet = LOOT.forms[0].printed()
    reward = tune.read_cell(LOOT, sheet, "combos yellow reward 1..5")
    assert reward.look(sheet) == "3"
    for text, why in (
        ("Venom points", "no cell with a range"), ("Venom points 5..0", "range is empty"),
        ("Godzilla points 0..1", "no row"), ("Venom colour 0..1", "no column «colour»"),
    ):  # fmt: skip
        with pytest.raises(BadData) as refused:
            tune.read_cell(SPLENDOR, ROWS, text)
        assert why in refused.value.sentence
    with pytest.raises(BadData, match="no part «pink»"):
        tune.read_cell(LOOT, sheet, "combos pink reward 1..5")


# Searching


def searched(
    folder: pathlib.Path,
    game: Game,
    content: Any,
    wish: str,
    cells: tuple[str, ...],
    deals: int,
    tries: int,
    workers: Any = None,
    seed: int = 0,
    resume: bool = False,
    progress: Any = None,
) -> Search:
    form = game.forms[0]
    deck = decks.from_text(game, decks.Deck(game.key, form.key, content, game.place).text)
    place = decks.with_deck(game, deck).place
    plan = tune.Plan(place, (wish,), cells, ("uniform",), 2, (), deals, 4, seed)
    search = tune.Search(plan, folder)
    search.begin(resume)
    with workers or Workers(1) as whoever:
        search.run(tries, whoever, progress)
    return search


def long_sheet() -> Any:
    """The symmetric sheet, but with a score track that nobody comes to the end of."""
    return LOOT.forms[0].printed() | {"score_spaces": 24}


def loot(folder: pathlib.Path, deals: int = 1, tries: int = 6, **more: Any) -> Any:
    cells = ("score_spaces 3..8", "combos yellow reward 1..5")
    return searched(folder, LOOT, LOOT.forms[0].printed(), "20 to 32 rounds", cells, deals, tries, **more)


def test_a_card_that_wins_too_often_is_found_and_repaired(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Splendor: Baron Zemo costs one token and makes nine points."""
    monkeypatch.setattr(wishes, "FEW", 8)
    planted = [row | {"points": "9", "red": "1"} if row.get("id") == "M101" else row for row in ROWS]
    found = searched(tmp_path, SPLENDOR, planted, "Baron Zemo at most 60 %", ("M101 points 0..9",), 20, 4)
    begun, best = found.found[found.start], found.best()
    assert best is not None and begun.miss > 0 and (begun.values[0] or 0.0) > 0.6
    assert best.miss == 0 and int(best.chosen[0]) < 9
    assert all(one.miss == 0 for one in found.proposed())
    assert found.proposed()[0].change == min(one.change for one in found.found.values() if one.miss == 0)


def test_games_that_do_not_end_are_found_and_repaired_and_told(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Loot, by the command: every proposal is a deck that can be played, checked on other deals."""
    monkeypatch.setattr(os, "nice", lambda _: 0)  # with `--stream` it steps back: here all tests after it would
    sheet, out = tmp_path / "sheet.json", tmp_path / "found"
    sheet.write_text(json.dumps(long_sheet()))
    command = [
        "tune", "loot", "--deck", str(sheet), "--wish", "35 to 55 rounds", "--cell", "score_spaces 6..24",
        "--bot", "uniform", "--tries", "10", "--deals", "2", "--check", "2", "--out", str(out), "--processes", "1",
    ]  # fmt: skip
    assert cli.main(command) == 0
    told = capsys.readouterr().out
    assert "As it was\n  missed  35 to 55 rounds" in told and "A: score_spaces 24 → " in told
    assert "met     35 to 55 rounds" in told and "on 2 other deals" in told and "costs elsewhere: " in told
    assert "What you changed" in (out / "A.html").read_text("utf-8")
    _, deck = decks.read_file(out / "A.json", [LOOT])
    assert deck.content["score_spaces"] < 24
    assert cli.main([*command, "--resume", "--stream"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["done"] for line in lines] == [*range(1, 11), 10], "what is written down is told at once"
    assert lines[0]["report"]["proposals"][0]["costs"] is None, "not checked yet"
    best = lines[-1]["report"]["proposals"][0]
    assert best["met"] == [True] and len(best["again"]) == 1 and best["content"] == deck.content
    assert cli.main([*command, "--stream", "--wish", "a better game"]) == 2
    assert "names no number" in json.loads(capsys.readouterr().out)["refused"]
    assert cli.main(command) == 2 and "--resume goes on" in capsys.readouterr().err
    assert cli.main([*command, "--resume", "--deals", "7"]) == 2 and "another plan" in capsys.readouterr().err


def test_a_search_that_was_stopped_finds_the_same(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = loot(tmp_path / "whole", tries=12)

    def stop(done: Any, total: Any, best: Any) -> None:
        if done == 9:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        loot(tmp_path / "parts", tries=12, progress=stop)
    with (tmp_path / "parts" / tune.TRIES).open("a") as file:
        file.write('{"deck": "cut o')  # the power went while it wrote
    played, play = [], tune.play_deck

    def counted(trial: Any) -> Any:
        played.append(trial)
        return play(trial)

    monkeypatch.setattr(tune, "play_deck", counted)
    again = loot(tmp_path / "parts", tries=12, resume=True)
    assert again.found == whole.found
    assert len(played) == 3, "what was written down is not played again"


def test_processes_and_a_cluster_find_the_same(tmp_path: pathlib.Path) -> None:
    from distributed import LocalCluster

    alone = loot(tmp_path / "alone")
    assert loot(tmp_path / "two", workers=Workers(2)).found == alone.found
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
        there = Workers(1, cluster.scheduler_address)
        assert loot(tmp_path / "cluster", workers=there).found == alone.found
    assert loot(tmp_path / "other", seed=5).found != alone.found


def test_a_deck_that_breaks_a_bound_is_never_proposed(tmp_path: pathlib.Path) -> None:
    found = searched(tmp_path, LOOT, long_sheet(), "5 rounds", ("score_spaces 0..2",), 1, 3)
    assert found.proposed() == [] and len(found.found) == 3
    assert {one.deck for one in found.found.values()} == {""}
