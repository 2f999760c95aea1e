"""The words of reports and searches, in every language: `words/report` beside this folder."""

from __future__ import annotations

import pathlib

from ludoteca.core.errors import BadData
from ludoteca.core.words import LANGUAGES, catalogue, fill

FOLDER = pathlib.Path(__file__).parents[1]
LONGEST = 80  # letters of what somebody wrote, when it is quoted


def said(language: str, key: str, **facts: object) -> str:
    """Words of a report in a language."""
    return fill(catalogue(FOLDER, language, "report")[key], facts)


def said_or(language: str, key: str, otherwise: str) -> str:
    """The same, where there are such words."""
    return catalogue(FOLDER, language, "report").get(key, otherwise)


class Unread(BadData):
    """A wish or a cell that cannot be read: what was written, and why, to be told in any language."""

    def __init__(self, key: str, text: str, **facts: object) -> None:
        self.why, self.told = key, {"text": text[:LONGEST], **facts}
        super().__init__(self.in_language(LANGUAGES[0]), "no_such_value")

    def in_language(self, language: str) -> str:
        """The sentence."""
        kind = self.why.partition(".")[0]
        why = said(language, self.why, **self.told)
        return said(language, f"{kind}.refused", why=why, **self.told)
