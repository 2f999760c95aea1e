/**
 * Boards that games bring along in their own packages: a module that the server hands out, told where to draw and what there
 * is to see. It gets data and functions, nothing of the page's inside; docs/adding_a_game.md is its contract.
 */
import type { BoardProps, Choice, GameBoard, GameEvent } from '@/games/board';
import type { BoardInfo } from '@/wire';
import type { Values } from '@/words';
import Own from './Own.svelte';
import { offer, type View } from './plain';

/** What a board is told: anew, as a whole, whenever something has changed. */
export interface OwnTable {
  view: View;
  choices: Choice[];
  me: number | null;
  names: string[];
  waiting: number[];
  events: GameEvent[];
  fresh: boolean;
  busy: boolean;
  over: boolean;
  lang: 'en' | 'it';
  motion: number;
  /** A sentence of the game's own words. */
  t: (key: string, values?: Values) => string;
  /** What a choice does, in words. */
  words: (choice: Choice) => string;
  /** Sends actions as one decision; true when it is stored. */
  decide: (actions: number[]) => Promise<boolean>;
}

export interface Drawn {
  update: (table: OwnTable) => void;
  destroy: () => void;
}

export interface OwnModule {
  mount: (place: HTMLElement, table: OwnTable) => Drawn;
}

export type OwnProps = BoardProps<View, Choice, GameEvent, OwnModule>;

export function tableOf({ act, t, chairs, prefs, ...told }: OwnProps): OwnTable {
  const { view, choices, me, waiting, events, fresh, busy, over } = told;
  return {
    view,
    choices,
    me,
    names: chairs.map((chair) => chair.name),
    waiting,
    events,
    fresh,
    busy,
    over,
    lang: prefs.lang,
    motion: prefs.motion,
    t: (key, values) => t(key, values),
    words: (choice) => offer(t, chairs, choice),
    decide: async ([action, ...then]) => action !== undefined && act(action, then),
  };
}

const worn = new Set<string>();

/** The style sheet is there before the board is drawn; without it the board is only plainer. */
function styled(address: string): Promise<unknown> {
  if (worn.has(address)) return Promise.resolve();
  worn.add(address);
  const link = document.createElement('link');
  return new Promise((done) => {
    link.onload = link.onerror = done;
    link.rel = 'stylesheet';
    link.href = address;
    document.head.append(link);
  });
}

/** The plain board's words and sentences with the game's own board; the plain board alone, if that cannot be loaded. */
export async function withOwn(plain: GameBoard, board: BoardInfo): Promise<GameBoard> {
  try {
    const module = (await import(/* @vite-ignore */ board.module)) as Partial<OwnModule>;
    if (typeof module.mount !== 'function') throw new TypeError(`${board.module} exports no function mount`);
    if (board.style) await styled(board.style);
    return { ...plain, Board: Own, desk: () => module, shortcuts: [] };
  } catch (why) {
    console.error(why);
    return plain;
  }
}
