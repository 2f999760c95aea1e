"""Watching a house: is it alive, is it ready, what does it count, what does it write; and nobody's secret in any of it."""

from __future__ import annotations

import asyncio
import json
import logging
import pathlib
import re
import sqlite3
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from websockets.exceptions import InvalidStatus

from ludoteca import __version__
from ludoteca.core.errors import BadData
from ludoteca.server import health, logs, queries
from ludoteca.server.app import create_app
from ludoteca.server.health import Check
from ludoteca.server.metrics import Histogram, Metrics
from ludoteca.server.settings import Settings
from server.house import NO_CERTIFICATES, House, answers, house, play, run, two_at_a_table, until
from server.test_store import file_of

pytestmark = pytest.mark.usefixtures("fast_hands")
TOKEN = "a-token-of-quite-some-length"
Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


async def ask(h: House, path: str, **headers: str) -> httpx.Response:
    """A stranger's question."""
    raw = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    async with httpx.AsyncClient(base_url=h.origin, verify=NO_CERTIFICATES, timeout=30) as http:
        return await http.get(path, headers=raw)


# ── Alive and ready ──────────────────────────────────────────


def test_alive_and_ready_answer_by_any_name_and_nothing_else_does(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, metrics=TOKEN) as h:
            alive = await ask(h, "/healthz", Host="balancer.example")
            assert (alive.status_code, alive.text) == (200, "ok")
            ready = await ask(h, "/readyz", Host="balancer.example")
            assert (ready.status_code, ready.json()) == (200, {"ready": True, "wrong": {}})
            for path in ("/", "/api/games", "/metrics", "/healthz/", "/healthz/x", "//healthz"):
                answer = await ask(h, path, Host="balancer.example", Authorization=f"Bearer {TOKEN}")
                assert answer.status_code == 421, path

    run(scene())


def test_what_hangs_or_fails_is_named_and_asked_once(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "PATIENCE", 0.05)

    async def scene() -> None:
        async with house(tmp_path) as h:
            asked, go_on = [], asyncio.Event()

            async def hang() -> None:
                asked.append("once")
                await go_on.wait()

            async def fail() -> None:
                raise OSError("/secret/place of the file")

            h.app._checks[:] = [Check("clock", hang), Check("bus", fail)]
            for _ in range(3):  # also many at once
                answers = await asyncio.gather(*(ask(h, "/readyz") for _ in range(4)))
                for answer in answers:
                    assert answer.status_code == 503
                    assert answer.json() == {
                        "ready": False,
                        "wrong": {"clock": "no answer within 0.05 s", "bus": "it failed (OSError)"},
                    }
            assert asked == ["once"]  # what hangs is not asked again and again
            assert (await ask(h, "/healthz")).status_code == 200  # alive nevertheless
            go_on.set()
            del h.app._checks[-1]
            monkeypatch.setattr(health, "PATIENCE", 30.0)
            assert (await ask(h, "/readyz")).status_code == 200

    run(scene())


def test_a_store_without_its_tables_is_not_ready(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            file = file_of(h.app.lobby.house.store)
            kept, file.read_from = file.read_from, sqlite3.connect(":memory:", check_same_thread=False)
            answer = await ask(h, "/readyz")
            assert (answer.status_code, list(answer.json()["wrong"])) == (503, ["store"])
            empty, file.read_from = file.read_from, kept
            await h.app.lobby.house.store.read(
                lambda db: empty.close()
            )  # by the one who reads, when nobody reads in it

    run(scene())


# ── Numbers ──────────────────────────────────────────────────


async def scraped(h: House) -> Samples:
    answer = await ask(h, "/metrics", Authorization=f"Bearer {TOKEN}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/plain; version=")
    families = list(text_string_to_metric_families(answer.text))
    return {(s.name, tuple(sorted(s.labels.items()))): s.value for family in families for s in family.samples}


def of(samples: Samples, name: str, **labels: str) -> float:
    return samples.get((name, tuple(sorted(labels.items()))), 0.0)


def test_the_numbers_of_a_house_are_those_of_what_happened(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, metrics=TOKEN) as h:
            anna, bruno, _, a, b = await two_at_a_table(h)
            before = await scraped(h)
            await play({0: a, 1: b}, 10)
            await a.do(9999, 10, "nonsense")
            refused = await a.next("refused", answers("nonsense"))
            await anna.get("/api/tables/none", status=404)
            with pytest.raises(InvalidStatus):
                await bruno.line("none")
            after = await scraped(h)

            def more(name: str, **labels: str) -> float:
                return of(after, name, **labels) - of(before, name, **labels)

            assert more("ludoteca_moves_total", game="splendor", kind="open") == 10
            assert more("ludoteca_publish_seconds_count") == 10
            assert more("ludoteca_publish_seconds_bucket", le="+Inf") == 10
            assert 1 <= more("ludoteca_commit_seconds_count") <= 10
            assert more("ludoteca_commit_writes_sum") == 10
            assert more("ludoteca_commit_seconds_sum") > 0
            assert more("ludoteca_refusals_total", key=refused["key"]) == 1
            assert more("ludoteca_refusals_total", key="no_such_table") == 2
            assert more("ludoteca_http_requests_total", route="/api/tables/{table}", status="404") == 1
            assert more("ludoteca_http_requests_total", route="/api/tables/{table}/socket", status="404") == 1
            assert of(after, "ludoteca_http_requests_total", route="/api/tables/{table}/socket", status="101") == 2
            assert of(after, "ludoteca_http_requests_total", route="/metrics", status="200") == 1
            assert of(after, "ludoteca_sockets") == 2
            assert of(after, "ludoteca_tables_in_memory") == 1
            assert of(after, "ludoteca_draining") == 0
            version = h.app.engines.game("splendor").version
            assert of(after, "ludoteca_rules_info", game="splendor", version=version) == 1
            assert [dict(labels)["version"] for name, labels in after if name == "ludoteca_build_info"] == [__version__]
            await a.close()
            await until(lambda: len(h.app.sockets) == 1)
            assert of(await scraped(h), "ludoteca_sockets") == 1

    run(scene())


def test_decisions_behind_a_screen_are_counted_as_such(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, metrics=TOKEN) as h:
            people = [await h.person(name) for name in ("Anna", "Bruno", "Carla")]
            info = await people[0].open(3, game="king_of_con")
            for person in people[1:]:
                await person.post(f"/api/tables/{info['id']}/sit", {})
            lines = [await person.line(info["id"]) for person in people]
            await people[0].post(f"/api/tables/{info['id']}/start")
            table = await h.table(info["id"])
            for _ in range(200):
                seat = table.waiting()[0]
                assert table.play is not None
                action = table.play_of(seat).position(seat).choices()[0]["action"]
                screened = table._screens.covers(action)
                await table.decide(seat, [action], None, None, None)
                if screened:
                    break
            samples = await scraped(h)
            assert of(samples, "ludoteca_moves_total", game="king_of_con", kind="screen") == 1
            assert of(samples, "ludoteca_publish_seconds_count") == sum(
                value for (name, _), value in samples.items() if name == "ludoteca_moves_total"
            )
            assert lines

    run(scene())


def test_bots_turns_are_counted_and_timed(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, metrics=TOKEN) as h:
            anna = await h.person("Anna")
            info = await anna.post("/api/play-now", {"game": "splendor", "seats": 2})
            line = await anna.line(info["id"])
            position = await line.next("update")
            while not position["choices"]:
                position = await line.next("update")
            await line.do(position["choices"][0]["action"], position["seq"])
            await line.next("update", lambda m: m["waiting"] == [info["you"]] and m["seq"] > position["seq"] + 1)
            samples = await scraped(h)
            thoughts = of(samples, "ludoteca_bot_think_seconds_count")
            assert thoughts >= 1 == of(samples, "ludoteca_bot_wait_seconds_count") / thoughts
            assert of(samples, "ludoteca_bot_queue") == 0

    run(scene())


def test_no_label_tells_one_guest_table_or_address_from_another(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, metrics=TOKEN) as h:
            anna, bruno, info, a, b = await two_at_a_table(h)
            await play({0: a, 1: b}, 4)
            await anna.get(f"/api/tables/{info['id']}?invite={info['invite']}")
            await anna.http.get("/api/what/ever-i-like")
            await anna.http.get("/any-page-i-like")
            await anna.post(f"/api/tables/{info['id']}/sit", {"seat": 99}, status=409)
            answer = await ask(h, "/metrics", Authorization=f"Bearer {TOKEN}")
            me = await anna.get("/api/me")
            for secret in (
                anna.secret, bruno.secret, me["id"], info["id"], info["invite"], "Anna", TOKEN, "127.0.0.1", "i-like",
            ):  # fmt: skip
                assert secret and secret not in answer.text
            routes = {route.path for route in h.app._routes()} | {"/api/tables/{table}/socket", "other"}
            assert set(re.findall(r'route="([^"]*)"', answer.text)) <= routes

    run(scene())


def test_without_the_token_the_numbers_are_nowhere(tmp_path: pathlib.Path) -> None:
    async def seen(h: House, path: str, **headers: str) -> tuple[Any, ...]:
        answer = await ask(h, path, **headers)
        kept = {k: v for k, v in answer.headers.items() if k not in ("date", "x-request-id")}
        return answer.status_code, kept, answer.content

    async def scene(**settings: Any) -> None:
        page = tmp_path / "page"
        page.mkdir(exist_ok=True)
        (page / "index.html").write_text("<html><head></head></html>")
        async with house(tmp_path, page=str(page), **settings) as h:
            nothing = await seen(h, "/metricz")
            assert nothing[0] == 404
            for wrong in ("", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}", "Bearer ÿ", TOKEN):
                assert await seen(h, "/metrics", Authorization=wrong) == nothing
            if not settings:
                assert await seen(h, "/metrics", Authorization=f"Bearer {TOKEN}") == nothing

    run(scene(metrics=TOKEN))
    run(scene())


@pytest.mark.parametrize("token", ["short", "with spaces in between", "é" * 20])
def test_a_token_that_is_too_easy_is_refused_with_a_sentence(token: str) -> None:
    with pytest.raises(BadData, match="LUDOTECA_METRICS should be a token of at least 16"):
        create_app(Settings(database="unused.db", metrics=token))


def test_several_houses_in_one_process_count_for_themselves(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        (tmp_path / "other").mkdir()
        async with house(tmp_path, metrics=TOKEN) as one, house(tmp_path / "other", metrics=TOKEN) as other:
            await (await one.person("Anna")).open()
            assert of(await scraped(one), "ludoteca_tables_in_memory") == 1
            assert of(await scraped(other), "ludoteca_tables_in_memory") == 0

    run(scene())


def test_a_histogram_counts_up_to_each_bound() -> None:
    sizes = Histogram((1.0, 2.0))
    for size in (0.5, 1.0, 1.5, 7.0):
        sizes.add(size)
    assert sizes.up_to() == [("1.0", 2.0), ("2.0", 3.0), ("+Inf", 4.0)]
    assert sizes.total == 10.0


def test_what_was_not_stored_here_is_not_timed() -> None:
    metrics = Metrics()
    assert metrics.published(0.0) == 0.0
    assert sum(metrics.publications.counts) == 0
    assert metrics.published(metrics.moved("splendor", False)) == 0.0
    assert sum(metrics.publications.counts) == 1


# ── Lines ────────────────────────────────────────────────────


class Kept(logging.Handler):
    """Keeps every line as it would be written, in both formats."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []
        self.text: list[str] = []
        self.setFormatter(logs.Json())

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))
        self.text.append(logs.Text().format(record))

    def read(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines]


@pytest.fixture
def kept() -> Iterator[Kept]:
    handler, ours = Kept(), logging.getLogger()
    before = ours.level
    ours.addHandler(handler)
    logging.getLogger("ludoteca").setLevel(logging.DEBUG)
    yield handler
    ours.removeHandler(handler)
    ours.setLevel(before)
    logging.getLogger("ludoteca").setLevel(logging.NOTSET)


def test_a_line_says_which_request_or_command_and_which_table(
    tmp_path: pathlib.Path, kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, _, info, a, b = await two_at_a_table(h)

            def broken(*_: Any) -> None:
                raise ZeroDivisionError("out of order")

            with monkeypatch.context() as patched:
                patched.setattr(queries, "append", broken)
                first = a.of("update")[-1]
                await (a if first["waiting"] == [0] else b).do(action_of(a, b), first["seq"], "my-command")
                await until(lambda: any("my-command" in line for line in kept.lines))
                patched.setattr(h.app.lobby, "seen_by", broken)
                answer = await anna.http.get(f"/api/tables/{info['id']}")
            assert answer.status_code == 500
            lines = kept.read()
            [command] = [line for line in lines if line.get("command") == "my-command"]
            assert command["table"] == info["id"] and command["level"] == "error"
            assert "ZeroDivisionError: out of order" in command["error"]
            [request] = [line for line in lines if line.get("request") == answer.headers["x-request-id"]]
            assert request["table"] == info["id"] and "command" not in request
            assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", request["time"])
            assert (request["logger"], request["message"]) == ("ludoteca.app", "table could not be answered.")

    run(scene())


def action_of(*lines: Any) -> int:
    return int(
        next(line.of("update")[-1]["choices"][0]["action"] for line in lines if line.of("update")[-1]["choices"])
    )


def test_a_request_is_named_by_us_or_by_a_trusted_balancer(tmp_path: pathlib.Path) -> None:
    async def named(h: House, **headers: str) -> str:
        return (await ask(h, "/api/games", **headers)).headers["x-request-id"]

    async def scene() -> None:
        theirs = {"X-Request-ID": "balancer-17.b"}
        forwarded = {"X-Forwarded-For": "203.0.113.9"}
        async with house(tmp_path) as h:
            ours = await named(h, **theirs, **forwarded)  # nobody is trusted
            assert re.fullmatch(r"[0-9a-f]{16}", ours) and ours != await named(h)
        async with house(tmp_path, proxies="10.0.0.1") as h:  # somebody else is
            assert re.fullmatch(r"[0-9a-f]{16}", await named(h, **theirs, **forwarded))
        async with house(tmp_path, proxies="127.0.0.1") as h:
            assert await named(h, **theirs, **forwarded) == "balancer-17.b"
            for strange in ("x" * 65, "", "a b", "ä", "<script>"):
                found = await named(h, **forwarded, **{"X-Request-ID": strange})
                assert re.fullmatch(r"[0-9a-f]{16}", found), strange
            with pytest.raises(InvalidStatus) as refused:
                await h.anybody().line("none")
            assert refused.value.response.headers["x-request-id"]

    run(scene())


def test_no_line_has_a_secret(tmp_path: pathlib.Path, kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that can be said is said, at its loudest, while somebody plays and a good deal goes wrong."""

    async def scene() -> list[str]:
        async with house(tmp_path, metrics=TOKEN) as h:
            anna, bruno, info, a, b = await two_at_a_table(h)
            private = await anna.open(public=False, bots=[None, "novice"])
            await anna.line(private["id"], invite=private["invite"])
            await play({0: a, 1: b}, 3)
            await ask(h, "/metrics", Authorization=f"Bearer {TOKEN}")
            await ask(
                h, f"/api/tables/{private['id']}?invite={private['invite']}", Authorization=f"Bearer {anna.secret}"
            )
            await h.anybody().http.get(f"/api/tables/{private['id']}?invite={private['invite']}x")
            await a.send(type="do", id="x", action=1, at=0, invite=private["invite"])
            await a.send(type="entropy", text="my own words for the mix")

            def failing(*_: Any, **__: Any) -> None:
                raise RuntimeError(
                    f"at /x?invite={private['invite']}&y=1: cookie ludoteca={anna.secret}; Bearer {TOKEN}"
                )

            with monkeypatch.context() as patched:
                patched.setattr(h.app.lobby, "seen_by", failing)
                await anna.http.get(f"/api/tables/{private['id']}?invite={private['invite']}")
                patched.setattr(queries, "append", failing)
                await (a if a.of("update")[-1]["choices"] else b).do(action_of(a, b), a.of("update")[-1]["seq"])
                await until(lambda: any("could not be dealt with" in line for line in kept.lines))
            seeds = await h.app.lobby.house.store.read(seeds_of)
            return [str(anna.secret), str(bruno.secret), private["invite"], info["invite"], TOKEN, *seeds]

    secrets = run(scene())
    assert len(secrets) > 6
    for text in ("\n".join(kept.lines), "\n".join(kept.text)):
        assert "RuntimeError" in text and "invite=…" in text
        assert not [secret for secret in secrets if secret in text]


def seeds_of(db: Any) -> list[str]:
    found = [seed for (seed,) in db.execute("SELECT server_seed FROM seeds")]
    return [shape for seed in found for shape in (seed.hex(), repr(seed)[2:-1])]


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("GET /t?invite=abc123&since=4", "GET /t?invite=…&since=4"),
        ("Cookie: a=b; ludoteca=0f0f0f; c=d", "Cookie: a=b; ludoteca=…; c=d"),
        ("authorization: bearer S3cr3t!", "authorization: bearer …"),
        ("postgresql://anna:pass@db/house", "postgresql://anna:…@db/house"),
        ("{'server_seed': '00112233445566778899'}", "{'server_seed': '…'}"),
        ("row, server_seed = self._new_row(guest)", "row, server_seed = self._new_row(guest)"),
        ("Ludoteca is at http://localhost:8000", "Ludoteca is at http://localhost:8000"),
    ],
)
def test_what_looks_like_a_secret_is_veiled(said: str, written: str) -> None:
    assert logs.veiled(said) == written


def test_lines_are_objects_if_one_likes(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    root, ours, uvicorn = logging.getLogger(), logging.getLogger("ludoteca"), logging.getLogger("uvicorn.error")
    monkeypatch.setattr(root, "handlers", [])
    monkeypatch.setattr(ours, "level", ours.level)
    monkeypatch.setattr(uvicorn, "filters", [])
    logs.set_up("info", "json")
    logging.getLogger("ludoteca.lobby").info("Two\nlines of «%s».", "Anna")
    [line] = capsys.readouterr().err.splitlines()
    assert json.loads(line)["message"] == "Two\nlines of «Anna»."
    ours.setLevel(logging.NOTSET)
    with pytest.raises(BadData, match="LUDOTECA_LOG_FORMAT can be text or json"):
        logs.set_up("info", "xml")
