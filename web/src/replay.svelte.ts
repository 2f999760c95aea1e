/** A game looked back at: a table like any other, but its moments come from the past, and the viewer turns the pages. */
import { TableSocket, type Update } from '@/socket.svelte';
import { isTakenBack } from '@/table/standing';
import { api } from '@/api';
import type { GameEvent, TableInfo } from '@/wire';

export class Replay extends TableSocket {
  /** The moment on show; 0 is the deal. */
  at = $state(0);
  total = $state(1);
  /** The moment after which the story begins that is told. */
  from = $state(0);
  /** How many moments have come so far. */
  loaded = $state(0);
  playing = $state(false);
  /** For each moment, everybody's chance to win in hundredths; empty while the game runs. */
  chances = $state.raw<number[][]>([]);

  #moments: Update[] = [];
  #events: GameEvent[] = [];
  /** For each moment: how many facts are told by then. */
  #told: number[] = [];
  #left = false;
  /** A moment that was asked for before it had come. */
  #wanted: number | null = null;

  constructor(
    table: TableInfo,
    /** Through whose eyes; null: one's own. */
    readonly eyes: number | null,
    invite: string | null,
  ) {
    super(table.id, invite);
    this.table = { ...table, you: eyes ?? table.you, waiting: [] };
    this.status = 'open';
  }

  /** Fetches the moments, page by page; shows the one asked for as soon as it is there: `own`, that of one's last decision. */
  async load(begin: number | 'own', fact: number | null = null): Promise<void> {
    let start = begin === 'own' ? Infinity : begin;
    do {
      const page = await api.moments(this.id, this.loaded, this.eyes, this.invite);
      if (this.#left) return;
      for (const moment of page.moments) {
        this.#moments.push(moment);
        this.#events.push(...moment.events);
        for (const event of moment.events) this.note(event);
        this.#told.push(this.#events.length);
      }
      this.chances = [...this.chances, ...page.chances];
      this.total = page.total;
      if (begin === 'own') start = this.from = page.own ?? 0;
      this.loaded = this.#moments.length;
      const there = fact === null ? start < this.loaded : (this.#events.at(-1)?.n ?? 0) >= fact;
      if (!this.update && (there || this.loaded >= this.total))
        this.#show(fact === null ? Math.min(start, this.loaded - 1) : this.#momentOf(fact));
      if (this.#wanted !== null) this.to(this.#wanted);
      if (!page.moments.length) break;
    } while (this.loaded < this.total);
  }

  /** The number of the newest fact. */
  get newest(): number {
    return this.#events.at(-1)?.n ?? 0;
  }

  get last(): boolean {
    return this.at >= this.total - 1;
  }

  /** Turns to a moment, or as near as has come, until it comes; only a single step forward is played out, the rest is a jump. */
  to(moment: number): void {
    this.#wanted = moment >= this.loaded && this.loaded < this.total ? moment : null;
    const next = Math.max(0, Math.min(moment, this.loaded - 1));
    if (next !== this.at) this.#show(next);
    if (this.last) this.playing = false;
  }

  /** Turns to the moment in which a fact was told; without one, to the beginning. */
  toFact = (fact?: number): void => {
    this.playing = false;
    this.to(fact === undefined ? 0 : this.#momentOf(fact));
  };

  #momentOf(fact: number): number {
    const place = this.#events.findIndex((event) => event.n >= fact);
    const moment = this.#told.findIndex((told) => told > place);
    return place < 0 || moment < 0 ? this.loaded - 1 : moment;
  }

  toggle(): void {
    if (!this.playing && this.last) this.to(0);
    this.playing = !this.playing;
  }

  override close(): void {
    this.#left = true;
    this.playing = false;
    super.close();
  }

  #show(next: number): void {
    const moment = this.#moments[next]!;
    const step = this.update !== null && next === this.at + 1 && !moment.events.some(isTakenBack);
    this.at = next;
    this.events = this.#events.slice(0, this.#told[next]);
    this.drawn++;
    if (step) this.update = moment;
    else {
      this.jumps++;
      this.update = { ...moment, events: [], fresh: true };
    }
  }
}
