/** Who you are and which games there are: asked once, shared by all pages. */
import { api } from '@/api';
import { BOXES } from '@/kit/covers';
import type { GameInfo, Me } from '@/wire';

class Visitor {
  me = $state.raw<Me | null>(null);
  games = $state.raw<GameInfo[] | null>(null);

  #meeting: Promise<Me> | null = null;
  #reading: Promise<GameInfo[]> | null = null;

  /** Asked once, however many ask: a first visit must make one guest, not two. */
  meet(): Promise<Me> {
    this.#meeting ??= api.me().then(
      (me) => (this.me = me),
      (problem: unknown) => {
        this.#meeting = null;
        throw problem;
      },
    );
    return this.#meeting;
  }

  /** Whether nobody has named them yet. */
  get nameless(): boolean {
    return /^Guest \d{4}$/.test(this.me?.name ?? '');
  }

  async rename(name: string): Promise<void> {
    this.me = await api.rename(name);
  }

  catalogue(): Promise<GameInfo[]> {
    this.#reading ??= api.games().then(
      (games) => (this.games = games),
      (problem: unknown) => {
        this.#reading = null;
        throw problem;
      },
    );
    return this.#reading;
  }

  game(key: string): GameInfo | undefined {
    return this.games?.find((g) => g.key === key);
  }

  title(game: string): string {
    return this.game(game)?.title ?? BOXES[game]?.title ?? game;
  }

  /** Of the box's spine. */
  colour(game: string): string {
    return this.game(game)?.colour ?? '#5b6472';
  }
}

export const visitor = new Visitor();
