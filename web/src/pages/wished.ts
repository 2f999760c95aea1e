/** What was looked for last in a quick match; kept in this browser, so that the next time takes one press. */
import type { GameInfo, QuickWish } from '@/wire';

const KEY = 'ludoteca.wished';

/** The last wish, as far as this house still has it; otherwise the smallest table of the first game. */
export function lastWish(games: GameInfo[]): Required<QuickWish> {
  let last: Partial<QuickWish> = {};
  try {
    last = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<QuickWish>;
  } catch {
    // Damaged or closed: as on a first visit.
  }
  const game = games.find((g) => g.key === last.game) ?? games[0]!;
  return {
    game: game.key,
    seats: seatsOf(game, last.seats),
    speed: last.speed ?? 'easy',
    rated: !!last.rated,
    bots: last.bots ?? true,
  };
}

/** How many may sit down together: never one alone. */
export const several = (game: GameInfo): number[] => game.seats.filter((n) => n > 1);

export const seatsOf = (game: GameInfo, wanted?: number): number =>
  several(game).includes(wanted ?? 0) ? wanted! : several(game)[0]!;

export function keepWish(wish: QuickWish): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(wish));
  } catch {
    // Storage may be closed: it then lasts as long as the page.
  }
}
