"""The command `ludoteca`: to serve and keep a house, to play, to let bots play and learn, to check records, to measure."""

from __future__ import annotations

import argparse
import atexit
import contextlib
import dataclasses
import difflib
import functools
import json
import pathlib
import re
import secrets
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

from . import __version__, catalogue
from .bots.own import seats_beside
from .bots.own import typed as typed_bot
from .core.errors import BadData, Refusal
from .core.game import Game
from .lab import reports
from .lab.bar import Bar

DATABASE = "file of the games (default: in your data directory), or postgresql://…"
PLACED = "games of the house that are not installed, as ludoteca serve takes them: my_module:GAME"
EXAMPLES = """\
examples:
  ludoteca serve                          the house on http://localhost:8000
  ludoteca games                          which games are installed
  ludoteca play GAME                      a game in this terminal against a bot
  ludoteca bot URL --bot club            a bot sits down at a table of a house
  ludoteca arena GAME club expert         who is better, with confidence intervals
  ludoteca deck new GAME my.csv           its printed cards as a file, to change them
  ludoteca balance GAME                   is it fair, and what do its cards do?
  ludoteca tune GAME --wish … --cell …    which numbers would make it so?
  ludoteca replay game.json               a finished game, told move by move
  ludoteca review game.json               what did each decision cost, what was luck?
  ludoteca verify game.json               was chance fair, was every move legal?

`ludoteca COMMAND --help` tells more about each."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command; a refusal is a sentence and exit status 2."""
    arguments, unknown = parser().parse_known_args(argv)
    if unknown:
        refuse_options(getattr(arguments, "itself", parser()), unknown)
    if not getattr(arguments, "run", None):
        parser().print_help()
        return 0
    try:
        return int(arguments.run(arguments) or 0)
    except Refusal as refusal:
        print(f"ludoteca: {refusal.sentence}", file=sys.stderr)
        return 2
    except FileNotFoundError as missing:
        print(f"ludoteca: {not_there(pathlib.Path(missing.filename))}", file=sys.stderr)
        return 2
    except (PermissionError, IsADirectoryError, NotADirectoryError) as refused:
        print(f"ludoteca: {refused.filename} cannot be opened: {refused.strerror}.", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of our output has gone
        sys.stderr.close()
        return 1
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130


def not_there(file: pathlib.Path) -> str:
    """What is missing: the file, or already the folder that it should lie in."""
    if file.parent.is_dir():
        return f"there is no file {file}."
    return f"there is no file {file}, for there is no folder {file.parent}."


def refuse_options(command: argparse.ArgumentParser, unknown: Sequence[str]) -> NoReturn:
    """Says what a command does not know, and the option that was meant, if one is near; exit status 2."""
    options = re.findall(r"--([a-z][\w-]*)", command.format_help())
    near = difflib.get_close_matches(unknown[0].partition("=")[0].lstrip("-"), options, 1)
    meant = f"; did you mean --{near[0]}?" if near else "."
    command.error(f"«{unknown[0]}» is not known here{meant}")


Adder = Callable[..., argparse.ArgumentParser]  # (name, what runs, summary, more) → the command, to be given options


def parser() -> argparse.ArgumentParser:
    """All commands and their options."""
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
        added.set_defaults(run=run, itself=added)
        return added

    for add in (
        add_serve,
        add_tidy,
        add_backup,
        add_check,
        add_move_house,
        add_admin,
        add_rate,
        add_audit,
        add_import,
        add_games,
        add_deck,
        add_play,
        add_bot,
        add_arena,
        add_balance,
        add_tune,
        add_puzzles,
        add_learn,
        add_baseline,
        add_replay,
        add_review,
        add_verify,
        add_warmup,
        add_bench,
    ):
        add(command)
    return top


def add_serve(command: Adder) -> None:
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


def add_tidy(command: Adder) -> None:
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


def add_backup(command: Adder) -> None:
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


def add_check(command: Adder) -> None:
    check = command(
        "check",
        run_check,
        "look whether everything in the house is as it was written, and every game replays",
        "Changes nothing; servers may be running.\n"
        "Exit status 0: all is well; 1: something is wrong, with a line for each problem.",
    )
    check.add_argument("--database", help=DATABASE)
    check.add_argument("--games", metavar="GAME,…", help=PLACED)


def add_move_house(command: Adder) -> None:
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


def add_admin(command: Adder) -> None:
    admin = command(
        "admin",
        run_admin,
        "read reports, close a table, ban a guest; the house may be open",
        "  reports            what guests have reported (--all: also what is settled)\n"
        "  settle NUMBER      a report has been looked at\n"
        "  close TABLE        a game ends where it is; a table that has not begun goes\n"
        "  ban GUEST          a guest is not let in any more (unban: again)\n"
        "  log                everything that was done with these\n\n"
        "A running server does its part within seconds. Everything is kept in the house, with your note.",
    )
    admin.add_argument("what", choices=["reports", "log", "settle", "close", "ban", "unban"])
    admin.add_argument("about", nargs="?", default="", help="a report's number, a table's id, or a guest's")
    admin.add_argument("--note", default="", help="why")
    admin.add_argument("--all", action="store_true", help="of reports: also what is settled")
    admin.add_argument("--database", help=DATABASE)


def add_rate(command: Adder) -> None:
    rate = command(
        "rate",
        run_rate,
        "make everybody's ratings once more from the journals, and compare",
        "Changes nothing unless --write is given; servers may be running.\n"
        "Exit status 0: the stored ratings are the same to the last bit; 1: they are not.",
    )
    rate.add_argument("--database", help=DATABASE)
    rate.add_argument("--games", metavar="GAME,…", help=PLACED)
    rate.add_argument("--write", action="store_true", help="store what the journals say; no server may be running")


def add_audit(command: Adder) -> None:
    audit = command(
        "audit",
        run_audit,
        "tell a finished game as it was stored: when, who, what, and what everybody was shown",
        "What everybody was shown is told as hashes, made again from the journal.\n"
        "Exit status 0: the journal is whole; 1: it is not.",
    )
    audit.add_argument("table", metavar="TABLE", help="its name, as in the address of its page")
    audit.add_argument("--database", help=DATABASE)
    audit.add_argument("--games", metavar="GAME,…", help=PLACED)
    audit.add_argument("--json", action="store_true", help="for machines")


def add_import(command: Adder) -> None:
    bring = command(
        "import",
        run_import,
        "bring a game that was played elsewhere into the house",
        "It is verified first, and looked back at like any other; it counts for nobody's rating.\n"
        "While a server has the file open, upload the record on the page instead.",
    )
    bring.add_argument("file", type=pathlib.Path, help="a record of a finished game, from another house")
    bring.add_argument("--database", help=DATABASE)
    bring.add_argument("--games", metavar="GAME,…", help=PLACED)


def add_games(command: Adder) -> None:
    command("games", run_games, "list the installed games, and those that had to be left out")


def add_deck(command: Adder) -> None:
    deck = command(
        "deck",
        run_deck,
        "write the printed deck of a game to a file, or check a deck of your own",
        "  new GAME FILE      the printed deck as a file, with every column explained\n"
        "  check FILE         every mistake at once: line, column, what is wrong, what would be right\n\n"
        "Play it with ludoteca play GAME --deck FILE; arena, balance, learn and bench take it as well.\n"
        "Exit status 0: all is well; 2: it cannot be played.",
    )
    deck.add_argument("what", choices=["new", "check"])
    deck.add_argument("about", nargs="+", metavar="GAME FILE", help="of new: a game and a file; of check: files")
    deck.add_argument("--form", default="", help="of new: which deck, where a game has several")
    deck.add_argument(
        "--game", metavar="GAME", help="of check: the game, if it is not an installed one: my_module:GAME"
    )
    deck.add_argument("--language", choices=("en", "it"), default="en", help="en or it")
    deck.add_argument("--force", action="store_true", help="of new: replace a file that is there")


def add_play(command: Adder) -> None:
    play = command(
        "play",
        run_play,
        "play in the terminal against bots",
        "At the prompt type the number of an action, or its words («recruit 1 2»); ? lists them again, q leaves.",
    )
    play.add_argument("game", metavar="GAME", help=catalogue.HELP)
    play.add_argument("--deck", type=pathlib.Path, metavar="FILE", help=catalogue.DECK_HELP)
    play.add_argument(
        "--seats", type=int, help="number of players, you included (default: as few as leave a seat to each bot)"
    )
    play.add_argument(
        "--level",
        "--bot",
        action="append",
        type=typed_bot,
        help="who plays against you: newcomer to master (club), my_module:my_bot …; once, or once for each other seat",
    )
    play.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    play.add_argument("--seed", type=int, help="a number that decides the deal (default: by chance)")
    play.add_argument("--language", choices=("en", "it"), default="en", help="en or it")
    play.add_argument("--record", type=pathlib.Path, help="write the game to this file at the end")
    play.add_argument("--watch", action="store_true", help="let a bot play your seat too")
    play.add_argument("--plain", action="store_true", help="no colours, nothing side by side: for a screen reader")


def add_bot(command: Adder) -> None:
    from .lab import guest

    sitting = command(
        "bot",
        guest.run_command,
        "let a bot of yours sit down at a table of a house, over the network",
        "The bot comes as a guest of its own. Its chair is kept: with --token it comes back and goes on.\n"
        "A bot is a name, or the place of a function or object of your own: my_module:my_bot.",
    )
    guest.add_arguments(sitting)


def add_arena(command: Adder) -> None:
    from .lab import arena

    contest = command(
        "arena",
        arena.run_command,
        "let bots play against each other and count",
        "Seats are balanced: every bot plays every seat equally often, on the same deals.",
    )
    arena.add_arguments(contest)


def add_balance(command: Adder) -> None:
    from .lab import balance

    report = command(
        "balance",
        balance.run_command,
        "let bots play a game many times and report seats, length and cards",
        "Change a card file, report again with --against, and see what it did: the deals are the same.",
    )
    balance.add_arguments(report)


def add_tune(command: Adder) -> None:
    from .lab import tune

    searching = command(
        "tune",
        tune.run_command,
        "search for the numbers a deck must have, so that what you wish of the game comes true",
        "wishes, in words of the report:\n"
        "  seats within 1 %          27 to 29 rounds           no card of level 1 above 55 %\n"
        "  Venom at most 55 %        28 rounds, give or take 2 Venom taken by at least 20 %\n"
        "  decided after at least 60 %                         who led halfway won at most 70 %\n"
        "cells, by title or id of a row, or all rows with something in a column; of a sheet by the way to it:\n"
        "  Venom points 0..5         level=1 points -1..+1     Venom bonus red|blue\n"
        "  combos red reward 1..5    score_spaces 10..14\n\n"
        "Every deck is tried on the same deals; proposals are checked on others. Stop it when you like: --resume goes on,\n"
        'and any number of processes finds the same decks. Needs Optuna: pip install "ludoteca[tune]".\n'
        "Exit status 0: something meets the wishes; 1: nothing that was tried does.",
    )
    tune.add_arguments(searching)


def add_puzzles(command: Adder) -> None:
    from .lab import puzzles

    makes = command(
        "puzzles",
        puzzles.run_command,
        "find positions of a game in which one move is clearly the best, and easily missed",
        "Bots play, every possible decision is weighed, and what is found is written into the game's folder.",
    )
    puzzles.add_arguments(makes)


def add_learn(command: Adder) -> None:
    learn = command(
        "learn",
        run_learn,
        "let bots learn to judge a game's positions, or how good its actions are, from games of their own",
        "What they learned is DIRECTORY/weights.npz and plays as search:weights=DIRECTORY/weights.npz; how it came about\n"
        "is in record.json. Stop it when you like: --resume goes on, and a longer run is more --games or --hours.\n"
        "Where a game has experience of its actions, how good these are is learned instead (experience.json), from 1000000\n"
        "games at sight if --games is not given; only --games, --seed, --resume and where it runs matter then.",
    )
    learn.add_argument("game", metavar="GAME", help=catalogue.HELP)
    learn.add_argument("--deck", type=pathlib.Path, metavar="FILE", help=catalogue.DECK_HELP)
    learn.add_argument("--out", type=pathlib.Path, help="directory of the run (default runs/GAME)")
    learn.add_argument("--games", type=int, help="games to learn from, in all (default 10000)")
    learn.add_argument(
        "--judgement", action="store_true", help="learn to judge positions also where a game has experience"
    )
    learn.add_argument("--hours", type=float, default=0.0, help="learn for so many hours instead")
    learn.add_argument("--iterations", type=int, default=100, help="of the search for each decision (default 100)")
    learn.add_argument(
        "--at-sight",
        type=int,
        default=0,
        metavar="N",
        help="games played at sight that it looks on at first (default 0)",
    )
    learn.add_argument(
        "--judged",
        type=int,
        default=0,
        metavar="N",
        help="then games played by what was learned, unsearched (default 0)",
    )
    learn.add_argument(
        "--cut",
        type=int,
        default=1,
        help="decisions played on before a position is judged (default 1; where offers are sealed, until they are open)",
    )
    learn.add_argument(
        "--until", default="", metavar="ACTION", help="where no tree is grown: judge a turn before this action ends it"
    )
    learn.add_argument(
        "--remembered", type=int, default=24, help="lessons of 200 games that are learned from again (default 24)"
    )
    learn.add_argument(
        "--ladder",
        type=int,
        default=-1,
        metavar="N",
        help="iterations of both on the ladder (default as in the games); 0: no ladder, the last is kept",
    )
    learn.add_argument(
        "--go-on", action="store_true", help="from the weights that the game comes with, not from nothing"
    )
    learn.add_argument("--seed", type=int, default=1, help="another seed plays other games (default 1)")
    learn.add_argument(
        "--resume", action="store_true", help="go on with the run in this directory, with the same settings"
    )
    learn.add_argument("--processes", type=int, metavar="N", help="processes (default: one for each core)")
    learn.add_argument("--cluster", metavar="ADDRESS", help="play on a Dask cluster: tcp://scheduler:8786")
    learn.add_argument("--progress", action="store_true", help="show progress even without a terminal")


def add_baseline(command: Adder) -> None:
    learn = command(
        "baseline",
        run_baseline,
        "let a network learn a game without search, by reinforcement (PPO)",
        'Needs PyTorch: pip install "ludoteca[learn]". What it has learnt plays as the bot learned:DIRECTORY/weights.npz.',
    )
    learn.add_argument("game", metavar="GAME", help=catalogue.HELP)
    learn.add_argument(
        "--out", type=pathlib.Path, help="directory of weights, curve and checkpoint (default runs/GAME)"
    )
    learn.add_argument("--deck", type=pathlib.Path, metavar="FILE", help=catalogue.DECK_HELP)
    learn.add_argument("--seats", type=int, default=2, help="seats at each table (default 2)")
    learn.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    learn.add_argument("--decisions", type=int, help="how many to learn from (default 12000000)")
    learn.add_argument("--rival", default="greedy", help="the bot it is measured against (default greedy)")
    learn.add_argument("--seed", type=int, default=1, help="another seed learns in another way (default 1)")
    learn.add_argument(
        "--resume", action="store_true", help="go on with the run in this directory, with the same settings"
    )
    learn.add_argument("--progress", action="store_true", help="show progress even without a terminal")


def add_replay(command: Adder) -> None:
    replay = command("replay", run_replay, "tell a recorded game move by move")
    replay.add_argument(
        "file", type=pathlib.Path, help="a record: from the page, from /api/tables/…/record or from play"
    )
    replay.add_argument("--game", metavar="GAME", help="the game, if it is not an installed one: my_module:GAME")
    replay.add_argument("--language", choices=("en", "it"), default="en", help="en or it")
    replay.add_argument("--json", action="store_true", help="events as JSON, one a line")


def add_review(command: Adder) -> None:
    from .lab import review

    judged = command(
        "review",
        run_review,
        "tell what each decision of a finished game cost, and what was luck",
        "The strongest bot judges, from what each player could see; the same game is always judged alike.",
    )
    review.add_arguments(judged)


def add_verify(command: Adder) -> None:
    verify = command(
        "verify",
        run_verify,
        "check a recorded game: its chance, every move, the result",
        "Exit status 0: all is well; 1: something is not as it was said to be.",
    )
    verify.add_argument("file", type=pathlib.Path, help="a record of a finished game")
    verify.add_argument("--game", metavar="GAME", help="the game, if it is not an installed one: my_module:GAME")


def add_warmup(command: Adder) -> None:
    warmup = command("warmup", run_warmup, "compile the rules ahead of the first use")
    warmup.add_argument("games", nargs="*", metavar="GAME", help="which (default: every installed one)")


def add_bench(command: Adder) -> None:
    from .lab import bench

    measure = command("bench", bench.run_command, "measure speed on this machine, beside other libraries")
    bench.add_arguments(measure)


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

    settings = Settings.read(database=arguments.database, games=arguments.games)
    games, say = catalogue.named(settings.games), functools.partial(print, file=sys.stderr, flush=True)
    with shown("tables") as progress:
        report = check(settings.place(), print, say, progress, games)
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


def run_admin(arguments: argparse.Namespace) -> int:
    from .server import admin
    from .server.settings import Settings

    place = Settings.read(database=arguments.database).place()
    if arguments.what == "reports":
        lines = admin.reports(place, arguments.all)
    elif arguments.what == "log":
        lines = admin.history(place)
    else:
        lines = [admin.do(place, arguments.what, arguments.about, arguments.note)]
    print("\n".join(lines))
    return 0


# rate, audit, import


def run_rate(arguments: argparse.Namespace) -> int:
    """Ratings from the journals, compared with those that are stored."""
    from .server.rate import recompute, write
    from .server.settings import Settings

    settings = Settings.read(database=arguments.database, games=arguments.games)
    place, games = settings.place(), catalogue.named(settings.games)
    if arguments.write:
        print(f"Rated anew: {write(place, games)} games.")
    with shown("games") as progress:
        found = recompute(place, progress, games)
    print("\n".join(found.lines()))
    return 0 if found.same else 1


def run_audit(arguments: argparse.Namespace) -> int:
    """The log of one game."""
    import msgspec

    from .server.audit import audit
    from .server.settings import Settings

    settings = Settings.read(database=arguments.database, games=arguments.games)
    found = audit(settings.place(), arguments.table, catalogue.named(settings.games))
    if arguments.json:
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(found), indent=1).decode() + "\n")
    else:
        print("\n".join(found.lines()))
    return 1 if found.problem else 0


def run_import(arguments: argparse.Namespace) -> int:
    """Brings a record into the house."""
    from .server.importing import bring
    from .server.settings import Settings
    from .server.store import Store
    from .server.wire import Record, read

    record = read(arguments.file.read_bytes(), Record)
    settings = Settings.read(database=arguments.database, games=arguments.games)
    with contextlib.closing(Store(settings.place())) as kept:
        id, new = bring(kept, record, time.time(), catalogue.named(settings.games))
    print(f"{'Brought in' if new else 'It was here already'}: /table/{id}")
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


# deck


def run_deck(arguments: argparse.Namespace) -> int:
    """Writes the printed deck, or checks files."""
    if arguments.what == "check":
        return max([check_deck(pathlib.Path(file), arguments.language, arguments.game) for file in arguments.about])
    if len(arguments.about) != 2:
        raise BadData("Say which game and which file: ludoteca deck new GAME FILE.", "bad_address")
    from .core.decks import as_file, form_of

    game, path = catalogue.typed(arguments.about[0]), pathlib.Path(arguments.about[1])
    form = form_of(game, arguments.form)
    if path.exists() and not arguments.force:
        raise BadData(f"{path} is there already; --force replaces it.", "bad_address")
    reports.check_places(path)
    reports.write(path, as_file(game, form, form.printed(), language=arguments.language))
    print(f"Written to {path}: the printed deck of {game.title}, form {form.key}.")
    return 0


def check_deck(path: pathlib.Path, language: str, of: str | None) -> int:
    """Says every mistake in a file, or what is in it."""
    from .core.decks import SHORT, BadDeck, changes, form_of, read_file
    from .core.forms import deck_word, in_a_line

    try:
        game, deck = read_file(path, catalogue.typed_games([of] if of else []))
    except BadDeck as bad:
        print("\n".join(in_a_line(mistake, str(path), bad.folder, language) for mistake in bad.mistakes))
        print(deck_word(bad.folder, language, "check.bad", count=len(bad.mistakes)))
        return 2
    form = form_of(game, deck.form)
    changed = len(changes(form, form.printed(), deck.content))
    rows = 0 if form.is_sheet else len(deck.content)
    facts = {"file": str(path), "title": game.title, "rows": rows, "changed": changed}
    print(deck_word(game.folder, language, "check.good", **facts, hash=deck.hash[:SHORT]))
    return 0


# play


def run_play(arguments: argparse.Namespace) -> int:
    """A game in the terminal."""
    from .terminal import Session

    reports.check_places(arguments.record)
    options = dict(part.partition("=")[::2] for part in arguments.option)
    game = catalogue.typed(arguments.game, arguments.deck)
    seed = arguments.seed if arguments.seed is not None else secrets.randbits(63)
    named = arguments.level or ["club"]
    bots = named[0] if len(named) == 1 else named
    seats = arguments.seats if arguments.seats is not None else seats_beside(game, len(named))
    session = Session(game, seats, options, seed, bots, arguments.language, arguments.plain)
    session.run(watch=arguments.watch)
    if (
        arguments.plain and "colorama" in sys.modules
    ):  # numba begins it where it is installed, and it would have the last word
        atexit.unregister(sys.modules["colorama"].initialise.reset_all)
    if arguments.record:
        arguments.record.write_bytes(session.journal.dump())
        print(f"Written to {arguments.record}.")
    return 0


# learn


def run_learn(arguments: argparse.Namespace) -> int:
    """Learns, and says how it stands on the ladder."""
    from .lab import expert_iteration, learn_experience

    game = catalogue.typed(arguments.game, arguments.deck)
    folder = arguments.out or pathlib.Path("runs") / game.key
    if learn_experience.has_learning(game) and not arguments.judgement:
        return run_learn_experience(arguments, game if arguments.deck else arguments.game, folder)
    games = 10_000 if arguments.games is None else arguments.games
    plan = expert_iteration.Plan(
        game if arguments.deck else arguments.game, arguments.seed, arguments.iterations, arguments.cut,
        at_sight=arguments.at_sight, judged=arguments.judged, until=arguments.until,
        remembered=arguments.remembered, goes_on=arguments.go_on, ladder=arguments.ladder,
    )  # fmt: skip
    bar = Bar(games, "games", asked=arguments.progress)
    learner = expert_iteration.run(
        plan,
        folder,
        games,
        arguments.hours,
        arguments.resume,
        learning_bar(bar),
        arguments.processes,
        arguments.cluster,
    )
    bar.close()
    print(f"{expert_iteration.how_it_stands(learner)} after {learner.games} games.")
    print(f"Left in {folder}: weights.npz, record.json, curve.csv, curve.svg, checkpoint.npz.")
    return 0


def run_learn_experience(arguments: argparse.Namespace, game: catalogue.Which, folder: pathlib.Path) -> int:
    """Learns how good actions are, and says how it stands on the ladder."""
    from .lab import learn_experience

    games = learn_experience.GAMES if arguments.games is None else arguments.games
    plan = learn_experience.Plan(game, arguments.seed, games)
    bar = Bar(plan.games, "games", asked=arguments.progress)
    found = learn_experience.run(
        plan, folder, arguments.resume, learning_bar(bar), arguments.processes, arguments.cluster
    )
    bar.close()
    print(f"{learn_experience.how_it_stands(found)} after {found.games} games.")
    print(f"Left in {folder}: experience.json, record.json, curve.csv, curve.svg, checkpoint.npz.")
    return 0


def learning_bar(bar: Bar) -> Callable[[int, int, str], None]:
    """Shows on a bar how many games were learned from, and how it stands."""

    def progress(done: int, total: int, stands: str) -> None:
        bar.start = done if bar.start is None else bar.start
        bar.total, bar.unit = max(done, total), f"games · {stands}"
        bar.show(done)

    return progress


def run_baseline(arguments: argparse.Namespace) -> int:
    """Learns, then says how good it is."""
    try:
        from .lab import learn
    except ModuleNotFoundError as missing:
        raise BadData(f'There is no {missing.name} here: pip install "ludoteca[learn]"', "not_installed") from None
    options = dict(part.partition("=")[::2] for part in arguments.option)
    game = catalogue.typed(arguments.game, arguments.deck)
    plan = learn.Plan(
        game if arguments.deck else arguments.game, arguments.seats, options, arguments.seed, rival=arguments.rival
    )
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


# replay, review and verify


def run_replay(arguments: argparse.Namespace) -> int:
    """Tells a game."""
    from .terminal import tell

    journal = read_journal(arguments.file)
    tell(game_of(arguments, journal.game, journal.deck), journal, arguments.language, arguments.json)
    return 0


def run_review(arguments: argparse.Namespace) -> int:
    """Reviews a game."""
    from .lab import review

    journal = read_journal(arguments.file)
    return review.run(arguments, game_of(arguments, journal.game, journal.deck), journal)


def game_of(arguments: argparse.Namespace, key: str, deck: str | None) -> Game:
    """The game of a record, with its deck: the installed one of its key, unless another was named.

    (A file may not choose a module.)
    """
    found = catalogue.typed(arguments.game) if arguments.game else catalogue.listed(key)
    return catalogue.with_text(found, deck)


def read_journal(path: pathlib.Path) -> Any:
    """The journal in a file, be it a plain one or the server's record of a finished game."""
    from .core.journal import Journal, load

    data = path.read_bytes()
    try:
        fields = json.loads(data)
        if isinstance(fields, dict):
            data = json.dumps(
                {key: value for key, value in fields.items() if key in Journal.__dataclass_fields__}
            ).encode()
        journal: Journal = load(data)
    except json.JSONDecodeError as error:
        place = f"{path}, line {error.lineno}, column {error.colno}"
        raise BadData(f"{place}: this is not a game record: {error.msg}.", "bad_journal") from None
    except UnicodeDecodeError:
        raise BadData(f"{path}: this is not a game record, nor text in UTF-8.", "bad_journal") from None
    except BadData as refused:
        raise BadData(f"{path}: {refused.sentence[0].lower()}{refused.sentence[1:]}", refused.key) from None
    if journal.seed is None and journal.keyed is None:
        journal.keyed = read_keyed(fields.get("fair"))
    return journal


def read_keyed(proof: Any) -> Any:
    """The chance of a server's record, from its proof."""
    from .core.keyed import Keyed

    try:
        beginning = bytes.fromhex(proof.get("beginning", ""))
        return Keyed(bytes.fromhex(proof["server_seed"]), tuple(map(str, proof["entropy"])), beginning)
    except (TypeError, KeyError, ValueError, AttributeError):
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
        finish(interpreted(game_of(arguments, journal.game, journal.deck)), journal)
        print(f"✓ All {len(journal.decisions)} decisions are legal. (A game of one machine: nobody to be checked.)")
        return 0
    record = read(data, Record)
    steps = verify(record, game_of(arguments, record.game, record.deck))
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
