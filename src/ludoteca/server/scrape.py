"""`GET /metrics`: the numbers of a house in Prometheus' text format, for whoever has the token.

Without the setting, and to everybody else, the address does not exist. The registry is this house's own, and nothing of the
library's global state is used: several houses in one process do not meet.
"""

from __future__ import annotations

import hmac
import platform
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from ludoteca import __version__
from ludoteca.core.errors import BadData
from ludoteca.core.game import Game

from .metrics import Histogram, Metrics

TOKEN = re.compile(r"[!-~]{16,}")  # what can stand in a header, and cannot be guessed


def checked_token(token: str) -> str:
    """The token of the setting; a sentence if it is none."""
    if not TOKEN.fullmatch(token):
        raise BadData(
            "LUDOTECA_METRICS should be a token of at least 16 letters, digits and signs, without spaces: "
            "python -c 'import secrets; print(secrets.token_urlsafe())' makes one.",
            "bad_setting",
        )
    return token


@dataclass(frozen=True)
class Now:
    """What is not counted but looked at when somebody asks."""

    sockets: Callable[[], int]
    tables: Callable[[], int]
    bots_waiting: Callable[[], int]
    draining: Callable[[], bool]
    games: Iterable[Game]


class Scrape:
    """Shows the numbers, if the token is right."""

    format = CONTENT_TYPE_LATEST

    def __init__(self, token: str, metrics: Metrics, now: Now) -> None:
        self._token = checked_token(token).encode()
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(House(metrics, now))
        ProcessCollector(registry=self._registry)  # processor, memory, open files: where the system tells

    def allows(self, token: str | None) -> bool:
        """Whether this is the token; it takes as long to say no to nearly right as to quite wrong."""
        return token is not None and hmac.compare_digest(token.encode("utf-8", "replace"), self._token)

    def text(self) -> bytes:
        """Everything, as it is now."""
        return generate_latest(self._registry)


class House(Collector):
    """Makes the library's families of our numbers, each time somebody asks."""

    def __init__(self, metrics: Metrics, now: Now) -> None:
        self._metrics, self._now = metrics, now

    def collect(self) -> Iterable[Metric]:
        yield from self._counted()
        yield from self._measured()
        yield from self._looked_at()

    def _counted(self) -> Iterable[Metric]:
        counted = self._metrics
        moves = CounterMetricFamily(
            "ludoteca_moves", "Decisions stored, in the open or behind a screen", labels=["game", "kind"]
        )
        for (game, kind), number in sorted(counted.moves.items()):
            moves.add_metric([game, kind], number)
        refusals = CounterMetricFamily("ludoteca_refusals", "What was asked for and not done, by kind", labels=["key"])
        for key, number in sorted(counted.refusals.items()):
            refusals.add_metric([key], number)
        requests = CounterMetricFamily("ludoteca_http_requests", "Requests answered", labels=["route", "status"])
        for (route, status), number in sorted(counted.requests.items()):
            requests.add_metric([route, str(status)], number)
        return moves, refusals, requests

    def _measured(self) -> Iterable[Metric]:
        of = self._metrics
        yield _histogram("ludoteca_commit_seconds", "Commits of the store, to the disk", of.commits)
        yield _histogram("ludoteca_commit_writes", "Writes that shared one commit", of.writes)
        yield _histogram("ludoteca_publish_seconds", "From stored to in everybody's outbox", of.publications)
        yield _histogram("ludoteca_bot_wait_seconds", "Bots' turns waiting for a free worker", of.bot_waits)
        yield _histogram("ludoteca_bot_think_seconds", "Bots' thinking, in a worker", of.bot_thoughts)

    def _looked_at(self) -> Iterable[Metric]:
        now = self._now
        yield GaugeMetricFamily("ludoteca_sockets", "Sockets open", value=now.sockets())
        yield GaugeMetricFamily("ludoteca_tables_in_memory", "Tables in memory", value=now.tables())
        yield GaugeMetricFamily("ludoteca_bot_queue", "Bots' turns that wait for a worker", value=now.bots_waiting())
        yield GaugeMetricFamily("ludoteca_draining", "1 while the server takes leave", value=int(now.draining()))
        built = GaugeMetricFamily("ludoteca_build_info", "What runs here", labels=["version", "python"])
        built.add_metric([__version__, platform.python_version()], 1)
        yield built
        rules = GaugeMetricFamily(
            "ludoteca_rules_info", "The games and the versions of their rules", labels=["game", "version"]
        )
        for game in now.games:
            rules.add_metric([game.key, game.version], 1)
        yield rules


def _histogram(name: str, what: str, counted: Histogram) -> Metric:
    return HistogramMetricFamily(name, what, buckets=counted.up_to(), sum_value=counted.total)
