/** Which match is being watched, and how far. There is one table a page, so there is one arena. */
import { Book, lengthOf, type Battle, type Frame } from './story';
import type { Event, View } from './types';

class Arena {
  battles = $state.raw<Battle[]>([]);
  /** The match on show, or null. */
  key = $state<string | null>(null);
  at = $state(0);
  paused = $state(false);
  speed = $state<1 | 2>(1);
  /** It is being seen for the first time: the log waits for it. */
  first = $state(false);
  /** The last fact of all; while the ceremony goes on, the table does not yet say that the game is over. */
  ceremony = $state(false);
  newest = $state(0);
  /** The table before the match that is being seen for the first time: trophies and fans are not told before their time. */
  #was = $state.raw<View | null>(null);
  #book = new Book();
  #read = 0;

  get battle(): Battle | null {
    return this.key === null ? null : (this.battles.find((one) => one.key === this.key) ?? null);
  }
  get frame(): Frame | null {
    return this.battle?.frames[this.at] ?? null;
  }
  get atEnd(): boolean {
    return !this.battle || this.at >= this.battle.frames.length - 1;
  }
  /** The number of the last fact that may be told; null: everything. */
  get until(): number | null {
    if (this.#telling) return this.frame!.n;
    return this.ceremony ? this.newest : null;
  }
  /** A match is being seen for the first time, and its end is not yet told. */
  get #telling(): boolean {
    return this.first && this.frame !== null && !this.atEnd;
  }

  get was(): View | null {
    return this.#telling ? this.#was : null;
  }
  remember(view: View): void {
    this.#was = view;
  }

  reset(): void {
    this.#book = new Book();
    this.#read = 0;
    this.battles = [];
    this.key = null;
    this.at = 0;
    this.paused = this.first = this.ceremony = false;
  }

  /** Takes in what is new; returns the matches that began. */
  read(history: Event[]): Battle[] {
    const news: Event[] = [];
    for (let i = history.length - 1; i >= 0 && history[i]!.n > this.#read; i--) news.push(history[i]!);
    if (!news.length) return [];
    const known = this.battles.length;
    for (const event of news.reverse()) this.#book.read(event);
    this.newest = this.#read = news.at(-1)!.n;
    this.battles = [...this.#book.battles];
    return this.battles.slice(known);
  }

  /** Watches a match: from its beginning, or as it stands. */
  watch(key: string, from: 'start' | 'end' = 'end', first = false): void {
    this.key = key;
    this.at = from === 'start' ? 0 : Math.max(0, (this.battle?.frames.length ?? 1) - 1);
    this.paused = false;
    this.first = first;
  }

  /** Nothing more to see here. */
  leave(): void {
    this.key = null;
    this.first = false;
    this.paused = false;
  }

  next(): void {
    if (!this.atEnd) this.at++;
    if (this.atEnd) this.first = this.first && !this.battle?.over;
  }
  back(): void {
    this.at = Math.max(0, this.at - 1);
    this.paused = true;
  }
  skip(): void {
    if (!this.battle) return;
    this.at = this.battle.frames.length - 1;
    this.paused = false;
    this.first = this.first && !this.battle.over;
  }

  /** How long the frame on show stays, at a speed of one. */
  get length(): number {
    return this.frame ? lengthOf(this.frame) : 0;
  }
}

export const arena = new Arena();
