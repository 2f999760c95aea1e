"""A comparison of two decks for people: in lines, as a page with charts, as a table for spreadsheets, for machines."""

from __future__ import annotations

import csv
import html
import io
import textwrap
from collections import Counter
from collections.abc import Callable, Sequence

from ludoteca.core.decks import SHORT
from ludoteca.core.game import Game, Json
from ludoteca.core.words import LANGUAGES

from . import chart
from .balance import FEW, PAGE, mean, name_of_thing, rows
from .compare import Comparison, Figure, rows_by_id, rows_of
from .report_words import said, said_or

COURSE = ("rounds", "decisions", "widths", "leads", "decided", "halfway")
NO_LEVEL = "none"


def told_in(found: Comparison, key: str, **facts: object) -> str:
    """Words of a report, in its language."""
    return said(found.language, key, **facts)


def kind_in(found: Comparison, kind: str) -> str:
    """How somebody has a thing: «recruited»; of a game that we do not know, as it says itself."""
    return said_or(found.language, f"kind.{kind}", kind)


def named_deck(found: Comparison, game: Game) -> str:
    """What a deck is called."""
    if game.deck is None:
        return told_in(found, "deck.printed")
    return f"{game.deck.name or told_in(found, 'deck.nameless')} ({game.variant[:SHORT]})"


def shown(figure: Figure, value: float, signed: bool = False) -> str:
    """A value as people read it."""
    sign = "+" if signed else ""
    return f"{100 * value:{sign}.1f} %" if figure.percent else f"{value:{sign}.2f}"


def verdict(figure: Figure, found: Comparison, moved: set[str]) -> str:
    """Whether it has moved, stayed (within what could be seen), or is open."""
    if not found.done:
        return "open"
    if figure.key in moved:
        return "moved"
    return "same" if figure.least <= (0.05 if figure.percent else 0.05 * max(abs(figure.before), 1e-9)) else "open"


def difference(figure: Figure, found: Comparison, moved: set[str]) -> str:
    """«moved: 48.8 % → 58.2 % (+9.4 % ± 4.1 %)»."""
    before, after = shown(figure, figure.before), shown(figure, figure.after)
    change, half = shown(figure, figure.difference, True), shown(figure, figure.half)
    told = verdict(figure, found, moved)
    least = shown(figure, figure.least)
    more = told_in(found, "would_show", least=least) if told == "open" and found.done else ""
    return f"{told_in(found, f'verdict.{told}')}: {before} → {after} ({change} ± {half}{more})"


def title_of(found: Comparison) -> str:
    """What was played."""
    return told_in(
        found, "title", game=found.game.title, before=named_deck(found, found.before), after=named_deck(found, found.game),
        seats=found.seats, bots=", ".join(found.bots), deals=len(found.pairs), wanted=found.wanted, seed=found.seed,
    )  # fmt: skip


def changed_lines(found: Comparison, moved: set[str]) -> list[str]:
    """The cards that differ, each with what became of it."""
    figures = {figure.key: figure for figure in (*found.of_changed(), *found.worth())}
    names, lines = names_by_id(found), []
    form = (found.game.deck or found.before.deck).form  # type: ignore[union-attr]  # one of them has a deck
    old, new = rows_by_id(found.before, form), rows_by_id(found.game, form)
    for id, columns in found.changed().items():
        cells = [
            f"{c} {old.get(id, {}).get(c, '') or '–'} → {new.get(id, {}).get(c, '') or '–'}".strip() for c in columns
        ]  # a part of a sheet that is one number has no columns
        what = (
            told_in(found, "is_new")
            if id not in old
            else told_in(found, "is_gone")
            if id not in new
            else ", ".join(cells[:6])
        )
        lines.append(f"{names.get(id, id)} ({what})")
        mine = [figure for key, figure in figures.items() if key.endswith(f": {id}")]
        for figure in mine:
            what, _, thing = figure.key.partition(" ")
            kind = kind_in(found, thing.partition(":")[0])
            if what == "taken":
                said = told_in(found, "taken_by", kind=kind, what=difference(figure, found, moved))
            elif max(figure.of) < FEW:
                said = told_in(found, "too_few", kind=kind, before=figure.of[0], after=figure.of[1])
            elif what == "wins":
                said = told_in(found, "owners_won", kind=kind, what=difference(figure, found, moved))
            else:
                said = told_in(
                    found, "worth", difference=shown(figure, figure.difference, True), half=shown(figure, figure.half),
                    before=shown(figure, figure.before), after=shown(figure, figure.after),
                )  # fmt: skip
            lines.append(f"  {said}")
    return lines or [told_in(found, "nothing_changed")]


def names_by_id(found: Comparison) -> dict[str, str]:
    """Titles by id."""
    had = {thing.partition(": ")[2]: name.partition(": ")[2] for thing, name in found.names().items()}
    if found.language == LANGUAGES[0]:
        return {id: in_languages(found, id)[found.language] for id in found.changed().keys() - had.keys()} | had
    return {id: in_languages(found, id)[found.language] for id in had.keys() | found.changed().keys()}


def label(figure: Figure, found: Comparison) -> str:
    """A figure in words."""
    what, _, thing = figure.key.partition(" ")
    if figure.key in COURSE:
        return told_in(found, f"figure.{figure.key}")
    if what == "seat":
        return told_in(found, "figure.seat", n=int(thing) + 1)
    if what in ("more", "fewest"):
        kind, _, level = thing.partition(" level ")
        return told_in(found, f"figure.{what}", kind=kind_in(found, kind), level=level or NO_LEVEL)
    kind, _, id = found.names().get(thing, thing).partition(": ")
    name = names_by_id(found).get(thing.partition(": ")[2], id)
    return told_in(found, f"figure.{'taken' if what == 'taken' else 'wins'}", kind=kind_in(found, kind), name=name)


def as_text(found: Comparison, others: Sequence[Comparison] = ()) -> str:
    """The comparison in lines; `others` are the same decks by other bots."""
    moved = found.moved()
    lines = [
        title_of(found),
        "",
        told_in(found, "head.changed"),
        *(f"  {line}" for line in changed_lines(found, moved)),
    ]
    lines += ["", told_in(found, "head.chairs")]
    lines += [f"  {label(figure, found)}, {difference(figure, found, moved)}" for figure in found.chairs()]
    lines += ["", told_in(found, "head.course")]
    lines += [f"  {label(figure, found)}, {difference(figure, found, moved)}" for figure in found.course()]
    lines += ["", told_in(found, "head.beyond")]
    figures, own = found.all(), found.changed()
    elsewhere = [one for one in figures if one.key in moved and one.key.rpartition(": ")[2] not in own]
    lines += [f"  {label(figure, found)}, {difference(figure, found, moved)}" for figure in elsewhere]
    if not elsewhere:
        lines.append(
            f"  {told_in(found, 'nothing_else', n=len(figures)) if found.done else told_in(found, 'open_until')}"
        )
    names = names_by_id(found) | {row["id"]: row["name"] or row["id"] for row in rows_with_names(found.game)}
    for title, ids in (
        (told_in(found, "head.never"), found.never_taken()),
        (told_in(found, "head.always"), found.always_taken()),
    ):
        if ids:
            lines += [
                "",
                title,
                *textwrap.wrap(
                    ", ".join(names.get(id, id) for id in ids), 100, initial_indent="  ", subsequent_indent="  "
                ),
            ]
    ways = found.ways()
    if ways:
        lines += ["", told_in(found, "head.ways")]
        lines += [f"  {label(figure, found)}, {difference(figure, found, moved)}" for figure in ways]
    if worths := worth_of_all(found):
        lines += ["", told_in(found, "head.worth")]
        lines += [f"  {worth_line(figure, found)}" for figure in worths]
    for other in others:
        lines += ["", told_in(found, "head.by", bots=", ".join(other.bots), deals=len(other.pairs))]
        lines += [f"  {line}" for line in changed_lines(other, other.moved())]
    return "\n".join([*lines, "", *textwrap.wrap(told_in(found, "cannot"), 100)])


def worth_of_all(found: Comparison) -> list[Figure]:
    """What cards are worth by exchange, the dearest first, if more than the changed ones were exchanged."""
    worths = found.worth()
    asked = found.exchanged.keys() - found.changed().keys()
    return sorted(worths, key=lambda one: -one.difference) if asked else []


def worth_line(figure: Figure, found: Comparison) -> str:
    """«Venom +6.1 ± 1.2»."""
    id = figure.key.rpartition(": ")[2]
    return f"{names_by_id(found).get(id, id)} {100 * figure.difference:+.1f} ± {100 * figure.half:.1f}"


def rows_with_names(game: Game) -> list[dict[str, str]]:
    """The rows of a deck that have an id and a title."""
    content = game.deck.content if game.deck is not None else []
    return [row for row in content if isinstance(row, dict) and "id" in row and "name" in row]


def as_json(found: Comparison, others: Sequence[Comparison] = ()) -> Json:
    """For machines."""
    moved = found.moved()
    return {
        "game": found.game.key, "before": found.before.variant, "after": found.game.variant, "bots": found.bots,
        "seats": found.seats, "seed": found.seed, "deals": len(found.pairs), "wanted": found.wanted,
        "changed": found.changed(), "of_changed": [one.as_json() for one in found.of_changed()],
        "worth": [one.as_json() for one in found.worth()], "figures": [one.as_json() for one in found.all()],
        "moved": sorted(moved), "never_taken": found.never_taken(), "always_taken": found.always_taken(),
        "ways": [one.as_json() for one in found.ways()], "levels": [as_json(other) for other in others],
    }  # fmt: skip


PARTS = 20  # points of the curve of tension


def in_languages(found: Comparison, id: str) -> dict[str, str]:
    """What a row is called in every language: by its own titles, or as the game tells of it."""
    if id not in found.titles:
        row = next((row for row in rows_with_names(found.game) if row["id"] == id), {})
        thing = next((thing for thing in found.names() if thing.partition(": ")[2] == id), "")
        for language in LANGUAGES:
            told = name_of_thing(found.game, thing, found.dealt, language).partition(": ")[2] if thing else ""
            title = row.get("name" if language == LANGUAGES[0] else f"name_{language}") or row.get("name")
            found.titles.setdefault(id, {})[language] = told or title or id
    return found.titles[id]


def teller(found: Comparison, moved: set[str]) -> Callable[[Figure], Json]:
    """How a figure is told to a page: with its verdict, and its name in every language."""

    def told(figure: Figure) -> Json:
        what, _, thing = figure.key.partition(" ")
        kind, _, id = thing.partition(": ")
        kind = kind if id else thing
        return {
            "what": what, "kind": kind, "id": id, "name": in_languages(found, id) if id else "",
            "before": figure.before, "after": figure.after, "difference": figure.difference, "half": figure.half,
            "own": list(figure.own), "percent": figure.percent, "of": list(figure.of), "least": figure.least,
            "verdict": verdict(figure, found, moved),
        }  # fmt: skip

    return told


def as_page(found: Comparison) -> Json:
    """For a page that shows the comparison as it grows: figures with verdicts and names, what was changed first."""
    moved = found.moved()
    told = teller(found, moved)
    changed = found.changed()
    chairs, course, things = found.chairs(), found.course(), found.things()
    judged = [*chairs, *course, *things]
    elsewhere = [one for one in judged if one.key in moved and one.key.rpartition(": ")[2] not in changed]
    return {
        "deals": len(found.pairs),
        "wanted": found.wanted,
        "changed": changed_parts(found, told),
        "chairs": [told(one) for one in chairs],
        "course": [told(one) for one in course],
        "lengths": lengths(found),
        "tension": [[decided_by(found, side, n / PARTS) for n in range(PARTS + 1)] for side in (0, 1)],
        "things": [told(one) for one in things],
        "levels": {row["id"]: row["level"] for row in rows_of(found.game) if row.get("id") and row.get("level")},
        "moved": [told(one) for one in elsewhere],
        "looked_at": len(judged) if found.done else 0,
        "never": [in_languages(found, id) for id in found.never_taken()] if found.done else [],
        "always": [in_languages(found, id) for id in found.always_taken()] if found.done else [],
        "ways": [told(one) for one in found.ways()],
        "worths": [told(one) for one in worth_of_all(found)],
    }


def changed_parts(found: Comparison, told: Callable[[Figure], Json]) -> list[Json]:
    """What differs between the decks: the rows as they were and are, and what became of them."""
    form = (found.game.deck or found.before.deck).form  # type: ignore[union-attr]  # one of them has a deck
    old, new = rows_by_id(found.before, form), rows_by_id(found.game, form)
    figures = [*found.of_changed(), *found.worth()] if found.pairs else []
    return [
        {
            "id": id, "name": in_languages(found, id), "columns": columns, "was": old.get(id), "now": new.get(id),
            "figures": [told(one) for one in figures if one.key.endswith(f": {id}")],
        }
        for id, columns in found.changed().items()
    ]  # fmt: skip


def lengths(found: Comparison) -> list[list[int]]:
    """How many games took so many rounds, before and after."""
    counts = [Counter(pair[side].rounds for pair in found.pairs) for side in (0, 1)]
    return [[rounds, counts[0][rounds], counts[1][rounds]] for rounds in sorted({*counts[0], *counts[1]})]


def as_early(found: Comparison) -> Json:
    """For the same page, before there is anything to compare by these bots.

    How games of the old deck go, and what a bot that takes what looks best makes of both.
    """
    games = found.early
    seats = [(f"seat {n}", [game.shares[n] for game in games], True) for n in range(found.seats)]
    course = [
        ("rounds", [float(game.rounds) for game in games], False),
        ("decisions", [float(game.decisions) for game in games], False),
    ]
    told = []
    figures: list[tuple[str, list[float], bool]] = [*seats, *course]
    for key, numbers, percent in figures:
        value, half = mean(numbers)
        what, _, kind = key.partition(" ")
        told.append({"what": what, "kind": kind, "value": value, "half": half, "percent": percent})
    sight = found.sight
    by_sight = {"bot": sight.bots[0], "report": as_page(sight)} if sight is not None else None
    return {"deals": len(games), "figures": told if games else [], "sight": by_sight}


def as_csv(found: Comparison) -> str:
    """For a spreadsheet: a line for each figure, those of changed cards first."""
    paper = io.StringIO()
    writer = csv.writer(paper, lineterminator="\n")
    columns = ("what", "before", "after", "difference", "half", "of_before", "of_after", "verdict")
    writer.writerow([told_in(found, f"column.{column}") for column in columns])
    moved, told = found.moved(), set[str]()
    for figure in (*found.of_changed(), *found.worth(), *found.all(), *found.ways()):
        if figure.key not in told:
            told.add(figure.key)
            values = [f"{value:.6g}" for value in (figure.before, figure.after, figure.difference, figure.half)]
            writer.writerow(
                [label(figure, found), *values, *figure.of, told_in(found, f"verdict.{verdict(figure, found, moved)}")]
            )
    return paper.getvalue()


# ── The page ─────────────────────────────────────────────────

BEFORE, AFTER = "#6b6257", "#1f5fa8"


def side_by_side(title: str, figures: Sequence[Figure], found: Comparison, note: str = "") -> str:
    """Before and after of some figures in percent, on one scale: a dashed ring, and a filled diamond with the interval."""
    names = [label(figure, found) for figure in figures]
    left, right, top, step = 24 + 7.2 * max(map(len, names)), 460, 52, 34
    values = [100 * value for one in figures for value in (one.before, one.after - one.half, one.after + one.half)]
    ticks = chart.scale(min(values), max(values))
    bottom = top + step * len(figures)

    def place(value: float) -> float:
        return left + right * (100 * value - ticks[0]) / (ticks[-1] - ticks[0] or 1)

    told = zip(names, figures, strict=True)
    said = "; ".join(f"{name} {shown(one, one.before)} → {shown(one, one.after)}" for name, one in told)
    parts = [
        picture(left + right + 120, bottom + 40, f"{title}: {said}"),
        words(16, 22, title, more='font-weight="700"'),
    ]
    for tick in ticks:
        x = place(tick / 100)
        parts += [stroke(f"M{x:.1f} {top - 8}V{bottom}", chart.FAINT), words(x, bottom + 16, f"{tick:g} %", "middle")]
    for number, (name, one) in enumerate(zip(names, figures, strict=True)):
        y, was, now = top + step * number + 12, place(one.before), place(one.after)
        parts.append(words(left - 10, y + 4, name, "end"))
        parts.append(stroke(f"M{place(one.after - one.half):.1f} {y}H{place(one.after + one.half):.1f}", AFTER, 2))
        parts.append(f'<circle cx="{was:.1f}" cy="{y}" r="6" fill="none" stroke="{BEFORE}" stroke-dasharray="3 2"/>')
        parts.append(f'<path d="M{now:.1f} {y - 7}l7 7-7 7-7-7Z" fill="{AFTER}"/>')
    return "".join([*parts, words(16, bottom + 34, f"{told_in(found, 'chart.signs')} {note}"), "</svg>"])


def picture(width: float, height: float, said: str) -> str:
    """The beginning of a drawing, with what it says for those who do not see it."""
    return (
        f'<svg viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{html.escape(said, True)}" font-size="13">'
    )


def words(x: float, y: float, text: str, anchor: str = "start", more: str = "") -> str:
    """A line of words."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{html.escape(text)}</text>'


def stroke(path: str, colour: str, thick: float = 1, dashes: str = "none") -> str:
    """A line."""
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{thick:g}" stroke-dasharray="{dashes}"/>'


def tension(found: Comparison) -> str:
    """Which share of the games was decided after which part of them, before and after."""
    width, height, left, top = 540, 240, 60, 34
    title = told_in(found, "chart.tension")
    shares = [[decided_by(found, side, n / 40) for n in range(41)] for side in (0, 1)]
    halfway = told_in(found, "chart.halfway", before=f"{shares[0][20]:.0%}", after=f"{shares[1][20]:.0%}")
    said = f"{title}; {halfway}"
    parts = [picture(left + width + 20, height + top + 30, said), words(16, 18, title, more='font-weight="700"')]
    for tick in range(0, 101, 25):
        x, y = left + width * tick / 100, top + height * (100 - tick) / 100
        parts.append(stroke(f"M{x} {top}V{top + height}M{left} {y}H{left + width}", chart.FAINT))
        parts += [words(x, top + height + 16, f"{tick} %", "middle"), words(left - 8, y + 4, f"{tick} %", "end")]
    for line, colour, dashes in ((shares[0], BEFORE, "5 4"), (shares[1], AFTER, "none")):
        points = [f"{left + width * n / 40:.1f} {top + height * (1 - share):.1f}" for n, share in enumerate(line)]
        parts.append(stroke(f"M{'L'.join(points)}", colour, 2, dashes))
    return "".join([*parts, "</svg>"])


def decided_by(found: Comparison, side: int, part: float) -> float:
    """The share of the games that were decided when so much of them was played."""
    return sum(pair[side].decided <= part for pair in found.pairs) / max(len(found.pairs), 1)


def as_html(found: Comparison, others: Sequence[Comparison] = ()) -> str:
    """The comparison as a page that needs nothing else."""
    moved = found.moved()

    def head(key: str, **facts: object) -> str:
        return f"<h2>{html.escape(told_in(found, f'head.{key}', **facts))}</h2>"

    changed = [one for one in (*found.of_changed(), *found.worth()) if max(one.of) >= FEW]
    body = [head("changed")]
    if changed:
        body.append(side_by_side(told_in(found, "chart.changed"), changed[:24], found))
    body.append(f"<pre>{html.escape(chr(10).join(changed_lines(found, moved)))}</pre>")
    body += [
        head("chairs"),
        side_by_side(
            told_in(found, "chart.seats"),
            found.chairs(),
            found,
            told_in(found, "chart.even", share=f"{100 / found.seats:.1f}"),
        ),
    ]
    body += [head("course"), tension(found)]
    body.append(table(found.course(), found, moved))
    things = [one for one in found.things() if one.key.startswith("wins ")]
    if things:
        body += [head("cards"), table(sorted(things, key=lambda one: -one.after), found, moved)]
    if worths := worth_of_all(found):
        body += [head("exchange"), rows(("", told_in(found, "column.hundred"), "± 95 %"), worth_rows(worths, found))]
    taken = [one for one in found.things() if one.key in moved and one.key.startswith("taken ")]
    if taken:
        body += [head("taken"), table(taken, found, moved)]
    ways = found.ways()
    if ways:
        body += [head("ways"), side_by_side(told_in(found, "chart.ways"), ways, found)]
    for other in others:
        lines = "\n".join(changed_lines(other, other.moved()))
        body += [head("by_bots", bots=", ".join(other.bots)), f"<pre>{html.escape(lines)}</pre>"]
    body.append(f"<p>{html.escape(told_in(found, 'cannot'))}</p>")
    return PAGE.format(language=found.language, title=html.escape(title_of(found)), body="".join(body))


def worth_rows(worths: Sequence[Figure], found: Comparison) -> list[tuple[str, str, str]]:
    """What cards are worth, as rows of a table."""
    names = names_by_id(found)
    ids = [one.key.rpartition(": ")[2] for one in worths]
    return [
        (names.get(id, id), f"{100 * one.difference:+.1f}", f"{100 * one.half:.1f}")
        for id, one in zip(ids, worths, strict=True)
    ]


def table(figures: Sequence[Figure], found: Comparison, moved: set[str]) -> str:
    """Figures as a table; what has moved stands out."""
    lines = [
        (
            label(one, found), shown(one, one.before), shown(one, one.after), shown(one, one.difference, True),
            shown(one, one.half), told_in(found, f"verdict.{verdict(one, found, moved)}"),
        )
        for one in figures
    ]  # fmt: skip
    columns = [told_in(found, f"column.{column}") for column in ("before", "after", "difference")]
    return rows(("", *columns, "± 95 %", ""), lines, told_in(found, "verdict.moved"))
