/** What sentences are made with, for one viewer of one table. */
import type { GameBoard, LogLine, Telling } from '@/games/board';
import type { ChairInfo, GameEvent } from '@/wire';
import type { Words } from '@/words';
import { isTakenBack, standing } from './standing';

export function telling(t: Words, view: unknown, me: number | null, chairs: ChairInfo[]): Telling {
  return {
    t,
    view,
    me,
    chairs,
    player: (seat) => ({ as: 'player', text: chairs[seat]?.name ?? String(seat + 1), seat }),
    who: (seat) => (seat === me ? 'you' : 'other'),
  };
}

export interface Round {
  key: number;
  title: LogLine | null;
  lines: Line[];
}

/** A line of the log with its number, and the lines that were taken back with it. */
export type Line = LogLine & { key: number; gone?: LogLine[] };

/** Turns facts into rounds of lines. Remembers each line, so that a long game costs no more than a short one. */
export class Teller {
  #lines = new Map<string, LogLine | null>();

  constructor(private readonly board: GameBoard) {}

  line(event: GameEvent, how: Telling): LogLine | null {
    const key = `${how.t.lang} ${event.n}`;
    let line = this.#lines.get(key);
    if (line === undefined) {
      line = isTakenBack(event) ? takenBack(event.seat, how) : this.board.describe(event, how);
      this.#lines.set(key, line);
    }
    return line;
  }

  rounds(events: GameEvent[], how: Telling): Round[] {
    const first = this.board.firstRound?.(how.t);
    const rounds: Round[] = [{ key: 0, title: first ? { kind: 'round', parts: first } : null, lines: [] }];
    const { events: stands, gone } = standing(events);
    for (const event of stands) {
      const line = this.line(event, how);
      if (!line) continue;
      if (line.kind === 'round') rounds.push({ key: event.n, title: line, lines: [] });
      else {
        const taken = (gone.get(event.n) ?? []).flatMap((one) => this.line(one, how) ?? []);
        rounds.at(-1)!.lines.push({ ...line, key: event.n, ...(taken.length ? { gone: taken } : {}) });
      }
    }
    return rounds.filter((round) => round.lines.length || (round.title && round.key > 0)).map(folded);
  }
}

const takenBack = (seat: number, how: Telling): LogLine => ({
  seat,
  parts: how.t.parts('event.taken_back', { who: how.who(seat), name: how.player(seat) }),
});

/** Of lines that fold, only the last of a row stays. */
function folded(round: Round): Round {
  const lines = round.lines.filter((line, i) => !line.folded || !round.lines[i + 1]?.folded);
  return lines.length < round.lines.length ? { ...round, lines } : round;
}
