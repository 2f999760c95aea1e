"""What does a deck do? Bots play it and the printed one in a process of their own, and the report is shown as it grows.

The process is `ludoteca balance --stream`: the laboratory is no part of the server. A few run at once, one for each guest;
each can be stopped, and ends with the house. Nothing is kept: a report is made again from the same deck and seed.
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

from .decks import Shelf
from .engines import end_all
from .guests import Guest
from .refusals import BadRequest, NotFound
from .wire import AskReport, ReportFiles, ReportState

AT_ONCE = 2  # reports that are made at the same time
KEPT = 50  # reports that can still be looked at
MOST_DEALS = 5000
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


class Job:
    """One report."""

    def __init__(self, guest: str) -> None:
        self.id, self.guest = secrets.token_urlsafe(12), guest
        self.line = Line(0, 1, None)
        self.running = True
        self.files: ReportFiles | None = None
        self.task: asyncio.Task[None] | None = None

    def state(self) -> ReportState:
        """How far it is."""
        return ReportState(self.id, self.line.done, self.line.total, self.running, self.line.report)

    def stop(self) -> None:
        """No further."""
        if self.task is not None:
            self.task.cancel()
        self.running = False


class Reports:
    """The reports of this server."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._places = asyncio.Semaphore(AT_ONCE)

    async def ask(self, guest: Guest, wish: AskReport) -> ReportState:
        """Begins a report; another one of the same guest stops."""
        game = await self._shelf.game_with(wish.game, {DECK: wish.deck})
        game.check_seats(wish.seats)
        if wish.bot not in BOTS or not 1 <= wish.deals <= MOST_DEALS or game.deck is None:
            raise BadRequest("bad_report", most=MOST_DEALS)
        for job in self._jobs.values():
            if job.guest == guest.id:
                job.stop()
        job = Job(guest.id)
        self._jobs[job.id] = job
        while len(self._jobs) > KEPT:
            self._jobs.popitem(last=False)[1].stop()
        texts = {"deck": in_a_file(game)}
        if wish.before:
            texts["before"] = in_a_file(await self._shelf.game_with(wish.game, {DECK: wish.before}))
        command = [printed(game).place, "--seats", str(wish.seats), "--games", str(wish.deals), "--bot", wish.bot]
        job.task = asyncio.create_task(self._run(job, texts, command))
        return job.state()

    def of(self, id: str) -> Job:
        """A report by its name."""
        if id not in self._jobs:
            raise NotFound("no_such_report")
        return self._jobs[id]

    def stop(self, guest: Guest, id: str) -> ReportState:
        """A guest stops their report; what is known of it stays."""
        job = self.of(id)
        if job.guest != guest.id:
            raise NotFound("no_such_report")
        job.stop()
        return job.state()

    def files(self, id: str) -> ReportFiles:
        """A report that is done, to take along."""
        files = self.of(id).files
        if files is None:
            raise NotFound("no_such_report")
        return files

    def close(self) -> None:
        """The house closes."""
        for job in self._jobs.values():
            job.stop()

    async def _run(self, job: Job, texts: dict[str, str], command: list[str]) -> None:
        try:
            async with self._places:
                with tempfile.TemporaryDirectory() as folder:
                    for name, text in texts.items():
                        file = pathlib.Path(folder) / name
                        file.write_text(text, "utf-8")
                        command += [f"--{name}", str(file)]
                    page, table = pathlib.Path(folder) / "report.html", pathlib.Path(folder) / "report.csv"
                    command += ["--html", str(page), "--csv", str(table), "--processes", "1", "--stream"]
                    await self._listen(job, command)
                    if table.exists():
                        job.files = ReportFiles(page.read_text("utf-8"), table.read_text("utf-8"))
        except Exception:
            log.exception("A report could not be made.")
        finally:
            job.running = False

    async def _listen(self, job: Job, command: list[str]) -> None:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "ludoteca", "balance", *command, stdout=asyncio.subprocess.PIPE,
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
