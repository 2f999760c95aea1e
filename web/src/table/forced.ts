/** Moves that can only be one thing are played for you; the table asks here which. */
import type { GameBoard } from '@/games/board';
import type { Choice } from '@/wire';

/** The only move there is, unless the game keeps asking: then how fast it came would tell a secret. */
export function onlyMove(board: Pick<GameBoard, 'keepsAsking'>, choices: Choice[]): Choice | null {
  const [single] = choices;
  return single && choices.length === 1 && !board.keepsAsking?.(single) ? single : null;
}
