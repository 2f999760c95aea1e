"""The example of a bot that plays over the network, run as its reader would run it."""

import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import time
import urllib.request
from typing import Any

EXAMPLE = pathlib.Path(__file__).parents[2] / "examples" / "network_bot.py"


def test_the_example_plays_a_whole_game(tmp_path: pathlib.Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        house = f"http://127.0.0.1:{free.getsockname()[1]}"
    settings = {"LUDOTECA_WARMUP": "0", "LUDOTECA_BOT_PAUSE": "0", "LUDOTECA_DATABASE": str(tmp_path / "games.db")}
    server = subprocess.Popen(
        [sys.executable, "-m", "ludoteca", "serve", "--port", house.rpartition(":")[2]],
        env={**os.environ, **settings}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        token = new_guest(house)
        order = {"game": "splendor", "seats": 2, "options": {}, "public": False, "bots": [None, "novice"]}
        table = ask(house, "/api/tables", token, order)["id"]
        ask(house, f"/api/tables/{table}/start", token, {})
        played = subprocess.run(
            [sys.executable, str(EXAMPLE), house, table, token], capture_output=True, text=True, timeout=200
        )
        assert played.returncode == 0, played.stderr
        assert re.fullmatch(r"ranks \[[12], [12]\]\n", played.stdout)
    finally:
        server.terminate()
        server.wait(timeout=20)


def new_guest(house: str) -> str:
    for _ in range(200):
        try:
            with urllib.request.urlopen(f"{house}/api/me") as answer:
                cookie = re.search(r"ludoteca=([^;]+)", answer.headers["Set-Cookie"])
                assert cookie, answer.headers
                return cookie[1]
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the server does not answer")


def ask(house: str, path: str, token: str, body: dict[str, Any]) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(house + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        found: dict[str, Any] = json.load(answer)
        return found
