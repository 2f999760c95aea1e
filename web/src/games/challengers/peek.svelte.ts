/**
 * A closer look at a card, wherever it lies: on hover, on keyboard focus, on a long press. Where a card is not a control for something
 * else, pressing it opens the same on a sheet. It repeats what the label says, so screen readers are not given the bubble.
 */
class Looking {
  now = $state.raw<{ id: string; at: DOMRect } | null>(null);
  /** The card on the sheet. */
  sheet = $state<string | null>(null);
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
  const later = (ms: number) => {
    clearTimeout(timer);
    timer = window.setTimeout(show, ms);
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
    ['pointerdown', (e) => ((e as PointerEvent).pointerType === 'mouse' ? stop() : (stop(), later(PRESS)))],
    [
      'pointerup',
      (e) => {
        if ((e as PointerEvent).pointerType === 'mouse') return;
        if (shown) looked = Date.now();
        stop();
      },
    ],
    // A long press looks; it does not choose.
    ['click', (e) => Date.now() - looked < 400 && (e.preventDefault(), e.stopImmediatePropagation())],
    ['contextmenu', (e) => shown && e.preventDefault()],
    ['focus', () => node.matches(':focus-visible') && later(HOVER)],
    ['blur', stop],
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
