"""A deck of somebody's own: read with every mistake at once, played by the same rules, known by its content."""

import csv
import io
import pathlib
import pickle
import random
from typing import Any

import pytest

from ludoteca import catalogue
from ludoteca.core import decks, forms
from ludoteca.core.compiler import cache_directory
from ludoteca.core.decks import BadDeck, Deck, by_id, changes, form_of, from_text, read_any, with_deck
from ludoteca.core.engine import cache_name, compiled, game_sources, interpreted
from ludoteca.core.errors import BadData
from ludoteca.core.game import Game, game_at
from ludoteca.core.record import Record
from ludoteca.core.words import Telling, sentence
from ludoteca.games.challengers.components import MOMENTS

GAMES = list(catalogue.games().values())
FORMS = [(game.key, form.key) for game in GAMES for form in game.forms]


def printed(key: str, form: str = "", **changed: Any) -> str:
    """The printed deck as a file, with some cells changed: `M102={"points": "9"}`."""
    game = catalogue.listed(key)
    which = form_of(game, form)
    content = which.printed()
    if not which.is_sheet:
        content = [{**row, **changed.get(row.get("id", "").replace("-", "_"), {})} for row in content]
    return decks.as_file(game, which, content)


def read(text: str | bytes, name: str = "my.csv") -> tuple[Game, Deck]:
    return read_any(name, text if isinstance(text, bytes) else text.encode(), GAMES)


def mistakes(text: str, name: str = "my.csv") -> list[str]:
    with pytest.raises(BadDeck) as bad:
        read(text, name)
    return bad.value.lines


def played(game: Game, seed: int, seats: int = 2) -> Any:
    """A random game to its end."""
    engine, luck = interpreted(game), random.Random(seed)
    states = engine.start(seats, {}, seed)
    for _ in range(game.longest):
        if engine.is_over(states):
            return engine, states
        seat = luck.choice(engine.waiting(states))
        engine.decide(states, 0, seat, luck.choice(engine.legal(states, 0, seat)))
    raise AssertionError("it never ends")


@pytest.mark.parametrize(("key", "form"), FORMS)
def test_the_printed_deck_written_to_a_file_is_the_printed_game(key: str, form: str) -> None:
    game, deck = read(printed(key, form))
    which = form_of(game, form)
    assert (game.key, deck.form, changes(which, which.printed(), deck.content)) == (key, form, [])
    mine = with_deck(game, deck)
    assert mine is not game and mine.key == game.key and mine.variant == deck.hash
    here, there = interpreted(mine).start(2, {}, 7), interpreted(game).start(2, dict(which.options), 7)
    assert here.tobytes() == there.tobytes()


@pytest.mark.parametrize(("key", "form"), FORMS)
def test_every_column_is_explained_in_both_languages(key: str, form: str) -> None:
    game = catalogue.listed(key)
    for language in ("en", "it"):
        words = {**forms.deck_words(forms.HOUSE, language), **forms.deck_words(game.folder, language)}
        assert not [c.key for c in form_of(game, form).columns if f"column.{c.key}" not in words]
        assert f"form.{form}" in words
        text = decks.as_file(game, form_of(game, form), form_of(game, form).printed(), language=language)
        assert read(text)[1].hash == read(printed(key, form))[1].hash, "explanations are not part of the deck"


def test_the_two_languages_have_the_same_sentences() -> None:
    for folder in (forms.HOUSE, *(game.folder for game in GAMES)):
        assert forms.deck_words(folder, "en").keys() == forms.deck_words(folder, "it").keys()


def test_all_mistakes_are_said_at_once_with_line_and_column() -> None:
    text = printed("splendor", "marvel", M102={"points": "77", "bonus": "pink"}, M103={"id": "M101"}, M104={"red": "x"})
    first = 1 + text[: text.index("\nkind,")].count("\n") + 1
    assert mistakes(text) == [
        f"my.csv, line {first + 2}, column bonus: «pink» is not known here; it can be yellow, red, orange, blue, purple.",
        f"my.csv, line {first + 2}, column points: 77 stands here; it can be 0 to 9.",
        f"my.csv, line {first + 4}, column red: «x» is no whole number; it can be 0 to 9.",
        f"my.csv, line {first + 3}, column id: the id M101 is used twice, first in line {first + 1}; "
        "each row has one of its own.",
    ]


def test_a_wrong_column_hides_no_other_mistake() -> None:
    text = printed("splendor", "marvel", M102={"points": "77", "bonus": "pink"}, M103={"id": "M101"})
    head = text[: text.index("\nkind,")].count("\n") + 2
    said = mistakes(text.replace("\nkind,id,name,level,", "\nkind,id,title,height,", 1))
    assert [line.partition(": ")[0] for line in said] == [
        f"my.csv, line {head}, column title", f"my.csv, line {head}, column height", f"my.csv, line {head}, column level",
        f"my.csv, line {head + 2}, column bonus", f"my.csv, line {head + 2}, column points",
        f"my.csv, line {head + 3}, column id",
    ]  # fmt: skip
    assert len(mistakes(text.replace("\nkind,", "\nsort,", 1))) == 2, "without the kind of a row its cells mean nothing"


def table(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def as_spreadsheets_write(text: str, separator: Any, encoding: str) -> bytes:
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator="\r\n").writerows(table(text))
    return out.getvalue().encode(encoding)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_what_spreadsheets_write_is_read(separator: str, encoding: str) -> None:
    text = printed("king_of_con")
    assert read(as_spreadsheets_write(text, separator, encoding))[1].hash == read(text)[1].hash


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"x" * 1_000_001, "the file has 1.0 MB; a deck has 1.0 at most"),
        (b"PK\x03\x04rest", "a spreadsheet's own file; save it as CSV"),
        (bytes(range(256)), "this is no text"),
        (b"", "there is nothing in this file"),
        (b"# only words\n", "there is nothing in this file"),
        (b"colour,shape\nred,round\n", "these columns (colour, shape) are those of no game here"),
        (
            printed("king_of_con").replace("Star Atlas", "Caff\u00e8").encode("latin-1", "replace"),
            "line 10, column 9: this is no UTF-8, perhaps Latin-1",
        ),
        (printed("king_of_con").replace("Star Atlas", "=HYPERLINK(1)").encode(), "looks like a formula"),
        (printed("king_of_con").replace("Star Atlas", "<b>Atlas</b>").encode(), "a text is plain text"),
        (printed("king_of_con").replace("Star Atlas", "{name}").encode(), "a text is plain text"),
        (printed("king_of_con").replace("Star Atlas", "salta\u202e").encode(), "turn the direction of reading"),
        (printed("king_of_con").replace("Star Atlas", "a\u200bb").encode(), "invisible signs"),
        (printed("king_of_con").replace("Star Atlas", "A" * 41).encode(), "there is room for 40 letters"),
        (printed("king_of_con").replace("I02,", "I01,").encode(), "the id I01 is used twice"),
        (printed("king_of_con").replace("id,name,", "id,nmae,").encode(), "no column «nmae», perhaps name"),
        (
            b"# a word first\n\n" + printed("king_of_con").replace("id,name,", "id,", 1).encode(),
            "line 11, column name: this column is missing",
        ),
        (printed("king_of_con").replace(",Vintage\n", ",Mint\n", 1).encode(), "Vintage is on 4 Items; it needs 5"),
        (b"[" * 100_000, "more than 12 brackets"),
        (b'{"grid": ' + b"9" * 5000 + b"}", "no JSON"),
        (printed("king_of_con").encode() + b'"never', "never ends"),
    ],
)  # fmt: skip
def test_a_hostile_or_mistaken_file_is_refused_with_a_sentence(data: Any, words: str) -> None:
    lines = mistakes(data, "evil.csv")
    assert lines[0].startswith("evil.csv") and any(words in line for line in lines), lines[:3]


def test_a_file_of_100_megabytes_is_not_read_into_memory(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "big.csv"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(BadDeck, match=r"big\.csv: the file has 100\.0 MB"):
        decks.read_file(path, GAMES)


@pytest.mark.parametrize(
    ("key", "form", "change", "words"),
    [
        ("splendor", "base", lambda rows: [r for r in rows if r.get("level") != "2"], "level 2 has 0 cards"),
        ("splendor", "marvel", lambda rows: [r | {"bonus": "red"} if "bonus" in r else r for r in rows], "bonus in yellow"),
        ("splendor", "base", lambda rows: rows + [rows[0] | {"id": f"X{n}"} for n in range(40)], "count up to 126"),
        ("splendor", "marvel", lambda rows: [r for r in rows if r.get("tile") != "1"], "four players need 4"),
        ("king_of_con", "", lambda rows: rows[:-1], "there are 24 Items"),
        ("challengers", "", lambda rows: [r for r in rows if r.get("id") != "city-dog-p"], "city-dog-p is missing"),
        ("challengers", "", lambda rows: [r for r in rows if r.get("level") != "C"], "level C has 0 cards in play"),
        ("challengers", "", lambda rows: [r for r in rows if r.get("kind") != "plan"], "there are plans 1 to 2"),
        ("challengers", "", lambda rows: [r for r in rows if r.get("round") != "3"], "round 3 has 0 trophies"),
    ],
)  # fmt: skip
def test_what_the_rules_need_is_said_with_the_reason(key: str, form: str, change: Any, words: str) -> None:
    game = catalogue.listed(key)
    which = form_of(game, form)
    lines = mistakes(decks.as_file(game, which, change(which.printed())))
    assert any(words in line for line in lines), lines


def test_a_larger_and_a_smaller_deck_are_played() -> None:
    game = catalogue.listed("splendor")
    which = form_of(game, "base")
    rows = which.printed()
    more = [row | {"id": f"X{row['id']}", "name": "One more"} for row in rows if row.get("level") == "2"]
    larger = [*rows, *more]
    smaller = [row for row in rows if row.get("level") != "1" or row["id"] < "B130"]
    for content, cards in ((larger, 120), (smaller, 79)):
        mine = with_deck(game, read(decks.as_file(game, which, content))[1])
        _, states = played(mine, 3)
        assert states["owner"].shape == (1, cards)
        assert all(count == 1 for count in mine.components(Record(states))["cards"])


def test_a_changed_card_changes_the_game_and_nothing_else() -> None:
    text = printed("splendor", "marvel", M102={"points": "9", "name": "Raccoon of Doom"})
    game, deck = read(text)
    mine = with_deck(game, deck)
    assert changes(form_of(game, "marvel"), form_of(game, "marvel").printed(), deck.content) == [
        decks.Change("M102", "name", "Rocket", "Raccoon of Doom"),
        decks.Change("M102", "points", "0", "9"),
    ]
    engine, states = interpreted(mine), interpreted(mine).start(2, {}, 5)
    number = [row["id"] for row in deck.content].index("M102")
    states["market"][0, 0, 0] = number
    for colour in range(5):
        states["tokens"][0, 0, colour] = 4
    facts = engine.decide(states, 0, 0, game.actions.read("recruit 1 1"))
    assert states["points"][0, 0] == 9
    seen = Record(mine.redact(states, 0, 0))
    said = [Telling(mine, seen, ["Ada", "Bo"], "en", 0).event(mine.event(seen, fact)) for fact in facts]
    assert any("Raccoon of Doom" in line for line in said)
    assert "Rocket" in decks.as_file(game, form_of(game, "marvel"), form_of(game, "marvel").printed())


@pytest.mark.parametrize(("key", "form"), FORMS)
def test_every_row_is_known_by_its_id_or_by_the_first_columns_of_its_kind(key: str, form: str) -> None:
    which = form_of(catalogue.listed(key), form)
    rows = by_id(which, which.printed())
    assert len(rows) == len(which.printed())
    if key == "challengers":
        assert "city-dog-p" in rows and rows["trophy 7 9"]["round"] == "7" and rows["plan 3-4 2"]["plan"] == "2"


def test_titles_are_text_in_both_languages() -> None:
    game, deck = read(printed("king_of_con", I05={"name": "Ray Gun 100% {", "name_it": ""}).replace("{", "[", 1))
    mine = with_deck(game, deck)
    assert sentence(mine, "it", "item.I05", {}) == sentence(mine, "en", "item.I05", {}) == "Ray Gun 100% ["
    assert sentence(game, "en", "item.I05", {}) != "Ray Gun 100% ["


def test_a_card_that_does_something_new_says_so() -> None:
    text = printed("challengers", city_talent_a={
        "timing": "from_bench", "effect": "help", "amount": "2", "which": "set castle",
    })  # fmt: skip
    game, deck = read(text)
    mine = with_deck(game, deck)
    assert sentence(mine, "en", "text.city-talent-a", {}) == "Your Castle cards in the park have +2."
    assert sentence(mine, "it", "text.city-talent-a", {}) == "Le tue carte Castello nel parco hanno +2."
    assert sentence(mine, "en", "text.city-mascot-b", {}) == sentence(game, "en", "text.city-mascot-b", {})


@pytest.mark.parametrize("seed", range(3))
def test_any_effect_at_any_moment_that_is_allowed_can_be_played(seed: int) -> None:
    """Every card gets another effect by chance, with numbers to fit, and the tournament ends."""
    game = catalogue.listed("challengers")
    which, luck = form_of(game, ""), random.Random(seed)
    rows = which.printed()
    for row in rows:
        if row.get("effect") and row["level"] in "ABC":
            for _ in range(200):
                effect = luck.choice(sorted(MOMENTS))
                change = {
                    "effect": effect, "timing": luck.choice(MOMENTS[effect]), "amount": str(luck.choice([1, 1, 2, 3])),
                    "measure": luck.choice(["", "one", "bench_card", "free_seat", "rival_bench_card"]),
                    "which": luck.choice(["", "set city", "level A", "level B", "power 0-3"]),
                    "must": luck.choice(["", "yes"]),
                }  # fmt: skip
                if not which.again([{**other, **change} if other is row else other for other in rows]):
                    row.update(change)
                    break
    mine = with_deck(game, read(decks.as_file(game, which, rows))[1])
    played(mine, seed, seats=4)


def test_a_deck_is_known_by_its_content_and_travels() -> None:
    text = printed("loot").replace('"score_spaces": 12', '"score_spaces": 9')
    game, deck = read(text, "mine.json")
    mine = with_deck(game, deck)
    assert interpreted(mine).view(interpreted(mine).start(1), 0, 0)["sheet"]["spaces"] == 9
    assert with_deck(game, from_text(game, deck.text, "another name")) is mine, "the same content, the same game"
    assert pickle.loads(pickle.dumps(mine)) is mine and game_at(mine.place) is mine
    assert mine.full_options({})["deck"] == deck.hash
    with pytest.raises(BadData, match="another deck"):
        mine.read_options({"deck": "0" * 64})
    with pytest.raises(BadData, match="another deck"):
        game.read_options({"deck": deck.hash})


def test_content_from_elsewhere_is_checked_once_more() -> None:
    game, deck = read(printed("king_of_con"))
    for text in (
        deck.text.replace("Vintage", "Vinegar"),
        "[]",
        "{}",
        deck.text[:-1],
        '{"game":"king_of_con","form":"items"}',
    ):
        with pytest.raises((BadDeck, BadData)):
            from_text(game, text)
    with pytest.raises(BadData, match="not of loot"):
        from_text(catalogue.listed("loot"), deck.text.replace('"form":"items"', '"form":"sheet"'))


def test_machine_code_is_kept_by_content_and_the_printed_game_has_its_own() -> None:
    game, deck = read(printed("loot").replace('"score_spaces": 12', '"score_spaces": 9'), "mine.json")
    mine = with_deck(game, deck)
    folders = {
        cache_directory(cache_name(one), game_sources(one), one.variant)
        for one in (game, mine, with_deck(game, read(printed("loot"), "mine.json")[1]))
    }
    assert len(folders) == 3
    assert game_sources(mine) == game_sources(game), "the same rules"


@pytest.mark.long  # it compiles a game
def test_a_deck_is_played_compiled_as_interpreted() -> None:
    game, deck = read(printed("loot").replace('"score_spaces": 12', '"score_spaces": 9'), "mine.json")
    mine = with_deck(game, deck)
    slow, fast, luck = interpreted(mine), compiled(mine), random.Random(5)
    states, others = slow.start(2, {}, 11), fast.start(2, {}, 11)
    while not slow.is_over(states):
        assert states.tobytes() == others.tobytes()
        seat = luck.choice(slow.waiting(states))
        action = luck.choice(slow.legal(states, 0, seat))
        assert slow.legal(states, 0, seat) == fast.legal(others, 0, seat)
        slow.decide(states, 0, seat, action)
        fast.decide(others, 0, seat, action)
    assert states.tobytes() == others.tobytes() and fast.is_over(others)
