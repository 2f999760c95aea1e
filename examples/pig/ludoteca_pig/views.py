"""The game as JSON for the page: what there is to see, why something is not allowed."""

from ludoteca.core.game import Json

from .rules import State


def view(state: State, viewer: int) -> Json:
    players = [{"score": state.score[seat]} for seat in range(state.seats)]
    return {"players": players, "pot": state.pot, "die": state.die or None, "goal": state.goal}


def choice(state: State, seat: int, action: int) -> Json:
    return {"points": state.pot}


def explain(state: State, seat: int, action: int) -> tuple[str, Json]:
    return "roll_first", {}
