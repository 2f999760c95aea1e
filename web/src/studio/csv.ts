/** A deck as the text of a file. */
import type { DeckRow } from '@/games/board';

const quoted = (cell: string) => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

export function asCsv(columns: string[], rows: DeckRow[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))];
  return `${lines.map((line) => line.map(quoted).join(',')).join('\n')}\n`;
}

/**
 * Cells as a spreadsheet puts them on the clipboard: tabs between them, a line for each row; a cell with a tab, a line end or
 * a quotation mark in it stands in quotation marks, its own doubled. Here a cell is one line.
 */
export function asCells(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, inQuotes, plain, end] of text
    .replace(/\r?\n$/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r?\n|$)/g)) {
    rows.at(-1)!.push(inQuotes === undefined ? plain! : inQuotes.replaceAll('""', '"').replace(/\s*[\r\n]+\s*/g, ' '));
    if (end === '') break;
    if (end !== '\t') rows.push([]);
  }
  return rows;
}
