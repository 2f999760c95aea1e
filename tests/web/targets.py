"""How large what can be pressed is, for a finger."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

LEAST = 44  # pixels, both ways

# What a finger finds: from the middle of a control outwards, as long as a press there would reach it. So invisible margins
# (::before, ::after) count, and what lies under something else does not.
MEASURE = """async least => {
    const CONTROL = 'button, a[href], input, select, textarea, summary, [role=button], [role=tab], [role=switch]';
    const INLINE = '.para, .inl'; // a word in a sentence: as high as its line, else lines would not be lines
    const found = [];
    for (const one of document.querySelectorAll(CONTROL)) {
        if (!one.checkVisibility({ visibilityProperty: true }) || one.closest('[inert]')) continue;
        if (one.matches(INLINE)) continue;
        one.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
        const box = one.getBoundingClientRect();
        if (box.width < 2 || box.right <= 0 || box.bottom <= 0) continue; // for the keyboard or the ear alone
        const label = one.closest('label') ?? (one.id ? document.querySelector(`label[for="${one.id}"]`) : null);
        const hits = (x, y) => {
            const there = document.elementFromPoint(x, y);
            return there !== null && (one.contains(there) || (label?.contains(there) && there.closest(CONTROL) !== null
                ? there.closest(CONTROL) === one : Boolean(label?.contains(there))));
        };
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
        if (!hits(x, y)) continue; // under something else: not to be pressed now
        const reach = (dx, dy, most) => {
            let n = 0;
            for (const step of [11, 1]) // asking what lies at a point is slow
                while (n < most && hits(x + dx * (n + step), y + dy * (n + step))) n += step;
            return n;
        };
        const span = (dx, dy) => {
            const there = reach(dx, dy, least);
            return there + reach(-dx, -dy, least - there) + 1; // no further than is asked for
        };
        const [w, h] = [span(1, 0), span(0, 1)];
        const words = one.textContent.trim().slice(0, 30);
        const name = one.getAttribute('aria-label') ?? (words || one.getAttribute('type') || '');
        found.push({ name, class: String(one.className), width: w, height: h });
    }
    scrollTo(0, 0);
    return found;
}"""


def targets(page: Page) -> list[dict[str, Any]]:
    """All that can be pressed now, with how wide and high it is to a finger, as far as that matters."""
    found: list[dict[str, Any]] = page.evaluate(MEASURE, LEAST)
    return found


def too_small(page: Page) -> list[str]:
    """Those that are smaller than a fingertip; fails where nothing can be pressed at all."""
    all_of_them = targets(page)
    assert len(all_of_them) > 3, "there are things to press"
    return [
        f"{one['width']}×{one['height']} {one['class']} «{one['name']}»"
        for one in all_of_them
        if min(one["width"], one["height"]) < LEAST - 1
    ]
