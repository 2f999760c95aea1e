"""How a position, and the options of a decision, are judged: by the search of the strongest bot, in so many guesses.

Everything follows from the position and the number of its step: the same game is always judged alike.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from msgspec import structs

from ludoteca.bots import search
from ludoteca.bots.levels import LEVELS, read_bot
from ludoteca.bots.weigh import Scales
from ludoteca.core.chance import derive
from ludoteca.core.engine import CompiledEngine
from ludoteca.core.record import States

from .dealing import in_sight, spread
from .pieces import AS_GOOD, COSTLY, FORCED, ReviewDecision, ReviewOption, ReviewPoint, ReviewStroke

Table = npt.NDArray[np.float64]
Outcome = tuple[States, int]

JUDGE = LEVELS[-1]  # the strongest
ERRORS = 2.0  # a difference within so many standard errors is none
NOTHING = 1e-9  # a difference that is none, where there is no error


@dataclass(frozen=True)
class Effort:
    """How hard to look. A look is a tree of its own: what two looks have in common is the position and nothing else."""

    options: int = 8  # of a decision, at most
    search: int = 1200  # guesses of a search that finds half of them: what looks best is not always among the best
    guesses: int = 128  # of a look in which its tree grows, and again as many in which everybody does what is best
    sketch: int = 4  # looks in which all options are weighed
    refine: int = 16  # looks at most, for those that may be the best
    enough: float = 0.01  # the standard error of a loss at which nobody looks further
    runs: int = 8  # looks at a position
    deals: int = 96  # how often a step is dealt again to see what could have come
    pairs: int = 32  # looks at what came, each beside one at something that could have come
    glance: int = 64  # guesses of each of these


class Judge:
    """Judges positions of one game."""

    def __init__(self, engine: CompiledEngine, effort: Effort) -> None:
        self.engine, self.effort = engine, effort
        settings = read_bot(engine.game, JUDGE).settings
        self.settings = settings or search.Settings()

    # A position.

    def position(self, states: States, seed: int) -> ReviewPoint:
        """Everybody's chances, as those who are to decide can judge them."""
        seats = int(states["seats"][0])
        if self.engine.is_over(states):
            return ReviewPoint(self.result(states), [0.0] * seats)
        return pointed([self._look(states, seed, run, self.effort.guesses) for run in range(self.effort.runs)])

    def result(self, states: States) -> list[float]:
        """Who has won, shared wins in parts; alone against the game's own rival, whether."""
        ranks = self.engine.result(states).ranks
        if len(ranks) == 1:
            out = np.zeros(self.engine.game.max_seats)
            self.engine.call("outlook", states, 0, out)
            return [float(out[0])]
        return [(rank == 1) / ranks.count(1) for rank in ranks]

    def _look(self, states: States, seed: int, run: int, guesses: int) -> list[float]:
        """One look at a position, through the eyes of one of those who are to decide."""
        if self.engine.is_over(states):
            return self.result(states)
        waiting = self.engine.waiting(states)
        seat = waiting[run % len(waiting)]
        redacted = self.engine.game.redact(states, 0, seat)
        return [float(chance) for chance in self._brought(redacted, seat, [], derive(seed, run), guesses)[0]]

    def _brought(self, redacted: States, seat: int, options: list[int], seed: int, guesses: int) -> Table:
        """One look: for each option everybody's chances, or those of the position itself where there is none."""
        scales = Scales(self.engine, redacted, seat, seed, self.settings, options, 2 * guesses)
        scales.weigh(guesses)
        return scales.weigh(guesses, settled=True)

    # A decision.

    def decision(self, states: States, seat: int, chosen: int, seed: int) -> ReviewDecision:
        """What each sensible option was worth to this seat, from what it could see, in the same guesses."""
        return self.options(self.engine.game.redact(states, 0, seat), seat, chosen, seed)

    def options(self, redacted: States, seat: int, chosen: int, seed: int) -> ReviewDecision:
        """As `decision`, from the record as the seat may see it."""
        nothing = [0.0] * int(redacted["seats"][0])
        legal = self.engine.legal(redacted, 0, seat)
        sealed = len(self.engine.waiting(redacted)) > 1
        if len(legal) == 1:
            return ReviewDecision(FORCED, [], 0, chosen, 0.0, 0.0, nothing, sealed)
        options = self.sensible(redacted, seat, legal, chosen, seed)
        if len(options) == 1:
            return ReviewDecision(AS_GOOD, [], len(legal) - 1, chosen, 0.0, 0.0, nothing, sealed)
        weighed = self._weighed(redacted, seat, options, chosen, seed)
        # Only what stayed to the last can be the best: what was left behind was seen too seldom to come first after all.
        longest = max(map(len, weighed.values()))
        stayed = [option for option in options if len(weighed[option]) == longest]
        best = max(stayed, key=lambda option: (weighed[option][:, seat].mean(), option == chosen))
        decided = verdict(weighed, seat, best, chosen, len(legal) - len(options), sealed)
        return structs.replace(decided, before=before_it([weighed[option] for option in stayed], seat))

    def sensible(self, redacted: States, seat: int, legal: list[int], chosen: int, seed: int) -> list[int]:
        """The chosen option, those that a search finds best, and those that look best; nothing that is surely folly."""
        worth = {action: self.engine.appraise(redacted, seat, action) for action in legal}
        by_looks = sorted(legal, key=lambda action: -worth[action])
        good = [action for action in by_looks if worth[action] > search.FOLLY] or by_looks[:1]
        found, most = list[int](), self.effort.options
        if len(good) > most:
            guesses = self.effort.search if self.settings.candidates == 0 else self.effort.search // 3
            thinking = replace(self.settings, iterations=guesses, seconds=0.0)
            found = [tried.action for tried in search.think(self.engine, redacted, seat, seed, thinking).tried]
        return list(dict.fromkeys((chosen, *found[: most // 2 + 1], *good)))[: max(most, 2)]

    def _weighed(self, redacted: States, seat: int, options: list[int], chosen: int, seed: int) -> dict[int, Table]:
        """For each option, look by look, everybody's chances: all of them at first, then those that matter."""
        effort = self.effort
        looks: dict[int, list[Table]] = {option: [] for option in options}
        matter = options
        for done in range(1, effort.refine + 1):
            found = self._brought(redacted, seat, matter, derive(seed, done), effort.guesses)
            for option, chances in zip(matter, found, strict=True):
                looks[option].append(chances)
            if done >= effort.sketch:
                matter = self._matter(looks, seat, matter, chosen)
                if len(matter) == 1 or self._known(looks, seat, matter, chosen):
                    break
        return {option: np.array(found) for option, found in looks.items()}

    def _matter(self, looks: dict[int, list[Table]], seat: int, options: list[int], chosen: int) -> list[int]:
        """The chosen option, and those that may be the best."""
        leader = max(options, key=lambda option: np.mean([look[seat] for look in looks[option]]))
        stay = []
        for option in options:
            behind, error = difference(looks[leader], looks[option], seat)
            if option in (chosen, leader) or behind <= ERRORS * error:
                stay.append(option)
        return stay if len(stay) > 1 else [chosen]

    def _known(self, looks: dict[int, list[Table]], seat: int, options: list[int], chosen: int) -> bool:
        """Whether the loss is known well enough: small and surely so, or as exactly as anybody wants to know."""
        leader = max(options, key=lambda option: np.mean([look[seat] for look in looks[option]]))
        rival = (
            leader
            if leader != chosen
            else max(
                (option for option in options if option != chosen),
                key=lambda option: np.mean([look[seat] for look in looks[option]]),
            )
        )
        return difference(looks[rival], looks[chosen], seat)[1] < self.effort.enough / 2

    # Chance.

    def outcomes(self, states: States, seat: int, action: int, after: States, seed: int) -> list[Outcome]:
        """What could have come of this step, and how often it would; nothing where chance had no part in it."""
        found = spread(self.engine, states, seat, action, seed, self.effort.deals)
        if len(found) == 1 and in_sight(self.engine, found[0][0]) == in_sight(self.engine, after):
            return []
        return found

    def stroke(self, outcomes: list[Outcome], after: States, seed: int) -> ReviewStroke:
        """What chance did with a step: what came less what could have come, pair by pair in the same guesses."""
        worlds, glance = evenly(outcomes, self.effort.pairs), self.effort.glance
        came = np.array([self._look(after, seed, run, glance) for run in range(len(worlds))])
        could = np.array([self._look(world, seed, run, glance) for run, world in enumerate(worlds)])
        gained = came - could
        every = len(outcomes) <= len(worlds)
        return ReviewStroke(gained.mean(0).tolist(), error_of(gained).tolist(), min(len(outcomes), len(worlds)), every)


def evenly(outcomes: Sequence[Outcome], places: int) -> list[States]:
    """So many of the outcomes, each as often as it comes: all of them where there are few."""
    ends = np.cumsum([count for _, count in outcomes])
    at = (np.arange(places) + 0.5) * ends[-1] / places
    return [outcomes[number][0] for number in np.searchsorted(ends, at)]


def difference(one: Sequence[Table] | Table, other: Sequence[Table] | Table, seat: int) -> tuple[float, float]:
    """How much more the one brought in the looks that both were in, and its standard error."""
    found = np.array([here[seat] - there[seat] for here, there in zip(one, other, strict=False)])
    return float(found.mean()), float(error_of(found))


def error_of(looks: Table) -> Table:
    """The standard error of a mean over so many looks; of few it is known badly, and so it is said to be larger."""
    count = len(looks)
    if count < 2:
        return np.ones(looks.shape[1:])
    error: Table = looks.std(0, ddof=1) / math.sqrt(count)
    return error * (1.0 + 1.3 / (count - 1) + 1.4 / (count - 1) ** 2)


def pointed(looks: Sequence[Sequence[float]] | Table) -> ReviewPoint:
    """A point from several looks."""
    found = np.array(looks)
    return ReviewPoint(found.mean(0).tolist(), error_of(found).tolist())


def verdict(
    weighed: dict[int, Table], seat: int, best: int, chosen: int, left_out: int, sealed: bool
) -> ReviewDecision:
    """The decision as it is written down."""
    top = weighed[best]
    options = []
    for action, found in weighed.items():
        loss, error = difference(top, found, seat)
        chance = float(top[:, seat].mean()) - loss
        own = float(error_of(found)[seat])
        options.append(ReviewOption(action, chance, own, max(0.0, loss), error if action != best else 0.0))
    options.sort(key=lambda option: (option.loss, option.action != best))
    loss, error = difference(top, weighed[chosen], seat)
    both = min(len(top), len(weighed[chosen]))
    costly = chosen != best and loss > ERRORS * error + NOTHING
    change = (weighed[chosen][:both] - top[:both]).mean(0) if costly else np.zeros(top.shape[1])
    return ReviewDecision(
        COSTLY if costly else AS_GOOD, options, left_out, best, loss if costly else 0.0, error, change.tolist(), sealed
    )


def before_it(stayed: Sequence[Table], seat: int) -> ReviewPoint:
    """Everybody's chances before a decision, if the best is decided.

    Which option is the best is read from one half of the looks, and what it brings from the other, both ways: the
    highest of several noisy figures is too high.
    """
    halves = []
    for half in (0, 1):
        best = max(stayed, key=lambda found: found[half::2, seat].mean())
        halves.append(best[1 - half :: 2])
    return pointed(np.concatenate(halves))
