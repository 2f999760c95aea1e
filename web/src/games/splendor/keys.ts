/** The keyboard: arrows walk over the table, digits choose gems, letters decide. */
import { forBoard, walk } from '@/kit/walk';
import { JOKER } from './components';
import type { Said } from './line';
import * as play from './play';
import type { Props } from './play';

export function handleKey(event: KeyboardEvent, p: Props, said: Said | null): void {
  const target = event.target as HTMLElement;
  if (!forBoard(event)) return;
  if (walk('.game-splendor', event)) return;
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
