"""`ludoteca review game.json`: what each decision of a finished game cost, what was luck, where it was decided."""

from __future__ import annotations

import argparse
import functools
import json
import pathlib
from collections.abc import Iterator
from typing import Any

import msgspec

from ludoteca.bots.levels import prepare
from ludoteca.core.game import Game
from ludoteca.core.journal import Journal
from ludoteca.core.words import LANGUAGES, fill
from ludoteca.review.pieces import COSTLY, Review, ReviewMoment, ReviewPiece, ReviewTotal
from ludoteca.review.reviewing import reviewed, story_of

from . import reports
from .bar import Bar

WORDS = pathlib.Path(__file__).parents[1] / "words" / "review"
COSTLIEST = 5  # decisions of each seat that are listed


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The options of `ludoteca review`."""
    command.add_argument("file", type=pathlib.Path, help="a record of a finished game")
    command.add_argument("--game", metavar="GAME", help="the game, if it is not an installed one: my_module:GAME")
    command.add_argument("--language", choices=LANGUAGES, default="en", help="en or it")
    command.add_argument("--json", action="store_true", help="everything, for machines")
    command.add_argument(
        "--out", type=pathlib.Path, metavar="FILE", help="write it to this file (default: to the terminal)"
    )
    command.add_argument("--progress", action="store_true", help="show progress even without a terminal")


def run(arguments: argparse.Namespace, game: Game, journal: Journal) -> int:
    """Reviews a game and tells what was found."""
    reports.check_places(arguments.out)
    story = story_of(prepare(game), journal)
    bar = Bar(len(story), "steps", asked=arguments.progress)
    review = reviewed(story, lambda done, _: bar.show(done))
    bar.close()
    if arguments.json:
        text = msgspec.json.format(msgspec.json.encode(review), indent=1).decode()
    else:
        text = "\n".join(told(review, story.names, arguments.language))
    if arguments.out is None:
        print(text)
    else:
        reports.write(arguments.out, text + "\n")
    return 0


@functools.cache
def words(language: str) -> dict[str, str]:
    """The words of reviews."""
    return dict(json.loads((WORDS / f"{language}.json").read_text("utf-8")))


def told(review: Review, names: list[str], language: str) -> Iterator[str]:
    """A review as lines of text."""

    def t(key: str, **facts: Any) -> str:
        return fill(words(language)[key], facts)

    pieces = {piece.step: piece for piece in review.pieces}
    for seat, total in enumerate(review.totals):
        yield f"{names[seat]}: {t('verdict.other.' + review.verdicts[seat], name=names[seat])}"
        yield f"  {account(total, t)}"
        yield "  " + t("decisions", n=total.decisions, good=total.as_good, costly=total.costly, forced=total.forced)
        costly = sorted(_costly(review, seat), key=lambda piece: -_loss(piece))[:COSTLIEST]
        for piece in costly:
            yield f"    {t('step', n=piece.step, round=piece.round)}: {_compared(piece, language, t)}"
        yield ""
    yield t("moments")
    for number, moment in enumerate(review.moments, 1):
        piece = pieces[moment.step]
        when = t("step", n=piece.step, round=piece.round)
        yield f"  {number}. {when}: {_moment(moment, piece, names, language, t)}"
        if moment.kind == "choice":
            yield from (f"     {reason}" for reason in _reasons(piece, names, language, t))
    yield ""
    yield t("note.errors")
    yield t("note.rank")


def account(total: ReviewTotal, t: Any) -> str:
    """One seat's chance from the deal to the end."""
    return str(
        t(
            "account",
            start=hundredths(total.start),
            own=signed(total.own),
            others=signed(total.others),
            luck=signed(total.luck),
            strokes=signed(total.strokes),
            residue=signed(total.residue),
            end=hundredths(total.end),
            error=hundredths(2 * total.error),
            accuracy="–" if total.accuracy is None else total.accuracy,
        )
    )


def hundredths(chance: float) -> int:
    """In hundredths, as people say it."""
    return round(100 * chance)


def signed(chance: float) -> str:
    """A change in hundredths, with its sign."""
    number = hundredths(chance)
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "0"


def _costly(review: Review, seat: int) -> Iterator[ReviewPiece]:
    for piece in review.pieces:
        if piece.seat == seat and piece.decision is not None and piece.decision.verdict == COSTLY:
            yield piece


def _loss(piece: ReviewPiece) -> float:
    return piece.decision.loss if piece.decision is not None else 0.0


def _compared(piece: ReviewPiece, language: str, t: Any) -> str:
    """What was done, and what would have been better."""
    assert piece.decision is not None
    said = dict(zip((option.action for option in piece.decision.options), piece.decision.words[language], strict=True))
    chance = {option.action: hundredths(option.chance) for option in piece.decision.options}
    return str(
        t(
            "compared",
            played=said[piece.action],
            chance=chance[piece.action],
            better=said[piece.decision.best],
            best=chance[piece.decision.best],
            cost=hundredths(piece.decision.loss),
            error=max(1, hundredths(2 * piece.decision.error)),
        )
    )


def _reasons(piece: ReviewPiece, names: list[str], language: str, t: Any) -> Iterator[str]:
    """What follows after the better option and not after the chosen one, and the other way round."""
    assert piece.decision is not None
    said = dict(zip((option.action for option in piece.decision.options), piece.decision.words[language], strict=True))
    for action, facts in ((piece.decision.best, piece.decision.spares), (piece.action, piece.decision.leads)):
        for fact in facts[:1]:
            name = names[piece.seat if fact.seat is None else fact.seat]
            told = t(f"why.{fact.kind}", who="other", name=name, words=fact.words.get(language, ""), n=fact.times)
            yield str(t("why.after", move=said[action], fact=told))


def _moment(moment: ReviewMoment, piece: ReviewPiece, names: list[str], language: str, t: Any) -> str:
    if moment.kind == "choice":
        return f"{names[moment.seat]}: {_compared(piece, language, t)}"
    return str(
        t(
            "stroke",
            name=names[moment.seat],
            luck=signed(moment.size),
            error=max(1, hundredths(2 * moment.error)),
            after=hundredths(piece.after.chances[moment.seat]) if piece.after else 0,
        )
    )
