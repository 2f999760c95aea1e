from ludoteca.core.contract import GameContract
from ludoteca.games.splendor.rules.decisions import qualifies
from ludoteca.games.splendor.state import State


class TestSplendor(GameContract):
    where = "ludoteca.games.splendor:GAME"

    def test_whoever_misses_nothing_qualifies_by_the_rules(self) -> None:
        for moment in self.some_moments(every=5):
            players = self.engine.view(moment.states, 0, 0)["players"]
            record = State(moment.states)
            assert [player["qualifies"] for player in players] == [
                qualifies(record, seat) for seat in range(moment.seats)
            ]
