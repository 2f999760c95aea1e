/**
 * The boards of the games, each loaded when a table of that game opens. A game that has none here has the one that its package
 * brings along, or else the plain one.
 */
import { api } from '@/api';
import type { DeckRow, GameBoard } from '@/games/board';
import { visitor } from '@/state/me.svelte';

const found = import.meta.glob<{ default: GameBoard }>('../games/*/index.ts');

async function fromOutside(game: string): Promise<GameBoard> {
  const [{ plainBoard }, games] = await Promise.all([import('./plain'), visitor.catalogue()]);
  const plain = await plainBoard(game);
  const board = games.find((one) => one.key === game)?.board;
  return board ? (await import('./own')).withOwn(plain, board) : plain;
}

export async function loadBoard(game: string, deck?: string): Promise<GameBoard> {
  const load = found[`../games/${game}/index.ts`];
  const board = load ? (await load()).default : await fromOutside(game);
  if (!deck) {
    board.useDeck?.('', null);
    return board;
  }
  const own = await api.deck(deck);
  if (Array.isArray(own.content)) board.useDeck?.(own.form, own.content as DeckRow[]);
  const { en, it } = board.words;
  return { ...board, words: { en: { ...en, ...own.words['en'] }, it: { ...it, ...own.words['it'] } } };
}
