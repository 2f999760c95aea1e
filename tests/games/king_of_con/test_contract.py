from ludoteca.core.contract import GameContract


class TestKingOfCon(GameContract):
    where = "ludoteca.games.king_of_con:GAME"
    not_uniform = frozenset(
        {
            "supply",  # every way to share the tokens out is as likely, so large supplies are rarer
            "quadrant",  # sealed offers follow the supply; a Quadrant still being filled is imagined empty
        }
    )
