/** Reads the choices the server sent: which squares can be chosen now, and what is chosen. Computes no rule. */
import type { Ability, Choice, Move, Player, Props, Sealed, SealedWalk, Walk } from './types';

/** The kinds of choice that are shown while this ability is held ready (or none). */
const KINDS: Record<Ability | 'none', Choice['kind'][]> = {
  none: ['start', 'walk', 'relocate', 'stay'],
  wrap: ['walk_wrap'],
  plus_minus: ['walk_minus', 'walk_plus'],
};

export const withAbility = (choices: Choice[], ability: Ability) =>
  choices.filter((choice) => KINDS[ability].includes(choice.kind));

const leads = (choice: Choice): choice is Move => 'to' in choice;
export function walkOf(choice: Choice | null | undefined): Walk | null;
export function walkOf(choice: Sealed | null): SealedWalk | null;
export function walkOf(choice: Choice | Sealed | null | undefined): SealedWalk | null {
  return choice && 'path' in choice ? choice : null;
}

/** The choices by the square they lead to. */
export function targets(p: Props): Map<number, Move> {
  const kinds = KINDS[p.desk.using ?? 'none'];
  const found = p.choices.filter(leads).filter((choice) => kinds.includes(choice.kind));
  return new Map(found.map((choice) => [choice.to, choice]));
}

/** The choice that is chosen and not yet sent. */
export const picked = (p: Props): Move | null => (p.desk.pick === null ? null : (targets(p).get(p.desk.pick) ?? null));

/** What the drawing previews: the chosen square, else the one under pointer or focus; then what we have sealed. */
export function previewed(p: Props): Sealed | null {
  const hovered = p.desk.hover === null ? null : (targets(p).get(p.desk.hover) ?? null);
  return picked(p) ?? hovered ?? p.view.you?.sealed ?? null;
}

export const mayMove = (p: Props) => p.choices.some(leads);

/** The seat whose sheet lies on the board: one's own, or the first for those who watch. */
export const shownSeat = (p: Props) => p.me ?? 0;
export const shownPlayer = (p: Props): Player => p.view.players[shownSeat(p)]!;

/** Why nobody can go to this square now. */
export function whyNot(p: Props, square: number): string {
  const { t, view, choices, desk } = p;
  if (p.me === null) return t('watching');
  if (!choices.length) return t('pick.moved');
  if (view.phase !== 'move') return t(view.phase === 'start' ? 'why.choose_start' : 'why.choose_order');
  if (desk.using) return t('pick.ability');
  if (choices.some((choice) => choice.kind === 'relocate')) return t('why.not_clean');
  if (view.players[p.me]!.marks[square] === 'x') return t('why.crossed');
  return t('pick.not_there', { n: view.dice[0] ?? 0 });
}

export function pick(p: Props, square: number): void {
  if (p.busy) return;
  const choice = targets(p).get(square);
  if (!choice) {
    if (!p.over) p.notice(whyNot(p, square));
    return;
  }
  if (p.desk.pick === square) void send(p);
  else p.desk.pick = square;
}

export async function send(p: Props): Promise<void> {
  const action =
    p.desk.order ??
    picked(p)?.action ??
    p.choices.find((choice) => choice.kind === 'stay' && p.desk.using === null)?.action;
  if (action === undefined || p.busy) return;
  await p.act(action);
}

export function useAbility(p: Props, ability: Ability): void {
  const { desk } = p;
  if (desk.using === ability) {
    desk.using = desk.pick = null;
    return;
  }
  const player = p.me === null ? null : p.view.players[p.me];
  if (!player || !p.choices.length) return;
  if (!player.abilities[ability]) p.notice(p.t('ability.no', { ability }));
  else if (!withAbility(p.choices, ability).length) p.notice(p.t('ability.useless', { ability, n: p.view.dice[0] }));
  else {
    desk.using = ability;
    desk.pick = null;
  }
}

export function drop(p: Props): void {
  p.desk.clear();
}
