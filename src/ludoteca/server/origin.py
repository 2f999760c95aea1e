"""Where a branch comes from, as its table's row has it."""

from __future__ import annotations

import msgspec

from .wire import BranchInfo


class Origin(msgspec.Struct, frozen=True):
    """Which table or puzzle, after which step, and the record that the branch begins with."""

    table: str
    step: int
    guessed: bool  # from one seat's view of a running game or a puzzle, with the unknown dealt again
    record: bytes
    puzzle: str = ""  # instead of a table

    def written(self) -> str:
        """For the store."""
        return msgspec.json.encode(self).decode()

    def told(self) -> BranchInfo:
        """As everybody may know it: how the game stood there is not part of it."""
        return BranchInfo(self.table, self.step, self.guessed, self.puzzle)


def origin_of(branch: str) -> Origin | None:
    """As it was stored; none for a table that is no branch."""
    return msgspec.json.decode(branch, type=Origin) if branch else None
