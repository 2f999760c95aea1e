/** A search for balance: wishes and cells as a page keeps them, and as `ludoteca tune` reads them. */
import { number, percent, signed, type Figure } from './report';
import type { DeckRow } from '@/games/board';
import { t } from '@/state/studio_words.svelte';
import type { DeckForm } from '@/wire';

/** What can be wished for; in their sentences stand the slots of `SLOTS`. */
export const WISHES = ['seats', 'rounds', 'card', 'worth', 'taken', 'level', 'leads', 'decided', 'halfway'] as const;
export type WishKind = (typeof WISHES)[number];
export type Slot = 'card' | 'level' | 'how' | 'n' | 'slack';

export interface Wish {
  what: WishKind;
  card: string;
  level: string;
  how: 'most' | 'least';
  n: number;
  slack: number;
}

export interface Cell {
  /** The id of a row, «level=1» for all of a level, or nothing: a part of a sheet. */
  row: string;
  /** A column; of a sheet, the way to a number. */
  column: string;
  low: number;
  high: number;
}

/** What is kept in this browser of a search. */
export interface Plan {
  wishes: Wish[];
  cells: Cell[];
  bot: string;
  deals: number;
  tries: number;
  /** The search that follows it, while the house knows it, and of which deck it is. */
  id: string;
  deck: string;
}

export interface Proposed {
  chosen: (number | string)[];
  values: (number | null)[];
  met: boolean[];
  /** On other deals; none while it has not been checked. */
  again: (number | null)[];
  again_met: boolean[];
  change: number;
  /** The deck as a file, and what is in it. */
  deck: string;
  content: unknown;
  costs: Figure[] | null;
  looked_at: number;
}

export interface Found {
  /** How far each deck was from the wishes, in the order in which they were tried; null: it breaks a bound. */
  tried: (number | null)[];
  met: number;
  as_it_was: (number | null)[];
  start: (number | string)[];
  proposals: Proposed[];
}

const START: Record<WishKind, number> = {
  seats: 2, rounds: 28, card: 55, worth: 2, taken: 20, level: 60, leads: 3, decided: 60, halfway: 70,
}; // prettier-ignore
const LEAST: WishKind[] = ['taken', 'leads', 'decided'];

export const newWish = (what: WishKind, card: string, level: string): Wish => ({
  what,
  card,
  level,
  how: LEAST.includes(what) ? 'least' : 'most',
  n: START[what],
  slack: 1,
});

const HOW = { most: 'at most', least: 'at least' };

/** As the command reads it. */
export function wishText(wish: Wish, sheet: boolean): string {
  const card = sheet ? `combo ${wish.card}` : wish.card;
  const bound = `${HOW[wish.how]} ${wish.n}`;
  const texts: Record<WishKind, string> = {
    seats: `seats within ${wish.n} %`,
    rounds: `${wish.n} rounds, give or take ${wish.slack}`,
    card: `${card} ${bound} %`,
    worth: `${card} worth ${bound}`,
    taken: `${card} taken by ${bound} %`,
    level: `no card of level ${wish.level} above ${wish.n} %`,
    leads: `${bound} changes of the lead`,
    decided: `decided after ${bound} %`,
    halfway: `who led halfway won ${bound} %`,
  };
  return texts[wish.what];
}

export const cellText = (cell: Cell): string => {
  const by = cell.row.includes('=');
  const range = by ? `${cell.low}..${cell.high < 0 ? '' : '+'}${cell.high}` : `${cell.low}..${cell.high}`;
  return [cell.row, cell.column, range].filter(Boolean).join(' ');
};

/** A wish as a sentence: its words, and between them its slots. */
export function partsOf(what: WishKind): (string | Slot)[] {
  const slots = Object.fromEntries(SLOTS.map((one) => [one, `\u0001${one}\u0001`]));
  const said = t(`wish.${what}`, slots);
  return said.split('\u0001').filter(Boolean);
}
export const SLOTS: string[] = ['card', 'level', 'how', 'n', 'slack'];

export function wishSaid(wish: Wish, titleOf: (id: string) => string): string {
  const n = ['rounds', 'leads'].includes(wish.what)
    ? number(wish.n)
    : wish.what === 'worth'
      ? signed({ percent: false }, wish.n)
      : percent(wish.n / 100);
  const values = {
    card: titleOf(wish.card),
    level: wish.level,
    how: t(`wish.${wish.how}`),
    n,
    slack: number(wish.slack),
  };
  return t(`wish.${wish.what}`, values);
}

/** What became of a wish. */
export function valueSaid(wish: Wish, value: number | null | undefined): string {
  if (value === null || value === undefined) return t('tune.too_few');
  if (wish.what === 'worth') return signed({ percent: true }, value);
  return ['rounds', 'leads'].includes(wish.what) ? number(value, 2) : percent(value);
}

/** The rows that a wish or a cell can be about, by id. */
export function subjects(form: DeckForm, content: unknown): { id: string; title: string }[] {
  if (form.sheet) {
    const combos = (content as { combos?: Record<string, unknown> }).combos ?? {};
    return Object.keys(combos).map((id) => ({ id, title: `${t('had.combo')} ${id}` }));
  }
  return (content as DeckRow[])
    .filter((row) => row['id'])
    .map((row) => ({ id: row['id']!, title: (t.lang === 'it' && row['name_it']) || row['name'] || row['id']! }));
}

export const levelsOf = (content: unknown): string[] =>
  Array.isArray(content) ? [...new Set((content as DeckRow[]).flatMap((row) => row['level'] || []))].sort() : [];

/** The columns of numbers that a row has; of a sheet, the ways to its numbers. */
export function columnsOf(form: DeckForm, content: unknown, row: string): string[] {
  if (form.sheet) return waysTo(content, []);
  const meant = rowOf(content, row);
  return form.columns
    .filter((one) => one.sort === 'number' && /^-?\d+$/.test(meant?.[one.key] ?? ''))
    .map((one) => one.key);
}

const rowOf = (content: unknown, row: string): DeckRow | undefined => {
  const [column, value] = row.split('=');
  return (content as DeckRow[]).find((one) => (value ? one[column!] === value : one['id'] === row));
};

function waysTo(part: unknown, way: string[]): string[] {
  if (typeof part === 'number') return [way.join(' ')];
  if (!part || typeof part !== 'object' || way[0] === 'grid') return [];
  const inner: [string, unknown][] = Array.isArray(part)
    ? part.map((one, n): [string, unknown] => [String(n + 1), one])
    : Object.entries(part);
  return inner.flatMap(([key, value]) => waysTo(value, [...way, key]));
}

/** What stands in a cell; of all cards of a level nothing is added yet. */
export function valueAt(form: DeckForm, content: unknown, cell: { row: string; column: string }): number {
  if (cell.row.includes('=')) return 0;
  if (!form.sheet) return Number(rowOf(content, cell.row)?.[cell.column] ?? 0);
  let part: unknown = content;
  for (const step of cell.column.split(' '))
    part = Array.isArray(part) ? part[Number(step) - 1] : (part as Record<string, unknown> | undefined)?.[step];
  return Number(part ?? 0);
}

export function newCell(form: DeckForm, content: unknown, row: string, column: string): Cell {
  const now = valueAt(form, content, { row, column });
  if (row.includes('=')) return { row, column, low: -1, high: 1 };
  return { row, column, low: Math.max(0, now - 2), high: now + 2 };
}

/** The best so far after each deck, for a line that only falls. */
export function bestSoFar(tried: Found['tried']): (number | null)[] {
  let best: number | null = null;
  return tried.map((one) => (best = one === null ? best : best === null ? one : Math.min(best, one)));
}

const place = (game: string, form: string) => `ludoteca:search:${game}:${form}`;

export function keepPlan(game: string, form: string, plan: Plan): void {
  try {
    localStorage.setItem(place(game, form), JSON.stringify(plan));
  } catch {
    // A browser that keeps nothing: the search lives as long as the page.
  }
}

export function planOf(game: string, form: string): Plan | null {
  try {
    return JSON.parse(localStorage.getItem(place(game, form)) ?? 'null') as Plan | null;
  } catch {
    return null;
  }
}
