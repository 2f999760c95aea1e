"""The server: addresses, who asks, where from, and what keeps running behind them."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import multiprocessing
import pathlib
import re
import secrets
import sys
import threading
import time
import webbrowser
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import Executor
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any, TypeVar, cast
from urllib.parse import parse_qs

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.h11_impl import H11Protocol

from ludoteca.core.errors import BadData, Refusal
from ludoteca.core.game import DECK, Game

from . import boards, box, decks, health, importing, logs
from . import lobby as lobby_module
from .admin import Acts
from .bots import Bots, prepare
from .bus import bus_at
from .circles import Circles
from .clock_choice import ClockChoice
from .clockwork import Clockwork
from .cluster import Cluster, ClusterWorkers
from .cluster import check as check_cluster
from .contest_desk import ROUTES as OF_TOURNAMENTS
from .contests import Contests
from .desk import ROUTES as OF_THE_DESK
from .desk import Desk, DeskRoute, Download, Visit, me_of
from .devices import Entered
from .door import Door
from .drain import UNDER_WAY, Drain, Server
from .engines import Engines, served
from .executor import Runner, Workers, processes
from .following import Following
from .guests import Guest, Guests, hashed
from .health import Check
from .hints import Hints
from .hosts import Hosts
from .house import House
from .limits import Limit, PerMinute, hide_behind, household
from .metrics import Metrics
from .neighbours import Neighbours, house_key
from .notices import notices_of
from .pace import CHANGES, DEAR, Pace
from .page import ASK_AGAIN, FOREVER, Page
from .passkeys import Place
from .people import People
from .pictures import Pictures
from .ports import check_port
from .preview import HOUSE_PICTURE, box_picture, glimpsed, preview_tags, spoken
from .puzzles import Puzzles
from .queries import Exceeded, Sought, Wanted
from .queue import Turn
from .quiet import Mornings
from .refusals import BadRequest, NoGuest, NoLength, NotAllowed, NotFound, TooBig, TooMuch, WrongHouse, status_of
from .reports import Reports
from .reviews import Reviews
from .settings import Settings, is_address
from .sockets import PATTERN, Receive, Scope, Send, Sockets, deny
from .store import Store
from .teaching import Teaching
from .uptime import Uptime
from .wire import (
    MOST_BYTES,
    Arrange,
    AskHint,
    AskReport,
    AskSearch,
    BranchOff,
    Brought,
    Chair,
    CheckDeck,
    Decision,
    GoOn,
    Hush,
    Me,
    MoreTime,
    OneScreenTable,
    OpenTable,
    PlayNow,
    PutAway,
    Ready,
    Record,
    Refused,
    Rematch,
    Rename,
    SaveDeck,
    Sit,
    StandIn,
    Start,
    encode,
    read,
)

if TYPE_CHECKING:
    from .scrape import Scrape

COOKIE = "ludoteca"
A_YEAR = 365 * 24 * 3600
SOCKET_BYTES = (
    64 * 1024
)  # up to here a message that is too big is refused with a sentence; beyond, the socket is closed
SOCKET_PATH = re.compile(r"/api/tables/([^/]+)/socket")
REQUEST_ID = b"x-request-id"
PEER = "ludoteca.peer"  # of a request's scope: who is at the other end of the line, which a balancer's word does not change
SCHEMES = {"http": ("http",), "ws": ("http",), "https": ("https",), "wss": ("https",)}  # of a page, by a request's
SECURITY = {
    b"content-security-policy": b"default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    b"form-action 'self'; frame-ancestors 'none'",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
}

ONLY_HTTPS = (b"strict-transport-security", b"max-age=31536000")

T = TypeVar("T")
Chore = Callable[[], Awaitable[None]]  # something the server does all the time, or once in the background
GUESSES = ("no_such_table", "no_such_link", "unknown_passkey", "wrong_passkey")  # what a wrong guess is told
CLOCKS = ("none", "live", "days")  # that tables can be looked for by
LONGEST_PAUSE = 60.0  # seconds between two tries of a chore
Handler = Callable[[Request], Awaitable[Any]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

log = logging.getLogger("ludoteca.app")


class App:
    """The ASGI application."""

    def __init__(self, settings: Settings, make_executor: Callable[[int], Executor] = processes) -> None:
        self.settings = settings
        self._make_executor = make_executor
        self.clock: Callable[[], float] = time.time  # what is written down as the time of day
        self.games_served = served(settings.games)
        if settings.bots:
            check_cluster(settings.bots)
        self._hosts = Hosts(settings)
        self._misses = PerMinute(settings.misses_a_minute, time.time)
        self.teaching, self.puzzles = Teaching(), Puzzles(self.games_served, lambda: self.clock())
        self.metrics, self.drain = Metrics(), Drain.by(settings)
        self._checks: list[Check] = []  # what `/readyz` asks
        self._scrape = self._make_scrape()
        self._pace = Pace(settings)
        self._importing = asyncio.Lock()
        self.page = Page(pathlib.Path(settings.page) if settings.page else pathlib.Path(__file__).parents[1] / "page")
        routes = self._routes()
        self._patterns: dict[object, str] = {route.endpoint: route.path for route in routes}
        self.http = Starlette(routes=routes, lifespan=self._lifespan)
        self._store: Store | None = None
        self._workers: Runner
        self.cluster: Cluster | None = None
        self.lobby: lobby_module.Lobby
        self.clockwork: Clockwork
        self.clock_choice: ClockChoice
        self.guests: Guests
        self.engines: Engines
        self.sockets: Sockets
        self.desk: Desk
        self.pictures: Pictures
        self.people: People
        self.reviews: Reviews
        self.hints: Hints

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        elif scope["type"] == "http":
            send = self._answered(scope, send, _named(scope))
            try:
                if scope["path"] not in (health.ALIVE, health.READY):  # balancers ask by address
                    self._check_host(Headers(scope=scope))
                _check_length(Headers(scope=scope))
            except Refusal as refusal:
                answer = self._refused(refusal)
                answer.headers["Connection"] = "close"  # nothing more is read
                await answer(scope, receive, send)
                return
            await self.http(scope, receive, send)
        else:
            await self.http(scope, receive, send)

    @contextlib.asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """What lives as long as the server."""
        settings = self.settings
        store = self.open_store()
        local = Workers(settings.worker_count(), self._make_executor)
        store.on_commit, local.on_job = self.metrics.committed, self.metrics.thought
        cluster = self.cluster = Cluster(settings.bots) if settings.bots else None
        workers: Runner = ClusterWorkers(cluster, local) if cluster else local
        self._workers = workers
        self.engines = Engines(self.games_served)
        bots = Bots(workers, settings.think_limit, settings.bot_pause)
        neighbours = await self._neighbours(store)
        uptime = Uptime(store, self.clock)
        await uptime.begin()
        house = House(
            settings, store, self.engines, bots, neighbours, uptime,
            clock=self.clock, metrics=self.metrics, drain=self.drain,
        )  # fmt: skip
        house.notices = await notices_of(settings, store)
        self._checks = [Check("store", lambda: store.read(health.trivial))]
        if neighbours.bus is not None:
            self._checks.append(Check("bus", neighbours.bus.ping))
        self.guests = Guests(store, house.clock, settings.guests_a_minute)
        self.lobby = lobby_module.Lobby(house)
        self.lobby.guests_here = self.guests.here
        self.clockwork, self.clock_choice = Clockwork(self.lobby), ClockChoice(store, house.ticks)
        self.people = People(self.lobby)
        self.reviews, self.hints = Reviews(house, workers), Hints(house, workers)
        self.sockets = Sockets(self.lobby)
        contests = Contests(self.lobby)
        self.desk = Desk(house, self.guests, self.lobby, self.sockets, contests)
        self.pictures = Pictures(house)
        self.reports = Reports(self.lobby.shelf)
        chores: list[Chore] = [
            self.lobby.resume,
            self.lobby.check_versions,
            house.ledger.settle_all,
            self.lobby.sweep,
            self.clockwork.run,
            contests.run,
            Mornings(self.lobby).run,
            uptime.beat,
            self.sockets.watch_silence,
            self.sockets.watch_readers,
            Circles().look_when_calm,
            Acts(self.lobby, self.guests, self.sockets).watch,
        ]
        if cluster:
            chores.append(cluster.watch)
        if not neighbours.alone:
            following = Following(self.lobby)
            chores += [neighbours.beat, neighbours.listen, following.look, following.adopt, self.desk.devices.watch]
            chores.append(following.read_ahead)
            self._checks.append(Check("tables", following.has_read_ahead.wait))
        if settings.warmup:
            chores += [self.engines.warm_up, self.engines.compile_decks]
            self._checks.append(Check("engines", self.engines.settled.wait))
            chores.append(lambda: local.start(prepare, [game.place for game in self.engines.games()]))
            self._checks.append(Check("workers", local.started.wait))
        tasks = [asyncio.create_task(kept_going(chore)) for chore in chores]
        self.drain.open(self.sockets)
        try:
            yield
        finally:
            for check in self._checks:
                check.close()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self.reviews.close()
            self.sockets.close()
            house.notices.close()
            self.reports.close()
            self.lobby.close()
            await uptime.close()
            await neighbours.close()
            workers.close()
            if cluster:
                await cluster.close()
            store.close()
            self._store = None

    def open_store(self) -> Store:
        """Opens the file of the games, unless that is done; a sentence if it cannot be."""
        if self._store is None:
            self._store = Store(self.settings.place())
        return self._store

    async def _neighbours(self, store: Store) -> Neighbours:
        """The other servers of this house, if there can be any."""
        settings = self.settings
        hide_behind(await store.write(house_key, secrets.token_bytes(16)))
        if not store.shared:
            if settings.bus:
                raise BadData("LUDOTECA_BUS is for several servers, and they need LUDOTECA_DATABASE=postgresql://…")
            return Neighbours(store)
        return Neighbours(store, bus_at(settings.bus, settings.database))

    def _make_scrape(self) -> Scrape | None:
        """What shows the numbers, if there is a token for them; the library is read only then."""
        if not self.settings.metrics:
            return None
        from .scrape import Now, Scrape

        now = Now(
            sockets=lambda: len(self.sockets),
            tables=lambda: len(self.lobby.tables),
            bots_waiting=lambda: self._workers.waiting,
            draining=lambda: self.drain.begun,
            games=self.games_served,
        )
        return Scrape(self.settings.metrics, self.metrics, now)

    # ── Addresses ────────────────────────────────────────────

    def _routes(self) -> list[Route]:
        table = "/api/tables/{table}"
        return [
            Route(health.ALIVE, self.alive, methods=["GET"]),
            Route(health.READY, self._answering(self.ready_for_guests), methods=["GET"]),
            *([Route("/metrics", self._answering(self.show_metrics), methods=["GET"])] if self._scrape else []),
            Route("/api/me", self._answering(self.me), methods=["GET"]),
            Route("/api/me", self._answering(self.rename), methods=["POST"]),
            *(
                Route(at.path, self._answering(self._at_desk(at), at.cost), methods=[at.method])
                for at in (*OF_THE_DESK, *OF_TOURNAMENTS)
            ),
            Route("/api/games", self._answering(self.games), methods=["GET"]),
            Route("/api/games/{game}/words", self._answering(self.game_words), methods=["GET"]),
            Route("/api/games/{game}/rules", self._answering(self.game_rules), methods=["GET"]),
            Route("/api/games/{game}/cover", self._answering(self.game_cover), methods=["GET"]),
            Route(boards.ADDRESS, self._answering(self.game_board), methods=["GET"]),
            Route("/api/games/{game}/forms", self._answering(self.game_forms), methods=["GET"]),
            Route("/api/games/{game}/clocks", self._answering(self.game_clocks), methods=["GET"]),
            Route("/api/games/{game}/lesson", self._answering(self.lesson), methods=["GET"]),
            Route("/api/games/{game}/lesson/{step:int}", self._answering(self.lesson_step), methods=["GET"]),
            Route("/api/games/{game}/lesson/{step:int}", self._answering(self.lesson_decide), methods=["POST"]),
            Route("/api/puzzles", self._answering(self.all_puzzles), methods=["GET"]),
            Route("/api/puzzles/today", self._answering(self.puzzle_of_the_day), methods=["GET"]),
            Route("/api/puzzles/{puzzle}", self._answering(self.puzzle), methods=["GET"]),
            Route("/api/puzzles/{puzzle}", self._answering(self.puzzle_answer), methods=["POST"]),
            Route("/api/puzzles/{puzzle}/why", self._answering(self.puzzle_why), methods=["POST"]),
            Route("/api/puzzles/{puzzle}/table", self._answering(self.play_on), methods=["POST"]),
            Route("/api/warmup", self._answering(self.warmup), methods=["GET"]),
            Route("/api/tables", self._answering(self.tables), methods=["GET"]),
            Route("/api/tables", self._answering(self.open), methods=["POST"]),
            Route("/api/my/tables", self._answering(self.my_tables), methods=["GET"]),
            Route("/api/play-now", self._answering(self.play_now), methods=["POST"]),
            Route("/api/one-screen", self._answering(self.one_screen), methods=["POST"]),
            Route(table, self._answering(self.table), methods=["GET"]),
            Route(f"{table}/sit", self._answering(self.sit), methods=["POST"]),
            Route(f"{table}/leave", self._answering(self.leave), methods=["POST"]),
            Route(f"{table}/stand-in", self._answering(self.stand_in), methods=["POST"]),
            Route(f"{table}/more-time", self._answering(self.more_time), methods=["POST"]),
            Route(f"{table}/day-off", self._answering(self.day_off), methods=["POST"]),
            Route(f"{table}/chair", self._answering(self.chair), methods=["POST"]),
            Route(f"{table}/arrange", self._answering(self.arrange), methods=["POST"]),
            Route(f"{table}/ready", self._answering(self.ready), methods=["POST"]),
            Route(f"{table}/hush", self._answering(self.hush), methods=["POST"]),
            Route(f"{table}/invite", self._answering(self.new_invite), methods=["POST"]),
            Route(f"{table}/start", self._answering(self.start), methods=["POST"]),
            Route(f"{table}/rematch", self._answering(self.rematch), methods=["POST"]),
            Route(f"{table}/moments", self._answering(self.moments, DEAR), methods=["GET"]),
            Route(f"{table}/review", self._answering(self.review, DEAR), methods=["GET"]),
            Route(f"{table}/review", self._answering(self.ask_review), methods=["POST"]),
            Route(f"{table}/branch", self._answering(self.branch), methods=["POST"]),
            Route(f"{table}/hint", self._answering(self.hint), methods=["POST"]),
            Route(f"{table}/sight", self._answering(self.sight), methods=["GET"]),
            Route(f"{table}/record", self._answering(self.record, DEAR), methods=["GET"]),
            Route(f"{table}/ratings", self._answering(self.table_ratings), methods=["GET"]),
            Route("/api/records", self._answering(self.bring_record), methods=["POST"]),
            Route("/api/decks", self._answering(self.my_decks), methods=["GET"]),
            Route("/api/decks", self._answering(self.save_deck, DEAR), methods=["POST"]),
            Route("/api/decks/check", self._answering(self.check_deck, DEAR), methods=["POST"]),
            Route("/api/decks/put-away", self._answering(self.put_away_deck), methods=["POST"]),
            Route("/api/reports", self._answering(self.ask_report, DEAR), methods=["POST"]),
            Route("/api/reports/{report}", self._answering(self.report), methods=["GET"]),
            Route("/api/reports/{report}/files", self._answering(self.report_files), methods=["GET"]),
            Route("/api/reports/{report}/stop", self._answering(self.stop_report), methods=["POST"]),
            Route("/api/searches", self._answering(self.ask_search, DEAR), methods=["POST"]),
            Route("/api/searches/{search}", self._answering(self.search), methods=["GET"]),
            Route("/api/searches/{search}/stop", self._answering(self.stop_search), methods=["POST"]),
            Route("/api/searches/{search}/on", self._answering(self.search_on, DEAR), methods=["POST"]),
            Route("/api/decks/{deck}", self._answering(self.deck), methods=["GET"]),
            Route("/api/people/{person}", self._answering(self.person), methods=["GET"]),
            Route("/api/people/{person}/rating", self._answering(self.rating_history), methods=["GET"]),
            Route("/api/people/{person}/shares", self._answering(self.shares, DEAR), methods=["GET"]),
            Route("/api/people/{person}/games", self._answering(self.games_of), methods=["GET"]),
            Route("/api/people/{person}/openings", self._answering(self.openings, DEAR), methods=["GET"]),
            Route("/api/leaderboard/{game}/{seats:int}", self._answering(self.leaderboard), methods=["GET"]),
            Route("/api/{rest:path}", self._answering(self.nothing), methods=["GET", "POST"]),
            Route("/pictures/games/{game}.png", self._answering(self.game_picture), methods=["GET"]),
            Route("/pictures/tables/{table}.png", self._answering(self.table_picture, DEAR), methods=["GET"]),
            Route("/{path:path}", self._page, methods=["GET"]),
        ]

    async def alive(self, _: Request) -> Response:
        return Response("ok", media_type="text/plain")

    async def ready_for_guests(self, _: Request) -> Response:
        """Whether a balancer should send guests here; if not, what is wrong, by name."""
        wrong = {"draining": health.DRAINING} if self.drain.begun else await health.troubles(self._checks)
        return _json({"ready": not wrong, "wrong": wrong}, 503 if wrong else 200)

    async def show_metrics(self, request: Request) -> Response:
        """The house in numbers; whoever has not the token finds what is at any address where nothing is."""
        assert self._scrape is not None
        if not self._scrape.allows(_bearer(request.headers)):
            request.path_params["path"] = "metrics"
            return await self._page(request)
        return Response(self._scrape.text(), headers={"Content-Type": self._scrape.format, "Cache-Control": "no-store"})

    async def me(self, request: Request) -> Any:
        """Who you are; a new guest on the first visit."""
        guest = await self._guest(request.headers)
        if guest is not None:
            return me_of(guest)
        return self._entered(request, Entered(*await self.guests.welcome(_address(request.scope))))

    def _entered(self, request: Request, entered: Entered) -> Response:
        """This device is somebody's now: it gets their secret."""
        response = _json(me_of(entered.guest))
        secure = self.settings.secure or request.url.scheme == "https"
        response.set_cookie(COOKIE, entered.secret, max_age=A_YEAR, httponly=True, samesite="lax", secure=secure)
        return response

    def _at_desk(self, at: DeskRoute) -> Handler:
        """What is done at one of the desk's addresses."""

        async def handler(request: Request) -> Any:
            if at.guessed and self._misses.full(_home(request.scope)):
                raise TooMuch("too_many_misses")
            secret = _secret(request.headers)
            place = Place(request.headers.get("host", ""), request.headers.get("origin"))
            device = hashed(secret) if secret else None
            visit = Visit(await self._guest(request.headers), device, _address(request.scope), place)
            wish = () if at.body is None else (await _body(request, at.body),)
            found = await at.do(self.desk, visit, *wish, **request.path_params)
            if isinstance(found, Entered):
                return self._entered(request, found)
            if isinstance(found, Download):
                answer = _json(found.content)
                answer.headers["Content-Disposition"] = f'attachment; filename="{found.name}"'
                return answer
            return found

        return handler

    async def rename(self, request: Request) -> Me:
        guest = await self._known(request)
        await self.guests.rename(guest, (await _body(request, Rename)).name)
        self.lobby.renamed(guest)
        return me_of(guest)

    async def games(self, _: Request) -> Any:
        return self.lobby.games()

    async def game_words(self, request: Request) -> Any:
        return box.words_of(self.engines.game(request.path_params["game"]))

    async def game_rules(self, request: Request) -> Any:
        language = request.query_params.get("language", "")
        deck = request.query_params.get("deck")
        game = await self.lobby.shelf.game_with(request.path_params["game"], {DECK: deck} if deck else {})
        return box.rules_of(game, language)

    async def game_cover(self, request: Request) -> Any:
        picture = box.cover_of(self.engines.game(request.path_params["game"]))
        return Response(picture, media_type="image/svg+xml", headers=box.PICTURE)

    async def game_board(self, request: Request) -> Any:
        at = request.path_params
        file, same = boards.board_file(self.engines.game(at["game"]), at["edition"], at["file"])
        policy = box.PICTURE if file.kind == "image/svg+xml" else {}
        return Response(
            file.plain, headers={**policy, "Cache-Control": FOREVER if same else ASK_AGAIN}, media_type=file.kind
        )

    async def game_forms(self, request: Request) -> Any:
        language = request.query_params.get("language", "")
        return await asyncio.to_thread(self.lobby.shelf.forms, request.path_params["game"], language)

    async def game_clocks(self, request: Request) -> Any:
        return await self.clock_choice.of(self.engines.game(request.path_params["game"]))

    async def lesson(self, request: Request) -> Any:
        return await self.teaching.lesson(self.engines.game(request.path_params["game"]))

    async def lesson_step(self, request: Request) -> Any:
        at = request.path_params
        return await self.teaching.step(self.engines.game(at["game"]), at["step"])

    async def lesson_decide(self, request: Request) -> Any:
        at, decision = request.path_params, await _body(request, Decision)
        return await self.teaching.decide(self.engines.game(at["game"]), at["step"], decision.actions)

    async def all_puzzles(self, _: Request) -> Any:
        return self.puzzles.all()

    async def puzzle_of_the_day(self, request: Request) -> Any:
        return self.puzzles.today(_number(request.query_params, "ago") or 0)

    async def puzzle(self, request: Request) -> Any:
        return await self.puzzles.puzzle(request.path_params["puzzle"])

    async def puzzle_answer(self, request: Request) -> Any:
        return await self.puzzles.answer(request.path_params["puzzle"], (await _body(request, Decision)).actions)

    async def puzzle_why(self, request: Request) -> Any:
        wish, turn = await _body(request, Decision), Turn(_address(request.scope))
        return await self.puzzles.why(request.path_params["puzzle"], wish.actions, self._workers, turn)

    async def play_on(self, request: Request) -> Any:
        guest, address = await self._known(request), _address(request.scope)
        return await self.lobby.play_on(guest, address, *await self.puzzles.opened(request.path_params["puzzle"]))

    async def warmup(self, _: Request) -> Any:
        return self.engines.progress

    async def tables(self, request: Request) -> Any:
        asked, guest = request.query_params, await self._guest(request.headers)
        clock = asked.get("clock") if asked.get("clock") in CLOCKS else None
        wanted = Wanted(asked.get("game"), _number(asked, "free") or 1, clock, _yes_or_no(asked, "rated"))
        return await self.lobby.open_tables(guest, wanted)

    async def my_tables(self, request: Request) -> Any:
        return await self.lobby.tables_of(await self._known(request), request.query_params.get("after"))

    async def open(self, request: Request) -> Any:
        guest, wish = await self._known(request), await _body(request, OpenTable)
        return await self.lobby.open(guest, _address(request.scope), wish)

    async def play_now(self, request: Request) -> Any:
        guest, wish = await self._known(request), await _body(request, PlayNow)
        return await self.lobby.play_now(guest, _address(request.scope), wish)

    async def one_screen(self, request: Request) -> Any:
        guest, wish = await self._known(request), await _body(request, OneScreenTable)
        return await self.lobby.one_screen(guest, _address(request.scope), wish)

    async def table(self, request: Request) -> Any:
        guest = await self._guest(request.headers)
        table = await self.lobby.seen_by(guest, request.path_params["table"], self._invite(request))
        return table.info(guest)

    async def sit(self, request: Request) -> Any:
        guest, wish = await self._known(request), await _body(request, Sit)
        wish.invite = self._heeded(request.scope, wish.invite)
        return await self.lobby.sit(guest, request.path_params["table"], wish)

    async def leave(self, request: Request) -> Any:
        return await self.lobby.leave(await self._known(request), request.path_params["table"])

    async def stand_in(self, request: Request) -> Any:
        return await self.lobby.stand_in(
            await self._known(request), request.path_params["table"], await _body(request, StandIn)
        )

    async def chair(self, request: Request) -> Any:
        return await self.lobby.chair(
            await self._known(request), request.path_params["table"], await _body(request, Chair)
        )

    async def arrange(self, request: Request) -> Any:
        return await self.lobby.arrange(
            await self._known(request), request.path_params["table"], await _body(request, Arrange)
        )

    async def ready(self, request: Request) -> Any:
        return await self.lobby.ready(
            await self._known(request), request.path_params["table"], await _body(request, Ready)
        )

    async def more_time(self, request: Request) -> Any:
        return await self.clockwork.more_time(
            await self._known(request), request.path_params["table"], await _body(request, MoreTime)
        )

    async def day_off(self, request: Request) -> Any:
        return await self.clockwork.day_off(await self._known(request), request.path_params["table"])

    async def hush(self, request: Request) -> Any:
        return await self.lobby.hush(
            await self._known(request), request.path_params["table"], await _body(request, Hush)
        )

    async def new_invite(self, request: Request) -> Any:
        return await self.lobby.new_invite(await self._known(request), request.path_params["table"])

    async def start(self, request: Request) -> Any:
        return await self.lobby.start(
            await self._known(request), request.path_params["table"], await _body(request, Start)
        )

    async def rematch(self, request: Request) -> Any:
        return await self.lobby.rematch(
            await self._known(request), request.path_params["table"], await _body(request, Rematch)
        )

    async def record(self, request: Request) -> Any:
        guest = await self._guest(request.headers)
        return await self.lobby.record(guest, request.path_params["table"], self._invite(request))

    async def moments(self, request: Request) -> Any:
        guest, asked = await self._guest(request.headers), request.query_params
        first = None if asked.get("first") == "own" else _number(asked, "first") or 0
        seat = _number(asked, "seat")
        return await self.lobby.moments(guest, request.path_params["table"], self._invite(request), first, seat)

    async def review(self, request: Request) -> Any:
        guest, first = await self._guest(request.headers), _number(request.query_params, "first")
        table = await self.lobby.seen_by(guest, request.path_params["table"], self._invite(request))
        return await self.reviews.so_far(table, first or 0)

    async def ask_review(self, request: Request) -> Any:
        guest = await self._known(request)
        table = await self.lobby.seen_by(guest, request.path_params["table"], self._invite(request))
        return await self.reviews.ask(table, guest)

    async def branch(self, request: Request) -> Any:
        guest, wish, address = await self._known(request), await _body(request, BranchOff), _address(request.scope)
        return await self.lobby.branch(guest, address, request.path_params["table"], self._invite(request), wish)

    async def hint(self, request: Request) -> Any:
        guest, wish = await self._known(request), await _body(request, AskHint)
        table = await self.lobby.seen_by(guest, request.path_params["table"])
        return await self.hints.give(table, guest, wish.strength)

    async def sight(self, request: Request) -> Any:
        return await self.lobby.sight(await self._known(request), request.path_params["table"])

    async def bring_record(self, request: Request) -> Any:
        guest, record = await self._known(request), await _body(request, Record, importing.MOST_BYTES)
        game = await self.engines.bring(record.game, record.deck)
        now, limit = time.time(), Limit("import", guest.id, self.settings.imports_an_hour, 3600.0)
        async with self._importing:  # one at a time: it takes a while, in a thread of its own
            found = await asyncio.to_thread(importing.prepared, game, record, now)
        try:
            return Brought(found.row.id, await self.lobby.house.store.write(importing.keep, found, [limit], now))
        except Exceeded:
            raise TooMuch("too_many_imports", most=limit.most) from None

    # ── Decks ────────────────────────────────────────────────

    async def my_decks(self, request: Request) -> Any:
        return await self.lobby.shelf.mine(await self._known(request))

    async def save_deck(self, request: Request) -> Any:
        guest, wish = await self._known(request), await _body(request, SaveDeck, decks.MOST_SENT)
        return await self.lobby.shelf.save(guest, wish)

    async def check_deck(self, request: Request) -> Any:
        await self._known(request)
        return await self.lobby.shelf.check(await _body(request, CheckDeck, decks.MOST_SENT))

    async def put_away_deck(self, request: Request) -> Any:
        return await self.lobby.shelf.put_away(await self._known(request), (await _body(request, PutAway)).hash)

    async def deck(self, request: Request) -> Any:
        return await self.lobby.shelf.content(request.path_params["deck"])

    async def ask_report(self, request: Request) -> Any:
        return await self.reports.ask(await self._known(request), await _body(request, AskReport))

    async def report(self, request: Request) -> Any:
        return self.reports.reports.of(request.path_params["report"]).state()

    async def report_files(self, request: Request) -> Any:
        return self.reports.files(request.path_params["report"])

    async def stop_report(self, request: Request) -> Any:
        return self.reports.stop(await self._known(request), request.path_params["report"])

    async def ask_search(self, request: Request) -> Any:
        return await self.reports.search(await self._known(request), await _body(request, AskSearch))

    async def search(self, request: Request) -> Any:
        return self.reports.searches.of(request.path_params["search"]).search()

    async def stop_search(self, request: Request) -> Any:
        return self.reports.stop_search(await self._known(request), request.path_params["search"])

    async def search_on(self, request: Request) -> Any:
        wish = await _body(request, GoOn)
        return self.reports.go_on(await self._known(request), request.path_params["search"], wish)

    # ── People ───────────────────────────────────────────────

    async def person(self, request: Request) -> Any:
        return await self.people.profile(request.path_params["person"], await self._guest(request.headers))

    async def rating_history(self, request: Request) -> Any:
        asked, guest = request.query_params, await self._guest(request.headers)
        seats = _number(asked, "seats") or 0
        return await self.people.history(request.path_params["person"], asked.get("game", ""), seats, guest)

    async def games_of(self, request: Request) -> Any:
        asked, guest, id = request.query_params, await self._guest(request.headers), request.path_params["person"]
        sought = Sought(
            asked.get("game"), _number(asked, "seats"), _yes_or_no(asked, "rated"), _yes_or_no(asked, "won"),
            asked.get("with"), None if guest is not None and guest.id == id else guest.id if guest else "",
        )  # fmt: skip
        return await self.people.games(id, guest, asked.get("after"), sought)

    async def shares(self, request: Request) -> Any:
        return await self.people.shares(request.path_params["person"], await self._guest(request.headers))

    async def openings(self, request: Request) -> Any:
        asked, guest = request.query_params, await self._guest(request.headers)
        id, language = request.path_params["person"], asked.get("language", "")
        return await self.people.openings(id, asked.get("game", ""), language, guest)

    async def leaderboard(self, request: Request) -> Any:
        game, seats = request.path_params["game"], request.path_params["seats"]
        return await self.people.leaderboard(game, seats, await self._guest(request.headers))

    async def table_ratings(self, request: Request) -> Any:
        guest = await self._guest(request.headers)
        table = await self.lobby.seen_by(guest, request.path_params["table"], self._invite(request))
        return await self.people.at_table(table)

    async def nothing(self, _: Request) -> Any:
        raise NotFound("no_such_address")

    # ── The page, and what messengers show of it ─────────────

    async def game_picture(self, request: Request) -> Response:
        return self._box(self.engines.game(request.path_params["game"]))

    async def table_picture(self, request: Request) -> Response:
        """A table as any spectator sees it; nobody's cookie opens more."""
        asked = request.query_params
        table = await self.lobby.seen_by(None, request.path_params["table"], self._invite(request))
        picture = await self.pictures.of(table, _number(asked, "at"), spoken(asked.get("say", "")))
        if picture is None:
            return self._box(table.game)
        keep = f"{'public' if table.row.public else 'private'}, max-age=300"
        return Response(picture, media_type="image/png", headers={"Cache-Control": keep})

    def _box(self, game: Game) -> Response:
        path = box_picture(game)
        if not path.is_file():
            return RedirectResponse(HOUSE_PICTURE)
        return Response(path.read_bytes(), media_type="image/png", headers={"Cache-Control": "public, max-age=3600"})

    async def _page(self, request: Request) -> Response:
        wanted = request.path_params["path"]
        if self.page.has(wanted) and wanted:
            return self.page.answer(request)
        try:
            self._count(request.scope, request.headers, 1)
        except Refusal as refusal:
            return self._refused(refusal)
        invite = self._invite(request)
        found = await glimpsed(self.lobby, request, invite)
        if found is None and invite is not None:
            self._misses.add(_home(request.scope))
        return self.page.answer(request, preview_tags(self.lobby, request, found))

    # ── Who asks, and where from ─────────────────────────────

    async def _guest(self, headers: Headers) -> Guest | None:
        return await self.guests.find(_secret(headers))

    async def _known(self, request: Request) -> Guest:
        guest = await self._guest(request.headers)
        if guest is None:
            raise NoGuest("who_are_you")
        return guest

    def _check_host(self, headers: Headers) -> None:
        """Only a name of this house: a page elsewhere whose name was made to lead here is not ours."""
        if not self._hosts.has(headers.get("host", "")):
            raise WrongHouse("wrong_host")

    def _check_origin(self, scope: Scope, headers: Headers) -> None:
        """Only our own page, or a program with a token, may change something or open a socket."""
        origin = headers.get("origin")
        if origin is None:
            if _bearer(headers) is None:
                raise NotAllowed("no_origin")
            return
        schemes = SCHEMES[scope["scheme"]] if self.settings.proxies or self.settings.secure else ("http", "https")
        own = {f"{scheme}://{headers.get('host', '').lower()}" for scheme in schemes}
        if origin.lower() not in own and origin not in self.settings.origins.replace(",", " ").split():
            raise NotAllowed("foreign_origin")

    def _answering(self, handler: Handler, cost: int = 1) -> Callable[[Request], Awaitable[Response]]:
        """A handler whose answer is sent as JSON and whose refusals are sentences."""

        async def answer(request: Request) -> Response:
            if "table" in request.path_params:
                logs.at_table(request.path_params["table"])
            try:
                self._count(request.scope, request.headers, CHANGES if request.method == "POST" else cost)
                if request.method == "POST":
                    self._check_origin(request.scope, request.headers)
                found = await handler(request)
                return found if isinstance(found, Response) else _json(found)
            except Refusal as refusal:
                return self._refused(self._missed(request.scope, refusal))
            except ClientDisconnect:
                return Response(status_code=400)  # nobody is there to read it
            except Exception:
                log.exception("%s could not be answered.", handler.__name__)
                return _json(Refused("failed", {}, "The server could not answer."), 500)

        return answer

    def _missed(self, scope: Scope, refusal: Refusal) -> Refusal:
        """Counts questions for what is not there: whoever guesses names and invitations has to wait."""
        if refusal.key not in GUESSES:
            return refusal
        home = _home(scope)
        if self._misses.full(home):
            return TooMuch("too_many_misses")
        self._misses.add(home)
        return refusal

    def _refused(self, refusal: Refusal) -> Response:
        self.metrics.refused(refusal.key)
        return _json(Refused(refusal.key, refusal.facts, refusal.sentence), status_of(refusal))

    def _answered(self, scope: Scope, send: Send, request: str) -> Send:
        """Sends answers with the headers that all of them have, and counts them."""
        always = [*SECURITY.items(), *([ONLY_HTTPS] if scope["scheme"] == "https" else [])]
        always.append((REQUEST_ID, request.encode()))

        async def answer(message: Any) -> None:
            if message["type"] == "http.response.start":
                self.metrics.answered(self._patterns.get(scope.get("endpoint")), message["status"])
                last = [(b"connection", b"close")] if self.drain.begun else []  # the next request goes elsewhere
                message["headers"] = [*message["headers"], *always, *last]
            await send(message)

        return answer

    def _invite(self, request: Request) -> str | None:
        """The invitation that a request carries."""
        return self._heeded(request.scope, request.query_params.get("invite"))

    def _heeded(self, scope: Scope, invite: str | None) -> str | None:
        """An invitation, unless too many wrong ones have come from there: then not even the right one is looked at."""
        return None if self._misses.full(_home(scope)) else invite

    def _count(self, scope: Scope, headers: Headers, cost: int) -> None:
        """Counts a request, before anything is done for it; refuses those that come too fast."""
        secret = _secret(headers)
        self._pace.check(_home(scope), hashed(secret).hex() if secret else None, cost)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A socket: everything is checked before it is accepted."""
        headers, request = Headers(scope=scope), _named(scope)
        try:
            self._check_host(headers)
            self.drain.check()
            self._check_origin(scope, headers)
            found = SOCKET_PATH.fullmatch(scope["path"])
            if found is None:
                raise NotFound("no_such_address")
            logs.at_table(found[1])
            query = parse_qs(scope["query_string"].decode("latin-1"))
            since = _number({"since": query.get("since", ["0"])[0]}, "since") or 0
            self._count(scope, headers, CHANGES)
            guest, invite = await self._guest(headers), self._heeded(scope, query.get("invite", [None])[0])
            secret = _secret(headers) if guest is not None else None
            device = hashed(secret) if secret else None
            eyes = _number({name: values[0] for name, values in query.items()}, "seat")
            await self.sockets.connect(_address(scope), found[1], since, invite, guest, receive, send, device, eyes)
        except Refusal as refusal:
            refusal = self._missed(scope, refusal)
            self.metrics.refused(refusal.key)
            self.metrics.answered(PATTERN, status_of(refusal))
            await deny(send, refusal, [(REQUEST_ID, request.encode())])


def create_app(settings: Settings | None = None, make_executor: Callable[[int], Executor] = processes) -> App:
    """The application, with its settings from the environment unless they are given."""
    return App(settings or Settings.read(), make_executor)


def _check_length(headers: Headers) -> None:
    """Refuses a body in chunks: each costs us more than its sender, and no page of ours sends any."""
    if "transfer-encoding" in headers:
        raise NoLength("no_length")


def _address(scope: Scope) -> str:
    """Where a request comes from."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def _home(scope: Scope) -> str:
    """The household that a request comes from."""
    return household(_address(scope))


def _secret(headers: Headers) -> str | None:
    """What says who asks."""
    return _bearer(headers) or _cookie(headers)


def _bearer(headers: Headers) -> str | None:
    kind, _, secret = headers.get("authorization", "").partition(" ")
    return secret.strip() or None if kind.lower() == "bearer" else None


def _cookie(headers: Headers) -> str | None:
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return None
    return morsel.value if morsel else None


def _number(query: Mapping[str, str], name: str) -> int | None:
    """A number in an address, if it is there."""
    if name not in query:
        return None
    if not re.fullmatch(r"[0-9]{1,9}", query[name]):
        raise BadRequest("garbled", problem=f"{name} is a number")
    return int(query[name])


def _yes_or_no(query: Mapping[str, str], name: str) -> bool | None:
    """`yes` or `no` in an address, if it is there."""
    return {None: None, "yes": True, "no": False}.get(query.get(name))


async def _body(request: Request, kind: type[T], most: int = MOST_BYTES) -> T:
    data = b""
    async for piece in request.stream():
        data += piece
        if len(data) > most:
            raise TooBig("too_big", most=most)
    return read(data, kind)


def _json(value: Any, status: int = 200) -> Response:
    return Response(encode(value), status, media_type="application/json", headers={"Cache-Control": "no-store"})


def _named(scope: Scope) -> str:
    """The name of this request, for the logs: a trusted balancer's, or one of ours."""
    trusted = PEER in scope and scope[PEER] is not scope["client"]  # uvicorn has taken its word about the client
    return logs.new_request(Headers(scope=scope).get(REQUEST_ID.decode()) if trusted else None)


async def kept_going(chore: Chore, pause: float = 1.0) -> None:
    """A chore of the server; if it fails, that is said, and it is begun again after a while, which grows while it fails."""
    first = pause
    while True:
        began = time.monotonic()
        try:
            return await chore()
        except Exception:
            if time.monotonic() - began > LONGEST_PAUSE:
                pause = first
            log.exception("A chore of the server failed; it is tried again in %s s.", pause)
        await asyncio.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


# ── Running it ───────────────────────────────────────────────


def serve(
    host: str | None = None,
    port: int | None = None,
    database: str | None = None,
    open_browser: bool = False,
    **more: Any,
) -> None:
    """Runs the server until it is stopped."""
    settings = Settings.read(host=host, port=port, database=database, **more)
    run(create_app(settings), settings, open_browser)


def run(app: App, settings: Settings, open_browser: bool = False) -> None:
    """Runs an application until it is stopped."""
    logs.set_up(settings.log, settings.log_format)
    check_port(settings.host, settings.port)
    app.open_store()  # before anything is promised
    name = "localhost" if settings.host in ("127.0.0.1", "0.0.0.0", "::") else settings.host
    address = f"http://{name}:{settings.port}"
    kept = "a Postgres database" if is_address(settings.database) else settings.path()
    print(f"Ludoteca is at {address} (Ctrl-C ends it; your games are in {kept}).", file=sys.stderr)
    if open_browser:
        threading.Timer(1.0, webbrowser.open, [address]).start()
    be_quick()
    with contextlib.suppress(KeyboardInterrupt):
        Server(configured(app, settings), app.drain).run()
    for worker in multiprocessing.active_children():
        worker.terminate()  # everything is stored: nobody waits for what a bot may still be thinking


def be_quick() -> None:
    """What Python does beside our work, as seldom and as briefly as a server can have it."""
    gc.freeze()  # what is there stays: `circles.py` need not look at it
    # The thread that writes to the store needs Python now and then; it should not wait 5 ms for it each time.
    sys.setswitchinterval(0.0005)


def behind_balancers(app: App, proxies: str) -> Application:
    """The application with what trusted balancers say of who asks and how; who is at the other end of the line is kept."""
    if not proxies:
        return app
    believing = cast(Application, ProxyHeadersMiddleware(cast(Any, app), trusted_hosts=proxies))

    async def noting(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            scope[PEER] = scope["client"]
        await believing(scope, receive, send)

    return noting


def configured(app: App, settings: Settings) -> uvicorn.Config:
    """The web server with the house's limits."""
    return uvicorn.Config(
        cast(Any, behind_balancers(app, settings.proxies)),
        http=cast(type[asyncio.Protocol], Door(settings, H11Protocol)),
        proxy_headers=False,  # `behind_balancers` does it
        host=settings.host,
        port=settings.port,
        ws="websockets-sansio",
        ws_max_size=SOCKET_BYTES,
        ws_ping_interval=settings.ping,
        ws_ping_timeout=settings.ping,
        ws_per_message_deflate=False,  # views are small; zipping them costs more than it saves
        access_log=False,  # addresses carry invitations
        log_config=None,  # where we are a guest in a process (an environment's page), its loggers are not ours to set up
        log_level="warning",  # as above: uvicorn writes the addresses of sockets at «info»
        server_header=False,
        timeout_graceful_shutdown=UNDER_WAY,
        h11_max_incomplete_event_size=MOST_BYTES,
    )
