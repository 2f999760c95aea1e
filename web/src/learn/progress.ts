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

/** An answer: whether it was right, and on which day it was given (`2026-11-17`). */
export interface Answered {
  right: boolean;
  day: string;
}
export const answeredOf = (puzzle: string): Answered | null => read<Answered>(PUZZLES)[puzzle] ?? null;
export const keepAnswer = (puzzle: string, right: boolean, day: string): void => {
  if (!answeredOf(puzzle)) keep(PUZZLES, puzzle, { right, day });
};

/** How many days in a row, up to today or yesterday, had a puzzle that was answered. */
export function streak(today: string): number {
  const days = new Set(Object.values(read<Answered>(PUZZLES)).map((answered) => answered.day));
  const before = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
  let day = days.has(today) ? today : before(today);
  let n = 0;
  for (; days.has(day); day = before(day)) n++;
  return n;
}

/** The day as the house counts it, whose puzzle is the same for everybody. */
export const dayNow = (): string => new Date().toISOString().slice(0, 10);
