"""Names: plain letters that everybody can see, and people at one table who cannot be taken for each other."""

from __future__ import annotations

import functools
import secrets
import unicodedata
from collections import Counter
from collections.abc import Sequence

LONGEST_NAME = 32
SPACES = ("Cc", "Zl", "Zp", "Zs")  # kinds of character, by Unicode: control characters and line ends count as spaces
BLANK = "\u2800"  # a Braille cell without dots: a sign by its kind, a space to the eye
LOOK_ALIKES = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")  # alphabets whose letters look like each other's
INVISIBLE = ("Cf", "Cs", "Co", "Cn")  # marks that turn text around, halves of characters, unknown ones
IGNORABLE = (  # shown as nothing, though not of those kinds (Unicode's Default_Ignorable_Code_Point)
    (0x034F, 0x034F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x3164, 0x3164), (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0), (0xE0000, 0xE0FFF),
)  # fmt: skip
TOWERS = ("Mn", "Me")  # marks above, below and around a letter
MARKS = 2  # of these on one letter; a tower of them would cover its neighbours

# What letters of other alphabets, and some of ours, are taken for at a glance: more often the capital, as names begin.
LOOKS_LIKE = {
    "a": "аαꭺ", "b": "вβᏼь", "c": "сϲꮯ", "d": "ԁđ", "e": "еεꭼ", "h": "нηհꮋ", "i": "іιӏıl1|!łꮮ", "j": "јꭻ", "k": "кκꮶ",
    "m": "мμꮇ", "n": "νпո", "o": "оο0օø", "p": "рρꮲ", "q": "ԛզ", "r": "гꭱ", "s": "ѕ5ꮪ", "t": "тτꭲ", "u": "սи", "v": "ѵꮩ",
    "w": "ԝѡωꮃ", "x": "хχ", "y": "уυү", "z": "ζꮓ2", "3": "з",
}  # fmt: skip
TAKEN_FOR = str.maketrans({letter: plain for plain, letters in LOOKS_LIKE.items() for letter in letters.casefold()})
PAIRS = (("rn", "m"), ("vv", "w"))
WATCHING = "–"  # instead of a chair's number


def new_id() -> str:
    """What a table is called in addresses; it begins with no dash, which a command line would take for an option."""
    id = secrets.token_urlsafe(8)
    return f"_{id[1:]}" if id.startswith("-") else id


def tidy(name: str, longest: int = LONGEST_NAME) -> str:
    """A name in plain letters: nothing invisible, no doubled spaces or towers of accents; cut to size."""
    kinds = [(c, unicodedata.category(c)) for c in unicodedata.normalize("NFKC", name) if not ignorable(c)]
    spaced = (" " if kind in SPACES or c == BLANK else c for c, kind in kinds if kind not in INVISIBLE)
    return without_towers(" ".join("".join(spaced).split()))[:longest].strip()


def ignorable(c: str) -> bool:
    """Whether it is shown as nothing."""
    return any(first <= ord(c) <= last for first, last in IGNORABLE)


def without_towers(name: str) -> str:
    """At most two marks on a letter, and none on nothing."""
    kept, marks = list[str](), MARKS
    for c in name:
        kind = unicodedata.category(c)
        if kind in TOWERS:
            marks += 1
        elif kind != "Mc":  # a mark with a place of its own, as in Burmese, covers nobody
            marks = MARKS if c == " " else 0
        if kind not in TOWERS or marks <= MARKS:
            kept.append(c)
    return "".join(kept)


def visible(name: str) -> bool:
    """Whether there is anything to see."""
    return any(unicodedata.category(c)[0] in "LNPS" for c in name)


def alphabets(name: str) -> set[str]:
    """Which of the alphabets that have letters in common a name is written in."""
    names = (unicodedata.name(c, "").partition(" ")[0] for c in name if c.isalpha())
    return {alphabet for alphabet in names if alphabet in LOOK_ALIKES}


# ── At one table ─────────────────────────────────────────────


def skeleton(name: str) -> str:
    """The same for names that can be taken for each other: without case, accents and spaces, look-alikes as one letter."""
    plain = "".join(
        c for c in unicodedata.normalize("NFKD", name.casefold()) if unicodedata.category(c)[0] not in "MZP"
    )
    found = (plain or name).translate(TAKEN_FOR)
    for pair, letter in PAIRS:
        found = found.replace(pair, letter)
    return found


def told_apart(names: Sequence[str]) -> list[str]:
    """The names on a table's chairs; those that can be taken for each other, each with the number of its chair.

    Two people may well have one name, so nobody is sent away for it; but nobody is the plain «Anna» either, so that it does
    not help to be there first.
    """
    return list(_told_apart(tuple(names)))


@functools.lru_cache(maxsize=4096)
def _told_apart(names: tuple[str, ...]) -> tuple[str, ...]:
    skeletons = [skeleton(name) if name else "" for name in names]
    shared = Counter(skeletons)
    return tuple(
        f"{name} ({chair})" if name and shared[bones] > 1 else name
        for chair, (name, bones) in enumerate(zip(names, skeletons, strict=True), 1)
    )


def heard_as(names: Sequence[str], seat: int | None, name: str) -> str:
    """Under which name somebody speaks at a table: that of their chair; a spectator is not taken for one who sits there."""
    if seat is not None:
        return told_apart(names)[seat]
    return f"{name} ({WATCHING})" if skeleton(name) in map(skeleton, filter(None, names)) else name
