/** What browser and server say to each other. The same tables, in words, are in docs/wire.md. */

export interface Me {
  id: string;
  name: string;
}
export interface OptionInfo {
  key: string;
  values: string[];
  default: string;
  titles: Record<string, Record<string, string>>;
}
export interface GameInfo {
  key: string;
  title: string;
  seats: number[];
  minutes: number;
  built: boolean;
  options: OptionInfo[];
  levels: string[];
  version: string;
}
export interface OpenTable {
  game: string;
  seats: number;
  options: Record<string, string>;
  public: boolean;
  bots: (string | null)[];
  name?: string | null;
}
export interface PlayNow {
  game: string;
  seats?: number;
  level?: string;
  options?: Record<string, string>;
}
export interface ChairInfo {
  seat: number;
  kind: 'person' | 'bot' | 'empty';
  name: string;
  level: string | null;
  online: boolean;
  /** A bot plays for someone who left. */
  standin: boolean;
}
export interface ShuffleInfo {
  name: string;
  order: number[];
}
export interface Fair {
  commitment: string;
  entropy: string[];
  server_seed: string | null;
  seed: string | null;
  shuffles: ShuffleInfo[] | null;
}
export interface TableInfo {
  id: string;
  game: string;
  name: string;
  options: Record<string, string>;
  public: boolean;
  phase: 'open' | 'playing' | 'over';
  chairs: ChairInfo[];
  you: number | null;
  host: boolean;
  invite: string | null;
  spectators: number;
  waiting: number[];
  seq: number;
  created: number;
  moved: number;
  fair: Fair;
  rematch: string | null;
}
export interface Result {
  ranks: number[];
  scores: number[];
  reasons: Record<string, unknown>[];
}
export interface GameRecord {
  game: string;
  version: string;
  seats: number;
  options: Record<string, string>;
  seed: string;
  decisions: [number, number][];
  names: string[];
  fair: Fair;
  result: Result;
}
/** How far the fast engine is; until then games are played by the slow one. */
export interface Warmup {
  ready: boolean;
  done: number;
  total: number;
  what: string;
}
export interface Refusal {
  key: string;
  facts: Record<string, unknown>;
  sentence: string;
}

/** What a seat may do now: the game's own named arguments come with it. */
export interface Choice {
  action: number;
  kind: string;
  /** Steps that may follow in the same message, where they are no choices by themselves yet. */
  then?: Choice[];
  [argument: string]: unknown;
}
/** A fact of the game; a part that this viewer may not see is null. */
export interface GameEvent {
  n: number;
  kind: string;
  seat: number;
  [fact: string]: unknown;
}

export type FromServer =
  | { type: 'table'; table: TableInfo }
  | {
      type: 'update';
      seq: number;
      view: unknown;
      choices: Choice[];
      waiting: number[];
      events: GameEvent[];
      fresh: boolean;
      result: Result | null;
      sealed: boolean;
    }
  | { type: 'done'; id: string; seq: number }
  | ({ type: 'refused'; id: string | null } & Refusal)
  | { type: 'said'; seat: number | null; name: string; text: string; at: number }
  | { type: 'pong'; seq: number }
  | { type: 'revealed'; fair: Fair };

/** A game looked back at: some of its positions, each with the facts that led to it. */
export interface Moments {
  first: number;
  total: number;
  moments: Extract<FromServer, { type: 'update' }>[];
  chances: number[][];
}

export type FromBrowser =
  | { type: 'do'; id: string; action: number; at: number; then?: number[] }
  | { type: 'open_again'; id: string; at: number }
  | { type: 'say'; text: string }
  | { type: 'entropy'; text: string }
  | { type: 'ping'; at: number };

// ── HTTP ─────────────────────────────────────────────────────

/** The server said no, or could not be reached; `refusal.sentence` can be shown as it is. */
export class Refused extends Error {
  constructor(
    readonly refusal: Refusal,
    readonly status = 0,
  ) {
    super(refusal.sentence);
  }
}

/** A seed has 63 bits, more than a JavaScript number holds: it is read as text. */
export function parseJson(text: string): unknown {
  return JSON.parse(text.replace(/"seed":\s*(\d+)/g, '"seed":"$1"'));
}

/** A choice with a run stands for many that count up. */
export function unpacked(choices: (Choice & { run?: Record<string, number> })[]): Choice[] {
  return choices.flatMap(({ run, ...first }) => {
    const [[along, length]] = run ? (Object.entries(run) as [[string, number]]) : [['action', 1]];
    return Array.from({ length }, (_, n) =>
      n ? { ...first, [along]: (first[along] as number) + n, action: first.action + n } : first,
    );
  });
}

async function ask<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      credentials: 'same-origin',
      ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new Refused({ key: 'unreachable', facts: {}, sentence: 'The server cannot be reached.' });
  }
  const text = await response.text();
  let answer: unknown = null;
  try {
    answer = text ? parseJson(text) : null;
  } catch {
    // Not ours: a proxy's error page, say.
  }
  if (response.ok && answer !== null) return answer as T;
  const refusal = answer as Refusal | null;
  throw new Refused(
    refusal && typeof refusal.sentence === 'string'
      ? { key: refusal.key, facts: refusal.facts ?? {}, sentence: refusal.sentence }
      : {
          key: response.ok ? 'unclear' : 'failed',
          facts: { status: response.status },
          sentence: 'The server could not answer.',
        },
    response.status,
  );
}

const table = (id: string) => `/api/tables/${encodeURIComponent(id)}`;

export const api = {
  me: () => ask<Me>('GET', '/api/me'),
  rename: (name: string) => ask<Me>('POST', '/api/me', { name }),
  games: () => ask<GameInfo[]>('GET', '/api/games'),
  warmup: () => ask<Warmup>('GET', '/api/warmup'),
  tables: () => ask<TableInfo[]>('GET', '/api/tables'),
  mine: () => ask<TableInfo[]>('GET', '/api/my/tables'),
  open: (wish: OpenTable) => ask<TableInfo>('POST', '/api/tables', wish),
  playNow: (wish: PlayNow) => ask<TableInfo>('POST', '/api/play-now', wish),
  table: (id: string, invite?: string | null) =>
    ask<TableInfo>('GET', table(id) + (invite ? `?invite=${encodeURIComponent(invite)}` : '')),
  sit: (id: string, seat?: number | null, invite?: string | null) =>
    ask<TableInfo>('POST', `${table(id)}/sit`, { ...(seat == null ? {} : { seat }), ...(invite ? { invite } : {}) }),
  leave: (id: string) => ask<TableInfo>('POST', `${table(id)}/leave`),
  standIn: (id: string, seat: number) => ask<TableInfo>('POST', `${table(id)}/stand-in`, { seat }),
  chair: (id: string, seat: number, level: string | null) =>
    ask<TableInfo>('POST', `${table(id)}/chair`, { seat, level }),
  start: (id: string) => ask<TableInfo>('POST', `${table(id)}/start`),
  rematch: (id: string) => ask<TableInfo>('POST', `${table(id)}/rematch`),
  moments: (id: string, first: number, seat: number | null, invite: string | null) =>
    ask<Moments>(
      'GET',
      `${table(id)}/moments?first=${first}${seat === null ? '' : `&seat=${seat}`}${invite ? `&invite=${encodeURIComponent(invite)}` : ''}`,
    ),
  record: (id: string) => ask<GameRecord>('GET', `${table(id)}/record`),
};

/** Random letters, also where the page is not served over https. */
export function randomName(bytes = 16): string {
  const raw = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(raw, (b) => b.toString(16).padStart(2, '0')).join('');
}
