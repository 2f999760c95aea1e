/** How large a deck is, in the game's own words: «90 cards, 8 places». */
import type { DeckRow } from '@/games/board';
import type { DeckForm } from '@/wire';
import { format, plain } from '@/words';
import type { Sheet } from './sheet.svelte';

/** The kind of every row, where a form has no kinds. */
export const ROW = 'row';

export const kindName = (form: DeckForm, kind: string): string => form.words[`kind.${kind}`] ?? kind;

export const counted = (form: DeckForm, kind: string, n: number): string =>
  plain(format(form.words[`count.${kind}`] ?? `{n} ${kind}`, { n }));

export function countOf(form: DeckForm): string {
  if (form.sheet) return form.title;
  const rows = form.content as DeckRow[];
  const kinds = form.kinds.length ? form.kinds : [ROW];
  return kinds
    .map((kind) => counted(form, kind, rows.filter((row) => (row['kind'] ?? ROW) === kind).length))
    .join(', ');
}

/** What a row is called: by its title, or by what stands in the columns that only its kind has. */
export function rowName(form: DeckForm, row: DeckRow): string {
  const kind = row['kind'] ?? ROW;
  const own = form.columns.filter((one) => one.kinds.includes(kind)).slice(0, 2);
  const told = own.map((one) => `${one.label || one.key} ${row[one.key] || '–'}`).join(', ');
  return row['name'] || row['id'] || `${kindName(form, kind)}: ${told}`;
}

/** Rows by level, those that were changed first. */
export function ordered(sheet: Sheet, rows: number[]): { level: string; rows: number[] }[] {
  const levelOf = (row: number) => sheet.rows[row]!['level'] ?? '';
  const touched = (row: number) => Number(sheet.isTouched(sheet.rows[row]!));
  return [...new Set(rows.map(levelOf))].map((level) => ({
    level,
    rows: rows.filter((row) => levelOf(row) === level).sort((a, b) => touched(b) - touched(a) || a - b),
  }));
}
