"""Facts are declared once: what follows from a declaration, and what is caught when rules do not keep to it."""

from typing import Any

import pytest

from ludoteca.core.actions import Actions
from ludoteca.core.facts import (
    FLAG,
    NUMBER,
    SEATS,
    Choices,
    Fact,
    Facts,
    also,
    counted,
    names,
    optional,
    said,
    secret,
    several,
    tally,
    typed,
    up_to,
)
from ludoteca.core.log import NOBODY, NOTHING, bundle, new_log, no_log, tell, tell_more
from ludoteca.core.record import EVERYONE, SPECTATOR

CARD = names("card", ("ace", "king", "queen"))
NO_RECORD = None  # the types here do not look at it


@pytest.fixture
def facts() -> Any:
    return Facts()


def told(facts: Facts, kind: int, seat: int, audience: int, *values: int) -> Fact:
    log = new_log()
    tell(log, kind, seat, audience, *values)
    [fact] = facts.read(log)
    return fact


def test_values_come_back_by_name_in_the_order_declared(facts: Any) -> None:
    drew = facts.kind("drew", level=counted("level", 3), card=CARD, free=FLAG, from_=NUMBER)
    event = facts.named(NO_RECORD, told(facts, drew, 1, EVERYONE, 2, 0, 1, 7))
    assert list(event.items()) == [
        ("kind", "drew"), ("seat", 1), ("level", 3), ("card", "ace"), ("free", True), ("from", 7),
    ]  # fmt: skip


def test_a_fact_of_the_table_has_no_seat(facts: Any) -> None:
    began = facts.of_the_table("began", round=NUMBER)
    assert facts.named(NO_RECORD, told(facts, began, NOBODY, EVERYONE, 4)) == {
        "kind": "began",
        "seat": None,
        "round": 4,
    }


def test_secret_values_are_only_for_the_audience(facts: Any) -> None:
    picked = facts.kind("picked", count=NUMBER, card=secret(CARD), rest=secret(several(optional(CARD), 2)))
    fact = told(facts, picked, 0, 1 << 0, 3, 1, 2, NOTHING)
    assert facts.named(NO_RECORD, fact.seen_by(0))["rest"] == ["queen", None]
    for viewer in (1, SPECTATOR):
        seen = fact.seen_by(viewer)
        assert seen.values == (3, None, None, None)
        assert seen.audience == EVERYONE, "who else knows is nobody's business"
        assert facts.named(NO_RECORD, seen) == {"kind": "picked", "seat": 0, "count": 3, "card": None, "rest": None}


def test_two_values_may_be_made_of_one_number_and_sentences_may_say_a_third(facts: Any) -> None:
    met = facts.kind("met", number=NUMBER, card=also("number", CARD), first=said("number", "first"))
    assert facts.named(NO_RECORD, told(facts, met, 0, EVERYONE, 2)) == {
        "kind": "met", "seat": 0, "number": 2, "card": "queen",
    }  # fmt: skip
    assert set(facts.values_of("met")) == {"number", "card", "first"}


def test_counts_seats_and_lists_are_held_in_whole_numbers(facts: Any) -> None:
    paid = facts.kind("paid", tokens=tally("tokens", 7), seats=SEATS, cards=up_to(CARD, 3))
    bundled = bundle(0, 2) + bundle(6, 15) + bundle(0, 1)
    event = facts.named(NO_RECORD, told(facts, paid, 0, EVERYONE, bundled, 0b101, 1, 0, NOTHING))
    assert (event["tokens"], event["seats"], event["cards"]) == ([3, 0, 0, 0, 0, 0, 15], [0, 2], ["king", "ace"])


@pytest.mark.parametrize("values", [(1,), (1, 2, 3)])
def test_a_fact_with_too_few_or_too_many_numbers_is_found(facts: Any, values: tuple[int, ...]) -> None:
    went = facts.kind("went", start=NUMBER, end=NUMBER)
    with pytest.raises(AssertionError, match=rf"went was told with {len(values)} numbers, not 2"):
        told(facts, went, 0, EVERYONE, *values)


def test_a_fact_carries_as_many_values_as_it_needs(facts: Any) -> None:
    lined_up = facts.kind("lined_up", row=several(NUMBER, 17), card=secret(CARD), left=NUMBER)
    went = facts.kind("went", steps=NUMBER)
    log = new_log(5)
    tell(log, went, 0, EVERYONE, 1)
    tell(log, lined_up, 1, 1 << 1, *range(8))
    tell_more(log, *range(8, 16))
    tell_more(log, 16, 2, 30)
    tell(log, went, 0, EVERYONE, 2)
    before, fact, after = facts.read(log)
    assert (before.values, after.values) == ((1,), (2,))
    assert facts.named(NO_RECORD, fact.seen_by(1)) == {
        "kind": "lined_up", "seat": 1, "row": list(range(17)), "card": "queen", "left": 30,
    }  # fmt: skip
    assert facts.named(NO_RECORD, fact.seen_by(0))["card"] is None
    tell(log, lined_up, 1, EVERYONE, *range(8))
    tell_more(log, 8)
    with pytest.raises(AssertionError, match="lined_up was told with 9 numbers, not 19"):
        facts.read(log)


def test_an_empty_log_takes_nothing() -> None:
    log = no_log()
    tell(log, 0, 0, EVERYONE, 1)
    tell_more(log, 2)
    assert not log.used and not log.rows.any()


def test_types_know_what_they_hold_and_how_typescript_calls_it() -> None:
    assert CARD.holds(2) and not CARD.holds(3) and not CARD.holds(NOTHING)
    assert optional(CARD).holds(NOTHING)
    assert typed(secret(CARD)) == "'ace' | 'king' | 'queen' | null"
    assert typed(several(optional(CARD), 3)) == "('ace' | 'king' | 'queen' | null)[]"
    assert typed(several(NUMBER, 2)) == "[number, number]"


def test_arguments_of_choices_are_typed_by_the_actions_unless_said_otherwise() -> None:
    actions = Actions()
    actions.kind("go", ("way", "steps"), [(way, n) for way in ("left", "right") for n in (1, 2)])
    actions.kind("wait")
    choices = Choices(actions, {"steps": counted("step", 2)}, go={"to": NUMBER})
    assert {name: value.typescript for name, value in choices.kinds["go"].items()} == {
        "way": "'left' | 'right'", "steps": "number", "to": "number",
    }  # fmt: skip
    assert choices.carried == {"go": ("to",), "wait": ()}
