/**
 * A closer look at a card or place: on hover, on keyboard focus, on a long press. It repeats what the label already says, so
 * screen readers are not given it.
 */
import type { EditionName } from './types';

export interface Peek {
  edition: EditionName;
  kind: 'card' | 'place' | 'back';
  id: string;
  /** For a back: its level. */
  level?: number;
  /** What the viewer could do with it. */
  note?: string;
  /** Good news: shown in brass. */
  good?: boolean;
}

class Peeking {
  now = $state.raw<(Peek & { at: DOMRect; node: HTMLElement }) | null>(null);
  #unasked = false;

  /** Moves the keyboard to where nobody asked it to go: that is no wish for a closer look. */
  focusUnasked(node: HTMLElement | null) {
    this.#unasked = true;
    node?.focus({ preventScroll: true });
    this.#unasked = false;
  }

  /** Somebody has come to this by keyboard. */
  wished(node: HTMLElement) {
    return !this.#unasked && node.matches(':focus-visible');
  }
}
export const peeking = new Peeking();

const HOVER = 450;
const PRESS = 500;

export function peek(node: HTMLElement, what: Peek | null) {
  let told = what;
  let timer = 0;
  let shown = false;
  let looked = 0;
  const show = () => {
    if (!told || !node.isConnected) return;
    shown = true;
    peeking.now = { ...told, node, at: node.getBoundingClientRect() };
  };
  const later = (ms: number) => {
    clearTimeout(timer);
    timer = window.setTimeout(show, ms);
  };
  const stop = () => {
    clearTimeout(timer);
    // Later, because the thing looked at may be leaving the page just now.
    if (shown) queueMicrotask(() => peeking.now?.node === node && (peeking.now = null));
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
    ['focus', () => peeking.wished(node) && later(HOVER)],
    ['blur', stop],
    ['keydown', (e) => (e as KeyboardEvent).key === 'Escape' && stop()],
  ];
  for (const [name, listen] of on) node.addEventListener(name, listen);
  return {
    update(next: Peek | null) {
      told = next;
    },
    destroy() {
      stop();
      for (const [name, listen] of on) node.removeEventListener(name, listen);
    },
  };
}
