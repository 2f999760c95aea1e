/** The keyboard: arrows choose a direction, one key readies an ability, Enter walks. */
import { forBoard } from '@/kit/walk';
import type { Said } from './line';
import { columnOf, rowOf, SIDE } from './drawing';
import { mayMove, shownPlayer, targets, useAbility, walkOf } from './offers';
import type { Direction, Props } from './types';

const ARROWS: Record<string, Direction> = { ArrowUp: 'up', ArrowRight: 'right', ArrowDown: 'down', ArrowLeft: 'left' };
const NEXT: Record<Direction, [number, number]> = { up: [-1, 0], right: [0, 1], down: [1, 0], left: [0, -1] };

const cell = (square: number) => document.querySelector<HTMLElement>(`.game-loot .board [data-square="${square}"]`);
const focusOn = (square: number) => cell(square)?.focus();

/** Chooses the walk in this direction; with plus or minus one, a second press takes the other distance. */
function choose(p: Props, direction: Direction): void {
  const there = [...targets(p).values()].filter((choice) => walkOf(choice)?.direction === direction);
  const now = there.findIndex((choice) => choice.to === p.desk.pick);
  const next = there[(now + 1) % there.length];
  if (!next) {
    p.notice(p.t('direction.closed', { direction }));
    return;
  }
  p.desk.pick = next.to;
  focusOn(next.to);
}

/** Looks at the neighbouring square. */
function look(p: Props, direction: Direction): void {
  const focused = (document.activeElement as HTMLElement | null)?.dataset['square'];
  const from = focused === undefined ? (p.desk.pick ?? shownPlayer(p).pawn ?? 0) : Number(focused);
  const [down, right] = NEXT[direction];
  const row = Math.min(SIDE - 1, Math.max(0, rowOf(from) + down));
  const column = Math.min(SIDE - 1, Math.max(0, columnOf(from) + right));
  focusOn(row * SIDE + column);
}

function nextTarget(p: Props): void {
  const all = [...targets(p).keys()].sort((a, b) => a - b);
  const from = Number((document.activeElement as HTMLElement | null)?.dataset['square'] ?? -1);
  focusOn(all.find((square) => square > from) ?? all[0] ?? -1);
}

export function handleKey(event: KeyboardEvent, p: Props, said: Said | null): void {
  const target = event.target as HTMLElement;
  if (!forBoard(event, ', [role="tab"], .side')) return;
  const direction = ARROWS[event.key];
  if (direction) {
    const walking = [...targets(p).values()].some(walkOf);
    if (walking && !event.shiftKey) choose(p, direction);
    else if (target.closest('.cells') || (mayMove(p) && target === document.body) || event.shiftKey) look(p, direction);
    else return;
    event.preventDefault();
    return;
  }
  // Enter on a square presses it (and so walks, if it is the one chosen); anywhere else on the page it confirms.
  if (event.key === 'Enter' && (target === document.body || target.matches('main, #board'))) {
    if (!said?.confirm) return;
    said.confirm();
    event.preventDefault();
    return;
  }
  if (!p.prefs.keys || event.shiftKey) return;
  if (event.key === 'w') useAbility(p, 'wrap');
  else if (event.key === 'p') useAbility(p, 'plus_minus');
  else if (event.key === 'n') nextTarget(p);
  else return;
  event.preventDefault();
}
