"""The measurement through the libraries' own doors goes through all of them."""

from ludoteca.lab import doors


def test_every_door_is_measured() -> None:
    rows = dict(doors.measured(["loot"], 0.003))
    assert {"vector of 1024", "PettingZoo AEC", "PettingZoo Parallel", "OpenSpiel"} <= rows.keys()
    assert all(len(figures) == 2 for figures in rows.values())
    assert "python_kuhn_poker" in rows["OpenSpiel"][-1]


def test_figures_are_short() -> None:
    assert [doors.short(figure) for figure in (1_423_000, 999_700, 105_200, 8_460)] == [
        "1.42 M",
        "1.00 M",
        "105 k",
        "8.46 k",
    ]
