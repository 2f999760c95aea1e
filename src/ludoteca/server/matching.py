"""How many couples can be made of people of whom not everybody may meet everybody: Edmonds' blossoms."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

NOBODY = -1


def most_couples(friends: Sequence[Sequence[int]]) -> int:
    """The largest number of couples at a time; `friends[i]` are those whom i may be coupled with."""
    couples = _Couples(friends)
    return sum(couples.grow(one) for one in range(len(friends)) if couples.partner[one] == NOBODY)


class _Couples:
    """Couples found so far; each search for a longer path adds one or finds that there is none."""

    def __init__(self, friends: Sequence[Sequence[int]]) -> None:
        self._friends = friends
        self.partner = [NOBODY] * len(friends)

    def grow(self, root: int) -> bool:
        """One more couple, if a path from this single one leads to another single."""
        number = len(self._friends)
        self._from = [NOBODY] * number  # by whom each was reached
        self._base = list(range(number))  # of the blossom in which each is
        self._even = [False] * number
        self._even[root] = True
        queue = deque([root])
        while queue:
            one = queue.popleft()
            for other in self._friends[one]:
                if self._base[one] == self._base[other] or self.partner[one] == other:
                    continue
                theirs = self.partner[other]
                if other == root or (theirs != NOBODY and self._from[theirs] != NOBODY):
                    queue.extend(self._shrink(one, other))
                elif self._from[other] == NOBODY:
                    self._from[other] = one
                    if theirs == NOBODY:
                        self._turn_over(other)
                        return True
                    self._even[theirs] = True
                    queue.append(theirs)
        return False

    def _turn_over(self, end: int) -> None:
        """Along the path back to its root, those who were couples are none, and the others are."""
        while end != NOBODY:
            before = self._from[end]
            after = self.partner[before]
            self.partner[end], self.partner[before] = before, end
            end = after

    def _shrink(self, one: int, other: int) -> list[int]:
        """An odd circle becomes one blossom; returns who can be searched from because of it."""
        base = self._meeting_place(one, other)
        inside = [False] * len(self._base)
        self._mark(one, base, other, inside)
        self._mark(other, base, one, inside)
        fresh = []
        for each in range(len(self._base)):
            if inside[self._base[each]]:
                self._base[each] = base
                if not self._even[each]:
                    self._even[each] = True
                    fresh.append(each)
        return fresh

    def _mark(self, each: int, base: int, child: int, inside: list[bool]) -> None:
        while self._base[each] != base:
            inside[self._base[each]] = inside[self._base[self.partner[each]]] = True
            self._from[each] = child
            child = self.partner[each]
            each = self._from[child]

    def _meeting_place(self, one: int, other: int) -> int:
        """Where the ways back to the root meet."""
        passed = set[int]()
        while True:
            one = self._base[one]
            passed.add(one)
            if self.partner[one] == NOBODY:
                break
            one = self._from[self.partner[one]]
        while self._base[other] not in passed:
            other = self._from[self.partner[self._base[other]]]
        return self._base[other]
