"""The cache of machine code is never stale, and an unrelated edit does not empty it."""

import os
import pathlib
import subprocess
import sys
import textwrap

import pytest

from ludoteca import catalogue
from ludoteca.core.engine import game_sources
from ludoteca.core.kernel import imported_by

HELPER = """
from ludoteca.core.kernel import kernel
@kernel
def worth(x: int) -> int:
    return x * FACTOR
FACTOR = int(open(__file__.replace("helper.py", "table.csv")).read())
"""
RULES = """
import pathlib, sys
from ludoteca.core.kernel import Compiler, core_sources, kernel, sources_of
from game.helper import worth
from numba import types
@kernel
def rule(x: int) -> int:
    return worth(x) + 1
def entered(x):
    return rule(x)
compiler = Compiler("game", [*core_sources(), *sources_of(pathlib.Path(__file__).parent)])
ready = compiler.load("entered", entered, types.int64(types.int64))
print(ready(10), sum(ready.stats.cache_hits.values()))
"""


def make_game(tmp_path: pathlib.Path) -> None:
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "__init__.py").write_text("")
    (tmp_path / "game" / "helper.py").write_text(textwrap.dedent(HELPER))
    (tmp_path / "game" / "rules.py").write_text(textwrap.dedent(RULES))
    (tmp_path / "game" / "table.csv").write_text("2")
    (tmp_path / "server.py").write_text("")


def run(tmp_path: pathlib.Path) -> tuple[int, int]:
    """The rule's answer in a new process, and how often the cache was hit."""
    environment = {**os.environ, "LUDOTECA_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-m", "game.rules"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    answer, hits = done.stdout.split()
    return int(answer), int(hits)


def test_cache(tmp_path):
    make_game(tmp_path)
    assert run(tmp_path) == (21, 0), "compiled"
    assert run(tmp_path) == (21, 1), "from the cache"
    (tmp_path / "server.py").write_text("edited = True")
    assert run(tmp_path) == (21, 1), "an unrelated edit empties nothing"
    (tmp_path / "game" / "table.csv").write_text("5")
    assert run(tmp_path) == (51, 0), "an edited table is seen"
    (tmp_path / "game" / "helper.py").write_text(textwrap.dedent(HELPER).replace("x * FACTOR", "x * FACTOR + 100"))
    assert run(tmp_path) == (151, 0), "an edited callee in another file is seen"


def test_only_what_rules_import_is_part_of_them(tmp_path):
    game = tmp_path / "game"
    (game / "rules").mkdir(parents=True)
    files = {
        "__init__.py": "from . import rules, views",
        "views.py": "from .rules import may",
        "words.py": "",
        "state.py": "from ludoteca.core.record import Field",
        "facts.py": "",
        "rules/__init__.py": "from ..state import (\n    A,\n    B,\n)\nfrom .match import play",
        "rules/match.py": "def later():\n    from .. import facts\n",
    }
    for name, text in files.items():
        (game / name).write_text(text)
    found = imported_by([game / "rules" / "__init__.py"], game)
    assert [str(path.relative_to(game)) for path in found] == [
        "facts.py", "rules/__init__.py", "rules/match.py", "state.py",
    ]  # fmt: skip


@pytest.mark.parametrize("key", catalogue.keys(catalogue.HOUSE))
def test_every_kernel_of_a_game_lies_in_a_file_that_its_machine_code_is_named_after(key):
    game = catalogue.game(key)
    package = f"ludoteca.games.{key}"
    modules = [module for name, module in sys.modules.items() if name == package or name.startswith(f"{package}.")]
    kernels = {
        pathlib.Path(value.__code__.co_filename)
        for module in modules
        for value in vars(module).values()
        if getattr(value, "__kernel__", False) and value.__module__.startswith(package)
    }
    assert len(kernels) > 3
    assert kernels <= set(game_sources(game))
    assert not {path.name for path in game_sources(game)} & {"views.py", "terminal.py", "drawing.py"}


LEAN = """
import pathlib, sys
from numba import types
from ludoteca.core.kernel import Compiler, core_sources, sources_of
from game.rules import rule
def entered(x):
    return inner(x) + 1000
inner = None
folder = pathlib.Path(__file__).parent
compiler = Compiler("lean", [*core_sources(), *sources_of(folder)])
number = types.int64
door = compiler.load("entered", entered, number(number), {"inner": compiler.rule("rule", rule, number(number))})
print(door(10), sum(door.stats.cache_hits.values()), len(compiler._parts))
"""


def lean(tmp_path: pathlib.Path) -> list[int]:
    """The answer, whether the cache was hit, and how many kernels were compiled as parts of others."""
    environment = {**os.environ, "LUDOTECA_CACHE": str(tmp_path / "cache")}
    words = [sys.executable, "-m", "game.lean"]
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    return [int(word) for word in done.stdout.split()[-3:]]


def test_loading_is_lean_and_survives_a_lost_cache(tmp_path):
    make_game(tmp_path)
    (tmp_path / "game" / "lean.py").write_text(LEAN)
    assert lean(tmp_path) == [1021, 0, 1], "compiled, with what the rule calls"
    assert lean(tmp_path) == [1021, 1, 0], "loaded"
    for code in (tmp_path / "cache").rglob("*.nb[ic]"):
        code.unlink()
    assert lean(tmp_path) == [1021, 0, 1], "the mark without the code: compiled again"


TWICE = """
import pathlib
from numba import types
from ludoteca.core.kernel import Compiler, core_sources, sources_of
from game.helper import worth
from game.rules import rule
compiler = Compiler("twice", [*core_sources(), *sources_of(pathlib.Path(__file__).parent)])
number = types.int64
as_callee = compiler.load("rule", rule, number(number))
by_itself = compiler.load("worth", worth, number(number))
print(as_callee(10), by_itself(10), compiler.compile(worth)(10))
"""


def test_a_rule_that_others_call_can_be_entered_too(tmp_path):
    make_game(tmp_path)
    (tmp_path / "game" / "twice.py").write_text(TWICE)
    environment = {**os.environ, "LUDOTECA_CACHE": str(tmp_path / "cache")}
    for _ in ("compiled", "from the cache"):
        words = [sys.executable, "-m", "game.twice"]
        done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        assert done.stdout.split()[-3:] == ["21", "20", "20"]


ALGORITHM = """
import pathlib
import numpy as np
from numba import types
from ludoteca.core.kernel import Compiler, core_sources, sources_of
from game.helper import worth
from game.rules import rule
def total(first, second, numbers, more):
    found = more
    for n in numbers:
        found += first(n) * 1000 + second(n)
    return found
number = types.int64
compiler = Compiler("algorithm", [*core_sources(), *sources_of(pathlib.Path(__file__).parent)])
rules = [compiler.rule(kernel.__name__, kernel, number(number)) for kernel in (rule, worth)]
ready = compiler.load_algorithm("total", total, number, rules, (types.Array(number, 1, "C"), number))
print(ready((np.array([1, 10], np.int64), 5)))
print(sum(ready.stats.cache_hits.values()))
"""


def test_an_algorithm_calls_the_rules_it_was_made_for(tmp_path):
    make_game(tmp_path)
    (tmp_path / "game" / "algorithm.py").write_text(ALGORITHM)
    environment = {**os.environ, "LUDOTECA_CACHE": str(tmp_path / "cache"), "PYTHONWARNINGS": "error"}
    for hits in ("0", "1"):
        words = [sys.executable, "-m", "game.algorithm"]
        done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        assert done.stdout.split()[-2:] == ["24027", hits]


BROKEN = """
import pathlib
import numpy as np
from numba import types
from ludoteca.core.kernel import Compiler, core_sources, kernel, sources_of
@kernel
def third(numbers):
    return numbers[3]
def asked(numbers):
    return inner(numbers)
def called(first, numbers):
    return first(numbers)
inner = None
compiler = Compiler("broken", [*core_sources(), *sources_of(pathlib.Path(__file__).parent)])
numbers = types.Array(types.int64, 1, "C")
rule = compiler.rule("third", third, types.int64(numbers))
door = compiler.load("asked", asked, types.int64(numbers), {"inner": rule})
algorithm = compiler.load_algorithm("called", called, types.int64, [rule], (numbers,))
for enter in (door, lambda given: algorithm((given,))):
    assert enter(np.arange(4)) == 3
    try:
        enter(np.arange(2))
    except IndexError as error:
        print(error)
"""


def test_a_mistake_in_a_rule_is_raised_through_whatever_calls_it(tmp_path):
    make_game(tmp_path)
    (tmp_path / "game" / "broken.py").write_text(BROKEN)
    environment = {**os.environ, "LUDOTECA_CACHE": str(tmp_path / "cache"), "NUMBA_BOUNDSCHECK": "1"}
    for _ in ("compiled", "from the cache"):
        words = [sys.executable, "-m", "game.broken"]
        done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        assert done.stdout.count("index is out of bounds") == 2
