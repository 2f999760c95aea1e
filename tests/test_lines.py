"""Lines are for eyes, on the page too: prettier breaks code, and nobody else breaks strings and comments."""

import pathlib

ROOT = pathlib.Path(__file__).parents[1]
LONGEST = 160
DRAWN = ("data:", ' d="', 'class="sprite"')  # pictures as data, outlines and the sprite's frame are not read


def test_no_line_of_the_page_is_too_long_to_read() -> None:
    files = [path for path in (ROOT / "web/src").rglob("*") if path.suffix in (".ts", ".svelte", ".css")]
    assert len(files) > 100
    for path in files:
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if not any(mark in line for mark in DRAWN):
                assert len(line) <= LONGEST, f"{path.relative_to(ROOT)}:{number} has {len(line)} characters"
