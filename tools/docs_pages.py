"""Pages of the site that are no files in docs/: MkDocs calls this while it builds (`make docs`).

The home page is the README, and so on: each is written once, where it is looked for in a checkout, and its links are led
to where the pages are on the site. What only a checkout has (a folder of code) is named there without a link.
"""

from __future__ import annotations

import pathlib
import posixpath
import re
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = pathlib.Path(__file__).resolve().parents[1]
MOVED = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changes.md"}
LIST_OF_RULES = {"The rules": "games/index.md"}
LINK = re.compile(r"(!?)\[([^]]*)\]\(([^)\s]+)\)")
REFERENCE = {  # what programs are written with
    "Games": ("ludoteca.catalogue", "ludoteca.core.game", "ludoteca.core.engine", "ludoteca.core.play"),
    "What happens and what can be done": ("ludoteca.core.actions", "ludoteca.core.facts", "ludoteca.core.errors"),
    "Environments": ("ludoteca.envs", "ludoteca.envs.table", "ludoteca.envs.vector_env"),
    "Bots": ("ludoteca.bots.own", "ludoteca.bots.levels", "ludoteca.bots.search"),
    "The laboratory": (
        "ludoteca.lab.arena",
        "ludoteca.lab.balance",
        "ludoteca.lab.rating",
        "ludoteca.lab.trajectories",
    ),
    "A new game's tests": ("ludoteca.core.contract",),
}


def on_config(config: Any) -> Any:
    """The rules of each game stand after the page that lists them, in Italian in a part of their own."""
    nav = config["nav"]
    place = next(n for n, part in enumerate(nav) for entry in part.values() if LIST_OF_RULES in list(entry))
    for entries in nav[place].values():
        entries += rules_in("")
    nav.insert(place + 1, {"Per chi gioca": rules_in(".it")})
    return config


def rules_in(language: str) -> list[dict[str, str]]:
    """The rules of all games in a language, by their titles."""
    games = sorted(path.name.removesuffix(".it.md") for path in (ROOT / "docs/games").glob("*.it.md"))
    pages = [f"games/{game}{language}.md" for game in games]
    return [{heading(ROOT / "docs" / page): page} for page in pages]


def heading(path: pathlib.Path) -> str:
    """The title of a page."""
    return path.read_text("utf-8").splitlines()[0].lstrip("# ")


def on_files(files: Files, config: Any) -> Files:
    """The pages that are made, beside those of docs/."""
    made = {MOVED[name]: led((ROOT / name).read_text("utf-8"), name) for name in MOVED}
    made["decisions/index.md"] = listed("Decisions that bite everywhere", "decisions", "0*.md")
    made["games/index.md"] = listed("The rules", "games", "*.md")
    made["reference.md"] = reference()
    for path, text in made.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links of docs/ that lead outside it, or to a folder, lead to pages."""
    return markdown if page.file.src_uri in MOVED.values() else led(markdown, f"docs/{page.file.src_uri}")


def led(text: str, source: str) -> str:
    """The text of a file of the checkout, with its links as they are on the site."""
    here = posixpath.dirname(place_on_site(source) or "")
    return LINK.sub(lambda link: _led(link, source, here), text)


def _led(link: re.Match[str], source: str, here: str) -> str:
    picture, words, target = link.groups()
    path, mark, part = target.partition("#")
    if not path or ":" in path:
        return link[0]
    page = place_on_site(posixpath.normpath(posixpath.join(posixpath.dirname(source), path)))
    if page is None:
        return words
    return f"{picture}[{words}]({posixpath.relpath(page, here or '.')}{mark}{part})"


def place_on_site(path: str) -> str | None:
    """Where a file of the checkout is on the site; none if it is not."""
    if path in MOVED:
        return MOVED[path]
    rules = re.fullmatch(r"src/ludoteca/games/(\w+)/docs/(\w+)\.md", path)
    if rules:
        return f"games/{rules[1]}.md" if rules[2] == "en" else f"games/{rules[1]}.{rules[2]}.md"
    if not path.startswith("docs/"):
        return None
    page = path.removeprefix("docs/")
    return f"{page}/index.md" if (ROOT / path).is_dir() else page


def listed(title: str, folder: str, pattern: str) -> str:
    """A page that lists the pages of a folder by their titles."""
    lines = [f"# {title}", ""]
    for path in sorted((ROOT / "docs" / folder).glob(pattern)):
        lines.append(f"- [{heading(path)}]({path.name})")
    return "\n".join([*lines, ""])


def reference() -> str:
    """The reference: mkdocstrings reads it off the docstrings."""
    lines = ["# Reference", "", "What programs are written with, from the docstrings of the code.", ""]
    for title, modules in REFERENCE.items():
        lines += [f"## {title}", "", *(f"::: {module}\n    options:\n      heading_level: 3\n" for module in modules)]
    return "\n".join(lines)
