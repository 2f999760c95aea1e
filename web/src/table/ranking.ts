/** Who came where, for the end screen and for the sentence that announces it. */
import type { GameBoard, Ranked, Result, Telling } from '@/games/board';

/** Best first; a game may know of rivals that sit on no chair. */
export function ranking(board: GameBoard, result: Result, how: Telling): Ranked[] {
  return (
    board.ranking?.(result, how) ??
    how.chairs
      .map(({ seat, name }) => ({
        seat,
        name,
        rank: result.ranks[seat] ?? 0,
        score: result.scores[seat] ?? 0,
        reasons: board.reasons?.(result, seat, how) ?? [],
      }))
      .sort((a, b) => a.rank - b.rank || a.seat - b.seat)
  );
}

export const winners = (list: Ranked[]) => list.filter((line) => line.rank === 1);
