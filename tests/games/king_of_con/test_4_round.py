"""§4 A round."""

from games.king_of_con.scene import Table, all_tables


def test_six_rounds_of_four_phases() -> None:  # §4.1
    table = Table(2)
    phases = []
    for _ in range(6):
        phases.append((table.view()["round"], table.phase()))
        table.nobody_bids()
        phases.append((table.view()["round"], table.phase()))
        table.nobody_loots()
    assert phases == [(n, phase) for n in range(1, 7) for phase in ("hid_bid", "looting")]
    assert table.phase() == "over"
    assert len(table.told("undominated")) == 6 * 15  # the Show Off of each round
    assert len(table.told("new_round")) == 5


def test_each_booth_shows_an_item_whatever_the_number_of_players() -> None:  # §4.2
    for table in all_tables():
        top = table.state.deck[: table.state.deck_left].tolist()[::-1]
        table.nobody_bids()
        table.nobody_loots()
        assert [table.told("exposed")[n]["booth"] for n in range(4)] == [1, 2, 3, 4]
        assert table.state.booths.tolist() == top[:4]


def test_twenty_four_items_come_up_in_a_full_game_and_the_stall_takes_them_all() -> None:  # §1.5, §5.10
    table = Table(3)
    for _ in range(6):
        table.nobody_bids()
        table.nobody_loots()
    assert len(table.on_stall()) == 24
    assert table.view()["deck"] == 1
