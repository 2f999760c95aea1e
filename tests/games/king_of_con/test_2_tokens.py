"""§2 Tokens: waste and whip-rounds."""

from games.king_of_con.scene import Table


def looting_with_a_pool_of(pool: int, *supplies: int) -> Table:
    """Seat 2 owns a hoard that nobody wants; seat 1 owns the robot, worth 2."""
    table = Table(3)
    table.supplies(*supplies)
    table.own(2, I25=1)
    table.own(1, I18=2)
    table.pool(pool)
    table.looting()
    return table


def test_there_are_always_a_hundred_tokens() -> None:  # §2.1
    table = looting_with_a_pool_of(0, 9, 4, 0)
    assert table.tokens() == 100
    table.loot({"I18": 5}, {}, {})
    assert table.tokens() == 100


def test_wasted_tokens_lie_on_the_trash_of_their_owner() -> None:  # §2.2
    table = Table(3)
    table.monkeys(1, 2, 3)
    table.bid((1, 3), (1, 5), None)
    table.nobody_bids()
    assert table.trashes() == [3, 0, 0]
    [wasted] = table.told("wasted")
    assert (wasted["seat"], wasted["tokens"], wasted["why"]) == (0, 3, "beaten")
    assert table.view()["players"][0]["trash"] == 3


def test_in_a_whip_round_everybody_gives_one_the_payee_too() -> None:  # §2.3
    table = looting_with_a_pool_of(0, 8, 4, 3)
    table.loot({"I18": 5}, {}, {})  # the pool must add 3
    table.forget_from("devalued")
    assert table.told("whip_round")[0] == {"kind": "whip_round", "seat": None, "missing": 3, "pool": 0}
    assert [e["seat"] for e in table.told("gave")] == [0, 1, 2]
    assert table.owner("I18") == 0


def test_a_whip_round_gathers_just_what_it_takes_when_the_pool_has_some() -> None:  # §2.3
    table = looting_with_a_pool_of(2, 6, 4, 3)
    table.loot({"I18": 5}, {}, {})
    table.forget_from("devalued")
    assert len(table.told("whip_round", missing=1)) == 1
    looted = table.events.index(table.told("looted")[0])
    assert [e["kind"] for e in table.events[looted + 1 : looted + 5]] == ["whip_round", "gave", "gave", "gave"]


def test_the_paid_player_of_a_dominance_gives_too() -> None:  # §2.3
    table = Table(2)
    table.supplies(1, 4)
    table.own(1, I18=1)
    table.pool(0)
    table.show_off()  # dominance 4 is the first that is paid: both give one, seat 1 gets one
    first = table.events.index(table.told("dominated")[0])
    assert [(e["kind"], e["seat"]) for e in table.events[first + 1 : first + 4]] == [
        ("whip_round", None),
        ("gave", 0),
        ("gave", 1),
    ]


def test_the_table_shows_what_was_given_in_this_round_and_forgets_it_in_the_next() -> None:  # §2.3
    table = Table(2, monkey_control="on")
    table.monkeys(1, 2)
    table.own(0, I01=3)
    table.own(1, I02=3)
    table.pool(0)
    table.state.worth[0] = table.state.worth[1] = sum(table.state.worth[:2].tolist()) // 2  # still a tie for Sci-Fi
    table.show_off()
    table.do(0, "claim_dominance 1")
    assert table.told("gave")
    assert [p["gave"] for p in table.view()["players"]] == [0, 0]
    assert table.view()["round"] == 2


def test_another_whip_round_follows_when_one_is_not_enough() -> None:  # §2.4
    table = looting_with_a_pool_of(0, 9, 4, 0)
    table.loot({"I18": 7}, {}, {})  # five tokens missing, two players can give
    assert table.told("devalued", item="I18")[0]["value"] == 6
    table.forget_from("devalued")
    assert [e["missing"] for e in table.told("whip_round")] == [5, 3, 1]
    assert table.owner("I18") == 0


def test_when_nobody_can_give_the_pool_pays_what_it_has() -> None:  # §2.4
    table = Table(2)
    table.supplies(0, 0)
    table.own(0, I18=0)
    table.own(1, I25=0)
    state = table.state
    state.markers[0, 0] = state.pool  # out of everybody's reach
    table.pool_gives(state.pool)
    table.show_off()
    table.forget_from("new_round")
    assert len(table.told("fell_short", missing=1)) == 6
    assert table.told("gave") == []


def test_trash_and_items_are_not_touched_by_a_whip_round() -> None:  # §2.5
    table = looting_with_a_pool_of(0, 5, 0, 0)
    table.state.trash[2] += 2
    table.state.worth[24] -= 2
    table.loot({"I18": 3}, {}, {})
    assert table.told("recovered", seat=2)[0]["tokens"] == 3  # 2 and the devaluation
    table.forget_from("devalued")
    assert [e["seat"] for e in table.told("gave")] == [0, 1]


def test_the_looted_player_has_the_offer_before_the_whip_round() -> None:  # §2.6
    table = looting_with_a_pool_of(0, 4, 0, 0)
    table.loot({"I18": 4}, {}, {})  # two tokens missing; only the looted player has any
    table.forget_from("devalued")
    assert [e["seat"] for e in table.told("gave")] == [1, 1]
    assert table.owner("I18") == 0
