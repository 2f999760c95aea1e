/** Letters on the board: a hint's and a puzzle's options are marked on the pieces that they are about. */
import type { Choice, GameBoard } from '@/games/board';

export const LETTERS = ['A', 'B', 'C', 'D'];

/** Marks the pieces of each choice with its letter, one that serves several with all of theirs; `clear` takes them away again. */
export function letter(
  board: GameBoard,
  choices: readonly (Choice | undefined)[],
  called: (letters: string) => string,
): { first: HTMLElement | undefined; clear: () => void } {
  const marked = new Set<HTMLElement>();
  choices.forEach((choice, n) => {
    for (const selector of choice ? (board.spots?.(choice) ?? []) : []) {
      const found = document.querySelector<HTMLElement>(`main.table :is(.board, .tray) ${selector}`);
      if (!found) continue;
      const letters = [found.dataset['hint'], LETTERS[n]].filter(Boolean).join(' ');
      found.dataset['hint'] = letters;
      found.setAttribute('aria-description', called(letters));
      marked.add(found);
    }
  });
  const clear = () => {
    for (const piece of marked) {
      delete piece.dataset['hint'];
      piece.removeAttribute('aria-description');
    }
  };
  return { first: [...marked][0], clear };
}
