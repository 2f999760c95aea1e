/** A deck that comes from elsewhere: what the server makes of it, and the rows as they are written where only cells are wrong. */
import { api } from '@/api';
import { t } from '@/state/studio_words.svelte';
import type { DeckRow } from '@/games/board';
import type { DeckChecked, DeckMistake } from '@/wire';
import { asTable } from './csv';

export const MOST_BYTES = 1_000_000;

export interface Brought {
  name: string;
  read: DeckChecked;
  /** The table as it is written, where its mistakes are in cells that can be mended in the sheet. */
  rows: DeckRow[] | null;
}

/** Reads a file for a form of a game; no game named: the one its columns fit. */
export async function bring(file: File, game = '', form = ''): Promise<Brought> {
  if (file.size > MOST_BYTES) {
    const sentence = t('bring.too_big', { most: MOST_BYTES / 1e6 });
    const mistakes: DeckMistake[] = [{ line: 0, row: -1, column: '', sentence }];
    return {
      name: file.name,
      read: { hash: null, mistakes, game: '', form: '', content: null, words: {} },
      rows: null,
    };
  }
  const text = await file.text();
  const read = await api.checkDeck({ game, text, form, language: t.lang });
  const rows = !read.hash && form && mendable(read.mistakes) ? asTable(text) : null;
  return { name: file.name, read, rows };
}

/** Whether every mistake is one of a cell: then the sheet shows it beside the cell. */
export const mendable = (mistakes: DeckMistake[]) =>
  mistakes.length > 0 && mistakes.every((one) => one.row >= 0 && one.column);

/** A name for a deck, from that of its file. */
export const nameFrom = (file: string) => file.replace(/\.\w+$/, '').slice(0, 40);
