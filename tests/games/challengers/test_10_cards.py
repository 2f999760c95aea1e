"""§10 The cards: each effect played out in a match (or, when chosen, in a deck phase)."""

from typing import Any

import pytest

from games.challengers.scene import ME, RIVAL, Match, Table, kind
from ludoteca.core.errors import IllegalAction
from ludoteca.core.record import SPECTATOR
from ludoteca.games.challengers import GAME
from ludoteca.games.challengers.rules.zones import SEEN_BY_ALL

STRONG = "Dragon"  # 7, no effect
# Cards without a condition do the same whatever lies around.
whatever_lies_around = pytest.mark.parametrize("around", [{}, {"my_bench": ("Talent", "Cat"), "trophies": (5, 2)}])


def comes_before(match: Any, first: str, then: str) -> bool:
    """Whether something happened before something else."""
    kinds = [event["kind"] for event in match.events]
    return kinds.index(first) < kinds.index(then)


# City


def test_reporter_puts_one_of_the_top_two_at_the_bottom() -> None:  # §10.1
    match = Match(["Reporter", "Pig", "Dog", "Cat"], [STRONG])
    assert match.question()["card"] == "city-reporter-a"
    assert match.legal(ME) == ["to_bottom 1", "to_bottom 2"]
    match.do(ME, "to_bottom 1")
    assert match.told("revealed")[2]["card"] == "city-dog-p"  # the Dog stayed on top
    assert match.told("sank")[0]["card"] == "castle-pig-a"


def test_mascot_gains_one_for_each_set_on_its_bench() -> None:  # §10.2
    match = Match(["Mascot"], ["Dog"], my_bench=("Pig", "Jester", "Cat", "Newcomer"))
    assert match.sums() == [(2 + 3, 3)]
    assert match.holds()[1] == 5  # kept with the flag


@pytest.mark.parametrize(("trophies", "fans"), [(3, 2), (4, 0)])
def test_fan_bus_brings_two_fans_to_who_has_few_trophies(trophies: int, fans: int) -> None:  # §10.3
    match = Match(["Fan-Bus"], ["Dog"], trophies=(trophies, 0))
    assert match.state.fans[ME] == fans
    too_weak = Match(["Fan-Bus"], [STRONG], trophies=(trophies, 0))
    assert too_weak.state.fans[ME] == fans  # with or without the flag


# Castle


@pytest.mark.parametrize(("bench", "power"), [(("Newcomer", "Clown"), 4), (("Talent",), 1), ((), 1)])
def test_jester_gains_three_beside_a_card_of_power_one(bench: Any, power: int) -> None:  # §10.4
    assert Match(["Jester"], [STRONG], my_bench=bench).sums() == [(power, 7)]


def test_stable_boy_gains_one_for_each_card_of_power_three() -> None:  # §10.5
    match = Match(["Stable Boy"], ["Horse"], my_bench=("Dog", "Dog B", "Pig", "Talent", "Newcomer"))
    assert match.sums() == [(2 + 3, 5)]  # both Dogs on one seat count
    assert match.holds()[1] == 5  # kept with the flag


@pytest.mark.parametrize(
    ("bench", "power"), [((), 4), (("Pig", "Jester"), 4), (("Pig", "Newcomer"), 2), (("Champion",), 2)]
)
def test_hermit_gains_two_without_city_cards(bench: Any, power: int) -> None:  # §10.6
    assert Match(["Hermit"], [STRONG], my_bench=bench).sums() == [(power, 7)]
    assert Match(["Hermit"], ["Newcomer"], my_bench=bench).holds()[1] == power  # kept with the flag


def test_blacksmith_helps_city_cards_attacking_and_holding() -> None:  # §10.7
    match = Match(["Talent", "Pig"], [STRONG], my_bench=("Blacksmith", "Blacksmith"))
    assert match.sums() == [(4, 7), (7, 7)]
    match = Match(["Pig"], ["Dog", "Cat"], their_bench=("Blacksmith",))
    assert match.holds()[0] == 4


def test_knight_gains_one_for_each_trophy_of_the_rival_while_attacking() -> None:  # §10.8
    match = Match(["Knight"], ["Dog", "Pig"], trophies=(5, 2))
    assert match.sums()[0] == (5, 3)
    assert match.holds()[1] == 3  # not with the flag


def test_sorcerer_may_exhaust_a_weak_card_of_the_own_bench() -> None:  # §10.9
    match = Match(["Sorcerer"], [STRONG], my_bench=("Dog", "Champion", "Newcomer"))
    assert match.legal(ME) == ["choose city-newcomer-p", "choose city-dog-p", "enough"]
    match.do(ME, "choose city-dog-p")
    assert match.exhausted(ME) == ["Dog"]
    assert match.bench(ME) == ["Champion", "Newcomer"]
    assert match.question() is None  # one card, no more


def test_sorcerer_may_also_leave_it() -> None:  # §10.9
    match = Match(["Sorcerer"], [STRONG], my_bench=("Dog",))
    match.do(ME, "enough")
    assert match.exhausted(ME) == []


def test_bard_helps_every_attacking_card_only() -> None:  # §10.10
    match = Match(["Talent", "Newcomer"], ["Champion"], my_bench=("Bard",))
    assert match.sums() == [(3, 4), (5, 4)]
    assert match.holds() == [4, 1]


def test_prince_goes_to_the_exhaust_pile_when_beaten() -> None:  # §10.11
    match = Match([STRONG], ["Prince", "Newcomer"])
    assert comes_before(match, "compared", "exhausted")
    assert match.exhausted(RIVAL) == ["Prince"]
    assert match.bench(RIVAL) == []


def test_cards_under_a_beaten_prince_sit_down() -> None:  # §10.11
    match = Match(["Champion", STRONG], ["Newcomer", "Prince"], i_open=True)
    assert (match.exhausted(RIVAL), match.bench(RIVAL)) == (["Prince"], ["Newcomer"])


# Film Studio


def test_make_up_artist_helps_attacking_cards_of_power_one() -> None:  # §10.12
    match = Match(["Newcomer", "Talent", "Clown"], [STRONG], my_bench=("Make-Up Artist",))
    assert match.sums() == [(3, 7), (5, 7), (8, 7)]  # nothing for the Talent
    assert match.holds()[-1] == 1


def test_movie_star_puts_up_to_two_newcomers_back() -> None:  # §10.13
    match = Match(["Movie Star", "Dog"], [STRONG], my_bench=("Newcomer", "Newcomer", "Newcomer", "Clown", "Talent"))
    assert match.legal(ME) == ["choose city-newcomer-p", "enough"]
    match.do(ME, "choose city-newcomer-p", "choose city-newcomer-p")
    assert [e["card"] for e in match.told("revealed")][2:] == ["city-newcomer-p", "city-newcomer-p", "city-dog-p"]
    assert len(match.bench_seats(ME)[0]["cards"]) == 1


def test_movie_star_may_take_one_or_none() -> None:  # §10.13
    match = Match(["Movie Star"], [STRONG], my_bench=("Newcomer", "Newcomer"))
    match.do(ME, "choose city-newcomer-p", "enough")
    assert len(match.told("recalled")) == 1


@whatever_lies_around
def test_gangster_gains_two_while_attacking(around: Any) -> None:  # §10.14
    match = Match(["Gangster", "Dog", "Pig"], ["Champion", "Talent"], **around)
    assert match.sums()[0] == (4, 4)
    assert match.holds()[1] == 2


def test_cowboy_sends_the_top_card_of_the_rival_to_their_bench() -> None:  # §10.15
    match = Match(["Cowboy"], ["Dog", "Ghost", "Pig"])
    assert match.bench(RIVAL)[:1] == ["Ghost"]
    assert match.exhausted(ME) == []  # the Ghost has done nothing
    assert [e["card"] for e in match.told("revealed")][2] == "castle-pig-a"


def test_cowboy_wins_when_that_card_finds_no_seat() -> None:  # §10.15 §6.16
    full = ("Newcomer", "Talent", "Champion", "Pig", "Cat", "Pony")
    match = Match(["Cowboy"], ["Pony", "Spider"], their_bench=full)  # the Pony itself would find a seat
    assert match.won_by() == (ME, "seats")
    assert match.told("no_seat")[0]["card"] == "haunted-house-spider-a"


def test_cowboy_opening_a_match_fires_too() -> None:  # §10.15 §6.12
    match = Match(["Cowboy", "Dog"], ["Pig", STRONG], i_open=True)
    assert match.bench(RIVAL) == ["Pig"]
    assert [e["card"] for e in match.told("revealed")] == ["film-studio-cowboy-b", "castle-dragon-c", "city-dog-p"]


def test_director_helps_attacking_film_studio_cards() -> None:  # §10.16
    match = Match(["Cat", "Pig"], [STRONG], my_bench=("Director", "Director"))
    assert match.sums() == [(5, 7), (8, 7)]
    assert Match(["Cat"], ["Champion"], my_bench=("Director",)).holds() == [4, 3]  # not with the flag


def test_comic_character_cheers_the_next_card_for_one_attack() -> None:  # §10.17
    match = Match(["Horse", "Newcomer"], ["Comic Character", "Pig", "Talent"])
    assert match.sums() == [(5, 4), (5, 5), (1, 3)]
    assert match.holds() == [4, 5, 3]  # the Pig holds the flag with 3
    again = Match(["Horse", "Dog", "Newcomer"], ["Comic Character", "Pig", "Talent"])
    assert again.sums() == [(5, 4), (5, 5), (3, 3), (2, 3)]  # not in the attack after that


def test_comic_character_cheers_one_card_of_the_attack() -> None:  # §10.17
    match = Match([STRONG], ["Comic Character", "Newcomer", "Dog", "Newcomer"])
    assert match.sums() == [(7, 4), (1 + 2, 7), (3 + 3, 7), (6 + 1, 7)]


@whatever_lies_around
def test_heroine_brings_three_fans_when_she_takes_the_flag(around: Any) -> None:  # §10.18
    match = Match(["Heroine", "Dog", "Pig"], ["Dog"], **around)
    assert match.state.fans[ME] == 3
    assert Match(["Heroine"], [STRONG]).state.fans[ME] == 0
    assert Match(["Heroine"], [STRONG], i_open=True).state.fans[ME] == 3


def test_villain_brings_a_card_of_level_a_on_top() -> None:  # §10.19 §6.19
    match = Match(["Villain", "Newcomer"], ["Dog", "Dragon", "Horse"], stack={"A": ["Spider"]})
    assert [e["card"] for e in match.told("revealed") if e["team"] == ME][1] == "haunted-house-spider-a"
    assert match.own(ME)["Spider"] == 1
    assert match.state.deck_size[ME] == 3
    assert comes_before(match, "gained_card", "compared")


# Funfair


@whatever_lies_around
def test_clown_brings_two_fans_when_it_takes_the_flag(around: Any) -> None:  # §10.20
    assert Match(["Newcomer", "Clown", "Dog", "Pig"], ["Talent"], **around).state.fans[ME] == 2
    assert Match(["Clown", "Newcomer"], ["Talent"]).state.fans[ME] == 0  # the Newcomer took it
    assert Match(["Clown"], ["Talent"], i_open=True).state.fans[ME] == 2


@pytest.mark.parametrize("card", ["Juggler", "Bumper Car"])
def test_juggler_and_bumper_car_order_the_top_three(card: str) -> None:  # §10.21 §10.27 §6.5
    match = Match([card, "Newcomer", "Talent", "Dog", "Champion"], [STRONG, "Dragon"])
    assert match.legal(ME) == ["next 1", "next 2", "next 3"]
    assert [c["card"] for c in match.engine.choices(match.states, 0, ME)] == [
        "city-newcomer-p",
        "city-talent-p",
        "city-dog-p",
    ]
    match.do(ME, "next 3")
    assert match.legal(ME) == ["next 1", "next 2"]
    known = match.view(ME)["matches"][0]["sides"][0]["known"]
    assert [k["card"] for k in known] == ["city-dog-p", "city-newcomer-p", "city-talent-p"]
    match.do(ME, "next 2")
    assert match.told("reordered")[0]["cards"] == ["city-dog-p", "city-talent-p", "city-newcomer-p"]


def test_juggler_with_two_cards_orders_two_and_with_one_only_looks() -> None:  # §10.21 §6.5
    match = Match(["Juggler", "Newcomer", "Dog"], [STRONG])
    assert match.legal(ME) == ["next 1", "next 2"]
    match.do(ME, "next 2")
    assert [e["card"] for e in match.told("revealed")][2] == "city-dog-p"
    assert Match(["Juggler", "Dog"], [STRONG]).told("asked") == []


@pytest.mark.parametrize("card", ["Juggler", "Bumper Car"])
def test_nobody_learns_a_card_while_its_owner_puts_the_deck_in_order(card: str) -> None:  # §10.21 §10.27 §11.3
    """The top card lay open to all; the two under it only their owner has looked at."""
    worlds = []
    for under in (["Newcomer", "Talent"], ["Talent", "Newcomer"]):
        match = Match([card, "Dog", *under, "Champion"], [STRONG, "Dragon"], play=False)
        state = match.state
        state.pile_seen[ME, 3] = SEEN_BY_ALL
        match.play()
        match.do(ME, "next 3")
        worlds.append(match)
    for viewer in (RIVAL, SPECTATOR):
        assert worlds[0].view(viewer)["matches"][0]["sides"][0]["known"] == []
        redacted = [GAME.redact(match.states, 0, viewer) for match in worlds]
        assert redacted[0].tobytes() == redacted[1].tobytes()
    assert len(worlds[0].view(ME)["matches"][0]["sides"][0]["known"]) == 3


def test_vendor_helps_funfair_cards_attacking_and_holding() -> None:  # §10.22
    match = Match(["Pig", "Pony"], [STRONG], my_bench=("Vendor",))
    assert match.sums() == [(3, 7), (7, 7)]  # nothing for the Pig
    assert match.holds() == [7, 4]


def test_mime_gains_one_for_each_free_seat_once() -> None:  # §10.23 §6.2
    match = Match(["Mime"], ["Dog", "Newcomer", "Talent"], my_bench=("Pig", "Cat"))
    assert match.sums()[0] == (5, 3)
    assert match.holds()[1] == 5  # kept with the flag


@pytest.mark.parametrize(("deck", "fans"), [([], 2), (["Dog"], 2), (["Dog", "Dog"], 0)])
def test_pyrotechnician_brings_fans_at_the_end_of_the_deck(deck: Any, fans: int) -> None:  # §10.24
    assert Match(["Pyrotechnician", *deck], [STRONG]).state.fans[ME] == fans


def test_clairvoyant_fetches_a_card_when_beaten() -> None:  # §10.25 §6.7
    match = Match(["Clairvoyant", "Newcomer", "Talent", "Champion", "Dog"], ["Horse", "Pig"], i_open=True)
    assert len(match.told("compared")) == 1  # not when it is revealed, and not when it takes the flag
    assert match.legal(ME) == ["find 1", "find 2", "find 3", "find 4"]
    match.do(ME, "find 3")
    assert [e["card"] for e in match.told("revealed")][2:4] == [
        "city-champion-p",
        "city-newcomer-p",
    ]  # the rest in order


def test_clairvoyant_sets_the_top_card_before_a_cowboy_takes_it() -> None:  # §10.25 §5.8
    match = Match(["Clairvoyant", "Newcomer", "Champion"], ["Talent", "Cowboy"], i_open=True)
    match.do(ME, "find 2")
    assert match.bench(ME)[0] == "Champion"


def test_illusionist_counts_free_seats_while_it_holds_the_flag() -> None:  # §10.26 §6.10
    match = Match(["Illusionist", "Dog"], ["Horse", "Pig", "Talent"], i_open=True, my_bench=("Cat", "Pig"))
    assert match.holds()[0] == 5 + 4
    assert match.sums()[:3] == [(5, 9), (8, 9), (10, 9)]
    attacking = Match(["Illusionist"], [STRONG])
    assert attacking.sums() == [(5, 7)]  # nothing while attacking


# Haunted House


@pytest.mark.parametrize("card", ["Butler", "Vacuum Cleaner"])
def test_butler_and_vacuum_cleaner_exhaust_up_to_two(card: str) -> None:  # §10.28 §10.34 §6.3
    match = Match([card], ["Werewolf"], my_bench=("Dog", "Pig", "Champion"))
    match.do(ME, "choose city-dog-p")
    assert match.legal(ME) == ["choose city-champion-p", "choose castle-pig-a", "enough"]
    match.do(ME, "choose castle-pig-a")
    assert (match.exhausted(ME), match.bench(ME)) == (["Dog", "Pig"], ["Champion"])
    assert match.question() is None  # two cards, no more
    none = Match([card], ["Werewolf"], my_bench=("Dog",))
    none.do(ME, "enough")
    assert none.exhausted(ME) == []


@whatever_lies_around
def test_skeleton_holds_the_flag_with_one_more(around: Any) -> None:  # §10.29
    match = Match(["Skeleton", "Dog", "Pig"], ["Talent", "Newcomer", "Newcomer"], **around)
    assert match.holds()[1] == 3
    assert match.sums()[0] == (2, 2)


def test_ghost_exhausts_the_top_card_of_the_rival() -> None:  # §10.30
    match = Match(["Ghost"], ["Dog", "Pig"])
    assert match.exhausted(RIVAL) == ["Pig"]
    assert Match(["Ghost"], ["Dog"]).exhausted(RIVAL) == []


def test_teenager_gains_one_for_each_haunted_house_card() -> None:  # §10.31
    match = Match(["Teenager"], ["Horse"], my_bench=("Bat", "Skeleton", "Skeleton", "Werewolf", "Dog"))
    assert match.sums() == [(2 + 4, 5)]
    assert match.holds()[1] == 6  # kept with the flag


def test_necromancer_must_put_a_two_back_on_the_deck() -> None:  # §10.32 §6.4 §6.15
    match = Match(["Necromancer"], [STRONG], my_bench=("Talent", "Skeleton", "Dog", "Newcomer"))
    assert match.legal(ME) == ["choose city-talent-p", "choose haunted-house-skeleton-a"]
    match.do(ME, "choose haunted-house-skeleton-a")
    assert match.told("revealed")[-1]["card"] == "haunted-house-skeleton-a"
    only_one = Match(["Necromancer"], [STRONG], my_bench=("Talent", "Dog"))
    assert only_one.told("asked") == []  # nothing to choose
    assert only_one.told("recalled")[0]["card"] == "city-talent-p"


def test_vampire_must_put_a_level_b_card_back_on_the_deck() -> None:  # §10.33
    match = Match(["Vampire", "Newcomer"], [STRONG], my_bench=("Bat", "Dog B", "Dog"))
    assert match.legal(ME) == ["choose city-dog-b", "choose haunted-house-bat-b"]
    match.do(ME, "choose haunted-house-bat-b")
    assert match.sums() == [(4, 7), (9, 7)]


# Outer Space


def test_rescue_pod_leaves_and_brings_a_level_b_card() -> None:  # §10.35 §6.19
    match = Match([STRONG], ["Rescue Pod", "Dog"], stack={"B": ["Alien"]})
    assert comes_before(match, "compared", "left_deck")
    assert match.exhausted(RIVAL) == ["Alien"]
    assert match.bench(RIVAL) == []
    assert match.own(RIVAL) == {"Dog": 1, "Alien": 1}
    assert match.state.deck_size[RIVAL] == 2
    assert match.state.leaving[RIVAL].sum() == 1  # on its way to the discards of level A


def test_nobody_remembers_a_rescue_pod_that_has_left() -> None:  # §10.35 §6.14
    match = Match(["Rescue Pod", STRONG, "Dog"], ["Champion"], i_open=True, stack={"B": ["Alien"]}, play=False)
    match.state.shown[ME, kind("Rescue Pod")] = 1
    match.play()
    assert match.won_by() == (ME, "power")
    assert match.told("left_deck") != []
    assert match.state.shown[ME, kind("Rescue Pod")] == 0
    assert match.state.deck_size[ME] == 3


def test_rescue_pod_stays_when_it_is_the_last_card_and_none_comes_for_it() -> None:  # §10.35 §4.3
    match = Match([STRONG], ["Rescue Pod"], play=False)
    match.state.stack_size[1] = 0
    match.play()
    assert match.told("left_deck") == []
    assert match.bench(RIVAL) == ["Rescue Pod"]
    assert match.own(RIVAL) == {"Rescue Pod": 1}


def test_rescue_pod_leaves_a_larger_deck_even_if_none_comes_for_it() -> None:  # §10.35 §6.1
    match = Match([STRONG], ["Rescue Pod", "Dog"], play=False)
    match.state.stack_size[1] = 0
    match.play()
    assert match.own(RIVAL) == {"Dog": 1}
    assert match.state.deck_size[RIVAL] == 1


def outer_space(display: list[str], deck: list[str]) -> Any:
    table = Table(2, sets="without_castle")
    table.display(ME, display)
    table.deck(ME, deck)
    return table


def test_shapeshifter_exchanges_a_card_for_a_pick() -> None:  # §10.36 §3.11
    table = outer_space(["Shapeshifter", "Cow", "Pony", "Cat"], ["Newcomer", "Dog"])
    table.do(ME, "pick 1")
    assert table.legal(ME)[-1] == "decline"
    assert "remove outer-space-shapeshifter-a" in table.legal(ME)  # itself, too
    table.do(ME, "remove city-newcomer-p", "pick 2", "pick 3")
    assert table.own(ME) == {"Dog": 1, "Shapeshifter": 1, "Cow": 1, "Pony": 1}
    assert table.view()["teams"][ME]["step"] == "trim"


def test_shapeshifter_may_be_picked_without_an_exchange() -> None:  # §10.36
    table = outer_space(["Shapeshifter", "Cow", "Pony"], ["Newcomer"])
    table.do(ME, "pick 1", "decline", "pick 2")
    assert table.view()["teams"][ME]["step"] == "trim"


def test_ai_helps_cards_of_power_two_attacking_and_holding() -> None:  # §10.37
    match = Match(["Newcomer", "Pig", "Vendor"], [STRONG], my_bench=("A.I.",))
    assert match.sums() == [(1, 7), (4, 7), (7, 7)]  # only the Vendor has power 2
    assert match.holds()[1] == 3


def test_band_helps_outer_space_cards_attacking_and_holding() -> None:  # §10.38
    match = Match(["Pig", "Lion", "Cow"], [STRONG], my_bench=("Band",), their_bench=("Cook",) * 5)
    assert match.sums() == [(3, 12), (8, 12), (12, 12)]  # only for the Cow
    assert match.holds()[1] == 4


def test_ufo_brings_two_level_a_cards_to_the_bottom() -> None:  # §10.39
    match = Match(["UFO", "Newcomer"], [STRONG], stack={"A": ["Spider", "Cow"]})
    assert [e["card"] for e in match.told("revealed")][2:] == [
        "city-newcomer-p", "haunted-house-spider-a",
    ]  # fmt: skip
    assert match.own(ME) == {"UFO": 1, "Newcomer": 1, "Spider": 1, "Cow": 1}


def test_clones_bring_a_fan_when_chosen_and_only_then() -> None:  # §10.40 §6.13
    table = outer_space(["Clones", "Cow"], ["Newcomer"])
    table.do(ME, "pick 1")
    assert table.state.fans[ME] == 1
    assert Match(["Clones"], ["Dog"]).state.fans[ME] == 0


def test_hologram_puts_a_level_b_card_on_the_rivals_deck() -> None:  # §10.41
    match = Match(["Hologram"], [STRONG, "Newcomer"], stack={"B": ["Alien"]})
    assert match.told("gained_card")[0]["team"] == RIVAL
    assert match.own(RIVAL) == {"Dragon": 1, "Newcomer": 1, "Alien": 1}  # seen after the match


def test_sci_fi_geek_exchanges_two_outer_space_cards() -> None:  # §10.42 §3.11
    table = outer_space(["Sci-Fi Geek", "Slime", "Dragon"], ["Cow", "Newcomer", "Alien"])
    table.do(ME, "pick 1")
    assert table.legal(ME) == [
        "remove outer-space-cow-a", "remove outer-space-alien-b", "remove outer-space-sci-fi-geek-c", "decline",
    ]  # fmt: skip
    table.do(ME, "remove outer-space-cow-a")
    assert "decline" not in table.legal(ME)  # both or none
    table.do(ME, "remove outer-space-sci-fi-geek-c", "pick 2", "pick 3")
    assert table.own(ME) == {"Newcomer": 1, "Alien": 1, "Slime": 1, "Dragon": 1}


def test_sci_fi_geek_needs_two_such_cards() -> None:  # §10.42
    table = outer_space(["Sci-Fi Geek", "Slime"], ["Newcomer", "Dog"])
    table.do(ME, "pick 1")
    assert table.legal(ME) == ["decline"]
    with pytest.raises(IllegalAction, match="too few cards"):
        table.do(ME, "remove outer-space-sci-fi-geek-c")
    table.do(ME, "decline")
    assert table.view()["teams"][ME]["step"] == "draft"


def test_sci_fi_geeks_step_does_not_tell_what_else_is_in_the_deck() -> None:  # §11.2
    """Two worlds that differ in one card of the deck look the same to the others, step by step."""
    worlds = [outer_space(["Sci-Fi Geek", "Slime"], ["Newcomer", other]) for other in ("Cow", "Pig")]
    for table in worlds:
        table.do(ME, "pick 1")
    seen = [GAME.redact(table.states, 0, RIVAL).tobytes() for table in worlds]
    assert seen[0] == seen[1]
    for table in worlds:
        table.do(ME, "decline")
    assert worlds[0].view(RIVAL) == worlds[1].view(RIVAL)
    assert worlds[0].events == worlds[1].events


# Shipwreck


@pytest.mark.parametrize(("bench", "power"), [(("Parrot", "Shark"), 4), (("Kraken",), 4), (("Dog B", "Pig"), 1)])
def test_merman_gains_three_beside_a_shipwreck_card(bench: tuple[str, ...], power: int) -> None:  # §10.43
    assert Match(["Merman"], [STRONG], my_bench=bench).sums() == [(power, 7)]
    assert Match(["Merman"], ["Newcomer"], my_bench=bench).holds()[1] == power  # kept with the flag


@whatever_lies_around
def test_treasure_holds_the_flag_with_two_more(around: Any) -> None:  # §10.44
    match = Match(["Treasure", "Dog", "Pig"], ["Talent", "Newcomer"], **around)
    assert (match.sums()[0], match.holds()[1]) == ((2, 2), 4)


def test_sailor_sinks_a_card_of_the_deck() -> None:  # §10.45 §6.7
    match = Match(["Sailor", "Newcomer", "Champion", "Talent"], [STRONG])
    match.do(ME, "find 1")
    assert [e["card"] for e in match.told("revealed")][2:] == ["city-champion-p", "city-talent-p"]


def test_cook_helps_the_card_with_the_flag_and_copies_add_up() -> None:  # §10.46 §5.13
    match = Match(["Horse", "Dog"], ["Champion"], their_bench=("Cook", "Cook"))
    assert match.sums() == [(5, 6), (8, 6)]
    assert Match(["Horse"], ["Dragon"], my_bench=("Cook",)).sums() == [(5, 7)]


@pytest.mark.parametrize(("deck", "power"), [([], 6), (["Dog"], 6), (["Dog", "Dog"], 4)])
def test_lifeguard_gains_two_at_the_end_of_the_deck(deck: Any, power: int) -> None:  # §10.47
    assert Match(["Lifeguard", *deck], [STRONG]).sums()[0] == (power, 7)
    assert Match(["Lifeguard", *deck], ["Champion"]).holds()[1] == power  # kept with the flag


def test_navigator_sinks_one_of_two_cards_when_beaten() -> None:  # §10.48
    match = Match([STRONG], ["Navigator", "Newcomer", "Champion", "Dog"])
    assert len(match.told("compared")) == 1  # not when it is revealed, and not when it takes the flag
    assert match.waiting() == [RIVAL]
    match.do(RIVAL, "to_bottom 1")
    assert match.told("revealed")[2]["card"] == "city-champion-p"


def test_siren_may_exhaust_a_card_of_the_rivals_bench_and_decide_the_attack() -> None:  # §10.49
    match = Match(["Siren"], ["Horse", "Dragon"], their_bench=("Cook", "Cook", "Dog"))
    assert match.legal(ME) == ["choose city-dog-p", "choose shipwreck-cook-b", "enough"]
    match.do(ME, "choose shipwreck-cook-b")
    assert match.sums()[0] == (6, 6)
    assert match.exhausted(RIVAL)[0] == "Cook"


def test_submarine_exhausts_the_own_bottom_card() -> None:  # §10.50
    match = Match(["Submarine", "Dog", "Champion"], ["Dog", "Dragon", "Horse"])
    assert match.exhausted(ME) == ["Champion"]
    assert comes_before(match, "exhausted", "compared")
    assert Match(["Submarine"], ["Dog"]).exhausted(ME) == []


# The Robot


@pytest.mark.parametrize("number", range(1, 8))
def test_a_cyborg_is_as_strong_as_the_round(number: int) -> None:  # §10.51 §9.3
    match = Match(["Champion"], ["Cyborg"], robot=True, round_number=number)
    assert match.holds()[0] == number


def test_virtual_ghost_exhausts_the_players_top_card() -> None:  # §10.52
    match = Match(["Dog", "Champion"], ["Virtual Ghost"], i_open=True, robot=True)
    assert match.exhausted(ME) == ["Champion"]


def test_cyborg_friend_gains_one_for_each_cyborg_on_the_bench() -> None:  # §10.53
    match = Match(["Dog"], ["Cyborg-Friend"], i_open=True, robot=True, their_bench=("Cyborg", "Cyborg", "Alpha"))
    assert match.sums() == [(3, 3)]
    assert match.holds()[1] == 3  # kept with the flag


def test_mechanic_gains_one_for_each_level_b_card_of_the_player() -> None:  # §10.54
    match = Match([STRONG], ["Mechanic"], i_open=True, robot=True, my_bench=("Bat", "Bat", "Horse", "Dog B", "Dog"))
    assert match.sums() == [(3 + 4, 7)]
    assert match.holds()[1] == 7  # kept with the flag


def test_robo_knight_gains_one_for_each_trophy_of_the_player() -> None:  # §10.55
    match = Match(["Dragon"], ["Robo-Knight"], i_open=True, robot=True, trophies=(3, 2))
    assert match.sums() == [(6, 7)]
    assert (
        Match(["Dog"], ["Robo-Knight"], i_open=True, robot=True, trophies=(3, 2)).holds()[1] == 3
    )  # not with the flag


def test_drone_makes_the_player_exhaust_a_card() -> None:  # §10.56
    match = Match(["Dragon"], ["Drone"], i_open=True, robot=True, my_bench=("Dog", "Pig", "Cat"))
    assert match.legal(ME) == ["choose city-dog-p", "choose castle-pig-a", "choose film-studio-cat-a"]
    match.do(ME, "choose castle-pig-a")
    assert match.exhausted(ME) == ["Pig"]
    assert match.question() is None  # one card, no more


def test_necromech_lets_the_player_take_back_a_two() -> None:  # §10.57
    bench = ("Talent", "Skeleton", "Dog", "Newcomer")
    match = Match(["Dragon"], ["Necromech"], i_open=True, robot=True, my_bench=bench)
    assert match.legal(ME) == ["choose city-talent-p", "choose haunted-house-skeleton-a", "enough"]
    match.do(ME, "choose haunted-house-skeleton-a")
    assert [event["card"] for event in match.told("recalled")] == ["haunted-house-skeleton-a"]
    assert match.question() is None  # one card, no more
    declined = Match(["Dragon"], ["Necromech"], i_open=True, robot=True, my_bench=bench)
    declined.do(ME, "enough")
    assert declined.told("recalled") == []
    assert len(declined.told("passed")) == 1


def test_robogram_gives_the_player_a_level_a_card() -> None:  # §10.58
    match = Match(["Dragon"], ["Robogram"], i_open=True, robot=True, stack={"A": ["Spider"]})
    assert match.own(ME) == {"Dragon": 1, "Spider": 1}


def test_chatbot_gives_the_player_a_fan_when_beaten() -> None:  # §10.59
    match = Match(["Dragon"], ["Chatbot"], robot=True)
    assert match.state.fans[ME] == 1
    assert Match(["Dog"], ["Chatbot"], robot=True).state.fans[ME] == 0  # it held the flag to the end


def test_autocorrect_loses_one_for_each_set_on_the_players_bench() -> None:  # §10.60
    match = Match(["Champion"], ["Autocorrect"], i_open=True, robot=True, my_bench=("Bat", "Dog", "Cat", "Newcomer"))
    assert match.sums() == [(7 - 3, 4)]
    assert match.holds()[1] == 4  # kept with the flag
