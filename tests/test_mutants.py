"""`make mutants` itself: it breaks rules in every way it promises, finds a mutant that is planted, and touches no file."""

import ast
import hashlib
import importlib.util
import os
import pathlib
import subprocess
import sys
import textwrap
from types import ModuleType

import pytest

ROOT = pathlib.Path(__file__).parents[1]
RULES = ROOT / "src" / "ludoteca" / "games" / "loot" / "rules"


@pytest.fixture(scope="module")
def mutants() -> ModuleType:
    spec = importlib.util.spec_from_file_location("mutants", ROOT / "tools" / "mutants.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["mutants"] = module  # dataclasses look there for the names in annotations
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("rule", "broken"),
    [
        ("return a < b", {"return a <= b", "return a > b", "return 0", "return 1"}),
        ("return a == b and c", {"return a != b and c", "return a == b or c", "return c", "return a == b"}),
        ("state.pool -= 2", {"(left out)", "state.pool += 2", "state.pool -= 3", "state.pool -= 1"}),
        ("tell(log)", {"(left out)"}),
        ("if a:\n    give(b)", {"if not a:", "if True:", "(left out)"}),
        ("for seat in range(n):\n    give(seat)", {"for seat in range(1, n):", "for seat in range(n - 1):"}),
        ("x = a if b else c", {"x = c if b else a"}),
        ("x: int = 1", {"x: int = 2", "x: int = 0"}),
    ],
)
def test_a_rule_is_broken_in_one_place_at_a_time(mutants: ModuleType, rule: str, broken: set[str]) -> None:
    tree = ast.parse("def rule():\n" + textwrap.indent(rule, "    "))
    whole = ast.unparse(tree)
    found = {change.mutant("rules", ROOT / "rules.py", tree).becomes for change in mutants.changes(tree)}
    assert broken <= found
    assert ast.unparse(tree) == whole


def test_the_same_seed_draws_the_same_mutants(mutants: ModuleType) -> None:
    drawn = [[str(m) for m in mutants.chosen_mutants("loot", 20, seed, "")] for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_planted_mutant_is_killed_and_no_file_is_touched() -> None:
    line = next(
        n for n, text in enumerate((RULES / "decisions.py").read_text().splitlines(), 1) if "END_BONUS =" in text
    )
    before = {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in RULES.parent.rglob("*.py")}
    command = ["tools/mutants.py", "--game", "loot", "--at", f"decisions.py:{line}", "--games", "1", "--verbose"]
    alone = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}  # it runs a pytest
    told = subprocess.run(
        [sys.executable, "-B", *command], cwd=ROOT, env=alone, capture_output=True, text=True, timeout=300
    )
    assert told.returncode == 0, told.stderr
    assert "2 mutants, 2 change play, 2 of these killed (100.0%)" in told.stdout
    assert f"scenes: loot/rules/decisions.py:{line}: END_BONUS = 3  →  END_BONUS = 4" in told.stdout
    assert before == {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in RULES.parent.rglob("*.py")}
