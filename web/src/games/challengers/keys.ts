/** The keyboard: digits go to drawn cards, letters mark and decide; in a match space, arrows and s run the story. */
import { forBoard } from '@/kit/walk';
import { arena } from './arena.svelte';
import type { Said } from './line';
import { looking } from './peek.svelte';
import * as play from './play';
import type { Props } from './types';

/** The card with the focus, or all of them. */
function inspect(event: KeyboardEvent): void {
  if (looking.focused) looking.sheet = looking.focused;
  else looking.album = true;
  event.preventDefault();
}

export function handleKey(event: KeyboardEvent, p: Props, said: Said | null): void {
  const target = event.target as HTMLElement;
  if (!forBoard(event)) return;
  const control = target.closest('button, a, summary, [tabindex="0"]');
  if (arena.battle && !arena.atEnd && !p.desk.schedule) {
    if (event.key === ' ' && !control) arena.paused = !arena.paused;
    else if (event.key === 'ArrowRight') {
      arena.paused = true;
      arena.next();
    } else if (event.key === 'ArrowLeft') arena.back();
    else if (p.prefs.keys && event.key === 's') arena.skip();
    else if (p.prefs.keys && (event.key === '1' || event.key === '2')) arena.speed = Number(event.key) as 1 | 2;
    else if (p.prefs.keys && event.key === 'p') arena.paused = !arena.paused;
    else if (p.prefs.keys && event.key === 'i') inspect(event);
    else return;
    return event.preventDefault();
  }
  if (!p.prefs.keys) return;
  if (event.key === 'i') return inspect(event);
  const place = Number(target.closest<HTMLElement>('[data-place]')?.dataset['place'] ?? 0);
  if (/^[1-5]$/.test(event.key) && play.stepOf(p)) {
    const card = document.querySelector<HTMLElement>(`[data-place="${event.key}"] .fan__card`);
    if (!card) return;
    card.focus();
  } else if (event.key === 'k' && place) play.toggleKeep(p, place);
  else if (event.key === 'r' && place) play.toggleOut(p, place);
  else if (event.key === 'b' || (event.key === 'Enter' && target === document.body)) said?.confirm?.();
  else if (event.key === 't' && !play.questionFor(p)) p.desk.schedule = !p.desk.schedule;
  else return;
  event.preventDefault();
}
