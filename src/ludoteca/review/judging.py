"""How a position, and the options of a decision, are judged: by the search of the strongest bot, in so many guesses.

Everything follows from the position and the number of its step: the same game is always judged alike.
"""

from __future__ import annotations

import functools
import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludoteca.bots import search
from ludoteca.bots.judgement import weights_of
from ludoteca.bots.levels import LEVELS, read_bot
from ludoteca.bots.weigh import DRAWN, Scales
from ludoteca.core.chance import derive
from ludoteca.core.engine import CompiledEngine, has_rule, interpreted
from ludoteca.core.game import Game
from ludoteca.core.record import States, copied

from .dealing import in_sight, spread
from .mixing import Expected, expect, most_played
from .pieces import AS_GOOD, COSTLY, FORCED, ReviewDecision, ReviewOption, ReviewPoint, ReviewStroke

Table = npt.NDArray[np.float64]
Outcome = tuple[States, int]

JUDGE = LEVELS[-1]  # the strongest
MEASURE = 3  # raised with every change after which the same game is judged otherwise; settings and weights count anyway
ERRORS = 2.0  # a difference within so many standard errors is none
WIDER = 1.6  # answers that a large look tries, against a player's search: what spoils a plan often looks like nothing
FEWEST = 4  # looks, for their spread to say something
LEEWAY = 0.01  # a small look is not trusted closer than this
NOTHING = 1e-9  # a difference that is none, where there is no error


@dataclass(frozen=True)
class Effort:
    """How hard to look. A look is a tree of its own: what two looks have in common is the position and nothing else."""

    options: int = 8  # of a decision, at most
    search: int = 1200  # guesses of a search that finds half of them: what looks best is not always among the best
    guesses: int = 128  # of a look in which its tree grows, and again as many in which everybody does what is best
    sketch: int = 4  # such looks in which all options are weighed, to see which may be the best
    deep: int = 512  # guesses of a look at these: many answers of the others are found only in a large tree
    refine: int = 6  # such looks, at most
    searches: int = 2  # of the bot itself for each look: the mixture that it plays where several decide together
    enough: float = 0.0075  # the standard error of a loss at which nobody looks further, after four of them
    further: int = 12  # looks where something seems lost and its error is still larger than this:
    rough: float = 0.02
    runs: int = 8  # looks at a position
    deals: int = 96  # how often a step is dealt again to see what could have come
    pairs: int = 32  # looks at what came, each beside one at something that could have come
    glance: int = 64  # guesses of each of these


def judging(game: Game) -> search.Settings:
    """How reviews search: as the strongest level does, but for what the game says of judging."""
    return replace(read_bot(game, JUDGE).settings or search.Settings(), **game.judging)


@functools.cache
def judge_of(game: Game) -> str:
    """Who judges, and a sign of how: two reviews that have the same can be laid side by side."""
    settings = judging(game)
    how = hashlib.sha256(repr((MEASURE, settings, Effort(), sorted(game.trust.items()))).encode())
    how.update(weights_of(game, settings.weights).tobytes())
    return f"{JUDGE} {how.hexdigest()[:12]}"


class Judge:
    """Judges positions of one game."""

    def __init__(self, engine: CompiledEngine, effort: Effort) -> None:
        self.engine, self.effort = engine, effort
        self.settings = judging(engine.game)
        self.wider = replace(self.settings, widening=WIDER * self.settings.widening)

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

    def _brought(
        self, redacted: States, seat: int, options: list[int], seed: int, guesses: int, mixture: Sequence[Expected] = ()
    ) -> Table:
        """One look: for each option everybody's chances, or those of the position itself where there is none."""
        grown = self.settings.candidates == 0  # else options are played out side by side, and there is no tree to grow
        measured = min(guesses, self.effort.guesses) if grown else guesses
        settings = self.wider if guesses > measured else self.settings
        scales = Scales(self.engine, redacted, seat, seed, settings, options, guesses + measured)
        for expected in mixture:
            scales.expect(*expected)
        if grown:
            scales.weigh(guesses)
        return scales.weigh(measured, settled=True)

    # A decision.

    def decision(self, states: States, seat: int, chosen: int, seed: int) -> ReviewDecision:
        """What each sensible option was worth to this seat, from what it could see, in the same guesses."""
        return self.options(self.engine.game.redact(states, 0, seat), seat, chosen, seed)

    def options(self, redacted: States, seat: int, chosen: int, seed: int) -> ReviewDecision:
        """As `decision`, from the record as the seat may see it."""
        effort, nothing = self.effort, [0.0] * int(redacted["seats"][0])
        legal = self.engine.legal(redacted, 0, seat)
        sealed = self.sealed(redacted, seat)
        if len(legal) == 1:
            return ReviewDecision(FORCED, [], 0, chosen, 0.0, 0.0, nothing, sealed)
        looks = range(max(effort.sketch, min(FEWEST, effort.refine), 2))  # more of them where one looks further
        mixtures = self._mixtures(redacted, seat, derive(seed, 3), looks) if sealed else []
        options = self.sensible(redacted, seat, legal, chosen, seed, most_played(mixtures))
        if len(options) == 1:
            return ReviewDecision(AS_GOOD, [], len(legal) - 1, chosen, 0.0, 0.0, nothing, sealed)
        sketched = self._looks(redacted, seat, options, derive(seed, 1), effort.guesses, range(effort.sketch), mixtures)
        matter = may_be_best(sketched, seat, chosen) + [DRAWN] * bool(mixtures)
        weighed = self._weighed(redacted, seat, matter, chosen, derive(seed, 2), mixtures)
        return verdict(sketched, weighed, seat, chosen, len(legal) - len(options), sealed)

    def sealed(self, redacted: States, seat: int) -> bool:
        """Whether others decide at the same time, and this seat cannot know what: those too who have sealed before."""
        world, game = copied(redacted), self.engine.game
        interpreted(game).call("imagine" if has_rule(game, "imagine") else "determinize", world, 0, seat, 0)
        return max(len(self.engine.waiting(redacted)), len(self.engine.waiting(world))) > 1

    def _mixtures(self, redacted: States, seat: int, seed: int, looks: range) -> list[Expected]:
        """For each look what is expected of everybody who decides together; nothing where no tree is grown."""
        if self.settings.candidates > 0:
            return []
        thinking = self.settings_for(self.effort.search)
        return expect(self.engine, redacted, seat, seed, thinking, self.effort.searches, looks)

    def settings_for(self, guesses: int) -> search.Settings:
        """A search of its own with so many guesses, whatever the clock says."""
        return replace(self.settings, iterations=guesses, seconds=0.0)

    def sensible(
        self, redacted: States, seat: int, legal: list[int], chosen: int, seed: int, played: list[int]
    ) -> list[int]:
        """The chosen option, those that a search finds best, and those that look best; nothing that is surely folly."""
        worth = {action: self.engine.appraise(redacted, seat, action) for action in legal}
        by_looks = sorted(legal, key=lambda action: -worth[action])
        good = [action for action in by_looks if worth[action] > search.FOLLY] or by_looks[:1]
        found, most = played, self.effort.options
        if len(good) > most and not played:
            guesses = self.effort.search if self.settings.candidates == 0 else self.effort.search // 3
            thought = search.think(self.engine, redacted, seat, seed, self.settings_for(guesses))
            found = [tried.action for tried in thought.tried]
        return list(dict.fromkeys((chosen, *found[: most // 2 + 1], *good)))[: max(most, 2)]

    def _looks(
        self,
        redacted: States,
        seat: int,
        options: list[int],
        seed: int,
        guesses: int,
        numbers: range,
        mixtures: list[Expected],
    ) -> dict[int, Table]:
        """For each option, look by look, everybody's chances."""
        found = np.array(
            [
                self._brought(redacted, seat, options, derive(seed, look), guesses, mixtures[look : look + 1])
                for look in numbers
            ]
        )
        return {option: found[:, place] for place, option in enumerate(options)}

    def _weighed(
        self, redacted: States, seat: int, options: list[int], chosen: int, seed: int, mixtures: list[Expected]
    ) -> dict[int, Table]:
        """The options that matter in large looks, until what was lost is known or the looks are used up."""
        effort, looks = self.effort, 0
        found: dict[int, Table] = {}
        while looks < effort.further:
            numbers = range(looks, min(FEWEST, effort.refine) if looks == 0 else min(looks + 2, effort.further))
            if mixtures and numbers.stop > len(mixtures):
                mixtures = mixtures + self._mixtures(redacted, seat, derive(seed, 4), numbers)
            more = self._looks(redacted, seat, options, seed, effort.deep, numbers, mixtures)
            found = {
                option: np.concatenate([found[option], more[option]]) if found else more[option] for option in more
            }
            looks, lost = numbers.stop, compared(found, seat, chosen)
            known = lost.error < effort.enough
            if known or (looks >= effort.refine and (lost.error < effort.rough or lost.loss < lost.error)):
                break
        return found

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


def may_be_best(sketched: dict[int, Table], seat: int, chosen: int) -> list[int]:
    """The chosen option, and those that a sketch does not rule out."""
    leader = best_of(sketched, seat)
    found = []
    for option, looks in sketched.items():
        behind = sketched[leader][:, seat] - looks[:, seat]
        if option in (chosen, leader) or behind.mean() <= ERRORS * error_of(behind) + LEEWAY:
            found.append(option)
    return found


def best_of(weighed: dict[int, Table], seat: int, looks: slice = slice(None)) -> int:
    """The option that brought most in these looks."""
    return max(
        (option for option in weighed if option != DRAWN), key=lambda option: float(weighed[option][looks, seat].mean())
    )


class Crossed(NamedTuple):
    """What the best option brings to everybody, look by look, and how much more than the chosen one, with its error."""

    best: Table
    more: Table
    loss: float
    error: float


def crossed(weighed: dict[int, Table], seat: int, chosen: int) -> Crossed:
    """Which option is the best is read from one half of the looks, and what it brings from the other, both ways.

    The highest of several noisy figures is too high: read from the same looks, something would always have been better.
    """
    best = weighed[chosen].copy()
    if len(best) > 1:
        for half in (0, 1):
            best[1 - half :: 2] = weighed[best_of(weighed, seat, slice(half, None, 2))][1 - half :: 2]
    more = best - weighed[chosen]
    return Crossed(best, more, float(more[:, seat].mean()), float(error_of(more)[seat]))


def compared(weighed: dict[int, Table], seat: int, chosen: int) -> Crossed:
    """The chosen option beside the best one; where several decide together, beside what the bot plays there: a mixture."""
    if DRAWN not in weighed:
        return crossed(weighed, seat, chosen)
    more = weighed[DRAWN] - weighed[chosen]
    return Crossed(weighed[DRAWN], more, float(more[:, seat].mean()), float(error_of(more)[seat]))


def verdict(
    sketched: dict[int, Table], weighed: dict[int, Table], seat: int, chosen: int, left_out: int, sealed: bool
) -> ReviewDecision:
    """The decision as it is written down: what was not ruled out by the sketch from the large looks."""
    before, more, loss, error = compared(weighed, seat, chosen)
    best = best_of(weighed, seat)
    costly = best != chosen and loss > ERRORS * error + NOTHING
    drawn = DRAWN in weighed  # then no option is compared with itself, and nothing is read by halves
    top = float((weighed[best] if drawn else before)[:, seat].mean())
    options = []
    for action in sketched:
        found = weighed if action in weighed else sketched
        behind = found[best][:, seat] - found[action][:, seat]
        less, apart = float(behind.mean()), float(error_of(behind))
        if costly and action == chosen and not drawn:
            less, apart = loss, error
        chance, own = min(max(0.0, top - less), 1.0), float(error_of(found[action])[seat])
        options.append(ReviewOption(action, chance, own, max(0.0, less), apart if action != best else 0.0))
    options.sort(key=lambda option: (option.loss, option.action != best))
    return ReviewDecision(
        COSTLY if costly else AS_GOOD, options, left_out, best, loss if costly else 0.0, error,
        (-more.mean(0)).tolist(), sealed, pointed(before),
    )  # fmt: skip
