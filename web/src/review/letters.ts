/** Marks on the board: a hint's and a puzzle's options on the pieces that they are about, with letters and in words. */
import type { Choice, GameBoard } from '@/games/board';

export const LETTERS = ['A', 'B', 'C', 'D'];

/** The pieces of a table that a choice is about. */
const pieces = (board: GameBoard, choice: Choice | undefined): HTMLElement[] =>
  (choice ? (board.spots?.(choice) ?? []) : []).flatMap(
    (selector) => document.querySelector<HTMLElement>(`main.table :is(.board, .tray) ${selector}`) ?? [],
  );

/** Marks the pieces of each choice with its letter, one that serves several with all of theirs; `clear` takes them away again. */
export function letter(
  board: GameBoard,
  choices: readonly (Choice | undefined)[],
  called: (letters: string) => string,
): { first: HTMLElement | undefined; clear: () => void } {
  const marked = new Set<HTMLElement>();
  choices.forEach((choice, n) => {
    for (const found of pieces(board, choice)) {
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

/** Marks the pieces of a choice as played or better, the first of them in words; returns what takes the marks away. */
export function mark(
  board: GameBoard,
  choice: Choice | undefined,
  how: 'played' | 'better',
  words: string,
): () => void {
  const marked = pieces(board, choice);
  for (const [n, piece] of marked.entries()) {
    piece.dataset['review'] = how;
    if (n === 0) piece.dataset['reviewMark'] = words;
  }
  return () => {
    for (const piece of marked) {
      delete piece.dataset['review'];
      delete piece.dataset['reviewMark'];
    }
  };
}
