"""Who may import whom: core imports nothing of ours, a game only core, and only the catalogue names the games."""

import ast
import pathlib

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


def test_only_the_catalogue_names_the_games():
    games = {path.name for path in (SOURCE / "games").iterdir() if path.is_dir() and path.name != "__pycache__"}
    for folder in ("bots", "envs", "server"):
        for path in files(folder):
            assert not any(name.startswith("games") for name in imports(path)), path
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Constant) and node.value in games:
                    raise AssertionError(f"{path}:{node.lineno} names the game {node.value}")


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
