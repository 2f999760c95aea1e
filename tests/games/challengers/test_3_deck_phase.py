"""§2 Rounds, §3 new cards, §4 removing cards."""

import itertools
from typing import Any

import pytest

from games.challengers.scene import ME, Table, kind
from ludoteca.core.errors import IllegalAction
from ludoteca.core.keyed import SeededStream, orders
from ludoteca.core.record import SPECTATOR, Record
from ludoteca.games.challengers import GAME
from ludoteca.games.challengers.components import COPIES, IN_LEVEL, KINDS, SET


def ready(table: Any, *seats: int) -> None:
    for seat in seats:
        table.do(seat, "stop", "ready")


def skip_to(table: Any, round_number: int) -> None:
    """Everybody plays with the starting cards until that round."""
    while table.view()["round"] < round_number:
        seat = table.waiting()[0]
        legal = table.legal(seat)
        table.do(seat, next(a for a in ("ready", "stop", legal[0]) if a in legal))


def test_seven_rounds_then_the_final() -> None:  # §2.1 §2.4
    table = Table(3, seed=4)
    assert table.view()["rounds"] == 7
    table.play_all()
    assert [e["round"] for e in table.told("round_began")] == [2, 3, 4, 5, 6, 7]
    assert len(table.told("match_began")) == 7 * 2 + 1


def test_matches_begin_when_all_are_ready() -> None:  # §2.2 §2.3
    table = Table(4)
    assert table.waiting() == [0, 1, 2, 3]
    ready(table, 2, 0, 3)
    assert table.waiting() == [1]
    assert table.told("match_began") == []
    ready(table, 1)
    assert len(table.told("match_began")) == 2


@pytest.mark.parametrize("order", list(itertools.permutations(range(3)))[:4])
def test_the_order_of_decisions_changes_nothing(order: Any) -> None:  # §3.1 §3.9
    chosen = {
        0: ["mark 1", "mark 4", "redraw", "pick 4", "pick 1", "ready"],
        1: ["pick 2", "mark 1", "redraw", "pick 1", "remove city-newcomer-p", "ready"],
        2: ["stop", "remove city-dog-p", "remove city-talent-p", "ready"],
    }
    straight, mixed = Table(3, seed=9), Table(3, seed=9)
    for seat, actions in chosen.items():
        straight.do(seat, *actions)
    queue = {seat: list(chosen[seat]) for seat in order}
    while any(queue.values()):
        for seat in order:
            if queue[seat]:
                mixed.do(seat, queue[seat].pop(0))
    assert straight.states.tobytes() == mixed.states.tobytes()


@pytest.mark.parametrize(
    ("round_number", "levels"),
    [
        (1, {"A": 2}),
        (2, {"A": 2}),
        (3, {"A": 2, "B": 1}),
        (4, {"A": 2, "B": 2}),
        (5, {"B": 2}),
        (6, {"B": 2, "C": 1}),
        (7, {"C": 2}),
    ],
)
def test_levels_and_picks_of_each_round(round_number: int, levels: dict[str, int]) -> None:  # §3.2
    table = Table(4, seed=2)
    assert {entry["level"]: entry["picks"] for entry in table.view()["schedule"][round_number - 1]["levels"]} == levels
    skip_to(table, round_number)
    if len(levels) == 1:
        assert table.view()["teams"][ME]["picks"] == next(iter(levels.values()))
    else:
        assert table.legal(ME) == [f"choose_level {level}" for level in levels]
        for level, picks in levels.items():
            again = Table(4, seed=2)
            skip_to(again, round_number)
            for seat in range(4):
                again.do(seat, f"choose_level {level}")
            assert (again.view()["teams"][ME]["level"], again.view()["teams"][ME]["picks"]) == (level, picks)


def test_five_cards_are_drawn_and_only_their_owner_sees_them() -> None:  # §3.3 §11.2
    table = Table(3)
    for seat in range(3):
        mine = table.view(seat)["you"]["display"]
        assert len([card for card in mine if card]) == 5
    assert GAME.redact(table.states, 0, 1)["display"][0][0].tolist() == [-1] * 5


def test_others_hear_that_cards_come_and_go_but_not_which() -> None:  # §11.2
    table = Table(3)
    table.display(ME, ["Pig", "Cat", "Pony"])
    table.do(ME, "mark 1")
    for action, kind_of_fact, fact_of in [("redraw", "redrew", "cards"), ("pick 2", "picked", "card")]:
        happened = table.engine.decide(table.states, 0, ME, GAME.actions.read(action))
        told = next(fact for fact in happened if GAME.events[fact.kind] == kind_of_fact)
        heard = [GAME.event(table.state, told.seen_by(viewer))[fact_of] for viewer in (ME, 1, SPECTATOR)]
        assert heard[0] is not None
        assert heard[1] is heard[2] is None


def test_two_may_be_picked() -> None:  # §3.4
    table = Table(2)
    table.display(ME, ["Pig", "Cat", "Pony"])
    table.do(ME, "pick 2", "pick 1")
    assert table.own(ME)["Cat"] == table.own(ME)["Pig"] == 1
    with pytest.raises(IllegalAction, match="only remove cards"):
        table.do(ME, "pick 3")


def test_a_card_that_was_picked_no_longer_lies_there() -> None:  # §3.4
    table = Table(2)
    table.display(ME, ["Pig", "Cat", "Pony"])
    table.do(ME, "pick 2")
    assert [action for action in table.legal(ME) if action.startswith("pick")] == ["pick 1", "pick 3"]


def test_everybody_hears_in_each_round_what_was_drawn() -> None:  # §3.3
    table = Table(3)
    skip_to(table, 2)
    drew = table.told("drew")[-3:]
    assert [event["seat"] for event in drew] == [0, 1, 2]
    assert [event["cards"] for event in drew] == [table.view(seat)["you"]["display"] for seat in range(3)]


def test_who_has_picked_every_card_goes_on_to_removing() -> None:  # §3.4 §4.1
    table = Table(2)
    table.display(ME, ["Pig"])
    table.do(ME, "pick 1")  # a second one could be picked, but there is none
    assert table.view()["teams"][ME]["step"] == "trim"


def test_the_player_hears_which_cards_were_drawn_place_by_place() -> None:  # §3.3 §11.3
    table = Table(2)
    table.do(ME, "mark 2", "redraw")
    drew = table.told("redrew")[0]
    assert drew["cards"] == table.view(ME)["you"]["display"]
    assert len(set(drew["cards"])) > 2
    assert drew["count"] == 1


@pytest.mark.parametrize("picks", [0, 1])
def test_fewer_are_allowed(picks: int) -> None:  # §3.4
    table = Table(2)
    table.do(ME, *["pick 1"][:picks], "stop")
    assert table.state.deck_size[ME] == 6 + picks


def test_one_redraw_of_any_number() -> None:  # §3.5
    table = Table(2)
    before = table.view(ME)["you"]["display"]
    table.do(ME, "mark 1", "mark 3", "mark 5", "redraw")
    after = table.view(ME)["you"]["display"]
    assert (before[1], before[3]) == (after[1], after[3])
    assert table.told("redrew")[0]["count"] == 3
    with pytest.raises(IllegalAction, match="already redrawn"):
        table.do(ME, "mark 1")
    stack = table.view()["stacks"][0]
    assert stack["left"] == 82 - 10 - 3


def test_all_five_may_be_redrawn() -> None:  # §3.5
    table = Table(2)
    table.do(ME, *[f"mark {n}" for n in range(1, 6)], "redraw")
    assert table.state.taken[0, ME] == 10


def test_the_redraw_may_come_between_two_picks() -> None:  # §3.6
    table = Table(2)
    table.display(ME, ["Pig", "Cat", "Pony"])
    table.do(ME, "pick 1", "mark 2", "redraw")
    assert table.own(ME)["Pig"] == 1
    with pytest.raises(IllegalAction, match="no card"):
        table.do(ME, "pick 1")
    table.do(ME, "pick 2")


def test_cards_to_redraw_are_marked_from_left_to_right() -> None:  # §3.5
    table = Table(2)
    table.do(ME, "mark 3")
    with pytest.raises(IllegalAction, match="left to right"):
        table.do(ME, "mark 2")
    with pytest.raises(IllegalAction, match="First draw"):
        table.do(ME, "pick 1")


def test_what_is_not_picked_is_discarded_face_down() -> None:  # §3.7
    table = Table(2, seed=5)
    table.do(0, "pick 1", "stop", "ready")
    ready(table, 1)
    state = table.state
    assert state.discards_size[0] == 9
    for viewer, known in ((0, 4), (1, 5), (15, 0)):
        seen = GAME.redact(table.states, 0, viewer)["discards"][0][0]
        assert (seen[:9] >= 0).sum() == known


def test_discards_return_when_the_deck_is_too_small() -> None:  # §3.8
    table = Table(2, seed=6)
    state = table.state
    state.discards[0, :30] = kind("Pig")
    state.discards_size[0] = 30
    state.stack_size[0] = 29  # ten were drawn: 19 are left, fewer than ten for each of two
    state.stack[0, 29:] = -1
    state.close()
    ready(table, 0, 1)  # the ten displayed cards join the discards, then round 2 begins
    state = table.state
    assert state.round_number == 2
    assert (state.discards_size[0], state.stack_size[0]) == (0, 19 + 40)


def test_discards_are_shuffled_and_put_under_the_deck() -> None:  # §3.8
    orders = set()
    for seed in range(3):
        table = Table(2)
        state = table.state
        state.rng = seed
        left = state.stack[0, 10:29].tolist()
        state.discards[0, :30] = range(30)
        state.discards_size[0] = 30
        state.stack_size[0] = 29
        state.close()
        ready(table, 0, 1)
        state = table.state
        seen = [state.display[seat, place] for place in range(5) for seat in (1, 0)]  # the ten uppermost
        assert [*seen, *state.stack[0, 10:19].tolist()] == left
        orders.add(tuple(state.stack[0, 19:59].tolist()))
    assert len(orders) == 3


@pytest.mark.parametrize(("left", "then"), [(7, 27), (9, 9)])
def test_a_closed_level_takes_its_discards_back_only_for_the_matches(left: int, then: int) -> None:  # §3.8 §6.20
    """Level C is closed in round 2, so nine cards are enough; seven are too few for the park."""
    table = Table(2)
    state = table.state
    state.discards[2, :20] = kind("Dragon")
    state.discards_size[2], state.stack_size[2] = 20, left
    state.close()
    ready(table, 0, 1)
    state = table.state
    assert (state.round_number, state.stack_size[2], state.discards_size[2]) == (2, then, 20 - (then - left))


def test_a_large_deck_keeps_its_discards_apart() -> None:  # §3.8
    table = Table(2, seed=6)
    ready(table, 0, 1)
    assert (table.state.discards_size[0], table.state.stack_size[0]) == (10, 72)


def test_shares_of_a_level_deck() -> None:  # §3.9
    table = Table(3, seed=8)
    state = table.state
    stream = SeededStream(8)
    table.engine.setup(table.engine.new(), 0, 3, {}, 8, stream)
    level_a = dict(orders(GAME.shuffles(state), stream.drawn))["level_A"]
    assert len(level_a) == 82
    dealt = [[int(state.display[seat, place]) for seat in range(3)] for place in range(5)]
    kinds = [k for k in range(KINDS) if IN_LEVEL[0, k] and SET[k] != state.left_out]
    sorted_cards = [k for k in kinds for _ in range(int(COPIES[k]))]
    assert [k for row in dealt for k in row] == [sorted_cards[n] for n in level_a[:15]]
    table.do(2, "mark 1", "redraw")
    assert table.state.display[2, 0] == sorted_cards[level_a[15 + 2]]


def scarce(level_deck: int, seats: int = 2, seed: int = 1) -> Any:
    """Everybody has drawn five cards from a level deck that had so many."""
    table = Table(seats, seed=seed)
    state = table.state
    state.stack[0, level_deck:] = -1
    state.stack_size[0] = level_deck
    state.close()
    return table


def test_in_each_round_another_player_has_the_first_share() -> None:  # §3.9
    table = Table(2)
    uppermost = table.state.stack[0, 10:20].tolist()
    ready(table, 0, 1)
    assert [table.state.display[1, n] for n in range(5)] == uppermost[::2]
    assert [table.state.display[0, n] for n in range(5)] == uppermost[1::2]


def test_a_level_is_secret_until_all_have_chosen() -> None:  # §3.2
    table = Table(3, seed=4)
    skip_to(table, 3)
    told = len(table.events)
    table.do(1, "choose_level B")
    assert table.waiting() == [0, 2]
    assert len(table.events) == told
    assert table.view(0)["teams"][1]["level"] is None
    assert (table.view(1)["you"]["wanted"], table.view(0)["you"]["wanted"]) == ("B", None), "only its owner reads it"
    assert GAME.redact(table.states, 0, 0)["wanted"][0].tolist() == [-1] * 8
    table.do(0, "choose_level A")
    table.do(2, "choose_level B")
    assert table.waiting() == [0, 1, 2]
    assert table.view(1)["you"]["wanted"] is None
    assert [(e["seat"], e["level"]) for e in table.told("level_chosen")[-3:]] == [(0, "A"), (1, "B"), (2, "B")]


def test_a_level_deck_is_divided_among_those_who_chose_it() -> None:  # §3.9
    """Round 4 with eight players: 34 cards of level A are left, and one player wants some."""
    table = Table(8)
    skip_to(table, 4)
    state = table.state
    state.discards_size[0], state.stack_size[0] = 0, 34
    state.close()
    for seat in range(8):
        table.do(seat, "choose_level A" if seat == 6 else "choose_level B")
    assert all(table.view(6)["you"]["display"])
    before = [int(kind) for kind in table.state.stack[0, 5:10]]
    table.do(6, *[f"mark {n}" for n in range(1, 6)], "redraw")
    assert [int(kind) for kind in table.state.display[6]] == before


@pytest.mark.parametrize("level_deck", [10, 9])
def test_a_redraw_that_could_replace_nothing_is_not_offered(level_deck: int) -> None:  # §3.5
    table = scarce(level_deck)
    assert not any(action.startswith("mark") for action in table.legal(ME))
    assert not table.view()["teams"][ME]["redraw"]
    with pytest.raises(IllegalAction, match="no card left"):
        table.do(ME, "mark 1")


def test_a_redraw_comes_at_once_if_the_deck_has_as_many_for_everybody() -> None:  # §3.9
    table = scarce(14)
    fresh = [int(table.state.stack[0, n]) for n in (10, 12)]
    table.do(ME, "mark 2", "mark 4", "redraw")
    assert [int(table.state.display[ME, n]) for n in (1, 3)] == fresh


def test_a_redraw_brings_other_cards_as_long_as_the_deck_has_any() -> None:  # §3.9
    """Eight players, a full redraw: fourteen cards are left, nobody else wants any."""
    table = scarce(54, seats=8)
    before, left = table.state.display[5].tolist(), table.state.stack[0, 40:54].tolist()
    table.do(5, *[f"mark {n}" for n in range(1, 6)], "redraw")
    assert 5 not in table.waiting()
    assert table.view()["teams"][5]["step"] == "awaiting"
    ready(table, 0, 1, 2, 3, 4, 6)
    assert table.waiting() == [7]
    table.do(7, "stop")
    assert table.waiting() == [5, 7]
    assert set(table.state.display[5].tolist()) <= set(left)
    assert sorted(before) == [k for k, n in enumerate(table.state.leaving[5].tolist()) for _ in range(n)]
    assert table.told("redrew")[0]["count"] == 5


def test_scarce_cards_are_dealt_to_all_who_redraw_in_turn() -> None:  # §3.9
    table = scarce(13, seats=2)
    for seat in (1, 0):
        table.do(seat, *[f"mark {n}" for n in range(1, 6)], "redraw")
    assert table.waiting() == [0, 1]
    assert [int(table.state.leaving[seat].sum()) for seat in range(2)] == [2, 1]
    assert [e["count"] for e in table.told("redrew")] == [2, 1]
    assert table.view()["stacks"][0]["left"] == 0


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_redraw_that_brought_nothing_is_not_used_up(order: tuple[int, ...]) -> None:  # §3.5, §3.9
    """Eleven cards for two: one is left, and both want one."""
    table = scarce(11)
    for seat in order:
        table.do(seat, "mark 1", "redraw")
    counts = {e["seat"]: e["count"] for e in table.told("redrew")}
    assert sorted(counts.values()) == [0, 1]
    for seat, count in counts.items():
        assert table.state.redraws[seat] == 1 - count
        assert not any(action.startswith("mark") for action in table.legal(seat))  # the deck has nothing for it
        with pytest.raises(IllegalAction, match="no card left" if count == 0 else "already redrawn"):
            table.do(seat, "mark 1")
        table.do(seat, "pick 1")


def test_when_the_deck_is_used_up_discarded_cards_come_back_by_chance() -> None:  # §3.9
    places = set()
    for seed in range(12):
        table = scarce(11)
        table.state.streams[ME] = seed
        table.display(ME, ["Pig", "Cat", "Pony", "Spider", "Parrot"])
        table.state.stack[0, 10] = kind("Jester")
        table.do(ME, "mark 1", "mark 2", "mark 3", "redraw")
        table.do(1, "stop")
        shown = table.view(ME)["you"]["display"]
        assert shown.count("castle-jester-a") == 1
        assert table.state.leaving[ME].sum() == 1
        places.add(shown.index("castle-jester-a"))
    assert places == {0, 1, 2}


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_the_order_of_scarce_redraws_changes_nothing(order: Any) -> None:  # §3.9
    chosen = {
        0: ["mark 1", "mark 2", "mark 3", "mark 4", "redraw", "pick 1", "stop"],
        1: ["pick 2", "mark 1", "mark 3", "redraw", "pick 1"],
        2: ["mark 5", "redraw", "stop", "ready"],
    }
    ends = []
    for seats in ((0, 1, 2), order):
        table = scarce(19, seats=3)
        queue = {seat: list(chosen[seat]) for seat in seats}
        while any(queue.values()):
            for seat in seats:
                while queue[seat] and seat in table.waiting():
                    table.do(seat, queue[seat].pop(0))
        ends.append(table.states.tobytes())
    assert ends[0] == ends[1]


def test_a_small_deck_gives_fewer_cards() -> None:  # §3.9
    table = Table(3)
    skip_to(table, 3)
    state = table.state
    state.stack_size[0], state.discards_size[0] = 7, 0
    for seat in range(3):
        table.do(seat, "choose_level B" if seat == 1 else "choose_level A")
    assert [5 - table.state.display[seat].tolist().count(-1) for seat in range(3)] == [3, 5, 4]


def test_a_card_with_an_effect_when_chosen_is_shown() -> None:  # §3.10
    table = Table(2, sets="without_castle")
    table.display(ME, ["Clones", "Cow"])
    table.do(ME, "pick 1", "pick 2")
    shown = {entry["card"] for entry in table.view(1)["teams"][ME]["shown"]}
    assert "outer-space-clones-b" in shown
    assert "outer-space-cow-a" not in shown


def test_one_card_stays_even_in_an_exchange() -> None:  # §3.11
    table = Table(2, sets="without_castle")
    table.display(ME, ["Shapeshifter", "Cow"])
    table.deck(ME, [])
    table.do(ME, "pick 1")
    assert table.view()["teams"][ME]["step"] == "draft"  # nothing to exchange


def test_the_extra_pick_comes_from_the_same_cards() -> None:  # §3.12
    table = Table(2, sets="without_castle")
    table.display(ME, ["Shapeshifter", "Cow", "Pony"])
    table.do(ME, "pick 2", "pick 1", "remove city-newcomer-p")
    assert table.legal(ME) == ["pick 3", "mark 3", "stop"]


# §4


def test_any_number_of_cards_may_be_removed() -> None:  # §4.1
    table = Table(2)
    table.do(ME, "stop", *["remove city-newcomer-p"] * 3, "remove city-dog-p", "ready")
    assert table.own(ME) == {"Talent": 1, "Champion": 1}


def test_removed_cards_go_to_the_discards_or_the_box() -> None:  # §4.2
    table = Table(2)
    table.deck(ME, ["Newcomer", "Cow", "Dog"])  # nobody can have drawn a Cow: Outer Space is not in play
    table.do(ME, "stop", "remove city-newcomer-p", "remove outer-space-cow-a", "ready")
    ready(table, 1)
    state = table.state
    assert state.boxed[ME].tolist()[0] == 1
    assert state.discards[0, : state.discards_size[0]].tolist().count(kind("Cow")) == 1
    removed = table.told("removed")
    assert [e["level"] for e in removed] == ["P", "A"]


def test_others_see_the_level_of_a_removed_card_not_the_card() -> None:  # §4.2 §11.1
    table = Table(2)
    table.do(ME, "stop")
    happened = table.engine.decide(table.states, 0, ME, GAME.actions.read("remove city-dog-p"))
    seen = GAME.event(Record(GAME.redact(table.states, 0, 1)), happened[0].seen_by(1))
    assert (seen["level"], seen["card"]) == ("P", None)
    assert table.view(1)["teams"][ME]["by_level"] == {"P": 5}


def test_one_card_stays() -> None:  # §4.3
    table = Table(2)
    table.deck(ME, ["Newcomer", "Dog"])
    table.do(ME, "stop", "remove city-newcomer-p")
    with pytest.raises(IllegalAction, match="One card must stay"):
        table.do(ME, "remove city-dog-p")


def test_what_was_removed_does_not_come_back() -> None:  # §4.4
    table = Table(2, seed=3)
    table.do(ME, "stop", "remove city-champion-p", "ready")
    ready(table, 1)
    assert "Champion" not in table.own(ME)
