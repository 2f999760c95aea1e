/** Steps back and forth of a deck that is one text. */
const MOST_STEPS = 200;

export class Steps {
  #before = $state.raw<string[]>([]);
  #after = $state.raw<string[]>([]);
  readonly #show: (text: string) => void;

  constructor(show: (text: string) => void) {
    this.#show = show;
  }

  get canUndo(): boolean {
    return this.#before.length > 0;
  }

  get canRedo(): boolean {
    return this.#after.length > 0;
  }

  /** From how it is to how it will be: one step. */
  go(now: string, next: string): void {
    if (now === next) return;
    this.#before = [...this.#before, now].slice(-MOST_STEPS);
    this.#after = [];
    this.#show(next);
  }

  undo(now: string): void {
    const text = this.#before.at(-1);
    if (text === undefined) return;
    this.#before = this.#before.slice(0, -1);
    this.#after = [now, ...this.#after];
    this.#show(text);
  }

  redo(now: string): void {
    const [text, ...rest] = this.#after;
    if (text === undefined) return;
    this.#before = [...this.#before, now];
    this.#after = rest;
    this.#show(text);
  }
}

const LETTERS = /^\S( \S)+$/; // a row of squares: each of them counts

/** In how many cells two sheets differ. */
export function differences(now: unknown, was: unknown): number {
  if (typeof now === 'string' && typeof was === 'string' && LETTERS.test(now) && LETTERS.test(was))
    return now === was ? 0 : differences(now.split(' '), was.split(' '));
  if (!isObject(now) || !isObject(was)) return now === was ? 0 : 1;
  const keys = new Set([...Object.keys(now), ...Object.keys(was)]);
  return [...keys].reduce((sum, key) => sum + differences(now[key], was[key]), 0);
}

const isObject = (part: unknown): part is Record<string, unknown> => typeof part === 'object' && part !== null;
