"""Bots as somebody else would write them, for tests."""

from ludoteca.bots.own import Sight


def first(sight: Sight) -> int:
    return sight.legal[0]


class Counting:
    """Remembers how often it was asked, and takes what looks best."""

    name = "counting"

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, sight: Sight) -> int:
        self.asked += 1
        assert sight.mask.sum() == len(sight.legal)
        assert len(sight.observation) == sight.game.observation
        assert sight.state.waiting[sight.seat]
        assert sight.words(sight.legal[0])
        return max(sight.legal, key=sight.appraise)


class Needy:
    def __init__(self, weights: str) -> None:
        self.weights = weights


async def slow(sight: Sight) -> int:
    return 0


def nothing() -> int:
    return 0


NUMBER = 5
