"""Two decks side by side on the same deals: figures with intervals, changed cards first, false discoveries kept down."""

import csv
import io
import json
import os
import pathlib
import random
import re
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from ludoteca import catalogue, cli
from ludoteca.bots.own import AnyBot
from ludoteca.core import decks, words
from ludoteca.core.engine import interpreted
from ludoteca.core.game import Game
from ludoteca.core.record import Record
from ludoteca.lab import balance, compare, compare_page, driven, report_words
from ludoteca.lab.arena import Table
from ludoteca.lab.balance import Watched, decided_at, watch
from ludoteca.lab.compare import Comparison, changed_ids, in_its_place, owners, rate
from ludoteca.lab.pools import Workers

SPLENDOR = catalogue.listed("splendor")
FORM = decks.form_of(SPLENDOR, "marvel")
VENOM = next(row["id"] for row in FORM.printed() if row["name"] == "Venom")


def with_points(points: str) -> Game:
    rows = [row | {"points": points} if row["id"] == VENOM else row for row in FORM.printed()]
    return decks.with_deck(SPLENDOR, decks.read_deck(SPLENDOR, FORM, "mine.csv", decks.as_file(SPLENDOR, FORM, rows)))


def game(winner: int, had: list[list[Any] | list[str]], decided: float = 0.5) -> Any:
    """Two seats; what each of them had, by id."""
    shares = [1.0 - winner, float(winner)]
    named = [{f"recruited: {id}": f"recruited: card {id}" for id in ids} for ids in had]
    return Watched(shares, [1 + winner, 2 - winner], [[] for _ in had], 40, 10.0, 2, shares[0], decided, named)


def compared(deals: int = 400, better: float = 0.75) -> Any:
    """Owners of the changed card win half of the games before, and so many after; everything else is the same."""
    luck, found = random.Random(7), Comparison(with_points("9"), SPLENDOR, ["greedy"], 2, 0, deals)
    for _ in range(deals):
        owner = luck.randrange(2)
        had = [[VENOM] if seat == owner else ["M101"] for seat in range(2)]
        before, after = (owner if luck.random() < chance else 1 - owner for chance in (0.5, better))
        found.pairs.append((game(before, had), game(after, had)))
    return found


def test_changed_cards_come_first_and_say_both_figures() -> None:
    found = compared()
    assert changed_ids(SPLENDOR, found.game) == {VENOM: ["points"]}
    lines = compare_page.as_text(found).splitlines()
    at = lines.index("What you changed")
    assert lines[at + 1] == f"  card {VENOM} (points 2 → 9)"
    wins = next(line for line in lines if "those who had it" in line)
    figure = next(one for one in found.of_changed() if one.key.startswith("wins"))
    assert figure.key in found.moved() and "moved: " in wins
    assert abs(figure.before - 0.5) < 0.08 and abs(figure.after - 0.75) < 0.08
    assert abs(figure.difference - 0.25) <= figure.half + 0.03


def test_without_a_change_nothing_is_said_to_have_moved() -> None:
    found = compared(better=0.5)
    assert not found.moved()
    assert "nothing else, in" in compare_page.as_text(found)


def test_a_verdict_stays_open_until_all_deals_are_played() -> None:
    found = compared()
    found.wanted += 1
    assert not found.moved()
    assert "open: " in compare_page.as_text(found) and "moved: " not in compare_page.as_text(found)


def test_figures_are_made_once_for_so_many_deals_and_anew_for_more() -> None:
    found = compared()
    things, chairs = found.things(), found.chairs()
    assert found.things() is things and found.chairs() is chairs
    owner = 0 if VENOM in "".join(found.pairs[0][0].had[0]) else 1
    found.pairs += [(found.pairs[0][0], game(1 - owner, [[VENOM], ["M101"]][:: 1 - 2 * owner]))] * 400
    wins = [
        next(one for one in figures if one.key == f"wins recruited: {VENOM}") for figures in (things, found.things())
    ]
    assert wins[0].of == (400, 400) and wins[1].of == (800, 800)
    assert wins[1].after < wins[0].after - 0.3


def test_pairing_takes_away_what_both_decks_have_in_common() -> None:
    """The same games twice: however much they vary among themselves, the difference is known exactly."""
    luck = random.Random(3)
    games = [game(luck.randrange(2), [["M101"], []]) for _ in range(50)]
    figure = rate("wins", [(one, one) for one in games], owners("recruited: M101"))
    assert (figure.difference, figure.half, figure.chance) == (0, 0, 1.0)


def test_a_card_in_the_place_of_another_counts_by_its_name() -> None:
    swapped = in_its_place(game(0, [["B"], ["A"]]), "A", "B")
    assert [sorted(had) for had in swapped.had] == [["recruited: A"], []]


@pytest.mark.parametrize(
    ("key", "one", "other", "alike"),
    [("splendor", "M101", "M102", True), ("splendor", "M101", "M301", False), ("king_of_con", "I01", "I25", True)],
)
def test_cards_exchange_their_places_in_the_same_deal(key: str, one: str, other: str, alike: bool) -> None:
    game = catalogue.listed(key)
    assert game.exchange is not None
    states = interpreted(game).start(3, {}, 5)
    dealt, state = states.copy(), Record(states, 0)
    assert game.exchange(state, one, other) is alike
    state.close()
    assert game.components(Record(states)) == game.components(Record(dealt)), "every card is there once"
    assert (states.tobytes() != dealt.tobytes()) is alike


def test_when_a_game_was_decided() -> None:
    assert decided_at([None, 1, 0, 0], [1, 2]) == 0.5
    assert decided_at([0, 0, 0, 0], [1, 2]) == 0.0
    assert decided_at([0, 0, 1, None], [2, 1]) == 1.0
    assert decided_at([0, 0], [1, 1]) == 1.0


def test_page_and_table_hold_every_figure() -> None:
    found = compared(60)
    page = compare_page.as_html(found)
    assert page.count("<svg") >= 3 and "Show" not in page.split("<svg")[0]
    assert "What this cannot tell" in page and f"card {VENOM}" in page
    rows = list(csv.DictReader(io.StringIO(compare_page.as_csv(found))))
    assert rows[0]["what"] == f"players who recruited: card {VENOM}", "changed cards first"
    assert len({row["what"] for row in rows}) == len(rows)


# Games that are played


def stronger_newcomer() -> Any:
    """Challengers! with a deck of one's own: the first card is stronger."""
    game = catalogue.listed("challengers")
    form = decks.form_of(game, "cards")
    first, *others = form.printed()
    rows = [first | {"power": str(int(first["power"]) + 1)}, *others]
    return decks.with_deck(game, decks.read_deck(game, form, "mine.csv", decks.as_file(game, form, rows)))


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: catalogue.listed("king_of_con"), id="king_of_con", marks=pytest.mark.long),
        pytest.param(lambda: SPLENDOR, id="splendor"),
        pytest.param(stronger_newcomer, id="challengers with a deck", marks=pytest.mark.long),  # compiles for a minute
    ],
)
def test_plain_python_plays_the_same_games_as_machine_code(make: Any) -> None:
    """Also where there is more to do than bots in a hurry look at, in whatever way they choose."""
    game = make()
    bots: list[AnyBot] = ["greedy", "uniform", "novice"]
    tables = [Table(game.place, bots, game.full_options({}), 9, plain=plain) for plain in (True, False)]
    assert watch(tables[0]) == watch(tables[1])


def test_machine_code_plays_from_what_a_seat_may_see() -> None:
    """Secrets cannot leak into a report's games: before each decision everything hidden is made unreadable."""
    game = catalogue.listed("king_of_con")
    driver = driven.Driver(game)
    driver.states[0] = interpreted(game).start(3, {}, 4)[0]
    for seat in range(3):
        driven.hide(driver.raw, driver.hidden, driver.values, driver.marks, seat)
        assert driver.raw[1].tobytes() == game.redact(driver.states, 0, seat).tobytes()


def test_a_game_too_long_for_machine_code_is_followed_in_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balance, "driven", lambda *_: None)
    table = Table(SPLENDOR.place, ["uniform"] * 2, SPLENDOR.full_options({}), 9)
    assert watch(table) == watch(replace(table, plain=True))


def dealt(bot: str, game: Game, deals: int = compare.A_FEW) -> list[Table]:
    options = game.full_options({})
    return [Table(game.place, [bot] * 2, options, seed, game.version) for seed in range(deals)]


def test_bots_that_look_only_at_now_play_both_decks_while_the_new_one_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """In plain Python, and the games are those that machine code plays: the first figures are of both decks."""
    monkeypatch.setattr(compare, "is_ready", lambda table: False)
    one, other = dealt("novice", SPLENDOR), dealt("novice", with_points("9"))
    played = list(compare.while_it_is_made(one, one, Workers(1)))
    assert played
    for deal, (kind, watched) in enumerate(played):
        assert kind is compare.Meanwhile.BOTH and watched == [watch(one[deal])] * 2
    assert [table.plain for table in next(compare.meanwhile(one, other, is_made=True))[1]] == [False, True]
    assert [table.plain for table in next(compare.meanwhile(one, other, is_made=False))[1]] == [True, True]


def test_while_a_thinking_bot_waits_for_machine_code_both_decks_are_compared_at_sight() -> None:
    one, other = dealt("club", SPLENDOR), dealt("club", with_points("9"))
    portions = list(compare.meanwhile(one, other, is_made=True))
    glances = [tables for kind, tables in portions if kind is compare.Meanwhile.SIGHT]
    assert [kind for kind, _ in portions] == [compare.Meanwhile.SIGHT] * len(one) + [compare.Meanwhile.EARLY]
    assert all(tables[1].plain and tables[1].bots == ["greedy"] * 2 for tables in glances)
    found = Comparison(with_points("9"), SPLENDOR, ["club"], 2, 0, 100)
    assert compare_page.as_early(found)["sight"] is None
    pairs = [(watch(before), watch(after)) for before, after in glances[:3]]
    found.sight = replace(found, bots=[compare.AT_SIGHT], pairs=pairs)
    early = compare_page.as_early(found)
    assert early["figures"] == [] and early["sight"]["bot"] == "greedy"
    report = early["sight"]["report"]
    assert report["deals"] == 3 and [one["id"] for one in report["changed"]] == [VENOM]
    assert {one["verdict"] for one in report["course"]} == {"open"}


def test_a_changed_card_that_nobody_had_and_a_part_of_a_sheet_are_called_by_their_names() -> None:
    found = replace(compared(1), pairs=[(game(0, [[], []]), game(0, [[], []]))])
    assert "Venom (points 2 → 9)" in compare_page.as_text(found)
    loot = catalogue.listed("loot")
    sheet = decks.form_of(loot, "")
    own = decks.Deck("loot", sheet.key, sheet.printed() | {"score_spaces": 14}, loot.place)
    changed = Comparison(
        decks.with_deck(loot, own), loot, ["greedy"], 2, 0, 1, [(game(0, [[], []]), game(0, [[], []]))]
    )
    assert "score_spaces (12 → 14)" in compare_page.as_text(changed)


def test_where_all_workers_make_machine_code_the_old_deck_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    monkeypatch.setattr(compare, "is_ready", lambda table: False)
    monkeypatch.setattr(compare, "make_ready", made.append)
    monkeypatch.setattr(compare, "make_in_halves", lambda makers, table: Future())
    one, other = dealt("uniform", SPLENDOR), dealt("uniform", with_points("9"))
    kind, played = next(compare.while_it_is_made(one, other, Workers(2)))
    assert kind is compare.Meanwhile.EARLY and made == [one[0]]
    assert played == [watch(table) for table in one]
    found = Comparison(with_points("9"), SPLENDOR, ["uniform"], 2, 0, 100, early=played)
    early = compare_page.as_early(found)
    assert early["deals"] == len(played) and [one["what"] for one in early["figures"]][:2] == ["seat", "seat"]
    assert sum(one["value"] for one in early["figures"][:2]) == pytest.approx(1)


def test_a_report_that_began_in_plain_python_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = SPLENDOR, with_points("9")
    whole = compare.run(before, after, ["novice"], 6, 2, {}, workers=1)
    monkeypatch.setattr(compare, "plays_plainly", lambda *_: False)
    monkeypatch.setattr(compare, "is_ready", lambda table: False)
    monkeypatch.setattr(compare, "make_ready", lambda table: None)

    def three(one: Any, other: Any, workers: Any) -> Any:
        portions = list(compare.meanwhile(one, other, is_made=True))[:3]
        return [(kind, [watch(table) for table in tables]) for kind, tables in portions]

    monkeypatch.setattr(compare, "while_it_is_made", three)
    monkeypatch.setattr(compare, "watch", lambda table: watch(replace(table, plain=True)))
    grown = compare.run(before, after, ["novice"], 6, 2, {}, workers=1)
    assert grown.pairs == whole.pairs and len(grown.pairs) == 6


def test_the_code_of_a_new_deck_is_made_in_halves_and_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    monkeypatch.setattr(compare, "make_half", lambda place, half: made.append((place, half)))
    monkeypatch.setattr(compare, "make_ready", lambda table: made.append(table.seed))
    table = Table(SPLENDOR.place, ["greedy"] * 2, SPLENDOR.full_options({}), 7)
    with ThreadPoolExecutor(2) as makers:
        compare.make_in_halves(makers, table).result()
    assert {*made[:2]} == {(SPLENDOR.place, 0), (SPLENDOR.place, 1)} and made[2:] == [7]
    assert sorted(sum(driven.HALVES, ())) == sorted({"is_over", "legal", "appraise", "apply", "scores"})


@pytest.mark.parametrize("processes", [1, 2])
def test_several_processes_make_the_code_that_they_play_with_and_one_is_helped(processes: int) -> None:
    with Workers(processes) as workers:
        with workers.beside() as makers:
            maker = makers.submit(os.getpid).result()
        with workers.beside() as again:
            assert (again is makers) == (processes == 2)
            assert again.submit(os.getpid).result() != os.getpid() != maker


def test_a_report_has_the_same_words_in_both_languages() -> None:
    english, italian = (words.catalogue(report_words.FOLDER, language, "report") for language in words.LANGUAGES)
    assert english.keys() == italian.keys()
    slots = [{key: set(re.findall(r"{(\w+)", text)) for key, text in one.items()} for one in (english, italian)]
    assert slots[0] == slots[1]


def test_what_every_card_is_worth_is_told_in_italian(
    monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    some = [row for row in FORM.printed() if row.get("level") == "1"][:3]
    monkeypatch.setattr(compare, "rows_of", lambda game: some)
    monkeypatch.setattr(compare, "FEW", 1)
    deck = tmp_path / "mine.csv"
    changed = with_points("9").deck
    assert changed is not None
    deck.write_text(decks.as_file(SPLENDOR, FORM, changed.content), "utf-8")
    files = ["--html", str(tmp_path / "r.html"), "--csv", str(tmp_path / "r.csv")]
    wanted = ["--games", "3", "--bot", "uniform", "--worth", "all", "--language", "it", "--processes", "1"]
    assert cli.main(["balance", "splendor", "--deck", str(deck), *wanted, *files]) == 0
    told = capsys.readouterr().out
    worths = told.partition("Quanto vale ogni carta, per scambio")[2].partition("\n\n")[0]
    assert [row["name"] for row in some if f"  {row['name']} " in worths] == [row["name"] for row in some]
    assert "Che cosa hai cambiato" in told and "What " not in told and "points 2 → 9" in told
    page, table = (tmp_path / "r.html").read_text("utf-8"), (tmp_path / "r.csv").read_text("utf-8")
    assert '<html lang="it">' in page and "Valore per scambio" in page and "Che cosa questo non può dire" in page
    assert table.startswith("che cosa,prima,dopo") and "vittorie del posto 1" in table


def two_sheets() -> tuple[Game, Game]:
    """The two sheets that come with Loot."""
    loot = catalogue.listed("loot")
    sheet = json.loads((loot.folder / "components" / "irregular.json").read_text("utf-8"))
    sheet.pop("status")
    deck = decks.from_text(loot, decks.Deck("loot", "sheet", sheet, loot.place).text, "Irregular")
    return loot, decks.with_deck(loot, deck)


@pytest.mark.parametrize(("name", "pair"), [("loot", two_sheets), ("splendor", lambda: (SPLENDOR, with_points("9")))])
def test_a_report_with_a_fixed_seed_is_the_same_to_the_letter(name: str, pair: Any) -> None:
    before, after = pair()
    found = compare.run(before, after, "uniform", 12, 2, {}, seed=3, workers=1)
    golden = pathlib.Path(__file__).parents[1] / "golden" / f"report-{name}.txt"
    told = compare_page.as_text(found) + "\n"
    if os.environ.get("LUDOTECA_GOLDEN"):  # to write it anew, when what a report says has changed on purpose
        golden.write_text(told, "utf-8")
    assert told == golden.read_text("utf-8")
