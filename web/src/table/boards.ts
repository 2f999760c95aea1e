/** The boards of the games, each loaded when a table of that game opens; a game that has none here gets the plain one. */
import type { GameBoard } from '@/games/board';

const found = import.meta.glob<{ default: GameBoard }>('../games/*/index.ts');

export async function loadBoard(game: string): Promise<GameBoard> {
  const load = found[`../games/${game}/index.ts`];
  return load ? (await load()).default : (await import('./plain')).plainBoard(game);
}
