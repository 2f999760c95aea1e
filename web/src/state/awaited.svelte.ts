/** What waits for you anywhere in the house: turns and invitations. The home page hears of it anyway; elsewhere it is asked for. */
import { api } from '@/api';
import { inWords } from '@/former';
import type { InvitationInfo, TableInfo } from '@/wire';

const EVERY = 30_000; // ms between two looks

export const isMyTurn = (m: TableInfo): boolean => m.phase === 'playing' && m.you !== null && m.waiting.includes(m.you);

/** What has the least time comes first, and what was moved longest ago among those without a clock. */
export const urgent = (a: TableInfo, b: TableInfo): number =>
  (a.due ?? Infinity) - (b.due ?? Infinity) || a.moved - b.moved;

class Awaited {
  turns = $state.raw<TableInfo[]>([]);
  asked = $state.raw<InvitationInfo[]>([]);
  #heard = -EVERY;

  get count(): number {
    return this.turns.length + this.asked.length;
  }

  hear(mine: TableInfo[], asked: InvitationInfo[]): void {
    this.turns = mine.filter(isMyTurn).sort(urgent);
    this.asked = asked;
    this.#heard = performance.now();
  }

  /** Asks, unless somebody has just heard. */
  async look(): Promise<void> {
    if (document.visibilityState !== 'visible' || performance.now() - this.#heard < EVERY / 2) return;
    this.#heard = performance.now();
    const [mine, asked] = await Promise.all([api.mine(), api.invitations()]);
    this.hear(mine.map(inWords), asked);
  }

  /** Keeps looking; call in an effect. */
  keepLooking(): () => void {
    const look = () => void this.look().catch(() => {});
    const timer = setInterval(look, EVERY);
    document.addEventListener('visibilitychange', look);
    look();
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }
}

export const awaited = new Awaited();
