"""Runs the contract of all games with the lowest declared versions of every dependency, and with the newest: `make floor`.

    python3 tools/floor.py                            every Python from 3.11 on that is installed, lowest and newest
    python3 tools/floor.py --python 3.11 --lowest     one of them

The bounds in pyproject.toml are the versions that were run, so raise or lower them only together with a run of this, and
write the result into docs/decisions/0008. What no test here needs (PyTorch, and the libraries that benchmarks measure us
against) is not installed: it is named at the end as not run here, and its bounds are those that 0008 tells of. uv
(installed here into an environment of its own, from PyPI) resolves the versions; Pythons that are not installed are left
out, which is said at the end. Everything lies in `build/floor` and is used again the next time.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[1]
HOME = ROOT / "build" / "floor"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
RESOLUTIONS = {"lowest": "lowest-direct", "newest": "highest"}
EXTRAS = ("test", "check")  # and with them `envs`, `openspiel`, `servers` and `cluster`
TESTS = (  # the contract of all games, and for each dependency whose bound we declare something quick that needs it
    "tests/games/*/test_contract.py",  # numba, numpy; hypothesis
    "tests/games/test_fingerprints.py",
    "tests/games/test_golden.py",
    "tests/core/test_compiler.py::test_numba_s_own_directory_is_left_as_it_was",
    "tests/core/test_compiler.py::test_a_mistake_in_a_rule_is_raised_through_whatever_calls_it",
    "tests/envs/test_gymnasium.py::test_check_env",  # gymnasium
    "tests/envs/test_gymnasium.py::test_a_vector_of_the_same_id_is_the_same_game",
    "tests/envs/test_pettingzoo.py::test_aec_api",  # pettingzoo
    "tests/envs/test_pettingzoo.py::test_parallel_api",
    "tests/envs/test_pictures.py::test_full_tables_fit",  # pillow
    "tests/envs/test_openspiel.py::test_random_simulation",  # open_spiel
    "tests/lab/test_arena.py::test_results_do_not_depend_on_the_number_of_processes",
    "tests/lab/test_arena.py::test_a_cluster_gives_the_same_standings_even_if_a_worker_is_killed",  # distributed
    "tests/lab/test_rating.py::test_the_library_of_the_field_is_no_better_at_this",  # openskill
    "tests/lab/test_tune.py::test_a_deck_that_breaks_a_bound_is_never_proposed",  # optuna
    "tests/server/test_rating.py::test_beating_somebody_stronger_moves_more",
    "tests/server/test_play.py",  # starlette, uvicorn, uvloop, websockets, msgspec; httpx
    "tests/server/test_wire.py",
    "tests/server/test_devices.py::test_a_passkey_opens_the_games_on_another_device",  # fido2
    "tests/server/test_notices.py",  # http-ece, py-vapid
    "tests/server/test_operations.py::test_the_numbers_of_a_house_are_those_of_what_happened",  # prometheus-client
    "tests/server/test_store.py::test_postgres_passes_the_same_model",  # psycopg
    "tests/server/test_several.py::test_people_with_different_servers_play_one_game_and_hear_the_same",  # redis
)
SHOWN = ("numba", "numpy", "starlette", "uvicorn", "gymnasium", "psycopg", "redis", "distributed")  # in the summary


def tests() -> list[str]:
    """The files of tests, some with the one test that is meant; a pattern that finds none is a mistake here."""
    found = []
    for pattern in TESTS:
        files, colons, name = pattern.partition("::")
        paths = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob(files))
        assert paths, f"there is no {pattern}"
        found += [path + colons + name for path in paths]
    return found


def untried() -> list[str]:
    """The dependencies that are declared and not installed here, with their bounds."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras: dict[str, list[str]] = project["optional-dependencies"]
    tried, todo = set[str](), list(EXTRAS)
    while todo:
        needed = extras[todo.pop()]
        tried |= set(needed)
        for inner in [re.fullmatch(r"ludoteca\[([\w,]+)\]", need) for need in needed]:
            todo += inner[1].split(",") if inner else []
    known = {_package(need) for need in tried} | {_package(need) for need in project["dependencies"]} | {"ludoteca"}
    every = [need for needed in extras.values() for need in needed]
    return sorted({need for need in every if _package(need) not in known})


def _package(need: str) -> str:
    """The name in a requirement such as `psycopg[binary]>=3.2`."""
    return re.split(r"[^\w.-]", need, maxsplit=1)[0]


def uv() -> str:
    """The machine's uv, or one in an environment of its own."""
    if found := shutil.which("uv"):
        return found
    own = HOME / "uv"
    if not (own / "bin" / "uv").exists():
        subprocess.run([sys.executable, "-m", "venv", str(own)], check=True)
        subprocess.run([str(own / "bin" / "python"), "-m", "pip", "install", "-q", "uv"], check=True)
    return str(own / "bin" / "uv")


def installed_python(version: str) -> str | None:
    """The interpreter of that version, if it is installed; nothing is downloaded."""
    found = subprocess.run(
        [uv(), "python", "find", "--no-python-downloads", "--system", version], capture_output=True, text=True
    )
    if found.returncode == 0:
        return found.stdout.strip()
    pyenv = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv"))
    return next((str(path) for path in sorted(pyenv.glob(f"versions/{version}.*/bin/python"))), None)


class Trial:
    """One Python with one choice of versions."""

    def __init__(self, version: str, python: str, choice: str) -> None:
        self.name, self.python, self.choice = f"{version}-{choice}", python, choice
        self.place = HOME / self.name
        self.binaries = self.place / "venv" / "bin"

    def run(self) -> str:
        """Installs and tests; returns what happened in a line."""
        began = time.monotonic()
        for step in (self.install, self.warm_up, self.test):
            if not step():
                return f"FAILED in `{step.__name__}`: see {self.place.relative_to(ROOT)}/{step.__name__}.txt"
        return f"passed in {time.monotonic() - began:.0f} s with {self.versions()}"

    def install(self) -> bool:
        venv = str(self.place / "venv")
        made = self._do("venv", uv(), "venv", "-q", "--allow-existing", "--python", self.python, venv)
        resolution = RESOLUTIONS[self.choice]
        return made and self._do(
            "install",
            uv(),
            "pip",
            "install",
            "--resolution",
            resolution,
            "--upgrade",
            "--python",
            venv,
            "-e",
            f".[{','.join(EXTRAS)}]",
        )

    def warm_up(self) -> bool:
        return self._do("warm_up", str(self.binaries / "ludoteca"), "warmup")

    def test(self) -> bool:
        # A warning of an old or a brand-new library is no failure here, as it is with the versions we develop with.
        options = ("-q", "--durations", "40", "-p", "no:xdist", "-p", "no:cacheprovider", "-W", "default")
        return self._do("test", str(self.binaries / "python"), "-m", "pytest", *options, *tests())

    def versions(self) -> str:
        """The versions that matter most."""
        ask = "import importlib.metadata as m, sys; print(*[f'{n} {m.version(n)}' for n in sys.argv[1:]], sep=', ')"
        command = [str(self.binaries / "python"), "-c", ask, *SHOWN]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    def _do(self, step: str, *command: str) -> bool:
        """Runs a command with its output in a file."""
        self.place.mkdir(parents=True, exist_ok=True)
        print(f"{self.name}: {step} …", flush=True)
        environment = {
            **{key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")},
            "LUDOTECA_CACHE": str(self.place / "cache"),
            "LUDOTECA_NO_PAGE": "1",
        }
        with (self.place / f"{step}.txt").open("w") as output:
            done = subprocess.run(command, cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT)
        return done.returncode == 0


def main() -> int:
    """Runs the trials and sums up."""
    parser = argparse.ArgumentParser(description="the contract of all games with the lowest and the newest versions")
    parser.add_argument("--python", action="append", choices=PYTHONS, help="only this one (may be repeated)")
    parser.add_argument("--lowest", action="store_true", help="only the lowest versions")
    parser.add_argument("--newest", action="store_true", help="only the newest versions")
    chosen = parser.parse_args()
    choices = [choice for choice in RESOLUTIONS if getattr(chosen, choice)] or list(RESOLUTIONS)
    results: dict[str, str] = {}
    missing = []
    for version in chosen.python or PYTHONS:
        python = installed_python(version)
        if python is None:
            missing.append(version)
            continue
        for choice in choices:
            results[f"{version}-{choice}"] = Trial(version, python, choice).run()
            print(f"{version}-{choice}: {results[f'{version}-{choice}']}", flush=True)
    print("\nIn short:")
    for name, result in results.items():
        print(f"  Python {name}: {result}")
    for version in missing:
        print(f"  Python {version}: LEFT OUT, it is not installed on this machine")
    print(f"  not run here (docs/decisions/0008 says what with): {', '.join(untried())}")
    return int(not results or any(result.startswith("FAILED") for result in results.values()))


if __name__ == "__main__":
    raise SystemExit(main())
