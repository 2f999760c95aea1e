from typing import Any

import pytest

from ludoteca.core.words import fill


@pytest.mark.parametrize(
    ("template", "facts", "text"),
    [
        ("Hello {name}!", {"name": "Ada"}, "Hello Ada!"),
        ("{n, plural, one {# gem} other {# gems}}", {"n": 1}, "1 gem"),
        ("{n, plural, one {# gem} other {# gems}}", {"n": 3}, "3 gems"),
        ("{n, plural, =0 {nothing} one {# gem} other {# gems}}", {"n": 0}, "nothing"),
        ("{who, select, you {You take} other {{name} takes}} it", {"who": "you", "name": "Ada"}, "You take it"),
        ("{who, select, you {You take} other {{name} takes}} it", {"who": 2, "name": "Ada"}, "Ada takes it"),
        ("{n, plural, one {# of {kind}} other {#, all {kind}}}", {"n": 2, "kind": "red"}, "2, all red"),
        ("a # outside", {}, "a # outside"),
        ("{unknown}", {}, "{unknown}"),
    ],
)
def test_templates(template: str, facts: Any, text: str) -> None:
    assert fill(template, facts) == text
