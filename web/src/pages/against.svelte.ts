/** «Play bots»: against how many and how strong ones you played last, game by game; kept in this browser. */
import { visitor } from '@/state/me.svelte';
import type { GameInfo } from '@/wire';

const KEY = 'ludoteca.against';

export interface Against {
  seats: number;
  level: string;
}

function stored(): Record<string, Partial<Against>> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, Partial<Against>>;
  } catch {
    return {};
  }
}

class Kept {
  #last = $state.raw(stored());

  /** What was chosen last, as far as the game still has it; otherwise three at the table, and the middle level. */
  of(key: string, game: GameInfo | undefined = visitor.games?.find((g) => g.key === key)): Against {
    const { seats, level } = this.#last[key] ?? {};
    const sizes = game?.seats ?? [];
    const levels = game?.levels ?? [];
    const usual = Math.min(Math.max(...sizes), Math.max(Math.min(...sizes), 3));
    return {
      seats: seats !== undefined && sizes.includes(seats) ? seats : usual,
      level:
        level !== undefined && levels.includes(level) ? level : levels.includes('club') ? 'club' : (levels[0] ?? ''),
    };
  }

  keep(key: string, wish: Against): void {
    this.#last = { ...this.#last, [key]: wish };
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#last));
    } catch {
      // Storage may be closed: it then lasts as long as the page.
    }
  }
}

export const against = new Kept();
