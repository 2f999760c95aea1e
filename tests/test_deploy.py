"""What is in deploy/ fits together, and with the settings; `make deploy-check` also runs the image's steps."""

import dataclasses
import importlib.util
import ipaddress
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib
from types import ModuleType
from typing import Any

import pytest
import yaml

from ludoteca.server.settings import Settings

ROOT = pathlib.Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
LEAVE = 8.0  # seconds a server takes to end (LUDOTECA_DRAIN)
NOT_SETTINGS = {"LUDOTECA_CACHE"}  # where machine code is kept; not only a server's


def seconds(text: str) -> float:
    found = re.fullmatch(r"(\d+)s?", text)
    assert found, text
    return float(found[1])


def check_settings(environment: dict[str, str]) -> Settings:
    """Every name is a setting, and every value can be read as one."""
    known = {f"LUDOTECA_{field.name.upper()}" for field in dataclasses.fields(Settings)} | NOT_SETTINGS
    named = {name for name in environment if name.startswith("LUDOTECA_")}
    assert named <= known, f"no such settings: {named - known}"
    return Settings.read(environment)


# The image.


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("deploy_check", ROOT / "tools" / "deploy_check.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["deploy_check"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def steps(tool: ModuleType) -> list[Any]:
    return list(tool.read_steps((DEPLOY / "Dockerfile").read_text("utf-8")))


def test_the_image_has_a_python_that_is_allowed(steps: list[Any]) -> None:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["requires-python"]
    least = tuple(map(int, wanted.removeprefix(">=").split(".")))
    for step in steps:
        if step.word == "FROM":
            found = re.match(r"python:(\d+)\.(\d+)-slim", step.rest)
            assert found and tuple(map(int, found.groups())) >= least


def test_the_image_is_set_up_for_a_server_that_is_not_root(steps: list[Any]) -> None:
    last = steps[max(n for n, step in enumerate(steps) if step.word == "FROM") :]
    settings = check_settings(dict(step.rest.split("=", 1) for step in last if step.word == "ENV"))
    assert settings.host == "0.0.0.0"
    (user,) = [step.rest for step in last if step.word == "USER"]
    assert int(user.split(":")[0]) > 1000
    (data,) = [step.rest for step in last if step.word == "VOLUME"]
    assert settings.database.startswith(f"{data}/")
    (health,) = [step.rest for step in last if step.word == "HEALTHCHECK"]
    assert f":{settings.port}/healthz" in json.loads(health.removeprefix("CMD "))[-1]
    (command,) = [step.rest for step in last if step.word == "CMD"]
    assert json.loads(command) == ["ludoteca", "serve"]


def test_the_image_installs_what_is_locked_and_compiles_for_any_machine(steps: list[Any]) -> None:
    runs = [step.rest for step in steps if step.word == "RUN"]
    for install in (run for run in runs if "pip install" in run):
        assert "--require-hashes -r deploy/requirements.lock" in install or "--no-deps /wheels/*.whl" in install
    stages, stage = list[dict[str, str]](), dict[str, str]()
    for step in steps:
        if step.word == "FROM":
            stage = {}
            stages.append(stage)
        elif step.word == "ENV":
            key, value = step.rest.split("=", 1)
            stage[key] = value
    assert runs.index("/opt/ludoteca/bin/ludoteca warmup") > 0
    build, final = stages
    for name in ("NUMBA_CPU_NAME", "LUDOTECA_CACHE"):  # otherwise it would be compiled again at every start
        assert build[name] == final[name]


def test_the_build_gets_the_checkout_without_what_was_made_of_it(tool: ModuleType, steps: list[Any]) -> None:
    sources = [step.rest.split()[0] for step in steps if step.word == "COPY" and "from" not in step.options]
    assert all((ROOT / source).exists() for source in sources)
    assert not tool.ignored("src/ludoteca/words/en.json") and not tool.ignored("web/package-lock.json")
    for path in (
        "web/node_modules",
        "src/ludoteca/page",
        ".git",
        "deploy/.env",
        "ludoteca.db",
        "src/x/__pycache__",
        "tests",
    ):
        assert tool.ignored(path), path


# Several servers.


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    return found


def servers(compose: dict[str, Any]) -> dict[str, Any]:
    return {name: service for name, service in compose["services"].items() if service["image"] == "ludoteca"}


def test_the_compose_file_says_only_settings_that_there_are(compose: dict[str, Any]) -> None:
    assert len(servers(compose)) == 2
    for server in servers(compose).values():
        given = {
            name: re.sub(r"\$\{HOUSE:\?[^}]+\}", "games.example", value)
            for name, value in server["environment"].items()
        }
        settings = check_settings(given)
        assert settings.secure and settings.hosts == "games.example"
        assert re.fullmatch(r"postgresql://ludoteca@postgres/ludoteca", settings.database), "the password is not in it"
        balancer = compose["services"]["caddy"]["networks"]["door"]["ipv4_address"]
        assert settings.proxies == balancer, "the balancer is trusted, and nobody else"
        (network,) = compose["networks"]["door"]["ipam"]["config"]
        assert ipaddress.ip_address(balancer) in ipaddress.ip_network(network["subnet"])
        assert ipaddress.ip_address(balancer) not in ipaddress.ip_network(network["ip_range"]), "nobody else gets it"


def test_no_secret_has_a_default(compose: dict[str, Any]) -> None:
    text = re.sub(r"(?m)^\s*#.*$", "", (DEPLOY / "compose.yaml").read_text("utf-8"))
    assert set(re.findall(r"\$\{(\w+)", text)) == {"HOUSE", "POSTGRES_PASSWORD"}
    assert len(re.findall(r"\$\{\w+:\?[^}]+\}", text)) == len(re.findall(r"\$", text)), "${NAME:?why} and nothing else"
    for service in compose["services"].values():
        for name, value in service.get("environment", {}).items():
            assert "PASSWORD" not in name or value.startswith("${POSTGRES_PASSWORD:?"), name


def test_only_the_door_is_open(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        assert ("ports" in service) == (name == "caddy"), name
    assert compose["networks"]["inside"]["internal"] is True
    for name in ("postgres", "redis"):
        assert compose["services"][name]["networks"] == ["inside"]


def test_everything_in_the_compose_file_is_declared_and_looked_after(compose: dict[str, Any]) -> None:
    services = compose["services"]
    for name, service in services.items():
        assert set(service["networks"]) <= set(compose["networks"]), name
        assert set(service.get("depends_on", {})) <= set(services), name
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert source in compose["volumes"] or (DEPLOY / source).is_file(), volume
        assert service["restart"] == "unless-stopped"
        assert name == "caddy" or service["healthcheck"]["test"][0] == "CMD"
    for server in servers(compose).values():
        assert ":8000/readyz" in server["healthcheck"]["test"][-1]
        assert seconds(server["stop_grace_period"]) > LEAVE + 2
        assert (DEPLOY / server["build"]["context"]).resolve() == ROOT
        assert (ROOT / server["build"]["dockerfile"]).is_file()


# The balancer.


def test_the_balancer_knows_the_servers_and_asks_whether_they_are_ready(compose: dict[str, Any]) -> None:
    text = (DEPLOY / "Caddyfile").read_text("utf-8")
    door = compose["services"]["caddy"]["environment"]
    assert set(re.findall(r"\{\$(\w+)", text)) == set(door) == {"HOUSE", "SERVERS"}
    assert door["SERVERS"].split() == [f"{name}:8000" for name in servers(compose)]
    assert re.search(r"^\s*health_uri /readyz$", text, re.M)


@pytest.mark.skipif(not shutil.which("caddy"), reason="there is no caddy here")
@pytest.mark.parametrize("more", [{}, {"SERVERS": "server-1:8000 server-2:8000"}])
def test_caddy_understands_its_file(more: dict[str, str], tmp_path: pathlib.Path) -> None:
    command = ["caddy", "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")]
    environment = {**os.environ, "HOME": str(tmp_path), "HOUSE": "games.example", **more}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60)
    assert done.returncode == 0, done.stderr


# The unit.


@pytest.fixture(scope="module")
def unit() -> dict[str, list[str]]:
    """What [Service] says: name → values."""
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r"^(\w+)=(.*)$", (DEPLOY / "ludoteca.service").read_text("utf-8"), re.M):
        found.setdefault(name, []).append(value)
    return found


def test_the_unit_says_only_settings_that_there_are(unit: dict[str, list[str]]) -> None:
    settings = check_settings(dict(setting.split("=", 1) for setting in unit["Environment"]))
    assert settings.secure and settings.proxies == "127.0.0.1" and settings.host == "127.0.0.1"
    assert settings.database.startswith(f"/var/lib/{unit['StateDirectory'][0]}/")
    assert seconds(unit["TimeoutStopSec"][0]) > LEAVE + 2
    assert int(unit["LimitNOFILE"][0]) > 2 * settings.connections


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd-analyze here")
def test_systemd_understands_the_unit(tmp_path: pathlib.Path) -> None:
    text = (DEPLOY / "ludoteca.service").read_text("utf-8")
    copy = tmp_path / "ludoteca.service"  # with a program that is there
    copy.write_text(text.replace("/opt/ludoteca/bin/ludoteca", shutil.which("true") or "/bin/true"), "utf-8")
    done = subprocess.run(["systemd-analyze", "verify", str(copy)], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    command = ["systemd-analyze", "security", "--offline=yes", "--threshold=20", str(copy)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if "unrecognized option" in done.stderr:
        pytest.skip("this systemd-analyze is too old to look at a file that is not installed")
    assert done.returncode == 0, done.stdout[-300:]
