"""§1 Set-up."""

import pathlib

import pytest

from games.king_of_con.scene import ENGINE, Table, all_tables, item
from ludoteca.core.errors import BadData
from ludoteca.core.record import SPECTATOR
from ludoteca.core.words import LANGUAGES, catalogue
from ludoteca.games.king_of_con import GAME
from ludoteca.games.king_of_con.components import (
    CATEGORIES,
    CHARACTERISTICS,
    EDITIONS,
    FORM,
    GENRES,
    HERE,
    ITEM_LIST,
    SHARED_BY,
    TRAITS,
    read_components,
)
from ludoteca.games.king_of_con.rules.setup import deal_passions


def test_ten_tokens_each_and_the_rest_is_the_pool() -> None:  # §1.1
    for table in all_tables():
        assert table.supply() == [10] * table.seats
        assert table.state.pool == 100 - 10 * table.seats


def test_monkeys_from_one_to_the_number_of_players() -> None:  # §1.2
    for table in all_tables():
        assert sorted(table.monkey()) == list(range(1, table.seats + 1))
    assert len({tuple(Table(5, seed=seed).monkey()) for seed in range(20)}) > 10


def test_three_passions_are_drawn_and_two_kept() -> None:  # §1.3
    table = Table(3, choose=False)
    assert table.phase() == "passions"
    assert table.waiting() == [0, 1, 2]
    drawn = table.state.passions[1].tolist()
    assert sorted(table.legal(1)) == sorted(f"put_back {p + 1}" for p in drawn)
    table.do(1, f"put_back {drawn[0] + 1}")
    assert {p["passion"] - 1 for p in table.view(1)["you"]["passions"]} == set(drawn[1:])
    assert table.view(1)["you"]["put_back"] == drawn[0] + 1


def test_the_player_with_monkey_1_draws_first() -> None:  # §1.3, §3.1
    hands = []
    for monkeys in ((1, 2, 3), (3, 1, 2)):
        table = Table(3, choose=False)
        table.monkeys(*monkeys)
        deal_passions(table.state)  # the same shuffle, since the stream stands at the same place
        hands.append([sorted(table.state.passions[monkeys.index(m)].tolist()) for m in (1, 2, 3)])
    assert hands[0] == hands[1]


def test_five_players_draw_the_whole_passion_deck() -> None:  # §1.3
    table = Table(5, choose=False)
    assert sorted(p for row in table.state.passions for p in row) == list(range(15))


def test_everybody_chooses_at_the_same_time_and_nobody_sees_what_goes_back() -> None:  # §1.3
    table = Table(2, choose=False)
    passion = table.state.passions[0, 2]
    table.do(0, f"put_back {passion + 1}")
    [sealed] = table.told("sealed")
    assert sealed["seat"] == 0
    fact = ENGINE.apply(Table(2, choose=False).states, 0, 0, int(passion))[0]
    assert GAME.event(table.state, fact.seen_by(1))["passion"] is None
    assert GAME.event(table.state, fact.seen_by(0))["passion"] == passion + 1
    assert table.waiting() == [1]
    assert table.view(1)["players"][0]["sealed"]
    assert table.refuses(1, f"put_back {passion + 1}") == "You did not draw this Passion."


def test_who_puts_a_passion_back_hears_which_and_others_only_that() -> None:  # §1.3
    table = Table(3, choose=False)
    for seat in range(3):
        passion = min(table.state.passions[seat].tolist())
        table.do(seat, f"put_back {passion + 1}")
        sealed = table.facts[-1 if seat < 2 else 2]
        heard = [GAME.event(table.state, sealed.seen_by(viewer))["passion"] for viewer in (*range(3), SPECTATOR)]
        assert [one is not None for one in heard] == [viewer == seat for viewer in (*range(3), SPECTATOR)]


def test_in_a_first_game_two_passions_are_drawn_and_kept() -> None:  # §1.4
    table = Table(3, passions="two_first_game", choose=False)
    assert table.phase() == "hid_bid"
    assert len(table.view(0)["you"]["passions"]) == 2
    assert table.view(0)["you"]["put_back"] is None


def test_in_a_first_game_the_hype_of_round_1_is_told_too() -> None:  # §1.4 §4.2
    table = Table(3, passions="two_first_game", choose=False)
    table.do(1, "bid 1 2")
    kinds = [event["kind"] for event in table.events]
    assert kinds == ["new_round", "exposed", "exposed", "exposed", "exposed", "sealed"]
    assert [e["item"] for e in table.told("exposed")] == [booth["item"] for booth in table.view()["booths"]]
    table.do(0, "pass"), table.do(2, "pass")
    assert len(table.told("new_round")) == 1


def test_nobody_hears_of_tokens_put_behind_a_screen_through_the_hype() -> None:  # §1.4 §5.1
    table = Table(2, passions="two_first_game", bluffing_by_mistake="on", choose=False)
    table.do(0, "place I01 1")
    assert table.events == []
    table.do(0, "seal")
    assert table.told("new_round")


def test_the_five_printed_items_and_the_pattern_of_the_editions() -> None:  # §1.5
    printed = {
        "I11": ("Fantasy", "ComicsBooks", "LimitedEdition"),
        "I18": ("MangAnime", "ActionFigures", "SignedEdition"),
        "I15": ("Fantasy", "Gadgets", "DeluxeEdition"),
        "I01": ("Sci-Fi", "ComicsBooks", "Vintage"),
        "I24": ("Horror", "Games", "SignedEdition"),
    }
    for name, characteristics in printed.items():
        assert ITEM_LIST[item(name)].characteristics == characteristics
    for made in ITEM_LIST:
        genre, category, edition = made.characteristics
        assert EDITIONS.index(edition) == (GENRES.index(genre) - CATEGORIES.index(category)) % 5


def test_every_characteristic_is_on_five_items_and_two_items_share_at_most_one() -> None:  # §1.5
    assert len(ITEM_LIST) == 25
    assert SHARED_BY.shape == (len(CHARACTERISTICS), 5)
    for one in range(25):
        for other in range(one):
            assert len(set(TRAITS[one]) & set(TRAITS[other])) <= 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_list_the_characteristics_and_the_items_as_they_are(language: str) -> None:  # §1.9 §1.10
    text = " ".join((GAME.folder / "docs" / f"{language}.md").read_text("utf-8").split())
    words = catalogue(GAME.folder, language)
    name = [words[f"characteristic.{n}"] for n in range(1, 16)]
    assert ", ".join(f"{n} {known}" for n, known in enumerate(name, 1)) in text
    for number, made in enumerate(ITEM_LIST, 1):
        edition = name[CHARACTERISTICS.index(made.characteristics[2])]
        listed = f"{words[f'item.{made.id}']}, {edition} |"
        assert f"| {number} {listed}" in text or f"| {number}† {listed}" in text
    for row, genre in enumerate(name[:5]):
        assert f"| {genre} | {5 * row + 1}" in text


def test_a_component_file_with_a_mistake_is_refused(tmp_path: pathlib.Path) -> None:
    printed = (HERE / "cards.csv").read_text("utf-8").splitlines()
    path = tmp_path / "mine.csv"
    path.write_text("\n".join(printed), "utf-8")
    assert not FORM.again(read_components(path))
    path.write_text("\n".join(printed[:-1]), "utf-8")
    with pytest.raises(BadData, match="one Passion for each"):
        read_components(path)
    path.write_text("\n".join([*printed[:2], printed[1].replace("I01", "I99"), *printed[3:]]), "utf-8")
    assert {mistake.key for mistake in FORM.again(read_components(path))} == {"pair_twice", "sharing"}


def test_two_players_play_by_the_same_rules() -> None:  # §1.6
    table = Table(2)
    assert sorted(table.monkey()) == [1, 2]
    assert table.state.pool == 80
    assert all(booth["item"] for booth in table.view()["booths"])


def test_supplies_passions_and_offers_are_secret() -> None:  # §1.7
    table = Table(3)
    table.do(1, "bid 2 5")
    for viewer in (0, 2, SPECTATOR):
        seen = table.view(viewer)
        assert seen["players"][1]["supply"] is None
        assert seen["players"][1]["passions"] is None
        assert seen["players"][1]["shown"] == {}
        assert seen["booths"][1]["offers"] == [0, 0, 0]
        assert seen["players"][1]["sealed"]
    assert table.view(1)["you"]["quadrant"] == {table.view()["booths"][1]["item"]: 5}
    assert table.view(1)["you"]["supply"] == 10


def test_pool_trashes_and_values_are_open() -> None:  # §1.7
    table = Table(2)
    table.own(0, I18=5)
    table.trash(3, 0)
    seen = table.view(SPECTATOR)
    assert seen["pool"] == 72
    assert seen["players"][0]["trash"] == 3
    assert seen["players"][0]["items"] == [{"id": "I18", "value": 5}]


def test_there_is_a_place_for_scenarios_and_none_in_it() -> None:  # §1.8
    [scenario] = [option for option in GAME.options if option.key == "scenario"]
    assert scenario.values == ("none",)
    with pytest.raises(BadData):
        Table(2, scenario="zombies")
