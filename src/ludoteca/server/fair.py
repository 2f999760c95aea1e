"""Fair chance: the server commits to a secret, the players mix theirs in, everybody can check it afterwards.

Nobody can choose the cards: the server cannot change its secret after the hash was shown, and no player knows it. Nobody
can foretell them either: `core/keyed.py` says how every number of a game is made of the secret, the players' entropy and
the number of the step. The same check stands in `web/src/fair.ts` and, to be read and run alone, in `docs/verify_chance.py`.

Games that began under an earlier server have one seed (`mix`) and the plain stream. They go on, and are checked, as then.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from ludoteca.catalogue import listed, with_text
from ludoteca.core.chance import MASK
from ludoteca.core.engine import interpreted
from ludoteca.core.errors import Refusal
from ludoteca.core.game import Game
from ludoteca.core.journal import Journal, opened
from ludoteca.core.keyed import Draws, Keyed, SeededStream, Stream, orders
from ludoteca.core.play import Play
from ludoteca.core.record import Record as State

from .origin import origin_of
from .queries import ChairRow, GameRow, TableRow
from .refusals import BadRequest
from .wire import DrawsInfo, Fair, Record, ShuffleInfo

SECRET_BYTES = 32
MOST_ENTROPY = 64  # characters of a player's share


def new_seed() -> bytes:
    """The server's secret of one table."""
    return secrets.token_bytes(SECRET_BYTES)


def commit(secret: bytes) -> str:
    """The hash that is shown before the first deal."""
    return hashlib.sha256(secret).hexdigest()


def check_entropy(text: str) -> None:
    """Refuses a player's share that is too long, or that could be read as two."""
    if len(text) > MOST_ENTROPY or "\0" in text:
        raise BadRequest("entropy_too_long", most=MOST_ENTROPY)


def mix(secret: bytes, entropy: Sequence[str]) -> int:
    """The seed of a game that began under an earlier server: 63 bits of the hash of everybody's share."""
    shares = b"".join(b"\0" + share.encode() for share in entropy)
    return int.from_bytes(hashlib.sha256(secret + shares).digest()[:8], "big") & MASK


def chance_of(row: TableRow, kept: GameRow) -> int | Keyed:
    """The chance of a table's game: keyed, or the seed of one that began under an earlier server."""
    return keyed(row, kept.server_seed, row.chairs) if kept.seed is None else kept.seed


def keyed(row: TableRow, server_seed: bytes, chairs: Sequence[ChairRow]) -> Keyed:
    """A table's chance with these people's entropy; a branch begins with a record instead of a deal."""
    return Keyed(server_seed, tuple(chair.entropy for chair in chairs), beginning_of(row.branch))


def beginning_of(branch: str) -> bytes:
    """The record that a branch begins with, as its row has it; nothing for other tables."""
    origin = origin_of(branch)
    return b"" if origin is None else origin.record


def reveal(promise: Fair, secret: bytes, seed: int | None, options: dict[str, str], play: Play) -> Fair:
    """The promise with its proof."""
    shuffles = shuffles_of(play, options, seed)
    if seed is not None:
        return Fair(promise.commitment, promise.entropy, secret.hex(), seed, shuffles, "seed")
    draws = [written(draws) for draws in play.drawn]
    beginning = play.keyed.beginning.hex() if play.keyed is not None else ""
    return Fair(promise.commitment, promise.entropy, secret.hex(), None, shuffles, "keyed", draws, beginning)


def shuffles_of(play: Play, options: dict[str, str], seed: int | None) -> list[ShuffleInfo]:
    """The shuffles of a game's set-up; a branch has none."""
    if play.keyed is not None and play.keyed.beginning:
        return []
    if seed is None:
        drawn = play.drawn[0].drawn
    else:  # the deal once more, to see what it draws
        stream = SeededStream(seed)
        play.engine.setup(play.engine.new(), 0, play.seats, options, seed, stream)
        drawn = tuple(stream.drawn)
    named = play.game.shuffles(State(play.beginning))
    return [ShuffleInfo(name, order) for name, order in orders(named, drawn)]


def written(draws: Draws) -> DrawsInfo:
    """As it is published: `4/6 2/6` are two numbers drawn below 6."""
    return DrawsInfo(draws.number, " ".join(f"{value}/{bound}" for value, bound in draws.drawn))


# ── Checking ─────────────────────────────────────────────────


@dataclass(frozen=True)
class Step:
    """One thing checked: what it is (and the name of the shuffle), what was claimed and what was found."""

    what: str  # commitment, seed or draws, shuffle, deal, game
    ok: bool
    claimed: str
    found: str
    name: str = ""


def verify(record: Record, game: Game | None = None) -> list[Step]:
    """Checks a finished game: the hash, each number drawn, each shuffle, and that the decisions lead to the result."""
    fair = record.fair
    try:
        secret = bytes.fromhex(fair.server_seed or "")
    except ValueError:
        secret = b""
    found = commit(secret)
    steps = [Step("commitment", bool(secret) and found == fair.commitment, fair.commitment, found)]
    chance: int | Keyed
    if fair.chance != "keyed":  # records of earlier servers do not say
        chance = mix(secret, fair.entropy)
        steps.append(Step("seed", chance == fair.seed == record.seed, str(fair.seed), str(chance)))
        stream: Stream = SeededStream(chance)
    else:
        chance = Keyed(secret, tuple(fair.entropy), bytes.fromhex(fair.beginning))
        steps.append(_check_draws(chance, fair.draws or []))
        stream = chance.stream(0)
    for claimed in fair.shuffles or []:
        order = _shuffled(stream, len(claimed.order))
        steps.append(Step("shuffle", order == claimed.order, _short(claimed.order), _short(order), claimed.name))
    return [*steps, *_replayed(game or with_text(listed(record.game), record.deck), record, chance)]


def _check_draws(chance: Keyed, claimed: Sequence[DrawsInfo]) -> Step:
    """Every number that is said to have been drawn, drawn again."""
    for draws in claimed:
        again = chance.stream(draws.seq)
        try:
            bounds = [int(draw.partition("/")[2]) for draw in draws.drawn.split()]
            for bound in bounds:
                again.below(bound)
        except (ValueError, ZeroDivisionError):
            return Step("draws", False, draws.drawn, "this is not a list of draws")
        found = written(Draws(draws.seq, tuple(again.drawn))).drawn
        if found != draws.drawn:
            return Step("draws", False, f"step {draws.seq}: {draws.drawn[:80]}", found[:80])
    counted = sum(len(draws.drawn.split()) for draws in claimed)
    return Step("draws", bool(claimed), f"{counted} draws", f"{counted} draws")


def _shuffled(stream: Stream, size: int) -> list[int]:
    order = list(range(size))
    for i in range(size - 1, 0, -1):
        j = stream.below(i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def _replayed(game: Game, record: Record, chance: int | Keyed) -> list[Step]:
    """The deal and the game, played again with the chance that was found."""
    decisions = [(decision[0], decision[1]) for decision in record.decisions if len(decision) == 2]
    seed, keyed = (None, chance) if isinstance(chance, Keyed) else (chance, None)
    journal = Journal(record.game, record.version, record.seats, record.options, seed, decisions, keyed=keyed)
    claimed = record.fair.shuffles or []
    try:
        play = opened(interpreted(game), journal)
        dealt = shuffles_of(play, record.options, seed)
        deal = Step("deal", dealt == claimed, f"{len(claimed)} shuffles", f"{len(dealt)} shuffles")
        for seat, action in decisions:
            play.again(seat, action)
    except Refusal as refusal:
        return [Step("game", False, f"{len(decisions)} decisions", refusal.sentence)]
    if not play.is_over():
        return [deal, Step("game", False, f"{len(decisions)} decisions", "the game is not over")]
    drawn = [written(draws) for draws in play.drawn]
    if keyed is not None and drawn != record.fair.draws:
        return [deal, Step("game", False, _drawn(record.fair.draws or []), _drawn(drawn))]
    result = play.result()
    same = (result.ranks, result.scores) == (record.result.ranks, record.result.scores)
    return [deal, Step("game", same, _result(record.result), _result(result))]


def _drawn(draws: Sequence[DrawsInfo]) -> str:
    return f"draws in the deal and in the steps {_short([info.seq for info in draws if info.seq])}"


def _short(order: Sequence[int]) -> str:
    return " ".join(map(str, order[:12])) + (" …" if len(order) > 12 else "")


def _result(result: object) -> str:
    return f"ranks {getattr(result, 'ranks', '')}, scores {getattr(result, 'scores', '')}"
