"""The rules in words, the tests and the word catalogues go together."""

import json
import pathlib
import re
from typing import Any

import pytest

from ludoteca import catalogue
from ludoteca.core.words import LANGUAGES, placeholders
from ludoteca.core.words import catalogue as word_catalogue

ROOT = pathlib.Path(__file__).parents[2]
GAMES = catalogue.keys(catalogue.HOUSE)


def page(game: str, language: str) -> pathlib.Path:
    return catalogue.game(game).folder / "docs" / f"{language}.md"


def paragraphs(path: pathlib.Path) -> list[str]:
    return re.findall(r"^\*\*§([\d.]+)\*\*", path.read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_is_cited_by_a_test(game: Any) -> None:
    cited = set()
    for path in (ROOT / "tests" / "games" / game).glob("test_*.py"):
        cited |= set(re.findall(r"§([\d.]+\d)", path.read_text("utf-8")))
    missing = [number for number in paragraphs(page(game, "en")) if number not in cited]
    assert not missing, f"no test cites §{', §'.join(missing)}"


@pytest.mark.parametrize("game", GAMES)
def test_every_cited_rule_exists(game: Any) -> None:
    known = set(paragraphs(page(game, "en")))
    for path in (ROOT / "tests" / "games" / game).glob("test_*.py"):
        for number in re.findall(r"§(\d+\.[\d.]*\d)", path.read_text("utf-8")):
            assert number in known, f"{path.name} cites §{number}, which is not in the rules"


@pytest.mark.parametrize("game", GAMES)
def test_both_languages_have_the_same_numbered_rules(game: Any) -> None:
    english, italian = paragraphs(page(game, "en")), paragraphs(page(game, "it"))
    assert english == italian
    assert len(english) == len(set(english))


@pytest.mark.parametrize("game", GAMES)
def test_what_is_written_by_hand_names_the_same_words_in_both_languages(game: Any) -> None:
    """Actions, options, files and columns are called alike everywhere; the generated tables have their own test."""
    english, italian = (named_by_hand(page(game, language)) for language in ("en", "it"))
    assert english == italian, english ^ italian


RULING = {"en": r"\b[Rr]uling\b", "it": r"\b([Dd]ecisione|[Ii]nterpretazione)\b"}
RULINGS = {  # what the books leave open, and might be taken for a rule of theirs
    "splendor": {"2.3", "3.3", "4.1", "5.5"},  # fewer colours left; the order at the end; what stays public; discounts
    "loot": {"1.3", "7.1"},  # who rolls; the round is completed
    "king_of_con": {"5.11"},  # tokens on a Booth and off the Booths
    "challengers": {"3.9", "4.3", "9.11", "10.35"},  # one deck for all; one card stays; SOLO cards; the Rescue Pod
}


@pytest.mark.parametrize("game", GAMES)
def test_what_is_a_ruling_says_so_in_both_languages(game: Any) -> None:
    for language in ("en", "it"):
        text = page(game, language).read_text("utf-8").split("## For programs")[0].split("## Per i programmi")[0]
        told = dict(re.findall(r"^\*\*§([\d.]+)\*\*(.*?)(?=^\*\*§|\Z)", text, re.MULTILINE | re.DOTALL))
        missing = {number for number in RULINGS[game] if not re.search(RULING[language], told[number])}
        assert not missing, (language, missing)


def named_by_hand(path: pathlib.Path) -> set[str]:
    """What stands in backticks outside the generated part."""
    text = re.sub(r"<!-- generated.*?<!-- end of what is generated -->", "", path.read_text("utf-8"), flags=re.DOTALL)
    return {" ".join(word.split()) for word in re.findall(r"`([^`]+)`", text)}


FOLDERS = [ROOT / "src/ludoteca", *sorted((ROOT / "src/ludoteca/games").glob("*"))]


@pytest.mark.parametrize("folder", [f for f in FOLDERS if (f / "words").is_dir()], ids=lambda f: f.name)
def test_both_languages_say_the_same_things(folder: pathlib.Path) -> None:
    english, italian = (json.loads((folder / "words" / f"{code}.json").read_text("utf-8")) for code in ("en", "it"))
    assert english.keys() == italian.keys()
    for key, template in english.items():
        ours, theirs = (placeholders(t) for t in (template, italian[key]))
        assert ours == theirs, f"{key}: {ours ^ theirs}"


@pytest.mark.parametrize("key", GAMES)
def test_every_box_has_a_cover_a_pitch_and_names_for_its_options(key: str) -> None:
    game = catalogue.game(key)
    cover = (game.folder / "cover.svg").read_text("utf-8")
    assert f"<title>{game.title}</title>" in cover and '<view id="thumb"' in cover
    for language in LANGUAGES:
        words = word_catalogue(game.folder, language)
        wanted = {"pitch", *(f"option.{option.key}" for option in game.options)}
        wanted |= {f"option.{o.key}.{value}" for o in game.options for value in o.values if value not in o.titles}
        assert wanted <= words.keys()
