"""What a seat may imagine behind the others' screens."""

from collections import Counter
from typing import Any

from games.king_of_con.scene import ENGINE, Table
from ludoteca.core.contract import looks_uniform
from ludoteca.games.king_of_con import GAME
from ludoteca.games.king_of_con.components import ITEMS, PASSIONS, TRAITS


def imagined(table: Any, viewer: int, seed: int) -> Any:
    guess = GAME.redact(table.states, 0, viewer)
    ENGINE.determinize(guess, viewer, seed)
    return guess


def test_with_two_players_the_other_supply_is_what_is_missing_from_a_hundred() -> None:
    table = Table(2)
    table.supplies(4, 17)
    for seed in range(20):
        assert imagined(table, 0, seed)["supply"][0, :2].tolist() == [4, 17]


def test_every_way_to_share_the_hidden_tokens_is_as_likely() -> None:
    table = Table(4)
    table.supplies(4, 2, 1, 1)
    found = Counter(tuple(imagined(table, 0, seed * 977)["supply"][0, 1:4].tolist()) for seed in range(3000))
    assert set(found) == {(a, b, 4 - a - b) for a in range(5) for b in range(5 - a)}
    assert looks_uniform(found)


def test_a_sealed_hid_bid_is_any_offer_the_imagined_supply_allows() -> None:
    table = Table(2)
    table.supplies(5, 3)
    table.do(1, "bid 2 1")
    found = Counter[Any]()
    for seed in range(3000):
        quadrant = imagined(table, 0, seed * 31)["quadrant"][0, 1]
        found[tuple((int(i), int(quadrant[i])) for i in quadrant.nonzero()[0])] += 1
    assert set(found) == {()} | {((i, n),) for i in table.state.booths.tolist() for n in (1, 2, 3)}
    assert looks_uniform(found)


def test_sealed_loot_is_on_items_in_play_and_within_the_imagined_supply() -> None:
    table = Table(3)
    table.own(0, I18=3)
    table.stall("I01", "I25")
    table.looting()
    table.do(1, "place I01 3")
    table.do(1, "seal")
    used = set()
    for seed in range(300):
        guess = imagined(table, 0, seed)
        assert guess["quadrant"][0, 1].sum() <= guess["supply"][0, 1]
        assert guess["quadrant"][0, 2].sum() == 0  # has not sealed
        used |= set(guess["quadrant"][0, 1].nonzero()[0].tolist())
    assert used == {0, 17, 24}


def test_ones_own_passion_that_went_back_is_nobody_elses() -> None:
    table = Table(5)
    mine = set(table.state.passions[0].tolist())
    for seed in range(50):
        others = imagined(table, 0, seed)["passions"][0, 1:].reshape(-1).tolist()
        assert sorted([*mine, *others]) == list(range(15))


# How the search guesses.


def thought(table: Any, viewer: int, seed: int) -> Any:
    guess = GAME.redact(table.states, 0, viewer)
    ENGINE.call("imagine", guess, 0, viewer, seed)
    return guess


def test_the_search_shares_out_all_hidden_tokens_and_wild_differences_are_rare() -> None:
    table = Table(4)
    table.supplies(4, 6, 6, 6)
    table.states["round_number"][0] = 5
    fair, likely = (Counter(int(f(table, 0, seed)["supply"][0, 1]) for seed in range(500)) for f in (imagined, thought))
    for seed in range(100):
        supply = thought(table, 0, seed)["supply"][0, :4]
        assert supply[0] == 4 and supply[1:].sum() == 18 and supply.min() >= 0
    extremes = (0, *range(14, 19))
    assert 0 < sum(likely[n] for n in extremes) < sum(fair[n] for n in extremes) / 3


def test_in_the_first_round_nobody_is_thought_to_be_rich_and_later_some_are() -> None:
    """Everybody has begun with as much: whoever thought otherwise saw a richer rival in every guess, and little hope."""
    table, widest = Table(4), list[int]()
    for number in (1, 2, 3, 5):
        table.states["round_number"][0] = number
        shares = [thought(table, 0, seed)["supply"][0, 1:4] for seed in range(60)]
        widest.append(max(int(share.max() - share.min()) for share in shares))
    assert widest[0] == 0 < widest[1] < widest[2] < widest[3]


def test_what_somebody_collects_tells_the_search_of_their_passions() -> None:
    """Imagined with Passions that have nothing to do with what they collect, everybody else seemed to be losing."""
    table = Table(3)
    known = set(table.states["passions"][0, 0].tolist())
    trait = next(number for number in range(PASSIONS) if number not in known)
    table.states["location"][0][[item for item in range(ITEMS) if trait in TRAITS[item]][:3]] = 1
    kept = Counter(int(one) for seed in range(400) for one in thought(table, 0, seed)["passions"][0, 1, :2])
    fair = Counter(int(one) for seed in range(400) for one in imagined(table, 0, seed)["passions"][0, 1, :2])
    assert known.isdisjoint(kept)
    assert kept[trait] > 2 * fair[trait]
    hands = [thought(table, 0, seed)["passions"][0, :3].reshape(-1).tolist() for seed in range(40)]
    assert all(len(set(hand)) == len(hand) for hand in hands), "every Passion is in one place"


def test_for_the_search_everybody_decides_together_whoever_sealed_first() -> None:
    table = Table(3)
    table.do(1, "bid 2 5")
    guess = thought(table, 0, 7)
    assert guess["waiting"][0, :3].tolist() == [1, 1, 1]
    assert not guess["quadrant"][0, 1].any()
    assert guess["supply"][0, :3].sum() == 30


def test_what_the_search_does_not_ask_again() -> None:
    """Its own offers, and decisions that are no secret: a tie is settled by one player."""
    table = Table(2)
    table.own(0, I18=3)
    table.looting()
    table.do(0, "place I18 2")
    assert thought(table, 0, 7)["quadrant"][0, 0, 17] == 2
    tied = Table(2, monkey_control="on")
    tied.bid((1, 2), (1, 2))
    tied.nobody_bids()
    waiting = tied.state.waiting.tolist()
    assert sum(waiting) == 1
    assert thought(tied, 0, 7)["waiting"][0].tolist() == waiting
