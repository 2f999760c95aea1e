"""The short form of the siege: every attack with fewer attackers, less time, and patience with a busy machine."""

from __future__ import annotations

import asyncio
import pathlib
import sys
from collections.abc import Iterator

import pytest

from ludoteca.lab.load import raise_limit
from siege.__main__ import attempt, report
from siege.attacks import ATTACKS, Attack, Outcome
from siege.field import Field

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes, and comes from many addresses")


@pytest.fixture(scope="module")
def field(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Field]:
    raise_limit()
    besieged = Field(tmp_path_factory.mktemp("siege"), quick=True)
    yield besieged
    besieged.close()


def quick_ones() -> list[object]:
    """The attacks of the short form."""
    return [pytest.param(attack, id=attack.name) for attack in ATTACKS if attack.quick]


@pytest.mark.parametrize("attack", quick_ones())
def test_the_house_holds(field: Field, attack: Attack) -> None:
    outcome = asyncio.run(attempt(attack, field))
    assert outcome.held, f"{attack.promise}: {outcome.figure}"


def test_an_attack_that_cannot_be_made_has_not_held(tmp_path: pathlib.Path) -> None:
    async def broken(_: Field) -> Outcome:
        raise ConnectionError("nobody there")

    attack = Attack("broken", "something", broken)
    outcome = asyncio.run(attempt(attack, Field(tmp_path, quick=True)))
    assert not outcome.held
    assert "nobody there" in outcome.figure
    assert "FELL" in report([(attack, outcome, 1.0)])
    assert "0 of 1 held" in report([(attack, outcome, 1.0)])
