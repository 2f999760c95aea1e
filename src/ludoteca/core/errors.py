"""What can be refused, in sentences a player can read."""

from __future__ import annotations


class Refusal(Exception):
    """Something that was asked for and not done; nothing has changed.

    `key` and `facts` name the sentence in the word catalogues, `str(refusal)` is it in English.
    """

    def __init__(self, sentence: str, key: str = "refused", **facts: object) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.key = key
        self.facts = facts


class IllegalAction(Refusal):
    """The rules do not allow this action now."""


class NotYourTurn(IllegalAction):
    """This seat owes no decision now."""


class BadData(Refusal):
    """A file or message that cannot be understood."""


class Unknown(Refusal):
    """There is nothing of that name."""
