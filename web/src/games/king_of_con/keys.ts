/** The keyboard: arrows walk over the table, digits choose Booths or set tokens, letters decide. */
import { forBoard, walk } from '@/kit/walk';
import type { Said } from './line';
import * as play from './play';
import type { Props } from './play';
import { stage } from './stage.svelte';

/** Digits typed one after the other make one number, as long as they come quickly. */
let typed = { item: '', text: '', at: 0 };
function number(item: string, digit: string): number {
  const now = Date.now();
  typed = { item, text: typed.item === item && now - typed.at < 900 ? typed.text + digit : digit, at: now };
  return Number(typed.text);
}

export function handleKey(event: KeyboardEvent, p: Props, said: Said | null): void {
  const target = event.target as HTMLElement;
  if (!forBoard(event)) return;
  if (stage.scene) {
    const next =
      event.key === 'ArrowRight' ||
      ((event.key === 'Enter' || event.key === ' ') && !target.closest('button, a, summary, [tabindex="0"]'));
    if (next) stage.next();
    else if (event.key === 'ArrowLeft') stage.back();
    else return;
    return event.preventDefault();
  }
  if (walk('.game-king_of_con', event)) return;
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
  } else if ((event.key === '+' || event.key === '-') && subject && play.offering(p))
    play.addTokens(p, subject, event.key === '+' ? 1 : -1);
  else if ((event.key === 'Delete' || event.key === 'Backspace') && subject) play.drop(p, subject);
  else if (event.key === 'b' || (event.key === 'Enter' && target === document.body)) said?.confirm?.();
  else if (event.key === 'r' && stage.scenes.length) stage.replay(!p.prefs.motion);
  else return;
  event.preventDefault();
}
