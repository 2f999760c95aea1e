"""§1 Set-up, and §9 the Robot's deck."""

from collections import Counter
from typing import Any

import pytest

from games.challengers.scene import Table
from ludoteca.core.forms import sentence_of
from ludoteca.games.challengers import GAME
from ludoteca.games.challengers.components import CARDS, COPIES, FORM, PLAN_PARK, SETS, TROPHY


@pytest.mark.parametrize(("seats", "parks"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3), (7, 4), (8, 4)])
def test_parks_by_number_of_players(seats: int, parks: int) -> None:  # §1.1
    assert Table(seats).view()["parks"] == ["green", "red", "purple", "yellow"][:parks]


@pytest.mark.parametrize("seats", range(1, 9))
def test_two_teams_meet_in_each_park_in_every_round(seats: int) -> None:  # §1.2 §1.3 §2.3
    for line in Table(seats).view()["schedule"]:
        teams = [team for match in line["matches"] for team in match["teams"]]
        assert sorted(teams) == list(range(seats + seats % 2))
        assert all(len(match["teams"]) == 2 for match in line["matches"])


def test_with_eight_players_everybody_meets_everybody_once() -> None:  # §1.2
    met = Counter(tuple(match["teams"]) for line in Table(8).view()["schedule"] for match in line["matches"])
    assert len(met) == 28
    assert set(met.values()) == {1}


@pytest.mark.parametrize(("seats", "times"), [(4, {2, 3}), (6, {1, 2})])
def test_with_fewer_players_everybody_meets_everybody_more_often(seats: int, times: set[int]) -> None:  # §1.2
    met = Counter(tuple(match["teams"]) for line in Table(seats).view()["schedule"] for match in line["matches"])
    assert len(met) == seats * (seats - 1) // 2
    assert set(met.values()) == times


def test_plans_are_dealt_at_random() -> None:  # §1.2
    assert len({tuple(Table(8, seed=seed).state.plan.tolist()) for seed in range(10)}) > 5


def test_four_trophies_for_each_round() -> None:  # §1.4 §7.4
    assert TROPHY.tolist() == [
        [2, 2, 2, 3], [2, 2, 3, 3], [3, 3, 4, 4], [5, 5, 6, 6], [6, 6, 6, 7], [7, 7, 7, 8], [9, 9, 10, 10],
    ]  # fmt: skip
    table = Table(8)
    assert [sorted(row) for row in table.state.trophy.tolist()] == TROPHY.tolist()
    assert all(row == [-1] * 4 for row in table.engine.game.redact(table.states, 0, 3)["trophy"][0].tolist())


def test_nobody_has_fans_at_first_and_the_supply_is_not_counted() -> None:  # §1.5
    table = Table(3)
    assert table.state.fans.tolist() == [0] * 8
    table.state.fans[0] = 60  # more than there are tokens
    assert table.view()["standings"][0]["low"] == 60


@pytest.mark.parametrize(
    ("option", "left_out", "sizes"),
    [("first_game", "outer-space", [82, 82, 56]), ("without_castle", "castle", [81, 83, 56])],
)
def test_level_decks_hold_the_city_and_five_sets(option: str, left_out: str, sizes: list[int]) -> None:  # §1.6 §1.7
    view = Table(2, sets=option).view()
    assert view["left_out"] == left_out
    assert view["sets"] == [name for name in SETS[:-1] if name != left_out]
    drawn = 10
    assert [stack["left"] for stack in view["stacks"]] == [sizes[0] - drawn, *sizes[1:]]
    assert [stack["discards"] for stack in view["stacks"]] == [0, 0, 0]


def test_any_set_but_the_city_may_stay_in_the_box() -> None:  # §1.7
    options = ["first_game", *(f"without_{s.replace('-', '_')}" for s in SETS[1:-1] if s != "outer-space")]
    assert {Table(2, sets=option).view()["left_out"] for option in options} == set(SETS[1:-1])
    assert {Table(2, sets="random", seed=seed).view()["left_out"] for seed in range(60)} == set(SETS[1:-1])


def test_six_starting_cards_that_everybody_knows() -> None:  # §1.8
    table = Table(4)
    for seat in range(4):
        assert table.own(seat) == {"Newcomer": 3, "Talent": 1, "Dog": 1, "Champion": 1}
        assert sum(entry["count"] for entry in table.view()["teams"][seat]["shown"]) == 6


def test_copies_rare_and_common() -> None:  # §1.9
    level_cards = [card for card in CARDS if card.level in "ABC"]
    assert sum(card.copies for card in level_cards) == 260
    assert {card.name for card in level_cards if card.copies >= 5} == {"Skeleton", "Clones"}
    for card in level_cards:
        if not card.effect:
            assert card.copies == (2 if card.level == "C" else 3)
    assert {level: max(c.power for c in level_cards if c.level == level) for level in "ABC"} == {
        "A": 3,
        "B": 5,
        "C": 10,
    }
    for name in SETS[1:-1]:
        assert sum(card.copies for card in level_cards if card.set == name) == 40
    assert int(COPIES[:4].sum()) == 48


def test_cards_without_an_effect_and_numbers_of_copies() -> None:  # §1.9
    level_cards = [card for card in CARDS if card.level in "ABC"]
    plain = {(card.set, card.level): card for card in level_cards if not card.effect}
    assert len(plain) == 7 * 3  # one of each level in each set
    assert [plain["city", level].power for level in "ABC"] == [2, 3, 4]
    for name in SETS[1:-1]:
        assert [plain[name, level].power for level in "ABC"] == [3, 5, 7]
    several = {card.name: card.copies for card in level_cards if card.effect and card.copies != 4}
    assert several == {"A.I.": 3, "Clones": 5, "Skeleton": 8}
    robot = {card.name: card.copies for card in CARDS if card.set == "robot" and card.copies != 1}
    assert robot == {"Cyborg": 4}


def test_a_mistake_in_a_card_is_said_with_its_column() -> None:  # §1.9
    head = "kind,id,name,name_it,set,level,power,copies,timing,effect,amount,measure,which,must,"
    head += "round,fans,count,players,plan,round_1,round_2,round_3,round_4,round_5,round_6,round_7\n"
    for row, column, words in [
        ("x,X,X,moon,A,1,4,,,,,,", "set", "«moon» is not known here"),
        ("x,X,X,city,A,1,4,immediate,,,,,", "effect", "both a timing and an effect"),
        ("x,X,X,city,A,1,4,immediate,power,1,,,", "measure", "need a measure"),
        ("x,X,X,city,A,1,4,immediate,exhaust,1,,colour red,", "which", "is no filter"),
        ("x,X,X,city,A,99,4,,,,,,", "power", "99 stands here; it can be 0 to 20"),
        ("x,X,X,city,A,1,4,immediate,exhaust_bottom,2,,,", "amount", "about one card, so its amount is 1"),
        ("x,X,X,city,A,1,4,immediate,exhaust,2,,,yes", "amount", "about one card, so its amount is 1"),
        ("x,X,X,city,A,1,4,from_bench,power,1,one,,", "timing", "power cannot happen from_bench"),
        ("x,X,X,city,A,1,4,immediate,gain_top,1,,level C,", "which", "write level A or level B"),
        ("x,X,X,city,A,1,4,immediate,fans,1,one,set city,", "which", "does not ask which cards"),
    ]:
        first = FORM.read(f"{head}card,{row},,,,,,,,,,,,\n")[1][0]
        assert (first.line, first.column) == (2, column)
        assert words in sentence_of(first, GAME.folder, "en")


# §9


@pytest.mark.parametrize("seats", [1, 3, 5, 7])
def test_the_robot_takes_the_missing_place(seats: int) -> None:  # §9.1 §9.2
    table = Table(seats)
    assert table.own(seats) == {"Alpha": 1, "Beta": 1, "Good Bot": 1, "C.H.A.M.P.": 1, "Cyborg": 4}
    assert table.view()["teams"][seats]["plan"] == 1
    assert set(PLAN_PARK[(seats) // 2, 0].tolist()) == {0}  # always the green park
    assert Table(seats + 1).view()["robot"] is None


@pytest.mark.parametrize(
    ("difficulty", "gone", "random_cards"),
    [("1", set(), 0), ("2", {"Alpha"}, 1), ("3", {"Alpha", "Beta"}, 2), ("4", {"Alpha", "Beta", "Good Bot"}, 3),
     ("5", {"Alpha", "Beta", "Good Bot", "C.H.A.M.P."}, 5)],
)  # fmt: skip
def test_difficulties_replace_starting_cards(difficulty: str, gone: Any, random_cards: int) -> None:  # §9.8
    deck = Table(1, robot=difficulty).own(1)
    assert {"Alpha", "Beta", "Good Bot", "C.H.A.M.P."} - set(deck) == gone
    assert (
        sum(n for name, n in deck.items() if name not in ("Alpha", "Beta", "Good Bot", "C.H.A.M.P.", "Cyborg"))
        == random_cards
    )


def test_the_highest_difficulties_are_for_solo_play() -> None:  # §9.9
    assert Table(3, robot="5").view()["robot"]["difficulty"] == 3
    assert Table(1, robot="5").view()["robot"]["difficulty"] == 5


def test_solo_cards_are_mixed_in_on_request() -> None:  # §9.11
    solo = {"Robogram", "Chatbot", "Autocorrect"}
    assert any(solo & set(Table(1, seed=s, robot="5", solo_cards="with").own(1)) for s in range(5))
    assert not any(solo & set(Table(1, seed=s, robot="5").own(1)) for s in range(5))
    assert not any(solo & set(Table(3, seed=s, robot="3", solo_cards="with").own(3)) for s in range(5))


def test_solo_cards_bring_one_card_even_at_the_lowest_difficulty() -> None:  # §9.11
    for seed in range(5):
        table = Table(1, seed=seed, robot="1", solo_cards="with")
        assert table.view()["robot"]["random_cards"] == 1
        assert table.state.deck_size[1] == 9  # nothing is replaced
    assert Table(1, robot="1").view()["robot"]["random_cards"] == 0
    assert Table(1, robot="2", solo_cards="with").view()["robot"]["random_cards"] == 1


def test_unknown_robot_cards_are_not_played_and_the_others_are_secret() -> None:  # §9.12
    assert sum(card.level == "R" for card in CARDS) == 6
    table = Table(1, robot="3")
    assert table.view(0)["robot"]["random_cards"] == 2
    assert all(entry["card"].endswith("-p") for entry in table.view(0)["teams"][1]["shown"])


@pytest.mark.parametrize("options", [{}, {"robot": "5"}, {"solo_cards": "with"}, {"robot": "1", "solo_cards": "with"}])
@pytest.mark.parametrize("seats", [1, 2, 3, 7, 8])
def test_every_deck_is_as_large_as_its_cards(seats: int, options: Any) -> None:  # §1.8 §9.11
    state = Table(seats, **options).state
    for team in range(seats + seats % 2):
        assert state.deck_size[team] == state.deck[team].sum() == state.by_level[team].sum()
