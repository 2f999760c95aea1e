"""A game in a terminal, through a pseudo-terminal as ssh has one: colours, width, and what can be looked up."""

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios

import pytest

from ludoteca import catalogue
from ludoteca.core.engine import interpreted
from ludoteca.core.paper import Paper, breadth, joined, length
from ludoteca.core.words import LANGUAGES
from ludoteca.terminal import columns, looked_up, own_words

ESCAPE = "\x1b["
PROMPT = b"] > "
SECONDS = 120  # for an answer; then the test has failed


def typed_into(*arguments: str, lines: list[str], width: int = 80, **environment: str) -> str:
    """What a terminal of that width has shown when these lines were typed, each at a prompt of its own."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update({"TERM": "xterm-256color", **environment})
        for name in {"COLUMNS", "NO_COLOR"} - set(environment):
            os.environ.pop(name, None)
        # execve: execv would hand on what readline, which pytest imports, has put beside os.environ: COLUMNS=80
        os.execve(sys.executable, [sys.executable, "-m", "ludoteca", "play", *arguments], dict(os.environ))
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    shown, answered = b"", 0
    while select.select([terminal], [], [], SECONDS)[0]:
        try:
            read = os.read(terminal, 65536)
        except OSError:  # so Linux says that nobody is there any more
            break
        if not read:
            break
        shown += read
        if shown.count(PROMPT) > answered and answered < len(lines):
            os.write(terminal, f"{lines[answered]}\n".encode())
            answered += 1
    os.close(terminal)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0, shown.decode()
    return shown.decode().replace("\r\n", "\n")


def test_no_word_of_the_help_is_cut_at_the_edge() -> None:
    """Its two long lines broke within a word wherever the window was narrower than they are."""
    shown = typed_into("king_of_con", "--seed", "1", "--level", "novice", lines=["?", "q"], width=60)
    assert max(map(length, shown.splitlines())) <= 60
    assert "they stand behind =." in shown.replace("\n  ", " ")


def test_a_card_can_be_looked_up_in_colours() -> None:
    shown = typed_into(
        "challengers",
        "--seed",
        "42",
        "--level",
        "novice",
        lines=["look hermit", "look hermet", "look 1", "look", "log", "q"],
    )
    assert f"{ESCAPE}1mRound 1{ESCAPE}0m" in shown
    seen = re.sub("\x1b\\[[0-9;]*m", "", shown)
    assert "  Hermit: power 2, Castle, level A. At once: +2 if no City card sits on your\n    bench." in seen
    assert "There is nothing called «hermet» to look up. Did you mean Hermit" in seen
    assert (
        seen.count("Merman: power 1, Shipwreck, level A. At once: +3 if a Shipwreck card sits on") == 2
    )  # board, look 1
    assert "  You can look up: " in seen and "no such action" not in seen
    assert seen.endswith("You have left the game.\n")
    assert max(map(len, seen.splitlines())) <= 80


def test_a_choice_tells_what_it_is_about_and_help_names_what_there_is() -> None:
    """King of Con's choices name Booths: looking one up tells of the Item there."""
    shown = typed_into(
        "king_of_con", "--seed", "3", "--level", "uniform", "--plain",
        lines=["look 1", "1", "look 1", "look booth 2", "99", "?", "q"], width=100,
    )  # fmt: skip
    assert re.search(r"Booth 1: .* \(I\d\d\): \S+, \S+, \S+\n", shown)
    assert shown.count("Booth 2: ") >= 2  # the board, look booth 2
    assert "There is no choice 99: they are 1 to " in shown
    assert "look Star Atlas  tells what is printed on it" in shown
    assert "Hermit" not in shown


def test_a_choice_that_names_nothing_says_so() -> None:
    shown = typed_into("loot", "--seed", "3", "--level", "uniform", "--plain", lines=["look 1", "q"])
    assert "  Nothing of choice 1 can be looked up." in shown
    assert "Ada" in shown  # a bot sits at the table, though Loot could be played alone


def test_whoever_wants_no_colours_gets_none() -> None:
    shown = typed_into("king_of_con", "--seed", "42", "--level", "novice", lines=["1", "board", "q"], NO_COLOR="1")
    assert "Booth 2: Iron Knight (I13: Fantasy, Figures, Vintage*)" in shown
    assert ESCAPE not in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_plain_is_words_in_lines_of_their_own() -> None:
    shown = typed_into("splendor", "--seed", "42", "--level", "novice", "--plain", "--language", "it", lines=["?", "q"])
    lines = shown.splitlines()
    assert "Kraven, livello 1, dà viola, costa 3 blu" in lines
    assert " 16 Prenota Kraven" in lines
    assert "tavolo  di nuovo il tavolo" in lines
    assert ESCAPE not in shown


@pytest.mark.parametrize("key", catalogue.keys())
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_board_is_as_wide_as_the_window(key: str, language: str) -> None:
    game = catalogue.game(key)
    board = game.board
    assert board is not None
    engine = interpreted(game)
    states = engine.start(max(game.seats), {}, 3)
    for step in range(40):
        if step % 8 == 0:
            view = engine.view(states, 0, engine.waiting(states)[0])
            names = ["Bartolomeo"] * max(game.seats)
            for width in (80, 120):
                inked, bare = (board(view, names, Paper(language, width, colours)) for colours in (True, False))
                assert breadth(inked.splitlines()) <= width
                assert re.sub("\x1b\\[[0-9;]*m", "", inked) == bare
            assert board(view, names, Paper(language, plain=True))
            assert all(told and "{" not in told for _, told in game.lookup(view, language))
        seat = engine.waiting(states)[0]
        actions = engine.legal(states, 0, seat)
        engine.apply(states, 0, seat, actions[step % len(actions)])


def test_what_is_looked_up_needs_no_accents_and_only_its_beginning() -> None:
    book = [("Ghost", "a"), ("Ghost Ship", "b"), ("Médium", "c"), ("Ship’s Cook", "d")]
    assert looked_up(book, "ghost") == ["a"]
    assert looked_up(book, "gh") == ["a", "b"]
    assert looked_up(book, "MEDIUM") == ["c"]
    assert looked_up(book, "ship's") == ["d"]
    assert looked_up(book, "k") == ["d"]


def test_columns_are_as_many_as_fit() -> None:
    lines = [f"{n:3} {'x' * 16}" for n in range(8)]
    assert len(columns(lines, Paper("en", 90)).splitlines()) == 2
    assert len(columns(lines, Paper("en", 70)).splitlines()) == 3
    assert columns(lines, Paper("en", plain=True)).splitlines() == lines
    assert columns([], Paper("en")) == ""


def test_ink_takes_no_room() -> None:
    paper = Paper("en", 10, colours=True)
    red = paper.ink("red", "red")
    assert red != "red" and length(red) == 3
    assert [length(line) for line in paper.flow([red] * 3, "> ").splitlines()] == [10, 5]
    assert joined([[red, "x"], ["y"]], " ") == [f"{red} y", "x"]


def test_both_languages_have_the_same_words() -> None:
    assert own_words("en").keys() == own_words("it").keys()
