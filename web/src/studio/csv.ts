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
  const rows = cellsOf(text.replaceAll('\r\n', '\n').replace(/\n$/, ''), '\t');
  return rows.map((row) => row.map((cell) => cell.replace(/\s*[\r\n]+\s*/g, ' ')));
}

const COMMENT = '#';

/**
 * A table as it is written in a file, row by row; what its cells mean is for the server to say. Commas, semicolons or tabs
 * stand between them, a line that begins with # explains.
 */
export function asTable(text: string): DeckRow[] {
  const lines = text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() && !line.replace(/^"+/, '').startsWith(COMMENT));
  const separator = [',', ';', '\t'].sort(
    (a, b) => (lines[0] ?? '').split(b).length - (lines[0] ?? '').split(a).length,
  )[0]!;
  const [head = [], ...rows] = cellsOf(lines.join('\n'), separator);
  const names = head.map((name) => name.trim().toLowerCase());
  return rows.map((row) => Object.fromEntries(names.map((name, n) => [name, (row[n] ?? '').trim()])));
}

function cellsOf(text: string, separator: string): string[][] {
  const rows: string[][] = [[]];
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}\\n]*))(${separator}|\\n|$)`, 'g');
  for (const [, inQuotes, plain, end] of text.matchAll(cell)) {
    rows.at(-1)!.push(inQuotes === undefined ? plain! : inQuotes.replaceAll('""', '"'));
    if (end === '') break;
    if (end === '\n') rows.push([]);
  }
  return rows;
}
