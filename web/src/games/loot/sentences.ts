/** Facts, squares and previews as words. */
import type { LogLine, Part, Piece, Result, Telling, Words } from '../board';
import { columnOf, rowOf, standAt } from './drawing';
import { walkOf } from './offers';
import { SENTENCES, type Event, type EventOf, type Said } from './facts';
import { sentences } from '../said';
import type { Ability, Choice, Gain, Hall, Player, Props, Reason, Sheet, View, Walk } from './types';

export const place = (t: Words, square: number) =>
  t('square', { row: rowOf(square) + 1, column: columnOf(square) + 1 });
export const listed = (t: Words, items: string[]) =>
  new Intl.ListFormat(t.lang, { type: 'unit', style: 'short' }).format(items);
export const hallName = (t: Words, hall: Pick<Hall, 'colour' | 'size'>) =>
  t('hall', { colour: hall.colour, size: hall.size });
export const abilityPiece = (t: Words, ability: Ability): Piece => ({
  as: 'ability',
  text: t(`ability.${ability}`),
  ability,
});

// ── What a walk brings ───────────────────────────────────────

/** The reason of a gain: "Green pair". */
export function reasonOf(t: Words, gain: Gain): string {
  switch (gain.kind) {
    case 'row':
      return t('gain.row', { n: gain.number });
    case 'column':
      return t('gain.column', { n: gain.number });
    case 'hall':
      return hallName(t, { colour: gain.colour, size: gain.size });
    case 'meeps':
      return t('gain.meeps', { n: gain.space });
    case 'combo':
      return t('combo', { line: gain.line });
    default:
      return t(`ability.${gain.ability}`);
  }
}

export interface Told {
  reason: string;
  points: number;
  ability: Ability | null;
}

/** Gains with their reasons; an ability stands beside what brought it. */
export function gainsOf(t: Words, gains: Gain[]): Told[] {
  const told: Told[] = [];
  for (const gain of gains) {
    if (gain.kind === 'gained') {
      const last = told.at(-1);
      if (last) last.ability = gain.ability;
    } else told.push({ reason: reasonOf(t, gain), points: gain.points, ability: null });
  }
  return told;
}

/** "5 points and plus or minus one", "nothing now". */
export function worthText(t: Words, choice: Walk): string {
  const abilities = choice.gains.filter((gain) => gain.kind === 'gained').map((gain) => t(`ability.${gain.ability}`));
  const points = choice.points ? [t('points', { n: choice.points })] : [];
  return listed(t, [...points, ...abilities]) || t(choice.mark === 'x' ? 'worth.cross' : 'worth.visit');
}

/** For the action line: a small coin for each reason. */
export function gainPieces(t: Words, choice: Walk): Part[] {
  const told = gainsOf(t, choice.gains);
  if (!told.length) return [t(choice.mark === 'x' ? 'worth.cross' : 'worth.visit')];
  return told.flatMap((one, n) => {
    const points = one.points ? `+${one.points} ` : '';
    const ability = one.ability ? `: ${t(`ability.${one.ability}`)}` : '';
    const text = points + one.reason + ability + (n < told.length - 1 ? ', ' : '');
    return [{ as: 'gain', text, ...one }];
  });
}

// ── Squares and sheets for a screen reader ───────────────────

export function squareLabel(p: Props, player: Player, square: number, choice: Choice | undefined): string {
  const { t, view } = p;
  const mark = player.marks[square];
  const parts = [
    place(t, square),
    t(`stand.${standAt(view.sheet.grid, square)}`),
    t(mark === 'x' ? 'mark.cross' : mark === '/' ? 'mark.slash' : 'mark.clean'),
  ];
  if (square === player.pawn) parts.push(t('pawn.here'));
  const walk = walkOf(choice);
  if (choice) parts.push(walk ? t('target.walk', { worth: worthText(t, walk) }) : t('target.stand'));
  const text = parts.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function sheetLabel(t: Words, sheet: Sheet, player: Player, name: string): string {
  return t('sheet.label', {
    name,
    visited: [...player.marks].filter((mark) => mark !== '.').length,
    halls: player.halls.filter((hall) => hall.closed).length,
    all: sheet.halls.length,
    meeps: player.meeps,
    meepsall: sheet.meeps_track.length,
    lines: [...player.rows, ...player.columns].filter((n) => n === 7).length,
    pawn: player.pawn === null ? t('pawn.none') : place(t, player.pawn),
  });
}

// ── The log ──────────────────────────────────────────────────

/** Seen on the sheet or told by another line. */
const SILENT = new Set(['walked', 'wrote']);

const inWords = sentences<Said, View, Event>(SENTENCES, {
  square: (square, { t }) => place(t, square),
  dice: (dice) => dice.join(', '),
  ability: (ability, { t }) => abilityPiece(t, ability),
  hall: (colour, { t }, event) => ({
    as: 'strong',
    text: t('the_hall', { colour, size: (event as EventOf<'hall'>).size }),
  }),
  line: (line, { t }) => ({ as: 'strong', text: t('the_combo', { line }) }),
});

export function describe(event: Event, telling: Telling<View>): LogLine | null {
  if (SILENT.has(event.kind) || (event.kind === 'slashed' && event.stand === 'meeps')) return null;
  if (event.kind === 'rolled' && !event.first) return null;
  const parts = inWords(event, telling);
  if (event.kind === 'new_round') return { kind: 'round', parts };
  return event.seat === null ? { parts } : { seat: event.seat, parts };
}

export const turned = (event: Event, telling: Telling<View>): Part[] | null =>
  event.kind === 'rolled' && !event.first ? inWords(event, telling) : null;

// ── Waiting, and the end ─────────────────────────────────────

export function awaited(view: View, telling: Telling<View>): { title?: Part[] } | null {
  if (view.phase === 'order') return { title: telling.t.parts('wait.order', { name: telling.player(0) }) };
  return null;
}

/** What decided between equals, and who closed the fair. */
export function reasons(result: Result, seat: number, { t }: Telling<View>): Part[][] {
  const all = result.reasons as unknown as Reason[];
  const mine = all[seat]!;
  const lines: Part[][] = [];
  if (mine.idle) lines.push(t.parts('reason.idle'));
  else lines.push(t.parts(mine.bonus ? 'reason.closed' : 'reason.scores', { n: mine.scores, bonus: mine.bonus }));
  if (mine.tied) {
    const shared = result.ranks.some((rank, n) => n !== seat && rank === result.ranks[seat]);
    lines.push(t.parts(shared ? 'reason.shared' : 'reason.crosses', { n: mine.crosses }));
  }
  return lines;
}
