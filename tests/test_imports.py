"""Who may import whom, folder by folder; games never each other; and nobody names the games."""

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


# The arrows of docs/architecture.md: what each folder or module of the package may import besides itself.
ARROWS = {
    "core": set[str](),
    "games": {"core"},
    "catalogue": {"core"},
    "bots": {"core", "catalogue"},
    "review": {"core", "bots"},
    "terminal": {"core", "bots"},
    "server": {"core", "catalogue", "bots", "review"},
    "envs": {"core", "catalogue", "bots", "server"},
    "lab": {"core", "catalogue", "bots", "review", "server", "envs"},
    "cli": {"core", "catalogue", "bots", "server", "lab", "terminal"},
    "__main__": {"cli"},
    "__init__": set[str](),
    "words": set[str](),
}


def test_imports_go_where_the_arrows_point() -> None:
    looked_at = set()
    for path in SOURCE.rglob("*.py"):
        here = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        looked_at.add(here)
        there = {name.split(".")[0] for name in imports(path)} - {here, "__version__"}
        assert there <= ARROWS[here], f"{path.relative_to(ROOT)} imports {', '.join(sorted(there - ARROWS[here]))}"
    assert looked_at >= set(ARROWS) - {"words"}


def test_the_picture_has_every_arrow() -> None:
    """The table in the docs is the one above."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \|([^|]*)\|$", text.partition("## Who imports whom")[2].partition("\n## ")[0], re.M)
    drawn = {name: set(re.findall(r"`(\w+)`", there)) for name, there in rows}
    assert drawn == {name: there for name, there in ARROWS.items() if name not in ("__main__", "__init__", "words")}


def test_games_import_only_core_and_never_each_other() -> None:
    for path in files("games"):
        own = path.relative_to(SOURCE).parts[:2]
        for name in imports(path):
            assert name.startswith("core") or tuple(name.split(".")[:2]) == own, f"{path} imports {name}"


GAMES = {path.parent.name for path in (SOURCE / "games").glob("*/__init__.py")}
ROOT = SOURCE.parents[1]
WRITTEN = {".py", ".ts", ".svelte", ".css", ".json", ".html", ".svg"}


def test_nothing_outside_its_own_folder_names_a_game() -> None:
    """Games are found by what packages announce: a new one is a folder here, one in `web/src/games`, and a line there."""
    assert len(GAMES) > 3
    named = re.compile(rf"\b({'|'.join(GAMES)})\b", re.IGNORECASE)
    folders = (SOURCE, ROOT / "web/src", ROOT / "tools")
    shared = [path for folder in folders for path in folder.rglob("*") if path.suffix in WRITTEN]
    looked_at = 0
    for path in shared:
        parts = path.relative_to(ROOT).parts  # the checkout itself may lie in a folder called like a game
        if "page" in parts[:3] or GAMES & set(parts):
            continue
        looked_at += 1
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            assert not named.search(line), f"{path.relative_to(ROOT)}:{number} names a game: {line.strip()[:80]}"
    assert looked_at > 100


def test_no_test_lists_the_games_by_hand() -> None:
    """What is true of every game is tried with `catalogue.keys(of=catalogue.HOUSE)`, so that a fifth one is tried too."""
    for path in (ROOT / "tests").rglob("*.py"):
        text = path.read_text("utf-8")
        if not all(f'"{game}"' in text for game in GAMES):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Tuple | ast.List | ast.Set):
                named = {one.value for one in node.elts if isinstance(one, ast.Constant)}
                assert not named >= GAMES, f"{path.relative_to(ROOT)}:{node.lineno} lists the games"


def test_chance_has_one_door() -> None:
    """Rules and bots draw from core.chance: nothing else may make a game differ between two replays."""
    for folder in ("games", "bots"):
        for path in files(folder):
            text = path.read_text("utf-8")
            assert "import random" not in text, path
            assert "np.random" not in text, path
            assert "import time" not in text or folder == "bots", path
