"""What does a deck do, and which numbers would make it so? Bots play in a process of their own, and a page follows it.

The process is `ludoteca balance --stream` or `ludoteca tune --stream`: the laboratory is no part of the server. A few run at
once, in the order in which they were asked for, and one for each guest; each can be stopped, and ends with the house. What a
search has tried is kept as long as the house is open, so that it goes on where it was stopped; apart from that nothing is
kept: the same question to the same deck has the same answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import pathlib
import secrets
import sys
import tempfile
from collections import OrderedDict
from typing import Any

import msgspec

from ludoteca.bots.levels import LEVELS
from ludoteca.core.decks import as_file, printed
from ludoteca.core.game import DECK, Game
from ludoteca.core.words import LANGUAGES

from .decks import Shelf
from .engines import end_all
from .guests import Guest
from .refusals import BadRequest, NotFound
from .wire import AskReport, AskSearch, GoOn, ReportFiles, ReportState, SearchState

AT_ONCE = 2  # reports and searches that are made at the same time
KEPT = 50  # of each that can still be looked at
MOST_DEALS = 5000
MOST_TRIES, MOST_TRIED_ON, CHECKED_ON = 200, 1000, 1000  # decks that a search tries, on so many deals, and again
MOST_WISHES, MOST_CELLS, LONGEST = 8, 12, 120  # wishes, cells, and letters of one
BOTS = ("greedy", "uniform", *LEVELS)

log = logging.getLogger("ludoteca.reports")


def in_a_file(game: Game) -> str:
    """The deck of a game, as the command reads it."""
    assert game.deck is not None
    return as_file(game, game.deck.form_in(game), game.deck.content)


class Line(msgspec.Struct):
    """What the process says."""

    done: int
    total: int
    report: Any
    refused: str = ""


class Job:
    """One report or search."""

    def __init__(self, guest: str, game: str) -> None:
        self.id, self.guest, self.game = secrets.token_urlsafe(12), guest, game
        self.line = Line(0, 1, None)
        self.running = True
        self.files: ReportFiles | None = None
        self.command: list[str] = []  # of a search, which may go on
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.task: asyncio.Task[None] | None = None

    def state(self) -> ReportState:
        """How far a report is."""
        return ReportState(self.id, self.line.done, self.line.total, self.running, self.line.report)

    def search(self) -> SearchState:
        """How far a search is."""
        line = self.line
        return SearchState(self.id, line.done, line.total, self.running, line.refused, line.report)

    def stop(self) -> None:
        """No further."""
        if self.task is not None:
            self.task.cancel()
        self.running = False

    def forget(self) -> None:
        """No further, and nothing of it is kept."""
        self.stop()
        self.folder.cleanup()


class Jobs:
    """Work of one sort that guests ask for: one for each of them, so many at once, first come, first served."""

    def __init__(self, places: asyncio.Semaphore) -> None:
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._places = places

    def begin(self, guest: Guest, game: str) -> Job:
        """A new one; another one of the same guest stops."""
        self.stop_others(guest)
        job = Job(guest.id, game)
        self._jobs[job.id] = job
        while len(self._jobs) > KEPT:
            self._jobs.popitem(last=False)[1].forget()
        return job

    def stop_others(self, guest: Guest) -> None:
        """Whatever of this guest runs stops."""
        for job in self._jobs.values():
            if job.guest == guest.id:
                job.stop()

    def of(self, id: str) -> Job:
        """One by its name."""
        if id not in self._jobs:
            raise NotFound("no_such_report")
        return self._jobs[id]

    def own(self, guest: Guest, id: str) -> Job:
        """One of this guest's, by its name."""
        job = self.of(id)
        if job.guest != guest.id:
            raise NotFound("no_such_report")
        return job

    def close(self) -> None:
        """The house closes."""
        for job in self._jobs.values():
            job.forget()

    async def follow(self, job: Job, command: list[str]) -> None:
        """Runs a command when it is its turn, and hears what it says."""
        try:
            async with self._places:
                await listen(job, command)
                page, table = (pathlib.Path(job.folder.name) / f"report.{ending}" for ending in ("html", "csv"))
                if table.exists():
                    job.files = ReportFiles(page.read_text("utf-8"), table.read_text("utf-8"))
        except Exception:
            log.exception("A report could not be made.")
        finally:
            job.running = False


async def listen(job: Job, command: list[str]) -> None:
    """Runs a command in a process of its own, which ends when nobody listens any more."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "ludoteca", *command, stdout=asyncio.subprocess.PIPE,
        stdin=asyncio.subprocess.DEVNULL, start_new_session=True, limit=1 << 24,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        async for line in process.stdout:
            with contextlib.suppress(msgspec.MsgspecError):
                job.line = msgspec.json.decode(line, type=Line)
        await process.wait()
    finally:
        if process.returncode is None:
            end_all(process.pid)
            await process.wait()


def as_files(job: Job, texts: dict[str, str]) -> list[str]:
    """Decks as files beside the job, and how the command is told of them."""
    told = []
    for name, text in texts.items():
        file = pathlib.Path(job.folder.name) / name
        file.write_text(text, "utf-8")
        told += [f"--{name}", str(file)]
    return told


def spoken(language: str) -> str:
    """A language that reports are told in."""
    return language if language in LANGUAGES else LANGUAGES[0]


def check_tries(tries: int) -> None:
    """Refuses a search without end."""
    if not 1 <= tries <= MOST_TRIES:
        raise BadRequest("bad_tries", most=MOST_TRIES)


class Reports:
    """The reports and searches of this server."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        places = asyncio.Semaphore(AT_ONCE)
        self.reports, self.searches = Jobs(places), Jobs(places)

    async def ask(self, guest: Guest, wish: AskReport) -> ReportState:
        """Begins a report; another one of the same guest stops."""
        game = await self._game(wish.game, wish.deck, wish.seats)
        if wish.bot not in BOTS or not 1 <= wish.deals <= MOST_DEALS or game.deck is None:
            raise BadRequest("bad_report", most=MOST_DEALS)
        texts = {"deck": in_a_file(game)}
        if wish.before:
            texts["before"] = in_a_file(await self._shelf.game_with(wish.game, {DECK: wish.before}))
        job = self.reports.begin(guest, game.key)
        page, table = (str(pathlib.Path(job.folder.name) / f"report.{ending}") for ending in ("html", "csv"))
        command = [
            "balance", printed(game).place, "--seats", str(wish.seats), "--games", str(wish.deals), "--bot", wish.bot,
            *as_files(job, texts), "--html", page, "--csv", table, "--processes", "1", "--stream",
            "--language", spoken(wish.language), "--worth", wish.worth,
        ]  # fmt: skip
        job.task = asyncio.create_task(self.reports.follow(job, command))
        return job.state()

    def stop(self, guest: Guest, id: str) -> ReportState:
        """A guest stops their report; what is known of it stays."""
        job = self.reports.own(guest, id)
        job.stop()
        return job.state()

    def files(self, id: str) -> ReportFiles:
        """A report that is done, to take along."""
        files = self.reports.of(id).files
        if files is None:
            raise NotFound("no_such_report")
        return files

    # Which numbers would make it so?

    async def search(self, guest: Guest, wish: AskSearch) -> SearchState:
        """Begins a search; another one of the same guest stops."""
        game = await self._game(wish.game, wish.deck, wish.seats)
        said = [*wish.wishes, *wish.cells]
        if (
            wish.bot not in BOTS or not 1 <= wish.deals <= MOST_TRIED_ON or game.deck is None
            or not 1 <= len(wish.wishes) <= MOST_WISHES or not 1 <= len(wish.cells) <= MOST_CELLS
            or any(len(one) > LONGEST for one in said)
        ):  # fmt: skip
            raise BadRequest("bad_search", wishes=MOST_WISHES, cells=MOST_CELLS, games=MOST_TRIED_ON)
        check_tries(wish.tries)
        job = self.searches.begin(guest, game.key)
        job.command = [
            "tune", printed(game).place, "--seats", str(wish.seats), "--deals", str(wish.deals), "--bot", wish.bot,
            *as_files(job, {"deck": in_a_file(game)}), *(f"--wish={one}" for one in wish.wishes),
            *(f"--cell={one}" for one in wish.cells), "--check", str(CHECKED_ON), "--processes", "1", "--stream",
            "--out", str(pathlib.Path(job.folder.name) / "search"), "--language", spoken(wish.language),
        ]  # fmt: skip
        return self._go(job, wish.tries, [])

    def _go(self, job: Job, tries: int, more: list[str]) -> SearchState:
        job.running, job.line = True, msgspec.structs.replace(job.line, refused="")
        command = [*job.command, "--tries", str(tries), *more]
        job.task = asyncio.create_task(self.searches.follow(job, command))
        return job.search()

    def stop_search(self, guest: Guest, id: str) -> SearchState:
        """A guest stops their search; it can go on later."""
        job = self.searches.own(guest, id)
        job.stop()
        return job.search()

    def go_on(self, guest: Guest, id: str, wish: GoOn) -> SearchState:
        """A search that was stopped, or is done, goes on to so many decks; what it has tried is not tried again."""
        job = self.searches.own(guest, id)
        check_tries(wish.tries)
        if job.running:
            return job.search()
        self.searches.stop_others(guest)
        begun = (pathlib.Path(job.folder.name) / "search" / "plan.json").exists()
        return self._go(job, wish.tries, ["--resume"] if begun else [])

    async def _game(self, key: str, deck: str, seats: int) -> Game:
        game = await self._shelf.game_with(key, {DECK: deck})
        game.check_seats(seats)
        return game

    def close(self) -> None:
        """The house closes."""
        self.reports.close()
        self.searches.close()
