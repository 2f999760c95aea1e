"""A game's cover travels with it, so it must need nothing of the page that shows it."""

import re

import pytest

from ludoteca import catalogue


@pytest.mark.parametrize("key", catalogue.keys(catalogue.HOUSE))
def test_a_cover_has_all_it_draws_within(key: str) -> None:
    picture = (catalogue.listed(key).folder / "cover.svg").read_text("utf-8")
    used = re.findall(r'(?:href="#|url\(#)([\w-]+)', picture)
    assert set(used) <= set(re.findall(r'\bid="([\w-]+)"', picture))
    assert not re.findall(r"var\(--(?!font)[\w-]+\)", picture), "colours of the page"
