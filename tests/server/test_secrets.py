"""Nobody receives a bit that depends on what they may not see; no secret is written anywhere."""

from __future__ import annotations

import logging
import pathlib
import random
import sqlite3
import tempfile

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludoteca.core.keyed import Keyed
from ludoteca.core.record import SPECTATOR
from ludoteca.server import queries, table
from ludoteca.server.guests import Guest
from ludoteca.server.wire import encode
from server.house import House, house, play, run, two_at_a_table

pytestmark = pytest.mark.usefixtures("fast_hands")


class Ear:
    """Somebody who watches and keeps every byte."""

    def __init__(self, guest: Guest | None) -> None:
        self.guest, self.away = guest, False
        self.invite: str | None = None
        self.eyes: int | None = None
        self.bytes = b""

    def push(self, message: bytes, later: bool = False) -> None:
        self.bytes += message

    def drop(self) -> None:
        raise AssertionError("dropped")

    def cover(self) -> None:
        raise AssertionError("covered")


async def hear(h: House, id: str, guest: Guest | None, states: np.ndarray, moves: list[tuple[int, int]]) -> bytes:
    """All bytes a viewer gets who joins this world and sees these decisions; also those of a refusal and a snapshot."""
    row = await h.app.lobby.house.store.read(queries.find_table, id)
    assert row is not None
    kept = await h.app.lobby.house.store.read(queries.find_game, id)
    world = table.Table(h.app.lobby.house, row, kept)
    await world.load(kept)
    assert world.play is not None
    world.play.states = states.copy()
    ear = Ear(guest)
    world.presence.come(ear)
    ear.push(encode(world.info(guest)))
    world.show()
    for seat, action in moves:
        after = world.play.copy()
        happened = after.follow(seat, [action])
        world.become(after, *table.standing(after), 0.0)
        world.publish(happened)
    seat = world.viewer(ear)
    if seat != SPECTATOR:
        for action in range(0, len(world.game.actions), 5):
            try:
                world.check(seat, [action], None)
            except Exception as refusal:
                ear.push(repr((refusal, getattr(refusal, "facts", None))).encode())
    return ear.bytes


@pytest.fixture(scope="module")
def random_games() -> list[int]:
    return list(range(8))


def test_two_worlds_that_differ_in_what_a_viewer_may_not_see_sound_the_same(
    tmp_path: pathlib.Path, random_games: list[int]
) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno = await h.person("Anna"), await h.person("Bruno")
            compared = different = 0
            for number in random_games:
                dice = random.Random(number)
                info = await anna.open(2)
                await bruno.post(f"/api/tables/{info['id']}/sit", {})
                await anna.post(f"/api/tables/{info['id']}/start")
                world = await h.table(info["id"])
                for _ in range(10 + 9 * number):  # reserve a lot, so that there are secrets
                    seat = world.waiting()[0]
                    assert world.play is not None
                    legal = world.engine.legal(world.play.states, 0, seat)
                    secret = [a for a in legal if world.game.actions.decode(a).kind == "reserve_top"]
                    action = dice.choice(secret if secret and dice.random() < 0.6 else legal)
                    await world.decide(seat, [action], None, None, None)
                    if world.row.phase != "playing":
                        break
                for guest, viewer in ((_known(h, "Anna"), 0), (_known(h, "Bruno"), 1), (None, SPECTATOR)):
                    assert world.play is not None
                    truth = world.play.states
                    other = world.game.redact(truth, 0, viewer)
                    world.engine.determinize(other, viewer if viewer != SPECTATOR else 0, number + 1)
                    assert same_to(world, viewer, truth, other)
                    moves = await _visible_moves(world, truth, other)
                    first = await hear(h, info["id"], guest, truth, moves)
                    second = await hear(h, info["id"], guest, other, moves)
                    assert first == second
                    compared += 1
                    different += truth.tobytes() != other.tobytes()
            assert compared == 3 * len(random_games)
            assert different >= compared - 3  # the worlds did differ

    run(scene())


def same_to(world: table.Table, viewer: int, *states: np.ndarray) -> bool:
    return len({world.game.redact(each, 0, viewer).tobytes() for each in states}) == 1


def _known(h: House, name: str) -> Guest:
    return next(guest for guest in h.app.guests._known.values() if guest.name == name)


async def _visible_moves(world: table.Table, truth: np.ndarray, other: np.ndarray) -> list[tuple[int, int]]:
    """A few decisions that are the same, and show the same, in both worlds: taking tokens."""
    moves = []
    first, second = truth.copy(), other.copy()
    for _ in range(4):
        waiting = world.engine.waiting(first)
        if not waiting or world.engine.is_over(first):
            break
        seat = waiting[0]
        kinds = ("take_three", "take_two", "take_alike", "take_one", "give_back", "pass")
        shared = [
            action
            for action in world.engine.legal(first, 0, seat)
            if action in world.engine.legal(second, 0, seat) and world.game.actions.decode(action).kind in kinds
        ]
        if not shared:
            break
        moves.append((seat, shared[0]))
        for states in (first, second):
            world.engine.apply(states, 0, *moves[-1])
    return moves


def test_a_card_reserved_in_secret_is_named_only_to_its_owner(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            _, _, info, a, b = await two_at_a_table(h)
            world = await h.table(info["id"])
            await a.do(world.game.actions.encode("reserve_top", 3), 0)
            mine = await a.next("update", lambda m: m["seq"] == 1)
            theirs = await b.next("update", lambda m: m["seq"] == 1)
            card = mine["events"][0]["card"]
            assert card is not None
            assert theirs["events"][0]["card"] is None
            assert f'"{card}"'.encode() not in b"".join(b.raw)
            assert [e["n"] for e in mine["events"]] == [e["n"] for e in theirs["events"]]

    run(scene())


def test_seeds_and_secrets_are_in_no_message_and_no_log(
    tmp_path: pathlib.Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)

    async def scene() -> tuple[bytes, list[str]]:
        async with house(tmp_path) as h:
            anna, bruno, info, a, b = await two_at_a_table(h)
            await a.send(type="nonsense")
            await a.next("refused")
            await play({0: a, 1: b}, 10)
            pages = [await person.http.get(f"/api/tables/{info['id']}") for person in (anna, bruno, h.anybody())]
            pages.append(await anna.http.get("/api/my/tables"))
            pages.append(await anna.http.get(f"/api/tables/{info['id']}/record"))
            kept = await h.app.lobby.house.store.read(queries.find_game, info["id"])
            heard = b"".join([*a.raw, *b.raw, *(page.content for page in pages)])
            keys = Keyed(kept.server_seed, ("", ""))
            hidden = [kept.server_seed.hex(), *(keys.stream(number)._key.hex() for number in range(30))]
            assert not [secret for secret in hidden if secret.encode() in heard]
            assert all(page.url.query == b"" for page in pages)
            return heard, [anna.secret or "", bruno.secret or "", info["invite"], *hidden]

    heard, hidden = run(scene())
    ours = [entry.getMessage() for entry in caplog.records if entry.name.startswith(("ludoteca", "uvicorn"))]
    written = "".join([*ours, *capfd.readouterr()])
    assert not [secret for secret in hidden if secret in written]
    assert not [secret for secret in hidden[:2] if secret.encode() in heard]  # cookies travel in headers only


def test_the_store_keeps_only_a_hash_of_a_guests_secret(tmp_path: pathlib.Path) -> None:
    async def scene() -> str:
        async with house(tmp_path) as h:
            return (await h.person("Anna")).secret or ""

    secret = run(scene())
    assert len(secret) >= 22  # 128 bits
    dump = "\n".join(sqlite3.connect(tmp_path / "games.db").iterdump())
    assert "Anna" in dump
    assert secret not in dump
    assert secret.encode().hex() not in dump.lower()


def test_the_cookie_is_for_the_server_only(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            answer = await h.anybody().http.get("/api/me")
            cookie = answer.headers["set-cookie"].lower()
            assert "httponly" in cookie
            assert "samesite=lax" in cookie
            assert "secret" not in answer.text
        async with house(tmp_path, secure=True) as h:
            assert "secure" in (await h.anybody().http.get("/api/me")).headers["set-cookie"].lower()

    run(scene())


saying = st.tuples(
    st.sampled_from(["do", "say", "entropy", "ping", "junk"]), st.integers(-3, 200), st.text(max_size=12)
)


@given(st.lists(saying, max_size=60))
@settings(max_examples=10, deadline=None)
def test_whatever_a_socket_says_nothing_breaks(messages: list[tuple[str, int, str]]) -> None:
    async def scene(folder: pathlib.Path) -> None:
        async with house(folder) as h:
            *_, a, _b = await two_at_a_table(h)
            for kind, number, text in messages:
                if kind == "do":
                    await a.send(type="do", id=text or "x", action=number, at=number % 7)
                elif kind == "ping":
                    await a.send(type="ping", at=number)
                elif kind == "junk":
                    await a.socket.send(text)
                else:
                    await a.send(type=kind, text=text)
            await a.send(type="ping", at=0)
            await a.next("pong")
            assert not [m for m in a.of("refused") if m["key"] == "failed"]
            for m in a.of("refused"):
                assert msgspec.json.encode(m["facts"])
                assert m["sentence"]

    with tempfile.TemporaryDirectory() as folder:
        run(scene(pathlib.Path(folder)))


def test_what_spectators_say_reaches_players_only_after_the_end(tmp_path: pathlib.Path) -> None:
    """Those who watch see more of the table than a player may be told."""

    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, _, info, a, b = await two_at_a_table(h)
            carla = await h.person("Carla")
            watching = await carla.line(info["id"])
            other = await h.anybody().line(info["id"])
            await watching.send(type="say", text="She should reserve")
            for line in (watching, other):
                assert (await line.next("said"))["text"] == "She should reserve"
            await b.send(type="say", text="Your move")
            for line in (a, b, watching):
                assert (await line.next("said", lambda m: m["seat"] == 1))["text"] == "Your move"
            again = await anna.line(info["id"])  # comes anew: what is remembered is for her eyes
            await again.next("update")
            late = await carla.line(info["id"])
            await late.next("update")
            for line in (a, b, again):
                assert [said["text"] for said in line.of("said")] == ["Your move"]
            assert [said["text"] for said in late.of("said")] == ["She should reserve", "Your move"]
            await play({0: a, 1: b}, 5000)
            await a.next("revealed")
            assert (await a.next("said", lambda m: m["seat"] is None))["text"] == "She should reserve"

    run(scene())
