"""A simple player of Splendor who looks at the page as people do: what glows, what lies there, what the buttons say."""

from __future__ import annotations

import functools

from playwright.sync_api import Page

from ludoteca.games.splendor.components import CARD_LIST, COLOURS, EDITIONS, Card
from web.hand import PRIMARY, Keys, PointerHand, begin_with, open_table_of

# From what has the focus towards a target, along the longer way first; nothing where the arrows do not lead.
WHICH_ARROW = """(selector) => {
  const [here, there] = [document.activeElement, document.querySelector(selector)];
  if (here === there || !here.matches('[data-nav]') || !there.matches('[data-nav]')) return '';
  const [a, b] = [here.getBoundingClientRect(), there.getBoundingClientRect()];
  const across = b.left + b.width / 2 - a.left - a.width / 2;
  const down = b.top + b.height / 2 - a.top - a.height / 2;
  if (Math.abs(down) > a.height / 2) return down > 0 ? 'ArrowDown' : 'ArrowUp';
  return across > 0 ? 'ArrowRight' : 'ArrowLeft';
}"""


open_table = functools.partial(open_table_of, "splendor", ".market [data-card]")
begin = functools.partial(begin_with, ".market button[data-card]")
PITCH = 587.3  # your turn


class Hand(PointerHand):
    """Reads the table and decides; how things are pressed is left to `press`."""

    def __init__(self, page: Page, edition: str = "marvel", touch: bool = False) -> None:
        super().__init__(page, touch)
        self.cards: dict[str, Card] = {card.id: card for card in CARD_LIST[EDITIONS.index(edition)]}
        self.colours = COLOURS[EDITIONS.index(edition)]
        self.jokers = 0

    # What the page shows.

    def wait_for_turn(self) -> bool:
        """True when it is our turn, false when the game is over."""
        self.page.wait_for_selector(".tray.is-turn, .table.is-over", timeout=60_000)
        return self.page.locator(".table.is-over").count() == 0

    def seq(self) -> str:
        return self.page.locator(".market").get_attribute("data-seq") or ""

    def texts(self, what: str) -> list[int]:
        """Our own numbers: `held` tokens or `bonus`es, colour by colour."""
        script = "(list) => list.map(e => parseInt(e.firstChild?.nodeType === 3 ? e.textContent : e.innerText))"
        seen: list[int] = self.page.locator(f".tray [data-spot^='{what}:']").evaluate_all(script)
        return seen

    def missing(self, card: Card) -> list[int]:
        have = [bonus + held for bonus, held in zip(self.texts("bonus"), self.texts("held"), strict=False)]
        return [max(0, cost - own) for cost, own in zip(card.cost, have, strict=True)]

    def in_sight(self) -> list[Card]:
        ids: list[str] = self.page.locator(".market [data-card], .tray [data-card]").evaluate_all(
            "(l) => l.map(e => e.dataset.card)"
        )
        return [self.cards[i] for i in ids]

    # Pressing.

    def unfold(self, open_: bool) -> None:
        """On a phone the reserved cards are folded away."""
        handle = self.page.locator(".tray__handle")
        if self.touch and handle.is_visible() and (handle.get_attribute("aria-expanded") == "true") != open_:
            self.press(handle)

    # Deciding.

    def play_turn(self) -> None:
        """One whole turn, through whatever it asks."""
        before = self.seq()
        if self.page.locator("[data-give]").count():
            self.give_back()
        elif self.page.locator(".place.is-playable").count():
            self.press(self.page.locator(".place.is-playable").first)
            self.confirm()
        elif self.page.locator(".card.is-playable").count():
            self.recruit()
        elif self.page.locator(".bank .can").count():
            self.take_gems()
        else:
            self.reserve_or_pass()
        self.page.wait_for_function(
            """(before) => {
                const { seq, sending } = document.querySelector('.market').dataset;
                return seq !== before && !sending;
            }""",
            arg=before,
        )  # giving back several tokens is several messages

    def best_playable(self) -> str:
        bonuses = self.texts("bonus")
        ids = self.page.locator(".card.is-playable").evaluate_all("(l) => l.map(e => e.dataset.card)")

        def worth(card: Card) -> float:
            new_colour = 3 if not bonuses[self.colours.index(card.bonus)] else 0
            return card.points * 2 + card.level * 1.5 + new_colour - sum(self.missing(card)) * 0.1

        best: str = max(ids, key=lambda i: worth(self.cards[i]))
        return best

    def recruit(self) -> None:
        card = self.best_playable()
        in_tray = self.page.locator(f".tray [data-card='{card}']").count() > 0
        self.unfold(in_tray)
        self.press(self.page.locator(f"button[data-card='{card}']"))
        self.confirm()
        self.unfold(False)

    def wanted_colours(self) -> list[int]:
        """Colours from the most to the least useful, for the card that is nearest."""
        nearest = min(self.in_sight(), key=lambda card: sum(self.missing(card)) - card.points * 0.7 - card.level * 0.4)
        lacks = self.missing(nearest)
        return sorted(range(5), key=lambda colour: -lacks[colour])

    def take_gems(self) -> None:
        wanted = self.wanted_colours()
        for _ in range(3):
            offered = self.page.locator(".bank .can:not(.picked) [data-pile]").evaluate_all(
                "(l) => l.map(e => +e.dataset.pile - 1)"
            )
            if not offered:
                break
            self.choose_pile(min(offered, key=wanted.index))
        self.confirm_gems()

    def choose_pile(self, colour: int) -> None:
        self.press(self.page.locator(f"[data-pile='{colour + 1}']"))

    def confirm_gems(self) -> None:
        self.confirm()

    def give_back(self) -> None:
        """The tokens that are needed least, several at once; then one button."""
        wanted = self.wanted_colours()
        while self.page.locator(f"{PRIMARY}[aria-disabled='true']").count():
            held = self.page.locator("[data-give]:not(.held--0)").evaluate_all("(l) => l.map(e => +e.dataset.give - 1)")
            coloured = [kind for kind in held if kind < 5]
            self.give(max(coloured or held, key=lambda kind: wanted.index(kind) if kind < 5 else 9))
        self.confirm()

    def give(self, kind: int) -> None:
        self.press(self.page.locator(f"[data-give='{kind + 1}']"))

    def reserve_or_pass(self) -> None:
        if not self.page.locator(PRIMARY).count():
            self.press(self.page.locator(".market button[data-card]").first)
        self.confirm()

    def play_on(self, most: int = 400) -> int:
        """Plays to the end; returns how many decisions that took."""
        for turn in range(most):
            if not self.wait_for_turn():
                return turn
            self.play_turn()
        raise AssertionError(f"No end after {most} decisions.")


class KeyboardHand(Keys, Hand):
    """The same player without a pointer."""

    def reach(self, selector: str) -> None:
        """Walks there: over the table with the arrows, elsewhere with Tab."""
        for _ in range(12):
            arrow = self.page.evaluate(WHICH_ARROW, selector)
            if not arrow:
                break
            self.page.keyboard.press(arrow)
        super().reach(selector)

    def choose_pile(self, colour: int) -> None:
        self.page.keyboard.press(str(colour + 1))

    def give(self, kind: int) -> None:
        self.page.keyboard.press(str(kind + 1))
