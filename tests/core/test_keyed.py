"""Chance at the table: the same for everybody who has the journal, a riddle for everybody who has not the secret."""

import hashlib
import hmac
import json
import pathlib
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludoteca.catalogue import HOUSE, game, keys
from ludoteca.core import journal
from ludoteca.core.chance import begin_own, below_own, derive, shuffle
from ludoteca.core.contract import looks_uniform
from ludoteca.core.engine import interpreted
from ludoteca.core.errors import BadData, IllegalAction
from ludoteca.core.keyed import Keyed, KeyedStream, orders
from ludoteca.core.play import Play
from ludoteca.core.record import SPECTATOR, Record, See
from ludoteca.games.splendor.components import FIRST_OF_LEVEL

DOCS = pathlib.Path(__file__).parents[2] / "docs"
SECRETS = st.binary(min_size=32, max_size=32)
SHARES = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8), max_size=4)
CHANCE = Keyed(bytes(range(32)), ("ada", "", "perché no ⚄"))


def played(key: str, chance: Keyed, steps: int, seats: int = 3, seed: int = 1) -> Play:
    """A game at a table, decided at random for so many steps."""
    play = Play.deal(interpreted(game(key)), seats, {}, chance)
    while play.seq < steps and not play.is_over():
        play.follow(*some_decision(play, seed))
    return play


def some_decision(play: Play, seed: int) -> tuple[int, list[int]]:
    seat = play.waiting()[0]
    legal = play.engine.legal(play.states, 0, seat)
    return seat, [legal[derive(seed, play.seq) % len(legal)]]


# How a number is made.


def test_the_published_vectors() -> None:
    for vector in json.loads((DOCS / "chance_vectors.json").read_text("utf-8"))["vectors"]:
        chance = Keyed(bytes.fromhex(vector["secret"]), tuple(vector["entropy"]))
        for step in vector["steps"]:
            stream = chance.stream(step["seq"])
            for pair in step["drawn"].split():
                value, bound = map(int, pair.split("/"))
                assert stream.below(bound) == value


@given(SECRETS, SHARES, st.integers(0, 10**6), st.integers(1, 1 << 63), st.integers(1, 9))
def test_a_draw_is_made_as_it_is_written(secret: Any, shares: Any, number: int, bound: Any, draws: Any) -> None:
    def mac(key: bytes, message: bytes) -> bytes:
        return hmac.new(key, message, hashlib.sha256).digest()

    root = mac(secret, b"ludoteca chance 1" + b"".join(b"\0" + share.encode() for share in shares))
    key = mac(root, number.to_bytes(8, "big"))
    tape = b"".join(mac(key, block.to_bytes(8, "big")) for block in range(20))
    raw = [int.from_bytes(tape[at : at + 8], "big") for at in range(0, len(tape), 8)]
    fit = [z % bound for z in raw if z < (1 << 64) // bound * bound]
    stream = Keyed(secret, tuple(shares)).stream(number)
    assert [stream.below(bound) for _ in range(draws)] == fit[:draws]


@given(SECRETS, SHARES, st.integers(0, 1000), st.data())
def test_secret_entropy_and_number_all_count(secret: Any, shares: Any, number: int, data: Any) -> None:
    def first(chance: Keyed, number: int) -> int:
        return chance.stream(number).below(1 << 63)

    here = first(Keyed(secret, tuple(shares)), number)
    other = data.draw(SECRETS.filter(lambda s: s != secret))
    assert first(Keyed(other, tuple(shares)), number) != here
    assert first(Keyed(secret, (*shares, "")), number) != here, "one chair more"
    assert first(Keyed(secret, tuple(shares)), number + 1) != here
    if shares:
        assert first(Keyed(secret, (shares[0] + "!", *shares[1:])), number) != here


def test_what_one_chair_throws_in_is_not_what_two_throw_in() -> None:
    firsts = {Keyed(b"s", shares).stream(0).below(1 << 63) for shares in [("ab", ""), ("a", "b"), ("", "ab"), ("ab",)]}
    assert len(firsts) == 4


def test_draws_are_fair() -> None:
    stream = CHANCE.stream(1)
    for n in (2, 3, 6, 40):
        assert looks_uniform(Counter(stream.below(n) for _ in range(300 * n)))


def test_every_order_of_a_shuffle_is_as_likely() -> None:
    pieces = SimpleNamespace(rng=0, keyed_stream=CHANCE.stream(2))
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(24 * 300):
        order = [0, 1, 2, 3]
        shuffle(pieces, order, 4)
        seen[tuple(order)] += 1
    assert len(seen) == 24 and looks_uniform(seen)


def test_numbers_that_would_favour_the_low_ones_are_thrown_away() -> None:
    class Counted(KeyedStream):
        taken = 0

        def _number(self) -> int:
            self.taken += 1
            return super()._number()

    stream = Counted(b"key")
    assert all(stream.below((1 << 63) + 1) <= 1 << 63 for _ in range(100))
    assert stream.taken > 150


# The same journal, the same chance.


@pytest.mark.parametrize("key", keys(HOUSE))
def test_a_journal_gives_the_same_game_whole_in_parts_and_from_its_file(key: str) -> None:
    play = played(key, CHANCE, 120)
    table = play.game.full_options({})
    written = journal.Journal(key, play.game.version, 3, table, None, play.decisions(), keyed=CHANCE)
    again = journal.load(written.dump())
    assert again == written
    assert journal.finish(play.engine, again).tobytes() == play.states.tobytes()
    half = journal.opened(play.engine, written)
    for seat, action, step in list(play.decided())[: play.seq // 2]:
        half.follow(seat, [action], step)
    half = half.copy()  # as a server does that is killed and starts again, or a referee before each decision
    for seat, action, step in play.decided(half.seq):
        half.follow(seat, [action], step)
    assert half.states.tobytes() == play.states.tobytes()
    assert half.drawn == play.drawn
    assert play.from_the_start().drawn == play.drawn[:1]


def test_a_step_played_again_is_remembered_and_another_one_in_its_place_is_not() -> None:
    chance = Keyed(bytes(range(32)), ("a", "b"))
    play = played("loot", chance, 40, seats=2)
    again = play.from_the_start()
    told = [again.follow(seat, [action], step) for seat, action, step in play.decided()]
    fresh = Play.deal(play.engine, 2, {}, Keyed(chance.secret, chance.entropy))
    assert told == [fresh.follow(seat, [action], step) for seat, action, step in play.decided()]
    assert again.states.tobytes() == fresh.states.tobytes() == play.states.tobytes()
    assert again.drawn == fresh.drawn == play.drawn
    other = played("loot", chance, 40, seats=2, seed=2)  # the same table, had people decided otherwise
    alone = played("loot", Keyed(chance.secret, chance.entropy), 40, seats=2, seed=2)
    assert other.states.tobytes() == alone.states.tobytes() != play.states.tobytes()
    assert len(play.drawn) > 10


def test_steps_of_one_decision_draw_as_if_they_came_one_by_one() -> None:
    play = played("king_of_con", CHANCE, 60)
    whole = Play.deal(play.engine, 3, {}, CHANCE)
    steps = list(play.decided())
    while whole.seq < len(steps):
        seat = steps[whole.seq][0]
        run = [action for who, action, _ in steps[whole.seq : whole.seq + 2] if who == seat]
        whole.follow(seat, run if len({who for who, *_ in steps[whole.seq : whole.seq + 2]}) == 1 else run[:1])
    assert whole.states.tobytes() == play.states.tobytes()


def test_a_record_that_says_nothing_of_its_chance_is_refused() -> None:
    with pytest.raises(BadData, match="where its chance came from"):
        journal.opened(interpreted(game("loot")), journal.Journal("loot", game("loot").version, 2, {}, None))


def test_the_decks_lie_as_they_were_drawn() -> None:
    play = Play.deal(interpreted(game("splendor")), 2, {}, CHANCE)
    state: Any = Record(play.states)
    shuffled = dict(orders(play.game.shuffles(state), play.drawn[0].drawn))
    for level in range(3):
        left = int(state.deck_left[level])
        lie = state.deck[level, :left].tolist() + state.market[level].tolist()[::-1]
        assert lie == [FIRST_OF_LEVEL[level] + card for card in shuffled[f"deck_{level + 1}"]]


# What nobody can know.


@pytest.mark.parametrize("key", keys(HOUSE))
def test_the_same_position_has_another_future_with_another_secret(key: str) -> None:
    """So nothing that is handed out of it, to people, bots or hints, can say anything about the future."""
    play = played(key, CHANCE, 25)
    twin = play.copy()
    twin.keyed = Keyed(bytes(32), CHANCE.entropy)
    assert play.states["rng"][0] == 0
    for viewer in (*range(3), SPECTATOR):
        assert play.position(viewer).redacted.tobytes() == twin.position(viewer).redacted.tobytes()
    futures = [follow_while_legal(one) for one in (play, twin)]
    if any(futures):  # Splendor and King of Con draw nothing after the deal
        assert futures[0] != futures[1]
    assert bool(any(futures)) == (key in ("loot", "challengers"))


@pytest.mark.parametrize("key", keys(HOUSE))
def test_between_two_steps_no_secret_field_holds_a_seed(key: str) -> None:
    """A field of 64 bits that nobody may see could hold what is still to be drawn: at a table all are empty.

    (The contract compares the machine code with this.)
    """
    one = game(key)
    wide = [field.name for field in one.fields if field.kind == "i8" and field.see is not See.PUBLIC]
    assert "rng" in wide
    play = Play.deal(interpreted(one), 1 if 1 in one.seats else min(one.seats), {}, CHANCE)
    for _ in range(150):
        assert not any(play.states[name].any() for name in wide)
        if not play.is_over():
            play.follow(*some_decision(play, 2))


def test_simultaneous_players_draw_from_the_key_of_their_step_too() -> None:
    """Challengers! §3.9, §9.7: scarce redraws and what the Robot leaves to chance are listed with every other draw."""
    one = game("challengers")
    state = SimpleNamespace(rng=0, streams=[5, 5], _stream=CHANCE.stream(3))
    drawn = [below_own(state, state.streams, 1, 6) for _ in range(4)]
    begin_own(state, state.streams, 2)
    assert [value for value, _ in state._stream.drawn] == drawn
    assert (state.rng, state.streams) == (0, [5, 5])
    assert {"rng", "streams"} == set(one.streams)


def follow_while_legal(play: Play) -> list[object]:
    """What is drawn from here on, in steps that anybody might take."""
    before = len(play.drawn)
    for _ in range(60):
        if not play.is_over():
            play.follow(*some_decision(play, 3))
    return list(play.drawn[before:])


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 40))
def test_a_guess_at_the_future_is_not_the_future(steps: Any) -> None:
    """Search and hints start from `determinize`: its dice are its own, not the table's."""
    play = played("loot", CHANCE, steps, seats=2)
    if play.is_over():
        return
    rolled = set()
    for guess_number in range(12):
        guess = play.position(0).redacted.copy()
        play.engine.determinize(guess, 0, derive(5, guess_number))
        assert guess["rng"][0] != 0
        rolled.add(int(guess["rng"][0]))
    assert len(rolled) == 12


def test_nobody_can_find_out_dice_by_asking_for_more_than_one_decision() -> None:
    play = Play.deal(interpreted(game("loot")), 1, {}, CHANCE)
    first = play.engine.legal(play.states, 0, 0)
    before = play.states.tobytes()
    with pytest.raises(IllegalAction) as refused:
        play.decide(0, [first[0], first[0]])
    assert refused.value.key in ("look_first", "one_by_one")
    assert play.states.tobytes() == before
