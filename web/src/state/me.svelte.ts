/** Who you are and which games there are: asked once, shared by all pages. */
import { api, type GameInfo, type Me } from '@/wire';

class Visitor {
  me = $state.raw<Me | null>(null);
  games = $state.raw<GameInfo[] | null>(null);

  async meet(): Promise<Me> {
    return (this.me ??= await api.me());
  }

  async rename(name: string): Promise<void> {
    this.me = await api.rename(name);
  }

  async catalogue(): Promise<GameInfo[]> {
    return (this.games ??= await api.games());
  }

  title(game: string): string {
    return this.games?.find((g) => g.key === game)?.title ?? TITLES[game] ?? game;
  }
}

/** The boxes on the shelf, before the server has answered. */
export const TITLES: Record<string, string> = {
  splendor: 'Splendor: Marvel',
  king_of_con: 'King of Con',
  loot: 'Loot',
  challengers: 'Challengers!',
};

export const visitor = new Visitor();
