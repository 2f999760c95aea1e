/** Which rows of a deck are looked at: by a word, and by the few values of a column such as levels and colours. */
import type { DeckRow } from '@/games/board';
import type { DeckColumn } from '@/wire';

const MOST_COLUMNS = 2;
const MOST_VALUES = 6; // a longer list is found by typing

export interface Sieve {
  column: DeckColumn;
  values: string[];
}

/** The columns in which these rows have few values: their level first, then what is chosen from a list. */
export function sieves(columns: DeckColumn[], rows: DeckRow[]): Sieve[] {
  return columns
    .filter((column) => column.key === 'level' || column.sort === 'choice')
    .sort((a, b) => Number(b.key === 'level') - Number(a.key === 'level'))
    .map((column) => {
      const met = new Set(rows.map((row) => row[column.key] ?? '').filter(Boolean));
      const inOrder = column.values.filter((value) => met.has(value));
      return { column, values: inOrder.length === met.size ? inOrder : [...met].sort() };
    })
    .filter(({ values }) => values.length > 1 && values.length <= MOST_VALUES)
    .slice(0, MOST_COLUMNS);
}

/** The title most like what was looked for; none, if nothing is like it. */
export function nearest(find: string, titles: string[]): string | undefined {
  const wanted = find.trim().toLowerCase();
  const [best] = titles
    .filter(Boolean)
    .map((title) => ({ title, apart: apart(wanted, title.toLowerCase()) }))
    .sort((a, b) => a.apart - b.apart);
  return best && best.apart <= Math.max(1, wanted.length / 2) ? best.title : undefined;
}

/** How many letters one would change, add or leave out to write a word of the title, or all of it. */
function apart(wanted: string, title: string): number {
  return Math.min(...[title, ...title.split(/\s+/)].map((word) => letters(wanted, word)));
}

function letters(a: string, b: string): number {
  let last = [...Array(b.length + 1).keys()];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(last[j]! + 1, next[j - 1]! + 1, last[j - 1]! + Number(a[i - 1] !== b[j - 1])));
    last = next;
  }
  return last[b.length]!;
}
