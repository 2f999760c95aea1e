"""§5 A match, and §6 what is common to all effects."""

from typing import Any

import pytest

from games.challengers.scene import ME, RIVAL, Match, Table, kind
from ludoteca.core.errors import IllegalAction
from ludoteca.core.log import new_log
from ludoteca.core.record import SPECTATOR, Record
from ludoteca.games.challengers import GAME
from ludoteca.games.challengers.rules.effects import found, put_next, sink
from ludoteca.games.challengers.rules.match import begin_match, play_on
from ludoteca.games.challengers.rules.zones import SEEN_BY_ALL, open_bottom, return_to_top, stand_up
from ludoteca.games.challengers.state import LARGEST_DECK


def test_each_player_has_six_seats_and_an_empty_exhaust_pile() -> None:  # §5.1
    match = Match(["Dog"], ["Pig"], play=False)
    assert match.bench_seats(ME) == [None] * 6
    assert match.exhausted(ME) == []


def test_decks_are_shuffled_and_nobody_knows_the_order() -> None:  # §5.2 §11.2
    table = Table(2, seed=3)
    orders = set()
    for seed in range(20):
        table = Table(2, seed=seed)
        table.deck(0, ["Juggler", "Newcomer", "Talent", "Dog", "Champion", "Pig"])
        table.deck(1, ["Dragon"])
        for seat in (0, 1):
            table.do(seat, "stop", "ready")
        orders.add(next(e["card"] for e in table.told("revealed") if e["team"] == 0))
    assert len(orders) > 3


def test_in_round_one_the_flag_is_tossed() -> None:  # §5.3
    openers = set()
    for seed in range(12):
        table = Table(2, seed=seed)
        for seat in (0, 1):
            table.do(seat, "stop", "ready")
        began = table.told("match_began")[0]
        assert began["tossed"]
        openers.add(began["team"])
    assert openers == {0, 1}


@pytest.mark.parametrize(("best", "opener", "tossed"), [((3, 2), 0, False), ((1, 4), 1, False), ((0, 2), 1, False)])
def test_later_the_trophy_of_the_latest_round_opens(best: tuple[int, ...], opener: int, tossed: bool) -> None:  # §5.3
    table = Table(2)
    for seat in (0, 1):
        table.state.best_trophy[seat] = best[seat]
    for seat in (0, 1):
        table.do(seat, "stop", "ready")
    began = table.told("match_began")[0]
    assert (began["team"], began["tossed"]) == (opener, tossed)


def test_trophies_of_the_same_round_leave_it_to_the_flag() -> None:  # §5.3
    openers = set()
    for seed in range(12):
        table = Table(2, seed=seed)
        table.state.best_trophy[:2] = 3
        for seat in (0, 1):
            table.do(seat, "stop", "ready")
        began = table.told("match_began")[0]
        assert began["tossed"]
        openers.add(began["team"])
    assert openers == {0, 1}


def test_the_opening_card_takes_the_flag_and_resolves_its_effect() -> None:  # §5.4
    match = Match(["Ghost", "Dog"], ["Pig", "Newcomer", "Talent"], i_open=True)
    opening = match.told("revealed")[0]
    assert (opening["team"], opening["card"], opening["base"], opening["opening"]) == (
        ME,
        "haunted-house-ghost-b",
        1,
        True,
    )
    assert match.exhausted(RIVAL) == ["Pig"]
    assert match.told("took_flag")[0]["card"] == "haunted-house-ghost-b"
    assert match.told("revealed")[1]["team"] == RIVAL


def test_cards_are_revealed_one_by_one_and_compared_after_each() -> None:  # §5.5
    match = Match(["Talent", "Newcomer", "Dog", "Champion"], ["Horse"])
    assert match.sums() == [(2, 5), (3, 5), (6, 5)]
    assert match.state.pile_left[ME] == 1  # no more than needed


def test_only_the_first_card_of_a_match_is_told_as_opening() -> None:  # §5.4
    match = Match(["Newcomer", "Talent"], ["Talent"])
    assert [event["opening"] for event in match.told("revealed")] == [True, False, False]


def test_after_a_match_nothing_lies_open() -> None:  # §7.6
    match = Match(["Newcomer", "Dog"], ["Dragon", "Newcomer"])
    assert match.won_by() is not None
    assert match.state.visible.sum() == 0


def test_a_bonus_is_told_with_its_card_and_none_where_there_is_none() -> None:  # §5.5 §6.8
    match = Match(["Gangster"], ["Champion"])
    assert [(event["card"], event["amount"]) for event in match.told("bonus")] == [("film-studio-gangster-a", 2)]
    assert Match(["Dog"], ["Champion"]).told("bonus") == []


def test_only_the_last_card_defends() -> None:  # §5.6
    match = Match(["Champion", "Newcomer"], ["Horse", "Talent"])
    assert match.sums() == [(4, 5), (5, 5), (2, 1)]


def test_a_tie_takes_the_flag() -> None:  # §5.7
    match = Match(["Horse"], ["Shark"])
    assert match.sums() == [(5, 5)]
    assert match.won_by() == (ME, "power")


def test_loss_then_gain_then_benching() -> None:  # §5.8
    match = Match(["Heroine"], ["Comic Character", "Newcomer"])
    order = [e["kind"] for e in match.events]
    first = order.index("compared")
    assert [k for k in order[first:] if k in ("cheered", "took_flag", "gained_fans", "benched")][:4] == [
        "cheered", "took_flag", "gained_fans", "benched",
    ]  # fmt: skip


def test_beaten_cards_sit_down_by_name_whatever_their_level() -> None:  # §5.9
    match = Match(["Dragon"], ["Talent A", "Newcomer"], their_bench=("Talent", "Newcomer"))
    seats = match.bench_seats(RIVAL)
    assert seats[0] == {"name": "Talent", "cards": ["city-talent-p", "city-talent-a"]}
    assert seats[2] is None


def test_cards_under_the_flag_sit_down_too() -> None:  # §5.9
    match = Match(["Champion", "Dragon"], ["Talent", "Dog", "Newcomer"], i_open=True)
    assert set(match.bench(RIVAL)) == {"Dog", "Talent"}


def test_who_cannot_attack_any_more_has_lost() -> None:  # §5.10
    assert Match(["Dog"], ["Champion"]).won_by() == (RIVAL, "power")


def test_who_finds_no_seat_has_lost() -> None:  # §5.11
    full = ("Newcomer", "Talent", "Champion", "Pig", "Cat", "Pony")
    assert Match(["Dragon"], ["Spider", "Dragon"], their_bench=full).won_by() == (ME, "seats")
    assert Match(["Horse"], ["Cat", "Dragon"], their_bench=full).won_by() == (RIVAL, "power")  # the Cat shares a seat


def test_who_has_lost_the_flag_attacks_next() -> None:  # §5.12
    match = Match(["Dog", "Dragon"], ["Talent", "Champion"])
    assert [e["team"] for e in match.told("compared")] == [ME, RIVAL, ME]


def test_bench_bonuses_count_at_once_and_add_up() -> None:  # §5.13 §6.9
    match = Match(["Dragon", "Dog"], ["Vendor", "Pony", "Bat"], their_bench=("Vendor",))
    assert match.sums()[1] == (5, 7)  # the Pony with two Vendors, the second just seated
    help_ = [e for e in match.told("bonus") if e["card"] == "funfair-vendor-a"][-1]
    assert (help_["amount"], help_["why"]) == (2, "bench")


def test_the_exhaust_pile_lies_open() -> None:  # §5.14 §11.1
    match = Match(["Ghost", "Talent", "Reporter", "Dog", "Pig"], ["Dog", "Champion", "Pig"])
    for viewer in (0, 1, 15):
        sides = match.view(viewer)["matches"][0]["sides"]
        assert sides[RIVAL]["exhausted"] == ["city-champion-p"]


# §6


def test_an_effect_does_what_is_possible() -> None:  # §6.1
    assert Match(["Necromancer"], ["Dog"]).won_by() == (ME, "power")
    assert Match(["UFO"], ["Dragon"], stack={"A": ["Cow"]}).own(ME) == {"UFO": 1, "Cow": 2}


def test_power_gained_at_once_is_kept_and_not_counted_again() -> None:  # §6.2
    match = Match(["Jester"], ["Champion", "Dog"], my_bench=("Newcomer",))
    assert match.holds()[1] == 4
    bonus = match.told("bonus")[0]
    assert (bonus["card"], bonus["amount"], bonus["why"]) == ("castle-jester-a", 3, "kept")


def test_a_seat_left_empty_is_free_again() -> None:  # §6.3
    match = Match(["Butler", "Mime"], ["Dragon"], my_bench=("Dog", "Pig"))
    match.do(ME, "choose city-dog-p", "enough")
    assert match.sums()[-1] == (1 + 1 + 5, 7)


def test_everybody_knows_what_was_put_on_the_deck() -> None:  # §6.4 §6.14
    match = Match(["Sorcerer", "Newcomer"], ["Champion", "Dragon"], my_bench=("Talent", "Dog"), play=False)
    state = match.state
    stand_up(state, ME, kind("Talent"))
    return_to_top(state, ME, kind("Talent"))
    state.close()
    for viewer in (0, 1, 15):
        side = match.view(viewer)["matches"][0]["sides"][ME]
        assert side["known"] == [{"place": 1, "card": "city-talent-p"}]


def known_to_all(cards: list[str]) -> Any:
    """A deck of which everybody knows the top card, before its owner does something with it."""
    match = Match(cards, ["Dragon"], play=False)
    state = match.state
    state.pile_seen[ME, len(cards) - 1] = SEEN_BY_ALL
    return match, state


def others_know(match: Any) -> list[Any]:
    return [match.view(viewer)["matches"][0]["sides"][ME]["known"] for viewer in (RIVAL, SPECTATOR)]


def test_what_is_known_stays_known_when_a_card_below_it_leaves() -> None:  # §6.4
    match, state = known_to_all(["Pig", "Dog", "Cat"])
    assert open_bottom(state, ME) == kind("Cat")
    assert others_know(match) == [[{"place": 1, "card": "castle-pig-a"}]] * 2


def test_a_card_put_on_the_deck_is_known_to_be_in_it() -> None:  # §6.4 §6.14
    match = Match(["Newcomer"], ["Dragon"], my_bench=("Skeleton",), play=False)
    state = match.state
    stand_up(state, ME, kind("Skeleton"))
    return_to_top(state, ME, kind("Skeleton"))
    assert state.shown[ME, kind("Skeleton")] == 1
    assert state.visible[ME, kind("Skeleton")] == 0


def test_cheering_does_not_last_into_the_next_match() -> None:  # §5.1
    match = Match(["Dog"], ["Dragon"], play=False)
    match.state.cheer[:2] = 2
    begin_match(match.state, 0, ME, RIVAL, new_log())
    assert match.state.cheer[:2].tolist() == [0, 0]


def test_who_looks_at_two_cards_hears_of_two_and_is_asked_about_one() -> None:  # §6.6 §11.3
    match = Match(["Reporter", "Pig", "Dog", "Cat"], ["Dragon"])
    assert match.told("looked")[0]["cards"] == ["castle-pig-a", "city-dog-p"]
    assert [(event["card"], event["left"]) for event in match.told("asked")] == [("city-reporter-a", 1)]
    assert [known["card"] for known in match.view(ME)["matches"][0]["sides"][ME]["known"]] == [
        "castle-pig-a", "city-dog-p"
    ]  # fmt: skip


def test_one_card_is_looked_at_and_not_ordered() -> None:  # §6.5
    match = Match(["Juggler", "Pig"], ["Dragon"])
    assert match.told("looked")[0]["cards"] == ["castle-pig-a"]
    assert match.told("asked") == []


def test_who_saw_the_top_card_does_not_know_whether_it_was_put_at_the_bottom() -> None:  # §6.4 §6.6
    for place in (0, 1):
        match, state = known_to_all(["Pig", "Dog", "Cat"])
        sink(state, ME, kind("Reporter"), place, new_log())
        assert others_know(match) == [[], []]
        assert len(match.view(ME)["matches"][0]["sides"][ME]["known"]) == 2


def test_who_saw_the_top_card_does_not_know_where_it_was_ordered() -> None:  # §6.4 §6.5
    match, state = known_to_all(["Pig", "Dog", "Cat"])
    state.ask_team[0], state.ask_card[0], state.ask_left[0] = ME, kind("Juggler"), 3
    put_next(state, 0, 0, new_log())
    put_next(state, 0, 0, new_log())
    assert others_know(match) == [[], []]
    assert len(match.view(ME)["matches"][0]["sides"][ME]["known"]) == 3


def test_who_saw_the_top_card_does_not_know_which_was_found() -> None:  # §6.4 §6.7
    match, state = known_to_all(["Pig", "Dog", "Cat"])
    found(state, ME, kind("Clairvoyant"), 0, new_log())
    assert others_know(match) == [[], []]
    assert len(match.view(ME)["matches"][0]["sides"][ME]["known"]) == 3


def test_with_one_card_left_nobody_looks() -> None:  # §6.6
    match = Match(["Reporter", "Dog"], ["Dragon"])
    assert (match.told("looked"), match.told("asked")) == ([], [])


def test_who_searches_knows_the_whole_deck() -> None:  # §6.7 §6.14 §11.3
    match = Match(["Sailor", "Newcomer", "Champion", "Talent"], ["Dragon"])
    known = match.view(ME)["matches"][0]["sides"][ME]["known"]
    assert [k["card"] for k in known] == ["city-newcomer-p", "city-champion-p", "city-talent-p"]
    assert match.view(RIVAL)["matches"][0]["sides"][ME]["known"] == []
    assert match.view()["matches"][0]["sides"][ME]["known"] == []


def test_attack_bonuses_end_with_the_attack() -> None:  # §6.8
    match = Match(["Newcomer", "Gangster"], ["Horse", "Dog"])
    assert match.sums()[:2] == [(1, 5), (5, 5)]
    assert match.holds()[1] == 2


def test_only_the_card_with_the_flag_has_flag_bonuses() -> None:  # §6.10 §6.11
    match = Match(["Horse", "Shark"], ["Treasure", "Comic Character", "Dragon"], i_open=True)
    assert match.sums()[:2] == [(2, 5), (6, 5)]
    assert match.holds()[1] == 4  # the Comic Character, the Treasure under it adds nothing
    assert len(match.told("cheered")) == 1
    match = Match(["Horse", "Dragon"], ["Comic Character", "Dog"], i_open=True)
    assert match.told("cheered") == []  # it lay under the Dog


def test_the_player_named_by_the_card_is_asked() -> None:  # §6.15
    match = Match(["Dragon"], ["Navigator", "Dog", "Pig"])
    assert match.waiting() == [RIVAL]
    with pytest.raises(IllegalAction):
        match.do(RIVAL, "ready")


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("enough", "must_choose"),
        ("choose city-dog-p", "not_that_card"),  # its power is 3
        ("choose castle-pig-a", "not_on_bench"),
        ("find 1", "other_answer"),
        ("ready", "match_now"),
    ],
)
def test_a_wrong_answer_is_refused_with_its_reason(answer: str, why: str) -> None:  # §6.15
    match = Match(["Necromancer"], ["Dragon"], my_bench=("Talent", "Skeleton", "Dog"))
    with pytest.raises(IllegalAction) as refused:
        match.do(ME, answer)
    assert refused.value.key == why
    assert "necromancer" not in str(refused.value)  # ids are for programs


def test_base_power_is_the_printed_number() -> None:  # §6.17
    match = Match(["Stable Boy"], ["Dragon"], my_bench=("Jester", "Skeleton", "Dog"))
    assert match.sums() == [(3, 7)]


def test_opening_is_not_an_attack() -> None:  # §6.18
    match = Match(["Gangster"], ["Dog"], i_open=True, my_bench=("Bard",))
    assert match.holds()[0] == 2


def test_unseen_cards_are_unseen_by_their_owner_too() -> None:  # §6.19
    match = Match(["UFO", "Reporter", "Newcomer", "Dog"], ["Dragon"], stack={"A": ["Spider"]})
    for viewer in (ME, RIVAL):
        side = match.view(viewer)["matches"][0]["sides"][ME]
        assert side["unseen"] == [{"place": 3, "level": "A"}, {"place": 4, "level": "A"}]
        assert all(k["card"] != "haunted-house-spider-a" for k in side["known"])
    assert "Spider" not in match.own(ME)


def test_parks_draw_from_shares_of_their_own() -> None:  # §6.20
    from ludoteca.games.challengers.rules.zones import draw_share

    table = Table(8)
    state = table.state
    state.taken[:] = 0
    state.stack_size[0] = 10
    for place in range(10):
        state.stack[0, place] = place
    assert [draw_share(state, 0, park, 4) for park in (3, 0, 3, 1, 3)] == [3, 0, 7, 1, -1]
    assert list(state.taken[0, :4]) == [1, 1, 0, 2], "the shares have three, three, two and two cards"


def test_a_deck_never_grows_beyond_its_limit() -> None:  # §6.21
    match = Match(["Villain"], ["Dog"], play=False)
    match.state.deck_size[ME] = LARGEST_DECK
    match.play()
    assert match.told("gained_card") == []


def test_the_arithmetic_of_a_view_adds_up() -> None:  # §5.5
    match = Match(["Pony", "Reporter", "Dog", "Pig"], ["Dragon"], my_bench=("Vendor", "Bard"))
    shown = match.view(ME)["matches"][0]
    assert shown["attack"] == 3 + 1 + 1 + 2 + 1
    for side in shown["sides"]:
        for card in side["lineup"]:
            assert card["power"] == card["base"] + sum(b["amount"] for b in card["bonuses"])
    assert shown["seats_needed"] == {"team": RIVAL, "names": 1, "free": 6}


@pytest.mark.parametrize(("seats", "decks", "attack"), [(1, ("Talent", "Cyborg"), 1), (2, ("Dragon", "Knight"), 3)])
def test_the_arithmetic_of_a_match_that_is_over_stays_as_it_was(
    seats: int, decks: tuple[str, ...], attack: int
) -> None:  # §5.5 §9.3
    """In the next deck phase the Cyborg would have 2, and the Knight 1 for the trophy just won."""
    table = Table(seats)
    for team in (0, 1):
        table.deck(team, [decks[team]])
    table.state.best_trophy[0] = 1  # opens
    for seat in range(seats):
        table.do(seat, "stop", "ready")
    match = table.view()["matches"][0]
    assert (table.view()["phase"], match["state"], match["winner"]) == ("deck", "over", 0)
    assert (match["attack"], match["flag"]) == (attack, table.told("compared")[-1]["flag"])
    assert [card["power"] for card in match["sides"][1]["lineup"]] == [attack]


def test_the_robot_decides_nothing() -> None:  # §9.7
    for card in ("Sorcerer", "Butler", "Juggler"):
        match = Match(["Dragon"], [card, "Dog", "Cat", "Pony"], robot=True, their_bench=("Pig", "Newcomer"))
        assert match.told("asked") == match.told("looked") == []
        assert "Pig" in match.bench(RIVAL)
    sunk = set()
    for seed in range(20):
        match = Match(["Dragon"], ["Navigator", "Newcomer", "Champion", "Pig"], robot=True, play=False)
        match.state.streams[RIVAL] = seed
        match.play()
        sunk.add(match.told("revealed")[2]["card"])
    assert sunk == {"city-newcomer-p", "city-champion-p"}  # chance


def test_events_tell_a_looked_at_card_only_to_its_owner() -> None:  # §11.3
    match = Match(["Reporter", "Pig", "Dog", "Cat"], ["Dragon"])
    happened = match.engine.decide(match.states, 0, ME, GAME.actions.read("to_bottom 1"))
    sank = next(f for f in happened if GAME.events[f.kind] == "sank")
    seen = Record(GAME.redact(match.states, 0, RIVAL))
    assert GAME.event(seen, sank.seen_by(RIVAL))["card"] is None
    assert GAME.event(seen, sank.seen_by(ME))["card"] == "castle-pig-a"


def test_others_hear_that_cards_were_looked_at_and_ordered_but_not_which() -> None:  # §11.3 §6.5
    match = Match(["Juggler", "Pig", "Dog"], ["Dragon"], play=False)
    state, log = match.state, new_log()
    play_on(state, 0, log)
    put_next(state, 0, 1, log)
    told = {GAME.events[fact.kind]: fact for fact in GAME.facts.read(log)}
    for kind_of_fact, cards in (
        ("looked", ["castle-pig-a", "city-dog-p"]),
        ("reordered", ["city-dog-p", "castle-pig-a"]),
    ):
        heard = [GAME.event(state, told[kind_of_fact].seen_by(viewer))["cards"] for viewer in (ME, RIVAL, SPECTATOR)]
        assert heard == [cards, None, None]
