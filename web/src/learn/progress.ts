/** How far one has come in each lesson, and which puzzles one has answered: kept in this browser, for nobody else. */
const LESSONS = 'ludoteca.lessons';
const PUZZLES = 'ludoteca.puzzles';

function read<T>(key: string): Record<string, T> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, T>;
  } catch {
    return {};
  }
}

function keep<T>(key: string, name: string, value: T): void {
  try {
    localStorage.setItem(key, JSON.stringify({ ...read<T>(key), [name]: value }));
  } catch {
    // Storage may be full or closed: then one begins anew next time.
  }
}

/** The step a lesson goes on with; as many as it has: it is learned. */
export const stepOf = (game: string): number => {
  const step = read<number>(LESSONS)[game];
  return Number.isInteger(step) && step! > 0 ? step! : 0;
};
export const keepStep = (game: string, step: number): void => keep(LESSONS, game, step);

/** An answer: whether it was right. Days are not counted: to skip one leaves no trace. */
export interface Answered {
  right: boolean;
}
export const answeredOf = (puzzle: string): Answered | null => read<Answered>(PUZZLES)[puzzle] ?? null;
export const keepAnswer = (puzzle: string, right: boolean): void => {
  if (!answeredOf(puzzle)) keep(PUZZLES, puzzle, { right });
};
