"""Who may import whom: core imports nothing of ours, a game only core, and nobody names the games."""

import ast
import pathlib
import re

SOURCE = pathlib.Path(__file__).parents[1] / "src" / "ludoteca"


def imports(path: pathlib.Path) -> set[str]:
    """The modules of ours that a file imports, as dotted names below ludoteca."""
    package = path.relative_to(SOURCE).parts[:-1]
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            if node.level:
                base = package[: len(package) - node.level + 1]
                found |= {".".join((*base, *(node.module or name.name).split("."))) for name in node.names}
            elif node.module and node.module.split(".")[0] == "ludoteca":
                rest = node.module.split(".")[1:]
                found |= {".".join(rest) if rest else name.name for name in node.names}
        elif isinstance(node, ast.Import):
            found |= {name.name.removeprefix("ludoteca.") for name in node.names if name.name.startswith("ludoteca.")}
    return found


def files(folder: str) -> list[pathlib.Path]:
    return sorted((SOURCE / folder).rglob("*.py"))


def test_core_imports_nothing_of_ours():
    for path in files("core"):
        assert all(name.startswith("core") for name in imports(path)), path


def test_games_import_only_core_and_never_each_other():
    for path in files("games"):
        own = path.relative_to(SOURCE).parts[:2]
        for name in imports(path):
            assert name.startswith("core") or tuple(name.split(".")[:2]) == own, f"{path} imports {name}"


GAMES = {path.parent.name for path in (SOURCE / "games").glob("*/__init__.py")}
ROOT = SOURCE.parents[1]
WRITTEN = {".py", ".ts", ".svelte", ".css", ".json", ".html", ".svg"}


def test_nothing_outside_its_own_folder_names_a_game():
    """Games are found by what packages announce: a new one is a folder here, one in `web/src/games`, and a line there."""
    assert len(GAMES) > 3
    named = re.compile(rf"\b({'|'.join(GAMES)})\b", re.IGNORECASE)
    shared = [path for folder in (SOURCE, ROOT / "web/src") for path in folder.rglob("*") if path.suffix in WRITTEN]
    looked_at = 0
    for path in shared:
        if "page" in path.relative_to(ROOT).parts[:3] or GAMES & set(path.parts):
            continue
        looked_at += 1
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            assert not named.search(line), f"{path.relative_to(ROOT)}:{number} names a game: {line.strip()[:80]}"
    assert looked_at > 100


def test_bots_and_games_know_no_server():
    for folder in ("core", "games", "bots"):
        for path in files(folder):
            assert not any(name.startswith(("server", "cli", "lab")) for name in imports(path)), path


def test_chance_has_one_door():
    """Rules and bots draw from core.chance: nothing else may make a game differ between two replays."""
    for folder in ("games", "bots"):
        for path in files(folder):
            text = path.read_text("utf-8")
            assert "import random" not in text, path
            assert "np.random" not in text, path
            assert "import time" not in text or folder == "bots", path
