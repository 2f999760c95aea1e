from ludoteca.core.contract import GameContract


class TestSplendor(GameContract):
    where = "ludoteca.games.splendor:GAME"
