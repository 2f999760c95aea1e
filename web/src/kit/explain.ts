/**
 * Every symbol explains itself. What a screen reader is told about it (its `title`, the label of a picture, the hidden words
 * beside a number) is shown in a bubble: on hover, on keyboard focus (`symbols.ts` lets it be reached), and on a long press
 * where nothing hovers. One listener serves a whole board, so a symbol needs nothing but the words it has anyway.
 */
import { hide, press, show } from './hint';

const LONG_PRESS = 500;
const A_MOMENT = 350;
/** How far up from what was touched the words may be; a picture is one level, whichever part of it was touched. */
const LEVELS = 3;
const PICTURE = 'svg, [role="img"]';
const within = (node: Element) => node.parentElement?.closest(PICTURE) != null;
/** Hidden words beside something are about it; those of a live region are about the whole table. */
const BESIDE = ':scope > .visually-hidden:not([role], [aria-live])';

/** The nearest thing with words of its own, and the words; null where there is nothing but plain text. */
export function wordsOf(target: Element, hovering: boolean): { node: Element; text: string } | null {
  let node: Element | null = target;
  for (let level = 0; node && level < LEVELS; level += within(node) ? 0 : 1, node = node.parentElement) {
    const title = node.getAttribute('title');
    if (title) return hovering ? null : { node, text: title }; // the browser shows titles on hover by itself
    if (node.getAttribute('role') === 'img') {
      const label = node.getAttribute('aria-label');
      if (label) return { node, text: label };
    }
    if (node.matches('table, fieldset, section')) return null; // their hidden words are a heading for all that is inside
    if (node.querySelector(BESIDE) && !node.closest('.log, .chat')) return { node, text: spoken(node) };
    if (node.matches('button, a, [role=button], p, li')) return null; // the rest is about something else
  }
  return null;
}

/** The text of a thing as it is read out. */
function spoken(node: Element): string {
  const copy = node.cloneNode(true) as Element;
  for (const silent of copy.querySelectorAll('[aria-hidden="true"]')) silent.remove();
  return (copy.textContent ?? '').replace(/\s+/g, ' ').trim();
}

export function explain(board: HTMLElement): () => void {
  let timer = 0;
  /** A finger rests on something that has words. */
  let resting: (() => void) | null = null;
  const later = (event: Event, ms: number, hovering: boolean, done = () => {}) => {
    stop();
    const target = event.target as Element;
    if (!wordsOf(target, hovering)) return null;
    const answer = () => {
      clearTimeout(timer);
      // What was there may have been drawn anew meanwhile: the words are those of now.
      const now = target.isConnected || !(event instanceof PointerEvent) ? target : under(event);
      const found = now && wordsOf(now, hovering);
      if (!found?.node.isConnected) return;
      show(found.node, found.text);
      done();
    };
    timer = window.setTimeout(answer, ms);
    return answer;
  };
  const under = ({ clientX, clientY }: PointerEvent) => document.elementFromPoint(clientX, clientY);
  const stop = () => {
    if (timer) hide();
    clearTimeout(timer);
    timer = 0;
    resting = null;
  };
  const lift = () => {
    if (!press.asked) stop();
    resting = null;
  };
  const listeners: [keyof HTMLElementEventMap, (event: never) => void, boolean?][] = [
    ['pointerover', (event: PointerEvent) => event.pointerType === 'mouse' && later(event, A_MOMENT, true)],
    ['pointerout', (event: PointerEvent) => event.pointerType === 'mouse' && stop()],
    [
      'pointerdown',
      (event: PointerEvent) => {
        press.asked = false;
        if (event.pointerType === 'mouse') stop();
        else resting = later(event, LONG_PRESS, false, () => (press.asked = true));
      },
      true,
    ],
    ['pointerup', lift],
    ['pointercancel', lift],
    [
      'focusin',
      (event: FocusEvent) => (event.target as Element).matches(':focus-visible') && later(event, A_MOMENT, false),
    ],
    ['focusout', stop],
    [
      'keydown',
      (event: KeyboardEvent) => {
        press.asked = false;
        if (event.key === 'Escape') stop();
      },
      true,
    ],
    [
      // Where the system's long press is shorter than ours, it is the one that asks; no menu comes over the answer.
      'contextmenu',
      (event: MouseEvent) => {
        if (!resting && !press.asked) return;
        event.preventDefault();
        event.stopPropagation();
        if (!press.asked) resting?.();
      },
      true,
    ],
    [
      'click',
      (event: MouseEvent) => {
        if (!press.asked) return;
        press.asked = false;
        event.preventDefault();
        event.stopPropagation();
      },
      true,
    ],
  ];
  for (const [name, listen, capture] of listeners) board.addEventListener(name, listen as EventListener, capture);
  return () => {
    stop();
    for (const [name, listen, capture] of listeners) board.removeEventListener(name, listen as EventListener, capture);
  };
}
