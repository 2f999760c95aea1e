/** The boards of the games, each loaded when a table of that game opens; a game that has none here gets the plain one. */
import { api } from '@/api';
import type { DeckRow, GameBoard } from '@/games/board';

const found = import.meta.glob<{ default: GameBoard }>('../games/*/index.ts');

export async function loadBoard(game: string, deck?: string): Promise<GameBoard> {
  const load = found[`../games/${game}/index.ts`];
  const board = load ? (await load()).default : await (await import('./plain')).plainBoard(game);
  if (!deck) {
    board.useDeck?.('', null);
    return board;
  }
  const own = await api.deck(deck);
  if (Array.isArray(own.content)) board.useDeck?.(own.form, own.content as DeckRow[]);
  const { en, it } = board.words;
  return { ...board, words: { en: { ...en, ...own.words['en'] }, it: { ...it, ...own.words['it'] } } };
}
