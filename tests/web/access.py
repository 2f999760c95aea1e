"""What axe-core has to say about a page, and what it looks like."""

from __future__ import annotations

import os
import pathlib

from playwright.sync_api import Page

# Whatever moves or fades has a frame to begin, and then comes to its end; what turns for ever is not waited for.
SETTLED = """async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    const ends = (one) => one.playState === 'running' && one.effect?.getComputedTiming().endTime < Infinity;
    await Promise.allSettled(document.getAnimations().filter(ends).map((one) => one.finished));
}"""


def settle(page: Page) -> None:
    """Waits until nothing is on its way any more."""
    page.evaluate(SETTLED)


def violations(page: Page, axe: str) -> list[str]:
    """Whatever stands in somebody's way; nothing, if all is well."""
    settle(page)  # colours that are on their way have other contrasts
    if not page.evaluate("typeof window.axe === 'object'"):
        page.evaluate(axe)
    found = page.evaluate("axe.run(document)")
    assert len(found["passes"]) > 10, "the checker has looked at the page"
    return [f"{v['id']}: {node['target']} {node['failureSummary']}" for v in found["violations"] for node in v["nodes"]]


def shot(page: Page, name: str) -> None:
    """A picture for whoever looks the page over."""
    folder = os.environ.get("LUDOTECA_SHOTS")
    if folder:
        page.screenshot(path=pathlib.Path(folder) / f"{name}.png")
