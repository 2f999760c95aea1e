"""§7 Trophies and fans, §8 the final and the end, §9 playing with the Robot."""

from typing import Any

import pytest

from games.challengers.scene import ME, RIVAL, Match, Table
from ludoteca.core.record import SPECTATOR
from ludoteca.games.challengers import GAME
from ludoteca.games.challengers.components import TROPHY
from ludoteca.games.challengers.rules.tournament import ahead_of, call_the_final, end_round, tie_for_the_final
from ludoteca.games.challengers.state import State


def strongest(table: Any, champion: Any) -> None:
    """One deck that beats all others, everybody else the weakest."""
    for team in range(table.view()["robot"]["team"] + 1 if table.view()["robot"] else table.state.seats):
        table.deck(team, ["Dragon"] * 4 if team == champion else ["Newcomer"])


def play_round(table: Any) -> None:
    now = table.view()["round"]
    while table.view()["round"] == now and table.view()["phase"] in ("deck", "match"):
        seat = table.waiting()[0]
        legal = table.legal(seat)
        table.do(seat, next(a for a in ("ready", "stop", "enough", legal[0]) if a in legal))


def test_the_winner_takes_the_trophy_of_the_round() -> None:  # §7.1 §7.2
    table = Table(4)
    strongest(table, 2)
    play_round(table)
    won = table.view()["teams"][2]["trophies"]
    assert [trophy["round"] for trophy in won] == [1]
    assert table.state.trophies[2] == 1


def test_the_back_is_the_winners_secret() -> None:  # §7.3 §11.1
    table = Table(4)
    strongest(table, 2)
    play_round(table)
    assert table.view(2)["teams"][2]["trophies"][0]["fans"] in (2, 3)
    assert table.view(1)["teams"][2]["trophies"][0]["fans"] is None
    line = next(line for line in table.view(1)["standings"] if line["team"] == 2)
    assert (line["low"], line["high"]) == (2, 3)


def test_only_the_winner_hears_what_the_trophy_is_worth() -> None:  # §7.3
    table = Table(4)
    strongest(table, 2)
    for seat in range(4):
        table.do(seat, "stop")
    for seat in range(4):
        happened = table.engine.decide(table.states, 0, seat, GAME.actions.read("ready"))
    won = next(fact for fact in happened if GAME.events[fact.kind] == "trophy_won" and fact.seat == 2)
    heard = [GAME.event(table.state, won.seen_by(viewer))["fans"] for viewer in (0, 2, SPECTATOR)]
    assert heard[0] is heard[2] is None
    assert heard[1] in (2, 3)


def test_later_trophies_are_worth_more() -> None:  # §7.4
    assert [min(row) for row in TROPHY] == sorted(min(row) for row in TROPHY)


def test_fans_stay_whoever_wins() -> None:  # §7.5
    match = Match(["Clown"], ["Newcomer", "Dragon"])
    assert match.won_by() == (RIVAL, "power")
    assert match.state.fans[ME] == 2


def test_all_cards_are_gathered_after_the_match() -> None:  # §7.6
    match = Match(["Ghost", "Dog", "Pig"], ["Champion", "Newcomer", "Talent"], my_bench=("Cat",))
    assert match.own(ME) == {"Ghost": 1, "Dog": 1, "Pig": 1, "Cat": 1}
    assert match.own(RIVAL) == {"Champion": 1, "Newcomer": 1, "Talent": 1}


def arranged(fans: list[int], winners: dict[int, int], seats: int = 4) -> Any:
    """After round 7: open fans, and who has won in which round (in the green park)."""
    table = Table(seats)
    state = table.state
    state.waiting[:] = 0
    state.round_number = 7
    for seat, count in enumerate(fans):
        state.fans[seat] = count
    for row, seat in winners.items():
        state.winner[row - 1, 0] = seat
        state.trophy_seen[row - 1, 0] = 1 << seat
        state.trophies[seat] += 1
        state.best_trophy[seat] = max(int(state.best_trophy[seat]), row)
    return table, state


def call(table: Any, state: State) -> list[int]:
    log = table.engine._log
    call_the_final(state, log)
    log.used = 0
    state.close()
    return state.finalists.tolist()


def test_the_two_with_most_fans_play_the_final() -> None:  # §8.1
    table, state = arranged([9, 30, 2, 20], {})
    assert call(table, state) == [1, 3]


def test_trophies_turn_over_before_the_final() -> None:  # §8.1
    table, state = arranged([0, 0, 0, 0], {7: 3, 2: 1})
    assert call(table, state)[0] == 3
    assert table.view()["teams"][3]["trophies"][0]["fans"] in (9, 10)


def test_more_trophies_decide_a_tie() -> None:  # §8.2
    table, state = arranged([40, 10, 10, 0], {})
    state.trophies[1], state.best_trophy[1] = 1, 7
    state.trophies[2], state.best_trophy[2] = 2, 5
    assert call(table, state) == [0, 2]


def test_then_the_trophy_of_the_latest_round() -> None:  # §8.2
    table, state = arranged([40, 10, 10, 0], {})
    state.trophies[1] = state.trophies[2] = 2
    state.best_trophy[1], state.best_trophy[2] = 6, 5
    assert call(table, state) == [0, 1]


def test_then_the_flag_is_tossed() -> None:  # §8.3
    second = set()
    for seed in range(20):
        table, state = arranged([40, 10, 10, 0], {})
        state.rng = seed
        second.add(call(table, state)[1])
        assert table.view()["final"]["by_lot"]
    assert second == {1, 2}


def test_a_tie_that_decides_nothing_needs_no_toss() -> None:  # §8.3
    table, state = arranged([40, 40, 10, 10], {})
    assert not tie_for_the_final(state)
    assert call(table, state) == [0, 1]
    assert [ahead_of(state, seat) for seat in (0, 1)] == [0, 1]
    assert not table.view()["final"]["by_lot"]


def test_before_the_final_cards_may_be_removed_but_not_drawn() -> None:  # §8.4
    table, state = arranged([40, 30, 10, 0], {})
    call(table, state)
    assert table.waiting() == [0, 1]
    assert all(action == "ready" or action.startswith("remove ") for action in table.legal(0))


def test_the_winner_of_the_final_is_the_champion() -> None:  # §8.5 §8.9
    table, state = arranged([40, 30, 30, 0], {5: 2})
    call(table, state)
    table.deck(0, ["Newcomer"])
    table.deck(2, ["Dragon"])
    table.do(0, "ready")
    table.do(2, "ready")
    assert table.told("match_began")[0]["team"] == 2  # who has the latest trophy opens
    assert table.told("match_began")[0]["park"] == table.told("match_won")[0]["park"] == "final"
    assert table.view()["champion"] == 2
    assert table.engine.result(table.states).ranks == [2, 3, 1, 4]
    assert table.view()["over"] == "final"


def test_who_was_in_the_final_comes_before_an_equal_who_was_not() -> None:  # §8.9
    table, state = arranged([40, 10, 10, 0], {})
    _, lucky = call(table, state)
    table.deck(0, ["Dragon", "Dragon"])
    table.deck(lucky, ["Newcomer"])
    table.do(0, "ready")
    table.do(lucky, "ready")
    ranks = table.engine.result(table.states).ranks
    assert (ranks[0], ranks[lucky], ranks[3 - lucky], ranks[3]) == (1, 2, 3, 4)


def test_equal_in_everything_shares_a_place() -> None:  # §8.9
    table, state = arranged([40, 30, 10, 10], {})
    call(table, state)
    table.do(0, "ready")
    table.do(1, "ready")
    while table.waiting():
        table.do(table.waiting()[0], table.legal(table.waiting()[0])[-1])
    assert table.engine.result(table.states).ranks[2:] == [3, 3]


def test_two_players_play_no_final() -> None:  # §8.6
    for seed in range(30):
        table = Table(2, seed=seed)
        table.play_all()
        assert table.view()["final"] is None
        if table.view()["over"] == "rounds":
            break
    assert table.view()["over"] == "rounds"
    scores = table.engine.result(table.states).scores
    assert table.view()["champion"] == scores.index(max(scores))


@pytest.mark.parametrize(
    ("trophies", "best", "champion"), [((3, 4), (7, 6), 1), ((3, 3), (6, 7), 1), ((3, 3), (7, 6), 0)]
)
def test_two_players_with_equal_fans_are_told_apart_by_trophies(
    trophies: tuple[int, ...], best: tuple[int, ...], champion: int
) -> None:  # §8.6 §8.2
    table, state = arranged([20, 20], {}, seats=2)
    state.trophies[:2], state.best_trophy[:2] = trophies, best
    end_round(state, table.engine._log)
    table.engine._log.used = 0
    state.close()
    assert (table.view()["champion"], table.view()["over"]) == (champion, "rounds")


@pytest.mark.parametrize(("fans", "over"), [(8, None), (9, "lead")])
def test_a_lead_of_eleven_wins_at_once(fans: int, over: str | None) -> None:  # §8.7
    table = Table(2)
    strongest(table, 0)
    state = table.state
    state.trophy[0, 0] = 2
    state.fans[0] = fans
    play_round(table)
    assert table.view()["over"] == over


def test_a_lead_decides_nothing_in_company() -> None:  # §8.7
    table = Table(4)
    strongest(table, 0)
    table.state.fans[0] = 30
    play_round(table)
    assert (table.view()["round"], table.view()["over"]) == (2, None)


def test_with_two_players_all_is_open() -> None:  # §8.8
    table = Table(2)
    strongest(table, 0)
    play_round(table)
    assert table.view(1)["teams"][0]["trophies"][0]["fans"] in (2, 3)
    assert table.view()["lead_to_win"] == 11


# §9


def test_the_robot_has_no_deck_phase() -> None:  # §9.4
    table = Table(3)
    assert table.waiting() == [0, 1, 2]
    assert table.view()["teams"][3]["step"] is None
    play_round(table)
    assert sum(e["team"] == 3 or e["rival"] == 3 for e in table.told("match_began")) == 1


def test_a_trophy_of_the_robot_goes_back_to_the_box() -> None:  # §9.5
    table = Table(3)
    strongest(table, 3)
    play_round(table)
    assert [e["team"] for e in table.told("trophy_boxed")] == [3]
    assert table.view()["teams"][3]["trophies"] == []
    assert table.state.trophies[3] == 0


def test_the_robot_takes_no_fans_in_company_and_never_plays_the_final() -> None:  # §9.6
    from ludoteca.games.challengers.rules.trophies import gain_fans

    table = Table(3)
    state = table.state
    gain_fans(state, 3, 2, 0, table.engine._log)
    assert state.fans[3] == 0
    assert {line["team"] for line in table.view()["standings"]} == {0, 1, 2}


def test_alone_the_robot_gains_fans() -> None:  # §9.10
    assert Match(["Newcomer"], ["Clown"], robot=True).state.fans[RIVAL] == 2


def test_alone_against_the_robot() -> None:  # §9.10
    table = Table(1)
    strongest(table, 1)
    for _ in range(7):
        if table.view()["over"] is None:
            play_round(table)
    assert table.view()["over"] == "lead"
    assert table.view()["champion"] == 1
    assert all(trophy["fans"] for trophy in table.view(0)["teams"][1]["trophies"])
    assert [line["team"] for line in table.view()["standings"]] == [1, 0]


@pytest.mark.parametrize(("champion", "place"), [(0, 1), (1, 2)])
def test_alone_the_reasons_say_whether_the_robot_was_better(champion: int, place: int) -> None:  # §9.10
    table = Table(1)
    strongest(table, champion)
    while table.view()["over"] is None:
        play_round(table)
    reasons = GAME.reasons(table.state)[0]
    assert table.engine.result(table.states).ranks == [1]  # of one player
    assert (reasons["place"], reasons["champion"]) == (place, champion == 0)
