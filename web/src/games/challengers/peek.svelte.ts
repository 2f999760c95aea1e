/**
 * A closer look at a card, wherever it lies: a bubble on hover and on keyboard focus, a sheet on a long press, on the key `i`, and on a
 * simple press where the card is not a control for something else. The bubble repeats what the label says: it is not for screen readers.
 */
class Looking {
  now = $state.raw<{ id: string; at: DOMRect } | null>(null);
  /** The card on the sheet. */
  sheet = $state<string | null>(null);
  /** The card that has the focus. */
  focused: string | null = null;
  /** All cards of this tournament, to leaf through. */
  album = $state(false);
  /** The team whose cards seen so far are shown. */
  scout = $state<number | null>(null);
  /** A pile, spread out. */
  pile = $state.raw<{ title: string; note?: string; cards: { id: string; n?: number; place?: string }[] } | null>(null);
}
export const looking = new Looking();

const HOVER = 450;
const PRESS = 450;

export function peek(node: HTMLElement, id: string | null) {
  let told = id;
  let timer = 0;
  let shown = false;
  let looked = 0;
  const show = () => {
    if (!told || !node.isConnected) return;
    shown = true;
    looking.now = { id: told, at: node.getBoundingClientRect() };
  };
  const open = () => {
    if (!told || !node.isConnected) return;
    looked = Date.now();
    looking.sheet = told;
  };
  const later = (ms: number, then = show) => {
    clearTimeout(timer);
    timer = window.setTimeout(then, ms);
  };
  const stop = () => {
    clearTimeout(timer);
    // Later: a card with the focus may be taken away while the page is being drawn.
    if (shown) queueMicrotask(() => (looking.now = null));
    shown = false;
  };
  const on: [string, (event: Event) => unknown][] = [
    ['pointerenter', (e) => (e as PointerEvent).pointerType === 'mouse' && later(HOVER)],
    ['pointerleave', stop],
    ['pointercancel', stop],
    ['pointerdown', (e) => (stop(), (e as PointerEvent).pointerType !== 'mouse' && later(PRESS, open))],
    ['pointerup', (e) => (e as PointerEvent).pointerType !== 'mouse' && stop()],
    // A long press looks; it does not choose.
    ['click', (e) => Date.now() - looked < 1000 && (e.preventDefault(), e.stopImmediatePropagation())],
    ['contextmenu', (e) => Date.now() - looked < 1000 && e.preventDefault()],
    ['focus', () => ((looking.focused = told), node.matches(':focus-visible') && later(HOVER))],
    ['blur', () => ((looking.focused = null), stop())],
    ['keydown', (e) => (e as KeyboardEvent).key === 'Escape' && shown && (e.preventDefault(), stop())],
  ];
  for (const [name, listen] of on) node.addEventListener(name, listen);
  return {
    update(next: string | null) {
      told = next;
    },
    destroy() {
      stop();
      for (const [name, listen] of on) node.removeEventListener(name, listen);
    },
  };
}
