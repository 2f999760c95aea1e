/** What was taken back: facts that were told and are not part of the game any more. */
import type { GameEvent } from '@/wire';

/** A fact of every game: what was told after fact number `after` is taken back. */
export interface TakenBack extends GameEvent {
  kind: 'taken_back';
  seat: number;
  after: number;
}

export const isTakenBack = (event: GameEvent): event is TakenBack => event.kind === 'taken_back';

/** The facts that stand, in order; and with each taking back that stands among them, what it took back. */
export function standing(events: GameEvent[]): { events: GameEvent[]; gone: Map<number, GameEvent[]> } {
  const gone = new Map<number, GameEvent[]>();
  if (!events.some(isTakenBack)) return { events, gone };
  const stands: GameEvent[] = [];
  for (const event of events) {
    if (isTakenBack(event)) {
      const first = stands.findIndex((one) => one.n > event.after);
      gone.set(event.n, first < 0 ? [] : stands.splice(first).filter((one) => !isTakenBack(one)));
    }
    stands.push(event);
  }
  return { events: stands, gone };
}

/** The facts of the game as it stands, without a word of what was taken back. */
export const withoutUndone = (events: GameEvent[]): GameEvent[] =>
  events.some(isTakenBack) ? standing(events).events.filter((event) => !isTakenBack(event)) : events;
