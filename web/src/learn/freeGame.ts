/** After the lesson: a game of one's own against the mildest bots there are. What such a game should have is said here alone. */
import { api } from '@/api';
import type { GameInfo } from '@/wire';

export async function freeGame(game: GameInfo): Promise<string> {
  const wish = { game: game.key, ...(game.levels[0] ? { level: game.levels[0] } : {}) };
  return `/table/${(await api.playNow(wish)).id}`;
}
