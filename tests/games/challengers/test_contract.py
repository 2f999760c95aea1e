from ludoteca.core.contract import GameContract


class TestChallengers(GameContract):
    where = "ludoteca.games.challengers:GAME"
    games = 1  # at each of 96 tables

    # Cards and trophies are counted by kind, and kinds have different numbers of copies, so a fair guess favours the common
    # ones: test_beliefs.py checks the proportions. Streams are numbers of 62 bits, of which no guess hits the true one.
    not_uniform = frozenset({"streams", "deck", "boxed", "leaving", "stack", "discards", "display", "pile", "trophy"})
