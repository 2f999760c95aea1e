/** The keyboard: arrows walk over the table, digits choose gems, letters decide. */
import { JOKER } from './components';
import type { Said } from './line';
import * as play from './play';
import type { Props } from './play';

const ARROWS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The nearest thing in that direction; what lies straight ahead counts as nearer. */
export function neighbour(from: DOMRect, [dx, dy]: [number, number], others: { box: DOMRect }[]): number {
  const middle = (box: DOMRect) => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 });
  const here = middle(from);
  let best = -1;
  let least = Infinity;
  others.forEach(({ box }, n) => {
    const there = middle(box);
    const ahead = (there.x - here.x) * dx + (there.y - here.y) * dy;
    const aside = Math.abs((there.x - here.x) * dy) + Math.abs((there.y - here.y) * dx);
    if (ahead < 4) return;
    const far = ahead + aside * 2.5;
    if (far < least) [best, least] = [n, far];
  });
  return best;
}

function walk(direction: [number, number]): boolean {
  const all = [...document.querySelectorAll<HTMLElement>('.game-splendor [data-nav]')]
    .map((element) => ({ element, box: element.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0);
  const focused = document.activeElement as HTMLElement | null;
  const here = focused?.closest<HTMLElement>('.game-splendor [data-nav]');
  if (!here) return false;
  const next = neighbour(here.getBoundingClientRect(), direction, all);
  if (next < 0) return false;
  all[next]!.element.focus();
  all[next]!.element.scrollIntoView({ block: 'nearest' });
  return true;
}

export function handleKey(event: KeyboardEvent, p: Props, said: Said | null): void {
  const target = event.target as HTMLElement;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.closest('input, textarea, select, dialog[open]')) return;
  const arrow = ARROWS[event.key];
  if (arrow) {
    if (walk(arrow)) event.preventDefault();
    return;
  }
  // Enter on what is already chosen confirms; on anything else it chooses, as a press does.
  if (event.key === 'Enter' && said?.confirm && target.closest('.game-splendor [data-nav][aria-pressed="true"]')) {
    const pile = target.closest<HTMLElement>('[data-pile]');
    if (pile && play.pileState(p, Number(pile.dataset['pile']) - 1) === 'twice') return;
    event.preventDefault();
    said.confirm();
    return;
  }
  if (!p.prefs.keys) return;
  const digit = /^[1-6]$/.test(event.key) ? Number(event.key) - 1 : -1;
  if (digit >= 0) {
    if (p.view.phase === 'return') play.give(p, digit);
    else if (p.view.phase === 'pay') play.swap(p, digit);
    else if (digit < JOKER) play.pressPile(p, digit);
  } else if (event.key === 'b' || (event.key === 'Enter' && target === document.body)) said?.confirm?.();
  else if (event.key === 'r') play.reserve(p);
  else return;
  event.preventDefault();
}
