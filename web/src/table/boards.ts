/** The boards of the games, each loaded when a table of that game opens. */
import type { GameBoard } from '@/games/board';

const found = import.meta.glob<{ default: GameBoard }>('../games/*/index.ts');

export async function loadBoard(game: string): Promise<GameBoard> {
  const load = found[`../games/${game}/index.ts`];
  if (!load) return (await import('./plain')).default;
  return (await load()).default;
}
