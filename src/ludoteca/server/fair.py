"""The fair shuffle: the server commits to a secret, the players mix theirs in, everybody can check it afterwards.

Nobody can choose the cards: the server cannot change its seed after its hash was shown, and no player knows it. The
same check stands in `web/src/fair.ts`.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace

from ludoteca.catalogue import listed
from ludoteca.core.chance import MASK, seed_stream, shuffle
from ludoteca.core.engine import Engine, interpreted
from ludoteca.core.errors import Refusal
from ludoteca.core.game import Game
from ludoteca.core.journal import Journal, begin, finish

from .wire import Fair, Record, ShuffleInfo

SEED_BYTES = 32
MOST_ENTROPY = 64  # characters of a player's share


def new_seed() -> bytes:
    """The server's secret of one table."""
    return secrets.token_bytes(SEED_BYTES)


def commit(server_seed: bytes) -> str:
    """The hash that is shown before the first deal."""
    return hashlib.sha256(server_seed).hexdigest()


def mix(server_seed: bytes, entropy: Sequence[str]) -> int:
    """The game's seed: 63 bits of the hash of everybody's share."""
    shares = b"".join(b"\0" + share.encode() for share in entropy)
    return int.from_bytes(hashlib.sha256(server_seed + shares).digest()[:8], "big") & MASK


def shuffles(game: Game, engine: Engine, journal: Journal) -> list[ShuffleInfo]:
    """The shuffles of a game's set-up."""
    return [ShuffleInfo(name, order) for name, order in game.shuffles(game.state(begin(engine, journal)))]


def reveal(fair: Fair, server_seed: bytes, seed: int, dealt: list[ShuffleInfo]) -> Fair:
    """The promise with its proof."""
    return Fair(fair.commitment, fair.entropy, server_seed.hex(), seed, dealt)


# ── Checking ─────────────────────────────────────────────────


@dataclass(frozen=True)
class Step:
    """One thing checked: what it is (and the name of the shuffle), what was claimed and what was found."""

    what: str  # commitment, seed, shuffle, deal, game
    ok: bool
    claimed: str
    found: str
    name: str = ""


def verify(record: Record, game: Game | None = None) -> list[Step]:
    """Checks a finished game: the hash, the seed, each shuffle, the deal, and that the decisions lead to the result."""
    fair = record.fair
    steps = []
    try:
        server_seed = bytes.fromhex(fair.server_seed or "")
    except ValueError:
        server_seed = b""
    found = commit(server_seed)
    steps.append(Step("commitment", bool(server_seed) and found == fair.commitment, fair.commitment, found))
    seed = mix(server_seed, fair.entropy)
    steps.append(Step("seed", seed == fair.seed == record.seed, str(fair.seed), str(seed)))
    stream = SimpleNamespace(rng=0)
    seed_stream(stream, seed)
    for claimed in fair.shuffles or []:
        order = list(range(len(claimed.order)))
        shuffle(stream, order, len(order))
        steps.append(Step("shuffle", order == claimed.order, _short(claimed.order), _short(order), claimed.name))
    return [*steps, *_replayed(interpreted(game or listed(record.game)), record, seed)]


def _replayed(engine: Engine, record: Record, seed: int) -> list[Step]:
    """The deal and the game, played again from the seed that was found."""
    decisions = [(decision[0], decision[1]) for decision in record.decisions if len(decision) == 2]
    journal = Journal(record.game, record.version, record.seats, record.options, seed, decisions)
    claimed = [(s.name, s.order) for s in record.fair.shuffles or []]
    try:
        dealt = [(s.name, s.order) for s in shuffles(engine.game, engine, journal)]
        deal = Step("deal", dealt == claimed, f"{len(claimed)} shuffles", f"{len(dealt)} shuffles")
        states = finish(engine, journal)
    except Refusal as refusal:
        return [Step("game", False, f"{len(decisions)} decisions", refusal.sentence)]
    if not engine.is_over(states):
        return [deal, Step("game", False, f"{len(decisions)} decisions", "the game is not over")]
    result = engine.result(states)
    same = (result.ranks, result.scores) == (record.result.ranks, record.result.scores)
    return [deal, Step("game", same, _result(record.result), _result(result))]


def _short(order: Sequence[int]) -> str:
    return " ".join(map(str, order[:12])) + (" …" if len(order) > 12 else "")


def _result(result: object) -> str:
    return f"ranks {getattr(result, 'ranks', '')}, scores {getattr(result, 'scores', '')}"
