"""What a seat may imagine behind the others' screens."""

from collections import Counter

from games.king_of_con.scene import ENGINE, Table
from ludoteca.core.contract import looks_uniform
from ludoteca.games.king_of_con import GAME


def imagined(table, viewer, seed):
    guess = GAME.redact(table.states, 0, viewer)
    ENGINE.determinize(guess, viewer, seed)
    return guess


def test_with_two_players_the_other_supply_is_what_is_missing_from_a_hundred():
    table = Table(2)
    table.supplies(4, 17)
    for seed in range(20):
        assert imagined(table, 0, seed)["supply"][0, :2].tolist() == [4, 17]


def test_every_way_to_share_the_hidden_tokens_is_as_likely():
    table = Table(4)
    table.supplies(4, 2, 1, 1)
    found = Counter(tuple(imagined(table, 0, seed * 977)["supply"][0, 1:4].tolist()) for seed in range(3000))
    assert set(found) == {(a, b, 4 - a - b) for a in range(5) for b in range(5 - a)}
    assert looks_uniform(found)


def test_a_sealed_hid_bid_is_any_offer_the_imagined_supply_allows():
    table = Table(2)
    table.supplies(5, 3)
    table.do(1, "bid 2 1")
    found = Counter()
    for seed in range(3000):
        quadrant = imagined(table, 0, seed * 31)["quadrant"][0, 1]
        found[tuple((int(i), int(quadrant[i])) for i in quadrant.nonzero()[0])] += 1
    assert set(found) == {()} | {((i, n),) for i in table.state.booths.tolist() for n in (1, 2, 3)}
    assert looks_uniform(found)


def test_sealed_loot_is_on_items_in_play_and_within_the_imagined_supply():
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


def test_ones_own_passion_that_went_back_is_nobody_elses():
    table = Table(5)
    mine = set(table.state.passions[0].tolist())
    for seed in range(50):
        others = imagined(table, 0, seed)["passions"][0, 1:].reshape(-1).tolist()
        assert sorted([*mine, *others]) == list(range(15))
