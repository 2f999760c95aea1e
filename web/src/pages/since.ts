/** What has happened at a table since one's last move: the position now, and the few lines that tell most of it. */
import type { GameBoard, LogLine } from '@/games/board';
import { api } from '@/api';
import { gameWords } from '@/state/words.svelte';
import { loadBoard } from '@/table/boards';
import { isTakenBack, withoutUndone } from '@/table/standing';
import { telling } from '@/table/telling';
import type { GameEvent, TableInfo, Update } from '@/wire';

const LINES = 3;

export interface Since {
  board: GameBoard;
  update: Update;
  /** Nothing, where one's own move was the last. */
  events: GameEvent[];
}

/** Looks it up, with the board on which it can be drawn. */
export async function since(table: TableInfo): Promise<Since | null> {
  const [board, page] = await Promise.all([
    loadBoard(table.game, table.options['deck']),
    api.moments(table.id, 'own', null, null),
  ]);
  const update = page.moments.at(-1);
  if (!update) return null;
  const missed = page.moments.filter((_, n) => page.own === null || page.first + n > page.own);
  return { board, update, events: missed.flatMap((moment) => moment.events) };
}

/** The lines to be shown: the most telling of each player's, newest players last; and how many more there are. */
export function linesOf({ board, update, events }: Since, table: TableInfo): { lines: LogLine[]; more: number } {
  const how = telling(gameWords(board.words), update.view, table.you, table.chairs);
  const weight = (event: GameEvent) => {
    const place = board.news?.indexOf(event.kind) ?? -1;
    return place < 0 ? Infinity : place;
  };
  const told = withoutUndone(events)
    .filter((event) => !isTakenBack(event))
    .map((event) => ({ event, line: board.describe(event, how) }))
    .filter(({ line }) => line !== null && line.kind !== 'round' && line.seat !== undefined && line.seat !== table.you)
    .map(({ event, line }) => ({ line: line!, weight: weight(event), at: event.n }));
  const best = new Map<number, (typeof told)[number]>();
  for (const one of told) {
    const before = best.get(one.line.seat!);
    if (!before || one.weight <= before.weight) best.set(one.line.seat!, one);
  }
  const chosen = [...best.values()].sort((a, b) => a.at - b.at).slice(-LINES);
  return { lines: chosen.map(({ line }) => line), more: told.length - chosen.length };
}

/** Where the game is, and how many points one has: «round 12, 9 of 16 points». */
export function standingOf({ board, update }: Since, table: TableInfo): string {
  const t = gameWords(board.words);
  const head = board.head?.(update.view, t);
  const goal = Array.isArray(head?.goal) ? head.goal[0] : undefined;
  const where = head?.where ?? (typeof goal === 'object' ? goal.text : undefined);
  const score = table.you === null ? null : board.score?.(update.view, table.you, t);
  return [where, score?.label].filter(Boolean).join(', ');
}
