/** A deck as the text of a file. */
import type { DeckRow } from '@/games/board';

const quoted = (cell: string) => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

export function asCsv(columns: string[], rows: DeckRow[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))];
  return `${lines.map((line) => line.map(quoted).join(',')).join('\n')}\n`;
}

/** Cells as a spreadsheet puts them on the clipboard: tabs between them, a line for each row. */
export const asCells = (text: string): string[][] =>
  text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line) => line.split('\t'));
