"""A card file with a mistake is refused in a sentence that names the line."""

import pytest

from ludoteca.core.errors import BadData
from ludoteca.games.splendor.components import COLOURS, HERE, read_components

GOOD = (HERE / "marvel.csv").read_text("utf-8").splitlines()


def read(tmp_path, lines):
    path = tmp_path / "mine.csv"
    path.write_text("\n".join(lines), "utf-8")
    return read_components(path, COLOURS[0])


def test_the_printed_file_is_read(tmp_path):
    cards, places = read(tmp_path, GOOD)
    assert (len(cards), len(places)) == (90, 8)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("M102,Rocket,1,yellow,0,1,2", "M102,Rocket,1,pink,0,1,2", "line 3: the bonus is one of yellow"),
        ("M102,Rocket,1,yellow,0,1,2", "M102,Rocket,4,yellow,0,1,2", "line 3: the level is 1, 2 or 3"),
        ("M102,Rocket,1,yellow,0,1,2", "M102,Rocket,1,yellow,0,1,x", "line 3: invalid literal"),
        ("M102,Rocket,1,yellow,0,1,2", "M102,Rocket,1,yellow,0,1,-2", "line 3: a cost is from 0 to 9"),
        ("M102,Rocket,1", "M101,Rocket,1", "the id M101 is used twice"),
        ("M102,Rocket,1", "M102,Rocket,2", "level 1 has 39 cards; it needs 40"),
        ("card,M102", "hero,M102", "line 3: the kind is card or place"),
    ],
)
def test_mistakes_are_named(tmp_path, old, new, complaint):
    lines = [line.replace(old, new) for line in GOOD]
    assert lines != GOOD
    with pytest.raises(BadData, match=complaint):
        read(tmp_path, lines)
