"""How much somebody gains who knows how a bot decides: an approximate best response to it, where decisions are sealed.

    ludoteca arena GAME search:iterations=80,mixing=0 ludoteca.lab.response:ToFavourites
    ludoteca arena GAME search:iterations=80 ludoteca.lab.response:ToMixing
    ludoteca arena GAME master:iterations=2000,seconds=0 ludoteca.lab.response:ToMaster

Who always plays the favourite is foreseen. The responder searches as its rival does. Where both decide at the same time, it
also guesses worlds, asks the rival's own program what it would do in each, and takes the best of its own favourites
against those answers. What it wins beyond one half is what can be gained against the rival, or a little less: a response
that is only approximate gains at most as much as the best. A bot that mixes well leaves it nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from ludoteca.bots import levels, search
from ludoteca.bots.own import Sight
from ludoteca.core.chance import derive
from ludoteca.core.engine import CompiledEngine, interpreted
from ludoteca.core.record import States

ITERATIONS = 80  # as `club` thinks
OF_MASTER = 2000  # of the strongest level's: with all of them a game would take long
Answers = dict[tuple[int, bytes], int]  # what the rival's program does, by its draw and what it sees


@dataclass(frozen=True)
class Response:
    """Plays against a rival whose program it has."""

    rival: str
    guesses: int = 12
    favourites: int = 5

    def choose(self, sight: Sight) -> int:
        """As the rival would, but for sealed decisions."""
        engine, bot = sight.engine, levels.read_bot(sight.game, self.rival)
        assert isinstance(engine, CompiledEngine) and bot.settings is not None
        if len(sight.legal) == 1:
            return sight.legal[0]
        thought = search.think(engine, sight.redacted, sight.seat, sight.seed, bot.settings)
        if not seals(sight, thought.action) and len(engine.waiting(sight.redacted)) == 1:
            return thought.action
        mine = [one.action for one in thought.tried[: self.favourites]]
        worth = dict.fromkeys(mine, 0.0)
        answered: Answers = {}
        for number in range(self.guesses):
            world = guessed(sight, number)
            for action in mine:
                worth[action] += self.outcome(sight, bot, world, action, number, answered)
        return max(mine, key=lambda action: worth[action])

    def outcome(
        self, sight: Sight, bot: levels.Bot, world: States, action: int, number: int, answered: Answers
    ) -> float:
        """How this seat stands once all have sealed: it does this, and everybody then what the rival's program does.

        A rival cannot see what this seat has sealed, so that it is asked once for all of this seat's favourites.
        """
        engine, after = sight.engine, world.copy()
        asked = engine.waiting(after)
        engine.apply(after, 0, sight.seat, action)
        todo = [seat for seat in asked if seat != sight.seat or not seals(sight, action)]
        for seat in todo:
            step, sealed = 0, False
            while not sealed and not engine.is_over(after) and seat in engine.waiting(after):
                step += 1
                redacted = sight.game.redact(after, 0, seat)
                asking = derive(sight.seed, number, seat, step)
                view = asking, redacted.tobytes()
                if view not in answered:
                    answered[view] = bot.choose(engine, redacted, seat, asking)
                answer = answered[view]
                engine.apply(after, 0, seat, answer)
                sealed = seals(sight, answer)
        return float(engine.outlook(after)[sight.seat])


def seals(sight: Sight, action: int) -> bool:
    """Whether an action ends a seat's decision behind the screen; in the open every action does."""
    return sight.game.behind_screen.get(sight.game.actions.decode(action).kind, True)


def guessed(sight: Sight, number: int) -> States:
    """A world as the search imagines it: what others have sealed is open again."""
    world = sight.redacted.copy()
    name = "imagine" if sight.game.imagine is not None else "determinize"
    interpreted(sight.game).call(name, world, 0, sight.seat, derive(sight.seed, number))
    return world


class ToFavourites(Response):
    """A response to the search that always plays its favourite."""

    def __init__(self) -> None:
        super().__init__(f"search:iterations={ITERATIONS},mixing=0")


class ToMixing(Response):
    """A response to the search as it plays."""

    def __init__(self) -> None:
        super().__init__(f"search:iterations={ITERATIONS}")


class ToMaster(Response):
    """A response to the strongest level, thinking shorter."""

    def __init__(self) -> None:
        super().__init__(f"{levels.STRONGEST}:iterations={OF_MASTER},seconds=0")
