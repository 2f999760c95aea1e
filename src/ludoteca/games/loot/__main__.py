"""Checks sheet files: `python -m ludoteca.games.loot my_sheet.json` says what is wrong with one, in a sentence."""

from __future__ import annotations

import pathlib
import sys

from ludoteca.core.errors import BadData

from .components import read_sheet


def check(files: list[str]) -> None:
    """Reads each file; the first mistake ends the program."""
    for file in files:
        try:
            sheet = read_sheet(pathlib.Path(file))
        except BadData as mistake:
            sys.exit(str(mistake))
        print(f"{file}: {len(sheet.halls)} halls, {len(sheet.meeps_track)} Meeps squares, {sheet.score_spaces} spaces")


if __name__ == "__main__":
    check(sys.argv[1:])
