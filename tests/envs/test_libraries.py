"""docs/libraries.md, block by block: each is run where its library is installed."""

import ast
import importlib.util
import pathlib
import re
from typing import Any

import pytest

PAGE = (pathlib.Path(__file__).parents[2] / "docs" / "libraries.md").read_text("utf-8")
BLOCKS = dict(re.findall(r"\n## ([^\n]+)\n.*?```python\n(.*?)```", PAGE, re.S))
NEEDED = {"Minari": "h5py"}  # what a block needs without importing it itself


def imported(block: str) -> set[str]:
    """The packages that a block imports."""
    found = set()
    for node in ast.walk(ast.parse(block)):
        if isinstance(node, ast.Import):
            found |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").split(".")[0])
    return found


@pytest.mark.filterwarnings("ignore")  # the libraries' own
@pytest.mark.parametrize("library", BLOCKS)
def test_the_lines_of_the_page_run(library: Any) -> None:
    needed = imported(BLOCKS[library]) | {NEEDED.get(library, "ludoteca")}
    missing = sorted(name for name in needed if importlib.util.find_spec(name) is None)
    if missing:
        pytest.skip(f"{', '.join(missing)} is not installed: make libraries runs it")
    exec(compile(BLOCKS[library], library, "exec"), {"__name__": "__main__"})


def test_every_library_of_the_table_has_its_lines() -> None:
    assert set(re.findall(r"\| \[([^]]+)\]\(#", PAGE)) == set(BLOCKS)
