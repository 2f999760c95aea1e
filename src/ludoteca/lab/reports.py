"""Where reports go: looked at before the work, so that nobody waits an hour for a file that cannot be written."""

from __future__ import annotations

import os
import pathlib

from ludoteca.core.errors import BadData


def check_places(*files: pathlib.Path | None) -> None:
    """Refuses, with a sentence, files that could not be written."""
    for file in files:
        if file is None:
            continue
        folder = file.parent
        if file.is_dir():
            raise BadData(f"{file} is a folder: name a file to write to.", "not_written")
        if not folder.is_dir():
            raise BadData(f"{file} cannot be written: there is no folder {folder}.", "not_written")
        if not os.access(file if file.exists() else folder, os.W_OK):
            raise BadData(f"{file} cannot be written: you may not write there.", "not_written")


def make_folder(folder: pathlib.Path) -> None:
    """Makes a folder for what is written there, unless it is there; a sentence if it cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadData(f"The folder {folder} cannot be made: {error.strerror}.", "not_written") from None


def write(file: pathlib.Path, text: str) -> None:
    """Writes a report; a sentence if the disk is full after all, or the file cannot be written for another reason."""
    try:
        file.write_text(text, "utf-8")
    except OSError as error:
        raise BadData(f"{file} cannot be written: {error.strerror}.", "not_written") from None
