"""Writes the review that the tests of its page are made with: `python tools/review_fixture.py GAME`.

A game between two bots is played, and reviewed.
"""

from __future__ import annotations

import json
import pathlib
import sys

from ludoteca import catalogue
from ludoteca.bots.levels import prepare, read_bot
from ludoteca.core.chance import derive
from ludoteca.core.journal import Journal
from ludoteca.core.play import Play
from ludoteca.review.reviewing import reviewed, story_of
from ludoteca.server.reviews import A_PART, rounded

OUT = pathlib.Path(__file__).parents[1] / "tests" / "web" / "review.json"
BOTS = ("expert", "club")


def played(key: str, seed: int) -> Journal:
    """A game of two bots that are not equally strong."""
    game = catalogue.game(key)
    engine = prepare(game)
    play = Play.deal(engine, 2, {}, seed)
    while not play.is_over():
        seat = play.waiting()[0]
        bot = read_bot(game, BOTS[seat])
        play.decide(seat, [bot.choose(engine, game.redact(play.states, 0, seat), seat, derive(seed, play.seq))])
    return Journal(game.key, game.version, 2, game.full_options({}), seed, play.decisions())


def main() -> None:
    """Plays, reviews, writes."""
    journal = played(sys.argv[1], 1)
    pieces = [rounded(piece) for piece in reviewed(story_of(prepare(catalogue.game(journal.game)), journal)).pieces]
    parts = [pieces[first : first + A_PART] for first in range(0, len(pieces), A_PART)]
    fields = {"game", "version", "seats", "options", "seed", "decisions"}
    written = {name: value for name, value in vars(journal).items() if name in fields}
    OUT.write_text(json.dumps({"journal": written, "parts": parts}, ensure_ascii=False), "utf-8")


if __name__ == "__main__":
    main()
