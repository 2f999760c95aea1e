"""What axe-core has to say about a page."""

from __future__ import annotations

from playwright.sync_api import Page


def violations(page: Page, axe: str) -> list[str]:
    """Whatever stands in somebody's way; nothing, if all is well."""
    page.wait_for_timeout(150)  # colours that are on their way have other contrasts
    if not page.evaluate("typeof window.axe === 'object'"):
        page.evaluate(axe)
    found = page.evaluate("axe.run(document)")
    assert len(found["passes"]) > 10, "the checker has looked at the page"
    return [f"{v['id']}: {node['target']} {node['failureSummary']}" for v in found["violations"] for node in v["nodes"]]
