"""The command `ludoteca`: to serve and keep a house, to play, to let bots play and learn, to check records, to measure."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import pathlib
import secrets
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from . import __version__, catalogue
from .core.errors import BadData, Refusal
from .core.game import Game
from .lab.bar import Bar

DATABASE = "file of the games (default: in your data directory), or postgresql://…"
EXAMPLES = """\
examples:
  ludoteca serve                          the house on http://localhost:8000
  ludoteca games                          which games are installed
  ludoteca play GAME                      a game in this terminal against a bot
  ludoteca arena GAME club expert         who is better, with confidence intervals
  ludoteca balance GAME                   is it fair, and what do its cards do?
  ludoteca replay game.json               a finished game, told move by move
  ludoteca verify game.json               was chance fair, was every move legal?

`ludoteca COMMAND --help` tells more about each."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command; a refusal is a sentence and exit status 2."""
    arguments = parser().parse_args(argv)
    if not getattr(arguments, "run", None):
        parser().print_help()
        return 0
    try:
        return int(arguments.run(arguments) or 0)
    except Refusal as refusal:
        print(f"ludoteca: {refusal.sentence}", file=sys.stderr)
        return 2
    except FileNotFoundError as missing:
        print(f"ludoteca: there is no file {missing.filename}.", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of our output has gone
        sys.stderr.close()
        return 1
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130


def parser() -> argparse.ArgumentParser:
    """All commands and their options."""
    from .lab import arena, balance, bench

    top = argparse.ArgumentParser(
        prog="ludoteca",
        description="Modern board games on one engine: play in a browser, let bots play, measure.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"ludoteca {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND")

    def command(name: str, run: Any, summary: str, more: str = "") -> argparse.ArgumentParser:
        added = commands.add_parser(
            name,
            help=summary,
            description=summary[0].upper() + summary[1:] + ".",
            epilog=more,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        added.set_defaults(run=run)
        return added

    serve = command(
        "serve",
        run_serve,
        "open the house: a site where people and bots play",
        "Games are kept in a SQLite file; stop with Ctrl-C, start again, and every game goes on.",
    )
    serve.add_argument("--host", default=None, help="address to listen on (default 127.0.0.1: this machine only)")
    serve.add_argument("--port", type=int, default=None, help="port (default 8000)")
    serve.add_argument("--games", metavar="GAME,…", help="which games (default: every installed one)")
    serve.add_argument("--database", help=DATABASE)
    serve.add_argument("--open", action="store_true", help="open a browser")

    clean = command(
        "tidy",
        run_tidy,
        "forget finished games and guests, by your settings",
        "Everything is kept unless LUDOTECA_KEEP_GAMES or LUDOTECA_KEEP_GUESTS (or the options) say for how many days.",
    )
    clean.add_argument("--dry-run", action="store_true", help="only say what would go; a server may be running")
    clean.add_argument("--database", help=DATABASE)
    clean.add_argument("--games", type=int, metavar="DAYS", help="keep finished games for so many days (0: for ever)")
    clean.add_argument("--guests", type=int, metavar="DAYS", help="keep guests who do not come for so many days")

    backup = command(
        "backup",
        run_backup,
        "copy the house to a file, while it is open",
        "The copy is of one moment, whole, and for its owner only: it holds the seeds of running games.\n"
        "Of a Postgres database pg_dump makes copies.",
    )
    backup.add_argument("file", type=pathlib.Path, metavar="FILE", help="where the copy goes")
    backup.add_argument("--database", help="file of the games (default: in your data directory)")
    backup.add_argument("--force", action="store_true", help="replace a file that is there")

    check = command(
        "check",
        run_check,
        "look whether everything in the house is as it was written, and every game replays",
        "Changes nothing; servers may be running.\n"
        "Exit status 0: all is well; 1: something is wrong, with a line for each problem.",
    )
    check.add_argument("--database", help=DATABASE)

    moving = command(
        "move-house",
        run_move,
        "carry a house from a file to a Postgres database, or back",
        "All of it or nothing, compared in the end row by row. The new place must be empty, no server may be running,\n"
        "and the old house stays as it is.\n"
        "Exit status 0: all is the same; 1: something is not, and the new place is left empty.",
    )
    moving.add_argument("old", metavar="OLD", help="the house: ludoteca.db, or postgresql://…")
    moving.add_argument("new", metavar="NEW", help="where it goes: postgresql://…, or a new file")

    command("games", run_games, "list the installed games, and those that had to be left out")

    play = command(
        "play",
        run_play,
        "play in the terminal against bots",
        "At the prompt type the number of an action, or its words («recruit 1 2»); ? lists them again, q leaves.",
    )
    play.add_argument("game", metavar="GAME", help=catalogue.HELP)
    play.add_argument("--seats", type=int, help="number of players, you included (default: the fewest)")
    play.add_argument("--level", default="club", help="the bots' level: novice, club (default) or expert")
    play.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    play.add_argument("--seed", type=int, help="a number that decides the deal (default: by chance)")
    play.add_argument("--language", choices=("en", "it"), default="en", help="en or it")
    play.add_argument("--record", type=pathlib.Path, help="write the game to this file at the end")
    play.add_argument("--watch", action="store_true", help="let a bot play your seat too")

    contest = command(
        "arena",
        arena.run_command,
        "let bots play against each other and count",
        "Seats are balanced: every bot plays every seat equally often, on the same deals.",
    )
    arena.add_arguments(contest)

    report = command(
        "balance",
        balance.run_command,
        "let bots play a game many times and report seats, length and cards",
        "Change a card file, report again with --against, and see what it did: the deals are the same.",
    )
    balance.add_arguments(report)

    learn = command(
        "learn",
        run_learn,
        "let a network learn a game by playing against itself",
        'Needs PyTorch: pip install "ludoteca[learn]". What it has learnt plays as the bot learned:DIRECTORY/weights.npz.',
    )
    learn.add_argument("game", metavar="GAME", help=catalogue.HELP)
    learn.add_argument(
        "--out", type=pathlib.Path, help="directory of weights, curve and checkpoint (default runs/GAME)"
    )
    learn.add_argument("--seats", type=int, default=2, help="seats at each table (default 2)")
    learn.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    learn.add_argument("--decisions", type=int, help="how many to learn from (default 12000000)")
    learn.add_argument("--rival", default="greedy", help="the bot it is measured against (default greedy)")
    learn.add_argument("--seed", type=int, default=1, help="another seed learns in another way (default 1)")
    learn.add_argument(
        "--resume", action="store_true", help="go on with the run in this directory, with the same settings"
    )
    learn.add_argument("--progress", action="store_true", help="show progress even without a terminal")

    replay = command("replay", run_replay, "tell a recorded game move by move")
    replay.add_argument(
        "file", type=pathlib.Path, help="a record: from the page, from /api/tables/…/record or from play"
    )
    replay.add_argument("--game", metavar="GAME", help="the game, if it is not an installed one: my_module:GAME")
    replay.add_argument("--language", choices=("en", "it"), default="en", help="en or it")
    replay.add_argument("--json", action="store_true", help="events as JSON, one a line")

    verify = command(
        "verify",
        run_verify,
        "check a recorded game: its chance, every move, the result",
        "Exit status 0: all is well; 1: something is not as it was said to be.",
    )
    verify.add_argument("file", type=pathlib.Path, help="a record of a finished game")
    verify.add_argument("--game", metavar="GAME", help="the game, if it is not an installed one: my_module:GAME")

    warmup = command("warmup", run_warmup, "compile the rules ahead of the first use")
    warmup.add_argument("games", nargs="*", metavar="GAME", help="which (default: every installed one)")

    measure = command("bench", bench.run_command, "measure speed on this machine, beside other libraries")
    bench.add_arguments(measure)
    return top


# serve


def run_serve(arguments: argparse.Namespace) -> int:
    """Serves the site."""
    from .server.app import serve

    serve(arguments.host, arguments.port, arguments.database, open_browser=arguments.open, games=arguments.games)
    return 0


# tidy


def run_tidy(arguments: argparse.Namespace) -> int:
    """Says what would go, or lets it go."""
    from .server.settings import Settings
    from .server.tidy import tidy, what_would_go

    chosen = {"keep_games": arguments.games, "keep_guests": arguments.guests}
    settings = Settings.read(database=arguments.database, **chosen)
    print("\n".join(what_would_go(settings.place(), settings)))
    if not arguments.dry_run:
        print(tidy(settings.place(), settings))
    return 0


# backup, check, move-house


def run_backup(arguments: argparse.Namespace) -> int:
    """Copies the house."""
    from .server.backup import back_up
    from .server.settings import Settings, is_address

    settings = Settings.read(database=arguments.database)
    if is_address(settings.place()):
        raise BadData(
            "A Postgres database has tools of its own for this: pg_dump -Fc --file=house.dump and the database's address "
            "make a copy while servers run, pg_restore brings it back.",
            "not_copied",
        )
    with shown("pages") as progress:
        size = back_up(settings.path(), arguments.file, arguments.force, progress)
    print(f"Copied to {arguments.file}: {size / 1e6:.1f} MB.")
    return 0


def run_check(arguments: argparse.Namespace) -> int:
    """Looks through the house; a line for each problem, then a summary."""
    from .server.check import check
    from .server.settings import Settings

    settings = Settings.read(database=arguments.database)
    with shown("tables") as progress:
        report = check(settings.place(), print, lambda line: print(line, file=sys.stderr, flush=True), progress)
    print("\n".join(report.lines()))
    return 1 if report.problems else 0


def run_move(arguments: argparse.Namespace) -> int:
    """Carries the house over and compares."""
    from .server.moving import in_lines, move

    with shown("rows") as progress:
        compared = move(arguments.old, arguments.new, progress)
    print("\n".join(in_lines(compared)))
    if not all(table.same for table in compared):
        print("Something is not the same, so nothing was moved.")
        return 1
    print("All is the same. The old house is as it was; from now on servers should open the new one.")
    return 0


@contextlib.contextmanager
def shown(unit: str) -> Iterator[Callable[[int, int], None]]:
    """A bar for what takes more than a second."""
    bar = Bar(0, unit, asked=True, after=1.0)

    def progress(done: int, total: int) -> None:
        bar.total = total
        bar.show(done)

    yield progress
    bar.close()


# games


def run_games(arguments: argparse.Namespace) -> int:
    """Lists what is there, a line each; the log says what is not, and why."""
    for key, game in catalogue.games().items():
        seats = f"{min(game.seats)}–{max(game.seats)}" if len(game.seats) > 1 else str(game.seats[0])
        print(f"{key:20} {game.title} · {seats} players · {game.minutes} minutes · rules version {game.version}")
    return 0


# play


def run_play(arguments: argparse.Namespace) -> int:
    """A game in the terminal."""
    from .terminal import Session

    options = dict(part.partition("=")[::2] for part in arguments.option)
    game = catalogue.typed(arguments.game)
    seed = arguments.seed if arguments.seed is not None else secrets.randbits(63)
    session = Session(game, arguments.seats or min(game.seats), options, seed, arguments.level, arguments.language)
    session.run(watch=arguments.watch)
    if arguments.record:
        arguments.record.write_bytes(session.journal.dump())
        print(f"Written to {arguments.record}.")
    return 0


# learn


def run_learn(arguments: argparse.Namespace) -> int:
    """Learns, then says how good it is."""
    try:
        from .lab import learn
    except ModuleNotFoundError as missing:
        raise BadData(f'There is no {missing.name} here: pip install "ludoteca[learn]"', "not_installed") from None
    options = dict(part.partition("=")[::2] for part in arguments.option)
    game = catalogue.typed(arguments.game)
    plan = learn.Plan(arguments.game, arguments.seats, options, arguments.seed, rival=arguments.rival)
    if arguments.decisions is not None:
        plan = dataclasses.replace(plan, decisions=arguments.decisions)
    folder = arguments.out or pathlib.Path("runs") / game.key
    bar = Bar(plan.decisions, "decisions", asked=arguments.progress)

    def progress(done: int, total: int, stands: str) -> None:
        bar.start = done if bar.start is None else bar.start
        bar.total, bar.unit = total, f"decisions · {stands}"
        bar.show(done)

    result = learn.run(plan, folder, arguments.resume, progress)
    bar.close()
    print(f"{result.table()}\n\nLeft in {folder}: weights.npz, curve.csv, curve.svg, checkpoint.pt.")
    return 0


# replay and verify


def run_replay(arguments: argparse.Namespace) -> int:
    """Tells a game."""
    from .terminal import tell

    journal = read_journal(arguments.file)
    tell(game_of(arguments, journal.game), journal, arguments.language, arguments.json)
    return 0


def game_of(arguments: argparse.Namespace, key: str) -> Game:
    """The game of a record: the installed one of its key, unless another was named. (A file may not choose a module.)"""
    return catalogue.typed(arguments.game) if arguments.game else catalogue.listed(key)


def read_journal(path: pathlib.Path) -> Any:
    """The journal in a file, be it a plain one or the server's record of a finished game."""
    from .core.journal import Journal, load

    data = path.read_bytes()
    try:
        fields = json.loads(data)
    except (ValueError, UnicodeDecodeError):
        return load(data)
    if not isinstance(fields, dict):
        return load(data)
    known = Journal.__dataclass_fields__
    journal = load(json.dumps({key: value for key, value in fields.items() if key in known}).encode())
    if journal.seed is None and journal.keyed is None:
        journal.keyed = read_keyed(fields.get("fair"))
    return journal


def read_keyed(proof: Any) -> Any:
    """The chance of a server's record, from its proof."""
    from .core.keyed import Keyed

    try:
        return Keyed(bytes.fromhex(proof["server_seed"]), tuple(map(str, proof["entropy"])))
    except (TypeError, KeyError, ValueError):
        raise BadData("This record does not say where its chance came from.", "bad_journal") from None


def run_verify(arguments: argparse.Namespace) -> int:
    """Checks a game; says each step."""
    from .core.engine import interpreted
    from .core.journal import finish
    from .server.fair import verify
    from .server.wire import Record, read

    data = arguments.file.read_bytes()
    if b'"fair"' not in data:  # played in the terminal: there was no server to check
        journal = read_journal(arguments.file)
        finish(interpreted(game_of(arguments, journal.game)), journal)
        print(f"✓ All {len(journal.decisions)} decisions are legal. (A game of one machine: nobody to be checked.)")
        return 0
    record = read(data, Record)
    steps = verify(record, game_of(arguments, record.game))
    for step in steps:
        print(f"{'✓' if step.ok else '✗'} {CHECKED[step.what].format(name=step.name.replace('_', ' '))}")
        if not step.ok:
            print(f"    said:  {step.claimed}\n    found: {step.found}")
    good = all(step.ok for step in steps)
    print("This game was fair." if good else "Something is not as it was said to be.")
    return 0 if good else 1


CHECKED = {
    "commitment": "The server's secret is the one whose hash was shown before the deal.",
    "seed": "The seed of the game is made of the server's seed and the players' own entropy.",
    "draws": "Every number drawn follows from the secret, the players' own entropy and the number of its step.",
    "shuffle": "Shuffle «{name}» follows from them.",
    "deal": "The game was dealt by these shuffles.",
    "game": "Every decision is legal, nothing else was drawn, and it all leads to the result.",
}


# warmup


def run_warmup(arguments: argparse.Namespace) -> int:
    """Compiles games, side by side."""
    from .bots.warmup import compile_games

    start = time.perf_counter()
    titles = {game.place: game.title for game in catalogue.typed_games(arguments.games)}
    bar = Bar(100, "% of the games", asked=True)
    shares = dict.fromkeys(titles, 0.0)
    failed = 0
    for step in compile_games(list(titles)):
        shares[step.game] = 100 / len(titles) * step.done / step.of
        failed += step.failed
        if step.failed:
            print(f"{titles[step.game]}: could not be compiled.", file=sys.stderr)
        elif step.done == step.of:
            print(f"{titles[step.game]}: ready after {time.perf_counter() - start:.1f} s.", flush=True)
        bar.show(round(sum(shares.values())))
    bar.close()
    return min(failed, 1)
