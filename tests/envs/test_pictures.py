"""`render_mode="rgb_array"`: a picture of the table, of one size, drawn from what its viewer may see and nothing else."""

import dataclasses
import pathlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from ludoteca import catalogue, envs
from ludoteca.bots.levels import read_bot
from ludoteca.core.canvas import FONTS, PAPER, SIGNS, TABLE, Canvas, cut
from ludoteca.core.record import SPECTATOR
from ludoteca.envs.pictures import HEIGHT, WIDTH, pixels
from ludoteca.envs.table import Table

GAMES = catalogue.keys(catalogue.HOUSE)
TABLES = [(key, seats) for key in GAMES for seats in catalogue.game(key).seats]
EDITIONS = [
    ("splendor", {"edition": "base"}),
    ("king_of_con", {"monkey_control": "on", "bluffing_by_mistake": "on"}),
    ("loot", {"sheet": "irregular", "first_dice": "ordered"}),
    ("challengers", {"sets": "random", "robot": "5", "solo_cards": "with"}),
]


def deal(key: str, seats: int | None = None, seed: int = 1, options: Any | None = None) -> Any:
    table = Table(catalogue.game(key), seats, options)
    table.seed(seed)
    table.deal()
    return table


def random_game(table: Any, seed: int = 2) -> Iterator[Any]:
    """The table at every position of a game of chance."""
    luck = np.random.default_rng(seed)
    while not table.is_over():
        yield table
        seat = table.waiting()[0]
        table.act(seat, int(luck.choice(table.legal(seat))))
    yield table


def good_game(table: Any, level: str = "greedy") -> Iterator[Any]:
    """The same, played well: long attacks, large Collections."""
    bot, number = read_bot(table.game.key, level), 0
    while not table.is_over():
        yield table
        seat = table.waiting()[0]
        number += 1
        redacted = table.game.redact(table.states, 0, seat)
        table.act(seat, bot.choose(table.engine, redacted, seat, number))
    yield table


def check(picture: Any) -> Any:
    assert picture.shape == (HEIGHT, WIDTH, 3)
    assert picture.dtype == np.uint8
    return picture


@pytest.mark.long
@pytest.mark.parametrize(("key", "seats"), TABLES)
def test_every_game_is_drawn_from_the_deal_to_the_end(key: str, seats: int) -> None:
    """All the first positions, then one in eleven; as spectators and seats see them. Running over the edge would raise."""
    seen = set()
    for number, table in enumerate(random_game(deal(key, seats))):
        if number < 24 or number % 11 == 0 or table.is_over():
            viewer = (None, *range(seats))[number % (seats + 1)]
            seen.add(check(pixels(table, viewer)).tobytes())
    assert len(seen) > 12, "the picture does not follow the game"


@pytest.mark.parametrize("key", GAMES)
def test_full_tables_fit(key: str) -> None:
    table = deal(key, max(catalogue.game(key).seats), seed=5)
    for number, position in enumerate(good_game(table)):
        if number % 17 == 0 or position.is_over():
            check(pixels(position))


@pytest.mark.parametrize(("key", "options"), EDITIONS)
def test_other_editions_are_drawn(key: str, options: Any) -> None:
    for number, table in enumerate(random_game(deal(key, options=options))):
        if number % 13 == 0 or table.is_over():
            check(pixels(table, 0))


@pytest.mark.parametrize("key", GAMES)
def test_what_a_viewer_cannot_tell_apart_looks_the_same(key: str) -> None:
    """Two worlds that differ only in what is hidden from the viewer: equal pictures, to the last pixel."""
    differed = 0
    for number, table in enumerate(random_game(deal(key, 3, seed=4))):
        if number % 9 or table.is_over():
            continue
        for viewer in (None, 0, 2):
            other = table.determinize(SPECTATOR if viewer is None else viewer, seed=number)
            differed += other.serialise() != table.serialise()
            assert np.array_equal(pixels(table, viewer), pixels(other, viewer))
        if number > 60:
            break
    assert differed > 4, "the worlds are all the same: nothing was tested"


@pytest.mark.parametrize("key", ["splendor", "king_of_con", "challengers"])
def test_a_seat_sees_its_own_secrets(key: str) -> None:
    """So that the test above can fail: a player's picture shows what a spectator's does not."""
    seen = zip(random_game(deal(key, 4, seed=4)), range(40))
    assert any(not np.array_equal(pixels(table), pixels(table, seat)) for table, _ in seen for seat in range(4))


def test_a_move_is_seen() -> None:
    table = deal("splendor")
    before = pixels(table)
    assert np.array_equal(before, pixels(table)), "the same position gives the same picture"
    table.act(0, table.legal(0)[0])
    assert (before != pixels(table)).any(axis=2).sum() > 500


@pytest.mark.parametrize("make", [envs.aec, envs.parallel])
def test_environments_show_spectators_pictures(make: Any) -> None:
    env = make("splendor", render_mode="rgb_array")
    env.reset(seed=3)
    assert np.array_equal(env.render(), pixels(env.table))


def test_the_single_seat_sees_its_own_side() -> None:
    env = envs.single("king_of_con", opponents="uniform", render_mode="rgb_array")
    env.reset(seed=3)
    assert np.array_equal(env.render(), pixels(env.table, 0))
    assert not np.array_equal(env.render(), pixels(env.table))


def test_a_game_without_a_drawing_is_written() -> None:
    table = deal("splendor")
    drawn = pixels(table)
    table.game = dataclasses.replace(table.game, draw=None)
    written = check(pixels(table))
    assert written.std() > 5
    assert not np.array_equal(written, drawn)


# The canvas.


@pytest.mark.parametrize(
    "paint",
    [
        lambda canvas: canvas.box(90, 0, 20, 10, PAPER),
        lambda canvas: canvas.box(-1, 0, 20, 10, PAPER, 4),
        lambda canvas: canvas.disc(50, 48, 10, PAPER),
        lambda canvas: canvas.sign("heart", 5, 25, 20, PAPER),
        lambda canvas: canvas.text(60, 25, "too long for this", 16),
        lambda canvas: canvas.part(90, 0, 20, 10, PAPER, lambda part: None),
    ],
)
def test_nothing_runs_over_the_edge(paint: Any) -> None:
    with pytest.raises(AssertionError, match="runs over the edge of 100 × 50"):
        paint(Canvas(100, 50))


def test_words_are_cut_to_their_room() -> None:
    canvas = Canvas(200, 40)
    whole = canvas.text(4, 12, "Suleiman the Magnificent", 12)
    assert canvas.text(4, 30, "Suleiman the Magnificent", 12, room=80) <= 80 < whole


@pytest.mark.parametrize("name", SIGNS)
def test_signs_are_there_and_differ(name: str) -> None:
    shape = np.array(cut(SIGNS[name], 24)) > 127
    assert 60 < shape.sum() < 520
    assert all((shape != (np.array(cut(SIGNS[other], 24)) > 127)).any() for other in SIGNS if other != name)


def test_edges_are_smooth() -> None:
    canvas = Canvas(40, 40)
    canvas.disc(20, 20, 15, PAPER)
    assert len(np.unique(canvas.pixels().reshape(-1, 3), axis=0)) > 4, f"only {PAPER} on {TABLE}"


def test_letters_are_those_of_the_page() -> None:
    page = pathlib.Path(__file__).parents[2] / "web" / "src" / "fonts"
    assert {f.name: f.read_bytes() for f in page.iterdir()} == {f.name: f.read_bytes() for f in FONTS.iterdir()}
