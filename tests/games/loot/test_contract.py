from ludoteca.core.contract import GameContract


class TestLoot(GameContract):
    where = "ludoteca.games.loot:GAME"
