/** The keyboard: arrows walk over the table, digits choose Booths or set tokens, letters decide. */
import type { Said } from './line';
import * as play from './play';
import type { Props } from './play';
import { stage } from './stage.svelte';

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
  const here = (document.activeElement as HTMLElement | null)?.closest<HTMLElement>('.game-king_of_con [data-nav]');
  if (!here) return false;
  const all = [...document.querySelectorAll<HTMLElement>('.game-king_of_con [data-nav]')]
    .map((element) => ({ element, box: element.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0);
  const next = neighbour(here.getBoundingClientRect(), direction, all);
  if (next < 0) return false;
  all[next]!.element.focus();
  all[next]!.element.scrollIntoView({ block: 'nearest' });
  return true;
}

/** Digits typed one after the other make one number, as long as they come quickly. */
let typed = { item: '', text: '', at: 0 };
function number(item: string, digit: string): number {
  const now = Date.now();
  typed = { item, text: typed.item === item && now - typed.at < 900 ? typed.text + digit : digit, at: now };
  return Number(typed.text);
}

export function handleKey(event: KeyboardEvent, p: Props, said: Said | null): void {
  const target = event.target as HTMLElement;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.closest('input, textarea, select, dialog[open]')) return;
  if (stage.scene) {
    const next = event.key === 'ArrowRight' || ((event.key === 'Enter' || event.key === ' ') && !target.closest('button, a, summary, [tabindex="0"]'));
    if (next) stage.next();
    else if (event.key === 'ArrowLeft') stage.back();
    else return;
    return event.preventDefault();
  }
  const arrow = ARROWS[event.key];
  if (arrow) {
    if (walk(arrow)) event.preventDefault();
    return;
  }
  const id = target.closest<HTMLElement>('.game-king_of_con [data-item]')?.dataset['item'];
  const { active } = p.desk;
  // Enter on what is already chosen confirms; on anything else it chooses, as a press does.
  if (event.key === 'Enter' && said?.confirm && id && id === active && target.closest('[data-nav]')) {
    event.preventDefault();
    return said.confirm();
  }
  if (!p.prefs.keys) return;
  const subject = id ?? active;
  if (/^[0-9]$/.test(event.key)) {
    if (id && play.openItems(p).has(id) && play.offering(p)) play.setTokens(p, id, number(id, event.key));
    else if (p.view.phase === 'hid_bid' && event.key >= '1' && event.key <= '4') {
      const item = p.view.booths[Number(event.key) - 1]?.item;
      if (item) play.pressItem(p, item);
    } else return;
  } else if ((event.key === '+' || event.key === '-') && subject && play.offering(p)) play.addTokens(p, subject, event.key === '+' ? 1 : -1);
  else if ((event.key === 'Delete' || event.key === 'Backspace') && subject) play.drop(p, subject);
  else if (event.key === 'b' || (event.key === 'Enter' && target === document.body)) said?.confirm?.();
  else if (event.key === 'r' && stage.scenes.length) stage.replay(!p.prefs.motion);
  else return;
  event.preventDefault();
}
