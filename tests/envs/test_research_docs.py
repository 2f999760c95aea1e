"""Every snippet of docs/research.md runs, and its tables are those of the code."""

import os
import pathlib
import re
import tomllib

import pytest

from ludoteca import catalogue

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "research.md"
SNIPPETS = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


def test_there_are_snippets() -> None:
    assert len(SNIPPETS) >= 10


def test_the_page_names_every_id_and_every_extra() -> None:
    text = PAGE.read_text("utf-8")
    for key in catalogue.keys(catalogue.HOUSE):
        seats = catalogue.game(key).seats
        assert f"| `ludoteca/{key}-v1` | {min(seats)} to {max(seats)} |" in text
    project = tomllib.loads((PAGE.parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
    for extra in set(project["optional-dependencies"]) - {"test", "check", "docs"}:  # for those who work on it
        assert f"\n| `{extra}` |" in text


def test_pictures_are_there_and_small() -> None:
    found = re.findall(r"\]\((images/[^)]+)\)", PAGE.read_text("utf-8"))
    assert len(found) >= 5
    for name in found:
        assert (PAGE.parent / name).stat().st_size < 60_000


@pytest.mark.parametrize("number", range(len(SNIPPETS)))
def test_snippet_runs(
    number: int, capsys: pytest.CaptureFixture[str], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # a snippet may write a file
    if "ludoteca.lab import learn" in SNIPPETS[number]:
        pytest.importorskip("torch", reason='PyTorch is not installed: pip install "ludoteca[learn]"')
    exec(compile(SNIPPETS[number], f"snippet {number + 1}", "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out


def tables() -> str:
    lines = []
    for key in catalogue.keys(catalogue.HOUSE):
        game = catalogue.game(key)
        lines += [f"### {game.title}", "", "| part | numbers |", "|---|---|"]
        lines += [f"| {name} | {size} |" for name, size in game.observation_names]
        lines += [f"| **all** | **{game.observation}** |", ""]
    return "\n".join(lines)


def test_observation_tables_are_those_of_the_code() -> None:
    marked = re.compile(r"(<!-- observation tables.*?-->\n)(.*)", re.DOTALL)
    text = PAGE.read_text("utf-8")
    wanted = marked.sub(lambda m: f"{m[1]}\n{tables()}", text)
    if os.environ.get("LUDOTECA_GOLDEN") == "write":
        PAGE.write_text(wanted, "utf-8")
    assert PAGE.read_text("utf-8") == wanted, "run again with LUDOTECA_GOLDEN=write"


@pytest.mark.parametrize("key", catalogue.keys(catalogue.HOUSE))
def test_named_parts_add_up(key: str) -> None:
    game = catalogue.game(key)
    assert sum(size for _, size in game.observation_names) == game.observation
