"""The rules in words, the tests and the word catalogues go together."""

import json
import pathlib
import re

import pytest

from ludoteca.core.words import placeholders

ROOT = pathlib.Path(__file__).parents[2]
DOCS = ROOT / "docs" / "games"
GAMES = sorted(path.name.removesuffix(".it.md") for path in DOCS.glob("*.it.md"))


def paragraphs(path: pathlib.Path) -> list[str]:
    return re.findall(r"^\*\*§([\d.]+)\*\*", path.read_text("utf-8"), re.MULTILINE)


def test_splendor_is_among_the_games():
    assert "splendor" in GAMES


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_is_cited_by_a_test(game):
    cited = set()
    for path in (ROOT / "tests" / "games" / game).glob("test_*.py"):
        cited |= set(re.findall(r"§([\d.]+\d)", path.read_text("utf-8")))
    missing = [number for number in paragraphs(DOCS / f"{game}.md") if number not in cited]
    assert not missing, f"no test cites §{', §'.join(missing)}"


@pytest.mark.parametrize("game", GAMES)
def test_every_cited_rule_exists(game):
    known = set(paragraphs(DOCS / f"{game}.md"))
    for path in (ROOT / "tests" / "games" / game).glob("test_*.py"):
        for number in re.findall(r"§(\d+\.[\d.]*\d)", path.read_text("utf-8")):
            assert number in known, f"{path.name} cites §{number}, which is not in the rules"


@pytest.mark.parametrize("game", GAMES)
def test_both_languages_have_the_same_numbered_rules(game):
    english, italian = paragraphs(DOCS / f"{game}.md"), paragraphs(DOCS / f"{game}.it.md")
    assert english == italian
    assert len(english) == len(set(english))


FOLDERS = [ROOT / "src/ludoteca", *sorted((ROOT / "src/ludoteca/games").glob("*"))]


@pytest.mark.parametrize("folder", [f for f in FOLDERS if (f / "words").is_dir()], ids=lambda f: f.name)
def test_both_languages_say_the_same_things(folder):
    english, italian = (json.loads((folder / "words" / f"{code}.json").read_text("utf-8")) for code in ("en", "it"))
    assert english.keys() == italian.keys()
    for key, template in english.items():
        ours, theirs = (placeholders(t) for t in (template, italian[key]))
        assert ours == theirs, f"{key}: {ours ^ theirs}"
