"""What axe-core has to say about a page, and what it looks like."""

from __future__ import annotations

import os
import pathlib

from playwright.sync_api import Page


def violations(page: Page, axe: str) -> list[str]:
    """Whatever stands in somebody's way; nothing, if all is well."""
    page.wait_for_timeout(150)  # colours that are on their way have other contrasts
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
