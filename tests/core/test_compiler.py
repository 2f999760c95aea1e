"""The cache of machine code is never stale, an unrelated edit does not empty it, and only numba's public names are used."""

import ast
import gc
import itertools
import os
import pathlib
import shutil
import subprocess
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import ludoteca
from ludoteca import catalogue
from ludoteca.bots import search
from ludoteca.core import entries, playouts
from ludoteca.core.compiler import Compiler, annotated_types, cache_directory, imported_by
from ludoteca.core.engine import algorithm_sources, compiled, game_sources, is_compiled
from ludoteca.core.kernel import log_dtype
from ludoteca.core.rules import RULES

HELPER = """
import pathlib
from ludoteca.core.kernel import kernel
@kernel
def worth(x: int) -> int:
    return x * FACTOR
FACTOR = int(pathlib.Path(__file__).with_name("table.csv").read_text())
"""
RULES_FILE = """
from ludoteca.core.kernel import kernel
from game.helper import worth
@kernel
def rule(x: int) -> int:
    return worth(x) + 1
"""
COMPILED = """
import pathlib
from ludoteca.core.compiler import Compiler, core_sources, data_files, imported_by, is_ready
from game import rules
here = pathlib.Path(__file__).parent
sources = [*core_sources(), *imported_by([pathlib.Path(rules.__file__)], here), *data_files(here)]
ready = is_ready("game", sources, "rule")
compiler = Compiler("game", sources)
rule = compiler.load("rule", rules.rule)
print(rule(10), sum(rule.stats.cache_hits.values()), len(compiler._compiled), ready)
"""


# What it prints: the result, how many functions came from the cache, how many others were compiled, whether all was ready.
COMPILED_NOW = ["21", "0", "1", "False"]
LOADED = ["21", "1", "0", "True"]


def make_game(folder: pathlib.Path) -> None:
    (folder / "game").mkdir()
    files = {"__init__": "", "helper": HELPER, "rules": RULES_FILE, "compiled": COMPILED}
    for name, text in files.items():
        (folder / "game" / f"{name}.py").write_text(text)
    (folder / "game" / "table.csv").write_text("2")
    (folder / "game" / "views.py").write_text("")


def run(folder: pathlib.Path, program: str = "compiled", **environment: str) -> list[str]:
    """What a program of the game prints, in a new process."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", f"game.{program}"],
        cwd=folder,
        env={**os.environ, "LUDOTECA_CACHE": str(folder / "cache"), **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_machine_code_is_made_anew_when_something_it_is_made_of_was_edited(tmp_path: pathlib.Path) -> None:
    make_game(tmp_path)
    game = tmp_path / "game"
    assert run(tmp_path) == COMPILED_NOW, "compiled, with the kernel that it calls"
    assert run(tmp_path) == LOADED, "loaded, without it"
    (game / "views.py").write_text("edited = True")
    assert run(tmp_path) == LOADED, "an unrelated edit empties nothing"
    (game / "table.csv").write_text("5")
    assert run(tmp_path) == ["51", *COMPILED_NOW[1:]], "an edited table is seen"
    (game / "helper.py").write_text(HELPER.replace("x * FACTOR", "x * FACTOR + 100"))
    assert run(tmp_path) == ["151", *COMPILED_NOW[1:]], "an edited callee in another file is seen"


def test_a_lost_cache_is_compiled_again(tmp_path: pathlib.Path) -> None:
    make_game(tmp_path)
    assert run(tmp_path) == COMPILED_NOW
    lost = [*(tmp_path / "cache").rglob("*.nb[ic]")]
    assert lost, "numba keeps its files where it was told to: see compiler._cache_in"
    assert not [*(tmp_path / "game").rglob("*.nb[ic]")]
    for code in lost:
        code.unlink()
    assert run(tmp_path) == [*COMPILED_NOW[:3], "True"], "the mark without the code"


def test_a_second_checkout_does_not_take_the_first_one_s_code_for_its_own(tmp_path: pathlib.Path) -> None:
    """numba keeps its files by the folder of the source: «ready» was said of code that then had to be compiled."""
    cache = str(tmp_path / "cache")
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        make_game(tmp_path / name)
        assert run(tmp_path / name, LUDOTECA_CACHE=cache) == COMPILED_NOW, name
    for name in ("one", "two"):
        assert run(tmp_path / name, LUDOTECA_CACHE=cache) == LOADED, "and each keeps its own"


def test_sources_that_were_written_again_are_not_said_to_be_ready(tmp_path: pathlib.Path) -> None:
    """As when a package is installed once more: an older numba compiles them anew, a newer one loads them."""
    make_game(tmp_path)
    assert run(tmp_path) == COMPILED_NOW
    os.utime(tmp_path / "game" / "rules.py", (1, 1))
    again = run(tmp_path)
    assert (again[0], again[3]) == ("21", "False")
    assert run(tmp_path) == LOADED


def test_a_copy_of_the_package_has_nothing_compiled(tmp_path: pathlib.Path) -> None:
    game = catalogue.game("loot")
    compiled(game)
    assert is_compiled(game)
    shutil.copytree(SOURCE, tmp_path / "ludoteca", ignore=shutil.ignore_patterns("page", "__pycache__"))
    ask = f"from ludoteca.core import engine, game; print(engine.is_compiled(game.game_at({game.place!r})))"
    done = subprocess.run(
        [sys.executable, "-c", ask],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["False"]


def test_processes_that_compile_at_the_same_time_do_not_disturb_each_other(tmp_path: pathlib.Path) -> None:
    make_game(tmp_path)
    environment = {**os.environ, "LUDOTECA_CACHE": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "game.compiled"]
    both = [subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True) for _ in "ab"]
    assert [process.communicate()[0].split()[0] for process in both] == ["21", "21"]
    assert run(tmp_path) == LOADED


BROKEN = """
from __future__ import annotations
import pathlib
import numpy as np
from ludoteca.core.compiler import Compiler, core_sources
from ludoteca.core.kernel import ScoreList, kernel
@kernel
def third(numbers: ScoreList) -> int:
    return numbers[3]
@kernel
def asked(numbers):
    return third(numbers)
def entered(numbers: ScoreList) -> int:
    return asked(numbers)
compiler = Compiler("broken", [*core_sources(), pathlib.Path(__file__)])
enter = compiler.load("entered", entered)
assert enter(np.arange(4)) == 3
try:
    enter(np.arange(2))
except IndexError as error:
    print(str(error).replace(" ", "-"))
"""


def test_a_mistake_in_a_rule_is_raised_through_whatever_calls_it(tmp_path: pathlib.Path) -> None:
    make_game(tmp_path)
    (tmp_path / "game" / "broken.py").write_text(BROKEN)
    for _ in ("compiled", "from the cache"):
        assert run(tmp_path, "broken", NUMBA_BOUNDSCHECK="1") == ["index-is-out-of-bounds"]


UNTYPED = """
import pathlib
from ludoteca.core.compiler import Compiler, core_sources
from ludoteca.core.kernel import kernel
@kernel
def either(x, y: int = 5):
    return x + y
@kernel
def defaulted(x: int, y: int = 7) -> int:
    return x * y
def entered(x: int) -> int:
    return either(x) + int(either(0.5, 1)) + defaulted(x) + defaulted(x, 1)
print(Compiler("untyped", [*core_sources(), pathlib.Path(__file__)]).load("entered", entered)(10))
"""


def test_a_kernel_without_a_whole_signature_is_compiled_for_its_callers(tmp_path: pathlib.Path) -> None:
    make_game(tmp_path)
    (tmp_path / "game" / "untyped.py").write_text(UNTYPED)
    assert run(tmp_path, "untyped") == ["96"]


TELLING = """
import pathlib
from ludoteca.core.compiler import Compiler, core_sources
from ludoteca.core.facts import NUMBER, Facts, several
from ludoteca.core.log import new_log, tell, tell_more, write
facts = Facts()
for name, width in ("none", 0), ("one", 1), ("two", 2), ("twelve", 12):
    facts.kind(name, row=several(NUMBER, width))
def told(logs: "Logs", x: int) -> None:
    tell(logs[0], 0, x, 3)
    tell(logs[0], 2, x, 3, x == 1, x)
    tell(logs[0], 1, x, 3, c=x)
    tell(logs[0], 3, x, 3, x, 2, 3, 4, 5, 6, 7, 8)
    tell_more(logs[0], 9, 10, 11, x + 11)
log, plain = new_log(5), new_log(5)
compiler = Compiler("telling", [*core_sources(), pathlib.Path(__file__)], {"Log": log.records.dtype})
compiler.load("told", told)(log.records, 1)
told([plain], 1)
print(len(compiler._compiled[tell].overloads), len(compiler._compiled[write].overloads))
told, plainly = facts.read(log), facts.read(plain)
print(told == plainly, *told[-1].values)
"""


def test_telling_is_compiled_once_however_many_values_are_told(tmp_path: pathlib.Path) -> None:
    make_game(tmp_path)
    (tmp_path / "game" / "telling.py").write_text(TELLING)
    assert run(tmp_path, "telling") == ["0", "1", "True", *map(str, range(1, 13))]


# Which files machine code is named after.


def test_kernels_of_the_search_are_compiled_once() -> None:
    """With a type for every argument numba does not compile one anew for each way to call it."""
    game = catalogue.game("loot")
    known = annotated_types({"State": game.dtype, "Log": log_dtype(1, 4), **search.RECORDS})
    kernels = reached(search.search, set()) | reached(search.compare, set())
    own = [kernel for kernel in kernels if pathlib.Path(kernel.__code__.co_filename).parent.name == "bots"]
    assert len(own) > 20
    for kernel in own:
        assert {str(note) for name, note in kernel.__annotations__.items() if name != "return"} <= {*known}, kernel


def test_garbage_is_collected_again_when_something_is_compiled(tmp_path: pathlib.Path) -> None:
    def twice(x: int) -> int:
        return 2 * x

    gc.enable()
    assert Compiler(tmp_path.name, [pathlib.Path(__file__)]).load("twice", twice)(4) == 8
    assert gc.isenabled()


def test_only_what_rules_import_is_part_of_them(tmp_path: pathlib.Path) -> None:
    game = tmp_path / "game"
    (game / "rules").mkdir(parents=True)
    files = {
        "__init__.py": "from . import rules, views",
        "views.py": "from .rules import may",
        "words.py": "",
        "state.py": "from ludoteca.core.record import Field",
        "facts.py": "",
        "cards.py": "import game.prices as prices",
        "prices.py": "",
        "rules/__init__.py": "from ..state import (\n    A,\n    B,\n)\nfrom .match import play",
        "rules/match.py": "from game.cards import COST\ndef later():\n    from .. import facts\n",
    }
    for name, text in files.items():
        (game / name).write_text(text)
    found = imported_by([game / "rules" / "__init__.py"], game)
    assert [str(path.relative_to(game)) for path in found] == [
        "cards.py", "facts.py", "prices.py", "rules/__init__.py", "rules/match.py", "state.py",
    ]  # fmt: skip


def reached(function: Any, found: set[Any]) -> set[Any]:
    """The function and every kernel that it calls, directly or not."""
    if function not in found:
        found.add(function)
        named = [function.__globals__.get(name) for name in function.__code__.co_names]
        for callee in named:
            if getattr(callee, "__kernel__", False):
                reached(callee, found)
    return found


def files_of_tables(function: Any) -> set[str]:
    """The files of the modules of ours that a function's globals may come from: whose names its own module imports."""
    module = sys.modules[function.__module__]
    names = set(function.__code__.co_names)
    found = {str(module.__file__)}
    for node in ast.walk(ast.parse(pathlib.Path(str(module.__file__)).read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and names & {alias.asname or alias.name for alias in node.names}:
            name = "." * node.level + (node.module or "")
            source = importlib_resolved(name, module)
            found |= {str(source.__file__)} if source is not None else set()
    return found


def importlib_resolved(name: str, module: ModuleType) -> ModuleType | None:
    from importlib.util import resolve_name

    found = sys.modules.get(resolve_name(name, module.__package__))
    return found if found is not None and str(found.__file__).startswith(str(SOURCE)) else None


SOURCE = pathlib.Path(ludoteca.__file__).parent


@pytest.mark.parametrize("key", catalogue.keys(catalogue.HOUSE))
def test_every_file_that_a_kernel_needs_names_its_machine_code(key: str) -> None:
    game = catalogue.game(key)
    sources = {str(path) for path in game_sources(game)}
    kernels: set[Any] = set()
    for name in RULES:
        if getattr(game, name) is not None:
            reached(getattr(game, name), kernels)
    assert len(kernels) > 20
    for function in kernels:
        assert files_of_tables(function) <= sources, function
    assert not {pathlib.Path(path).name for path in sources} & {"views.py", "terminal.py", "drawing.py"}
    for algorithm in (search.search, search.compare, playouts.play_all, playouts.step_batch, entries.decide_at):
        _, files = algorithm_sources(game, algorithm)
        for function in reached(algorithm, set()):
            assert function.__code__.co_filename in map(str, files), function


def test_editing_any_of_those_files_changes_the_directory(tmp_path: pathlib.Path) -> None:
    game = catalogue.game("loot")
    name, files = algorithm_sources(game, search.search)
    before = cache_directory(name, files)
    assert set(game_sources(game)) < set(files), "an algorithm contains the rules it calls"
    for n, path in enumerate(files):
        edited = tmp_path / str(n) / path.name
        edited.parent.mkdir()
        edited.write_bytes(path.read_bytes() + b"\n")
        assert cache_directory(name, [*files[:n], edited, *files[n + 1 :]]) != before, path


# What we use of numba.


def named_in(node: ast.AST) -> list[str]:
    """The dotted names that a piece of code imports, or reaches through what it has imported: `numba.core.types`."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return [ast.unparse(node)] if isinstance(node, ast.Attribute) else []


def test_nothing_private_of_numba_is_used() -> None:
    assert named_in(ast.parse("numba.core.types", mode="eval").body) == ["numba.core.types"]
    for path in SOURCE.rglob("*.py"):
        for name in itertools.chain.from_iterable(map(named_in, ast.walk(ast.parse(path.read_text("utf-8"))))):
            if name.partition(".")[0] in ("numba", "llvmlite"):
                assert not name.startswith(("numba.core", "numba.np", "llvmlite")), f"{path} imports {name}"
                assert path.name == "compiler.py", f"{path} knows numba"


def test_numba_s_own_directory_is_left_as_it_was() -> None:
    import numba

    before = getattr(numba.config, "CACHE_DIR")  # noqa: B009 (mypy does not know it)
    compiled(catalogue.game("loot")).play_all(1, 2, {}, 1)
    assert before == getattr(numba.config, "CACHE_DIR")  # noqa: B009


# The log.


def test_a_log_of_machine_code_is_the_log_of_plain_python() -> None:
    engine = compiled(catalogue.game("splendor"))
    states = engine.start(2, {}, 3)
    log, seat = engine._log, engine.waiting(states)[0]
    engine.call("apply", states, 0, seat, engine.legal(states, 0, seat)[0], log.records)
    assert log.used > 0
    assert np.shares_memory(log.rows, log.records)
    assert len(log.taken()) > 0 == log.used
