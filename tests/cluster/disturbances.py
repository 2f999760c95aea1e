"""What goes wrong in a house of several servers, and what was promised for each case.

A disturbance is made while everybody plays; after it everything acknowledged since the last one is looked up in the store,
and the time is taken until those whom it has hit play on.
"""

from __future__ import annotations

import asyncio
import bisect
import math
import random
import signal
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field

from cluster import checks
from cluster.players import Player, Town
from cluster.servers import PATIENCE, House, Server
from cluster.witness import Watching, Witness

PLAY_ON = 3.0  # seconds after the balancer has found out, within which everybody plays on
GIVEN_UP = 30.0  # seconds after which we stop waiting for somebody to play on
DRAINED = 10.0  # seconds in which a server that is asked to goes
CUT_FOR = 20.0  # seconds without Redis
SETTLING = 1.5  # seconds for those who load their page anew
BREATH = 1.0  # seconds between a disturbance and the look at the store


@dataclass(frozen=True)
class Outcome:
    """What was measured, and whether the promise held."""

    figure: str
    held: bool


@dataclass(frozen=True)
class Disturbance:
    """Something that goes wrong."""

    name: str
    promise: str
    make: Callable[[Field], Awaitable[Outcome]]
    quick: bool = True  # part of the short form


@dataclass
class Played:
    """How long those who were hit had to wait until they played on, in seconds after the balancer knew."""

    waits: list[float] = field(default_factory=list)
    late: list[str] = field(default_factory=list)  # who waited too long, and where
    for_bots: int = 0  # how many of those were at tables where a bot was awaited

    def at(self, share: float) -> float:
        """The time within which this share played on."""
        return sorted(self.waits)[min(len(self.waits) - 1, int(share * len(self.waits)))] if self.waits else 0.0

    def told(self) -> str:
        """In words."""
        told = f"{len(self.waits)} played on, p99 {self.at(0.99):.1f} s, last {self.at(1):.1f} s"
        return f"{told}, {len(self.late)} late ({self.for_bots} awaited a bot)" if self.late else told

    def __iadd__(self, other: Played) -> Played:
        self.waits += other.waits
        self.late += other.late
        self.for_bots += other.for_bots
        return self


class Field:
    """Where disturbances are made: the house, the people, and what has been looked at so far."""

    def __init__(self, house: House, town: Town, witness: Witness, quick: bool, kills: int = 0) -> None:
        self.house, self.town, self.witness, self.quick = house, town, witness, quick
        self.slack = 4.0 if quick else 1.0  # how much slower is forgiven: other tests run beside the short form
        self.books = checks.Books(house.database)
        self.dice = random.Random(11)
        self.kills = kills or self.of(30, 3)
        self.problems: list[str] = []  # everything that was not as it should be, in words
        self.late: list[str] = []  # who had to wait too long
        self.errors: Counter[str] = Counter()  # in the servers' logs
        self._acknowledged = self._refused = self._contradictions = self._lags = 0

    def of(self, full: int, quick: int) -> int:
        """A number for the long form and one for the short."""
        return quick if self.quick else full

    @property
    def balancer_up(self) -> list[str]:
        """The servers that the balancer sends people to."""
        return self.house.balancer.up()

    # ── Whom it hits ─────────────────────────────────────────

    def at(self, server: Server) -> list[Player]:
        """Who is connected to a server and in the middle of a game."""
        return [p for p in self.playing() if p.watching is not None and p.watching.server == server.name]

    def playing(self) -> list[Player]:
        """Who is in the middle of a game."""
        return [
            player
            for player in self.town.everybody
            if player.connected_at and player.watching is not None and not player.watching.left
        ]

    def any_server(self) -> Server:
        """One where somebody plays."""
        up = [self.house.named(name) for name in self.balancer_up]
        return self.dice.choice([server for server in up if self.at(server)] or up)

    async def spread(self) -> None:
        """People are at all servers again; without this all would soon be at one, which is the easier case."""
        since = time.monotonic()
        self.town.spread()
        await asyncio.sleep(SETTLING)
        await self.play_on(self.playing(), since, since, anew=False)

    async def in_the_air(self, server: Server) -> None:
        """Waits for a moment in which somebody waits for this server's answer: that is when it is worst to die."""
        end = time.monotonic() + 2.0
        while time.monotonic() < end and not any(player.busy for player in self.at(server)):
            await asyncio.sleep(0)
        await asyncio.sleep(self.dice.uniform(0.0, 0.01))

    def playing_with(self, player: Player) -> list[Player]:
        """Everybody at somebody's table, that one first."""
        others = [party.everybody for party in self.town.parties if player in party.everybody]
        return [player, *(other for party in others for other in party if other is not player)]

    async def play_on(self, hit: Sequence[Player], since: float, known: float, anew: bool) -> Played:
        """Waits until all of them have seen their game go on after `since`, on a new connection if `anew`.

        Counted from when the balancer knew: that is `known`.
        """
        waiting, played, end = list(hit), Played(), time.monotonic() + GIVEN_UP
        games = {player: player.history[-1] for player in hit}
        for_bots = {player for player, game in games.items() if game.awaits_a_bot}

        def counts(player: Player, wait: float) -> None:
            waiting.remove(player)
            played.waits.append(wait)
            if wait > PLAY_ON * self.slack:
                bot = "; a bot was awaited" if player in for_bots else ""
                played.late.append(described(player, wait) + bot + story(self.playing_with(player), since, known))
                played.for_bots += player in for_bots

        while waiting and time.monotonic() < end:
            self.town.check()
            for player in list(waiting):
                when = went_on(player, games[player], since, anew)
                if when is not None:
                    counts(player, max(0.0, when - known))
            await asyncio.sleep(0.1)
        for player in list(waiting):
            counts(player, math.inf)
        return played

    # ── Looking at the store ─────────────────────────────────

    async def look(self) -> tuple[str, bool]:
        """Everything that was promised since the last look; a figure, and whether it held."""
        await asyncio.sleep(BREATH)
        witness = self.witness
        acknowledged = witness.acknowledged[self._acknowledged :]
        refused = witness.refused[self._refused :]
        contradictions = witness.contradictions[self._contradictions :]
        self._acknowledged += len(acknowledged)
        self._refused += len(refused)
        self._contradictions += len(contradictions)
        wrong = await asyncio.to_thread(checks.lost_or_doubled, self.books, acknowledged)
        ghosts = await asyncio.to_thread(checks.refused_but_stored, self.books, refused)
        gaps = await asyncio.to_thread(checks.gaps, self.books)
        self.problems += [*wrong, *ghosts, *gaps, *contradictions]
        figure = f"{len(acknowledged):,} acknowledged, {len(wrong) or 'none'} lost or doubled, {len(gaps) or 'no'} gaps"
        if ghosts:
            figure += f", {len(ghosts)} refused but stored"
        if contradictions:
            figure += f", {len(contradictions)} contradictions"
        return figure, not (wrong or ghosts or gaps or contradictions)

    def lag(self) -> float:
        """Since the last question: the longest that a step seen by one was unknown to another at the same table."""
        lags = [lag for _, lag in self.witness.lags[self._lags :]]
        self._lags = len(self.witness.lags)
        return max(lags, default=0.0)

    async def outcome(self, played: Played, *more: str, held: bool = True) -> Outcome:
        """After a disturbance."""
        figure, sound = await self.look()
        self.late += played.late
        in_time = played.at(1) <= PLAY_ON * self.slack
        return Outcome("; ".join([figure, played.told(), *more]), sound and in_time and held)


def described(player: Player, seconds: float) -> str:
    """Somebody who had to wait, and what for."""
    watching = player.watching
    assert watching is not None
    return (
        f"{watching.table} ({watching.game}): {player.name}, seat {watching.seat}, at {watching.server} waited "
        f"{seconds:.1f} s; then step {watching.seq}, waiting for {(watching.last or {}).get('waiting')}"
    )


def story(players: Sequence[Player], since: float, known: float) -> str:
    """What happened at a table after that, to one after the other; in seconds after the balancer knew."""
    lines = []
    for player in players:
        steps = [f"{at - known:+.2f} {what}" for at, what in player.steps if at > since - 2.5]
        lines.append(f"\n        {player.name}: {'; '.join(steps)}")
    return "".join(lines)


def went_on(player: Player, game: Watching, since: float, anew: bool) -> float | None:
    """When somebody first saw their game (or their next one) go on after that, on a new connection if `anew`."""
    if game.left and (ended := after(since, game.advances)):
        return ended  # the news of its end was on the way already
    if anew:
        since = after(since, player.connections) or math.inf
    for watching in player.history[-3:]:
        if when := after(since, watching.advances):
            return when
    return None


def after(moment: float, times: list[float]) -> float | None:
    """The first of these times after a moment; they are in order."""
    at = bisect.bisect_right(times, moment)
    return times[at] if at < len(times) else None


async def launch(field: Field, server: Server) -> None:
    """Starts a server again; waits until the balancer sends people to it."""
    since = time.monotonic()
    server.launch()
    if await field.house.balancer.finds(server.name, True, since, PATIENCE) is None:
        raise RuntimeError(f"{server.name} does not come back: {server.said()[-2000:]}")


# ── A server dies ────────────────────────────────────────────


async def kill_servers(field: Field) -> Outcome:
    """`kill -9`, one server after the other, any of them."""
    all_played, knew = Played(), list[float]()
    starting: list[asyncio.Task[None]] = []
    for number in range(1, field.kills + 1):
        await until_up(field, len(field.house.servers))  # on two cores one that starts takes those of the others
        await field.spread()
        victim = field.any_server()
        await field.in_the_air(victim)
        hit, since = field.at(victim), time.monotonic()
        victim.stop(signal.SIGKILL)
        known = await field.house.balancer.finds(victim.name, False, since, 10.0)
        knew.append((known or time.monotonic()) - since)
        played = await field.play_on(hit, since, known or since, anew=True)
        # Only now: on a machine of its own a server that starts does not take the others' cores.
        starting.append(asyncio.create_task(launch(field, victim)))
        all_played += played
        print(f"      {number}: {victim.name}, known after {knew[-1]:.1f} s, {played.told()}", flush=True)
        await asyncio.sleep(field.dice.uniform(0.5, 2.5))
        starting = await finished(starting)
    await asyncio.gather(*starting)
    return await field.outcome(all_played, f"{field.kills} times, known within {max(knew):.1f} s")


async def until_up(field: Field, count: int) -> None:
    """Waits until people are sent to so many servers."""
    end = time.monotonic() + PATIENCE
    while len(field.balancer_up) < count:
        if time.monotonic() > end:
            raise RuntimeError(f"only {field.balancer_up} are up")
        await asyncio.sleep(0.05)


async def finished(tasks: Iterable[asyncio.Task[None]]) -> list[asyncio.Task[None]]:
    """Those that are not; raises what the others have raised."""
    left = []
    for task in tasks:
        if task.done():
            task.result()
        else:
            left.append(task)
    return left


# ── The others die ───────────────────────────────────────────


async def restart_redis(field: Field) -> Outcome:
    """The bus goes away and comes back, empty."""
    redis = field.house.redis
    assert redis is not None
    await until_up(field, len(field.house.servers))
    await field.spread()
    field.lag()
    redis.stop()
    await asyncio.sleep(field.of(3, 1))
    redis.launch()
    back = time.monotonic()
    played = await field.play_on(field.playing(), back, back, anew=False)
    await asyncio.sleep(3.0)
    lag = field.lag()
    return await field.outcome(played, f"steps at most {lag:.1f} s late", held=lag <= PLAY_ON * field.slack)


async def cut_from_redis(field: Field) -> Outcome:
    """One server hears nothing from the bus and cannot speak, and nothing tells it so."""
    await until_up(field, len(field.house.servers))
    await field.spread()
    victim = field.any_server()
    way = field.house.ways[victim.name]
    field.lag()
    since = time.monotonic()
    way.cut()
    try:
        known = await field.house.balancer.finds(victim.name, False, since, CUT_FOR)
        while time.monotonic() < since + CUT_FOR:
            await asyncio.sleep(0.1)
    finally:
        way.mend()
    mended = time.monotonic()
    played = await field.play_on(field.playing(), mended, mended, anew=False)
    lag = field.lag()
    noticed = f"the balancer knew after {known - since:.1f} s" if known else "the balancer went on with it"
    return await field.outcome(played, f"steps at most {lag:.1f} s late", noticed, held=lag <= PLAY_ON * field.slack)


async def restart_postgres(field: Field) -> Outcome:
    """The database crashes and recovers."""
    postgres = field.house.postgres
    assert postgres is not None
    await until_up(field, len(field.house.servers))
    hit, since = field.playing(), time.monotonic()
    postgres.stop(signal.SIGQUIT)
    postgres.launch()
    while not await asyncio.to_thread(postgres.answers):
        await asyncio.sleep(0.05)
    back = time.monotonic()
    await until_up(field, 1)
    known = time.monotonic()
    played = await field.play_on(hit, back, known, anew=False)
    return await field.outcome(played, f"it was away for {back - since:.1f} s")


async def drain_server(field: Field) -> Outcome:
    """One server is asked to end, as for an upgrade."""
    await until_up(field, len(field.house.servers))
    await field.spread()
    victim = field.any_server()
    assert victim.process is not None
    hit, since = field.at(victim), time.monotonic()
    victim.process.send_signal(signal.SIGTERM)
    known = await field.house.balancer.finds(victim.name, False, since, DRAINED * field.slack) or since
    played = await field.play_on(hit, known, known, anew=False)  # there, until they are told to come back elsewhere
    status = await victim.ended(max(0.0, since + DRAINED * field.slack - time.monotonic()))
    ended = time.monotonic()
    took = ended - since
    played += await field.play_on(hit, ended, ended, anew=False)
    if status is None:
        victim.stop(signal.SIGKILL)
    gone = "did not end" if status is None else f"ended after {took:.1f} s with status {status}"
    await launch(field, victim)
    return await field.outcome(played, gone, held=status in (0, -signal.SIGTERM))


SOUND = "nothing acknowledged is lost or doubled, no gap, one story for all"
PLAYED_ON = "everybody plays on ≤ 3 s after the balancer knows"
HEARD = "a step is seen by all ≤ 3 s after the first"

DISTURBANCES = (
    Disturbance("kill -9 of any server, again and again", f"{SOUND}; {PLAYED_ON}", kill_servers),
    Disturbance("Redis is restarted", f"the same; {HEARD}", restart_redis),
    Disturbance("one server cut off from Redis for 20 s", f"the same; {HEARD}", cut_from_redis, quick=False),
    Disturbance("Postgres crashes and restarts", f"the same; {PLAYED_ON}", restart_postgres, quick=False),
    Disturbance("one server is drained (SIGTERM)", "the same; it ends by itself within 10 s", drain_server),
)
