/** What the page asks of the server over HTTP, and how messages are read. Their types are in wire.ts. */
import type {
  Advice,
  BranchOff,
  Arrange,
  AskReport,
  AskSearch,
  Brought,
  CheckDeck,
  Choice,
  ClockPreset,
  DeckChecked,
  DeckContent,
  DeckForm,
  DeckOnShelf,
  GameInfo,
  GoOn,
  GameRecord,
  GameWords,
  InvitationInfo,
  Leaderboard,
  Lesson,
  LessonAnswer,
  Me,
  Moments,
  OneScreenTable,
  ReviewSoFar,
  Openings,
  OpenTable,
  PlayNow,
  Profile,
  Puzzle,
  PuzzleAnswer,
  PuzzleInfo,
  PuzzleWhy,
  RatingHistory,
  Refusal,
  ReportFiles,
  ReportState,
  SearchState,
  RulesPage,
  SaveDeck,
  SeatRating,
  Shares,
  TableInfo,
  Update,
  Warmup,
} from './wire';
import { noteCommitment, noteShare } from './promises';

/** The server said no, or could not be reached; `refusal.sentence` can be shown as it is. */
export class Refused extends Error {
  constructor(
    readonly refusal: Refusal,
    readonly status = 0,
  ) {
    super(refusal.sentence);
  }
}

/** Anything that went wrong, as a refusal. */
export const refusedBy = (why: unknown): Refused =>
  why instanceof Refused ? why : new Refused({ key: 'failed', facts: {}, sentence: String(why) });

/** A seed has 63 bits, more than a JavaScript number holds: it is read as text. */
export function parseJson(text: string): unknown {
  return JSON.parse(text.replace(/"seed":\s*(\d+)/g, '"seed":"$1"'));
}

/** A choice with a run stands for many that count up. */
export function unpacked(choices: (Choice & { run?: Record<string, number> })[]): Choice[] {
  return choices.flatMap(({ run, ...first }) => {
    const [[along, length]] = run ? (Object.entries(run) as [[string, number]]) : [['action', 1]];
    return Array.from({ length }, (_, n) =>
      n
        ? { ...first, [along]: ((first as { [key: string]: unknown })[along] as number) + n, action: first.action + n }
        : first,
    );
  });
}

export async function ask<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      credentials: 'same-origin',
      ...(body === undefined
        ? {}
        : {
            headers: { 'Content-Type': 'application/json' },
            body: typeof body === 'string' ? body : JSON.stringify(body), // a record is sent as it was read
          }),
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

const lesson = (game: string) => `/api/games/${encodeURIComponent(game)}/lesson`;
const person = (id: string) => `/api/people/${encodeURIComponent(id)}`;
const table = (id: string) => `/api/tables/${encodeURIComponent(id)}`;

/** Where nobody else is awaited (only bots, or those around this screen): writes down the commitment, throws something random in, and has the cards dealt. */
async function deal(opened: TableInfo): Promise<TableInfo> {
  const awaited =
    !opened.one_screen && opened.chairs.some((chair) => chair.kind !== 'bot' && chair.seat !== opened.you);
  if (opened.phase !== 'open' || !opened.host || awaited) return opened;
  const entropy = randomName();
  noteCommitment(opened.id, opened.fair.commitment);
  noteShare(opened.id, entropy);
  return ask<TableInfo>('POST', `${table(opened.id)}/start`, { entropy });
}

export const api = {
  me: () => ask<Me>('GET', '/api/me'),
  rename: (name: string) => ask<Me>('POST', '/api/me', { name }),
  games: () => ask<GameInfo[]>('GET', '/api/games'),
  words: (game: string) => ask<GameWords>('GET', `/api/games/${encodeURIComponent(game)}/words`),
  rules: (game: string, language: string, deck?: string) =>
    ask<RulesPage>(
      'GET',
      `/api/games/${encodeURIComponent(game)}/rules?language=${language}${deck ? `&deck=${encodeURIComponent(deck)}` : ''}`,
    ),
  clocks: (game: string) => ask<ClockPreset[]>('GET', `/api/games/${encodeURIComponent(game)}/clocks`),
  lesson: (game: string) => ask<Lesson>('GET', lesson(game)),
  lessonStep: (game: string, step: number) => ask<Update>('GET', `${lesson(game)}/${step}`),
  lessonDecide: (game: string, step: number, actions: number[]) =>
    ask<LessonAnswer>('POST', `${lesson(game)}/${step}`, { actions }),
  puzzles: () => ask<PuzzleInfo[]>('GET', '/api/puzzles'),
  puzzleOfTheDay: (ago = 0) => ask<PuzzleInfo>('GET', `/api/puzzles/today${ago ? `?ago=${ago}` : ''}`),
  puzzle: (id: string) => ask<Puzzle>('GET', `/api/puzzles/${encodeURIComponent(id)}`),
  puzzleAnswer: (id: string, actions: number[]) =>
    ask<PuzzleAnswer>('POST', `/api/puzzles/${encodeURIComponent(id)}`, { actions }),
  puzzleWhy: (id: string, actions: number[]) =>
    ask<PuzzleWhy>('POST', `/api/puzzles/${encodeURIComponent(id)}/why`, { actions }),
  playOn: (id: string) => ask<TableInfo>('POST', `/api/puzzles/${encodeURIComponent(id)}/table`, {}),
  forms: (game: string, language: string) =>
    ask<DeckForm[]>('GET', `/api/games/${encodeURIComponent(game)}/forms?language=${language}`),
  decks: () => ask<DeckOnShelf[]>('GET', '/api/decks'),
  saveDeck: (wish: SaveDeck) => ask<DeckOnShelf>('POST', '/api/decks', wish),
  checkDeck: (wish: CheckDeck) => ask<DeckChecked>('POST', '/api/decks/check', wish),
  askReport: (wish: AskReport) => ask<ReportState>('POST', '/api/reports', wish),
  report: (id: string) => ask<ReportState>('GET', `/api/reports/${encodeURIComponent(id)}`),
  reportFiles: (id: string) => ask<ReportFiles>('GET', `/api/reports/${encodeURIComponent(id)}/files`),
  askSearch: (wish: AskSearch) => ask<SearchState>('POST', '/api/searches', wish),
  search: (id: string) => ask<SearchState>('GET', `/api/searches/${encodeURIComponent(id)}`),
  stopSearch: (id: string) => ask<SearchState>('POST', `/api/searches/${encodeURIComponent(id)}/stop`),
  searchOn: (id: string, wish: GoOn) => ask<SearchState>('POST', `/api/searches/${encodeURIComponent(id)}/on`, wish),
  stopReport: (id: string) => ask<ReportState>('POST', `/api/reports/${encodeURIComponent(id)}/stop`),
  putAway: (hash: string) => ask<DeckOnShelf[]>('POST', '/api/decks/put-away', { hash }),
  deck: (hash: string) => ask<DeckContent>('GET', `/api/decks/${encodeURIComponent(hash)}`),
  warmup: () => ask<Warmup>('GET', '/api/warmup'),
  tables: (wanted: Record<string, string>) => ask<TableInfo[]>('GET', `/api/tables?${new URLSearchParams(wanted)}`),
  invitations: () => ask<InvitationInfo[]>('GET', '/api/my/invitations'),
  mine: (after?: string) =>
    ask<TableInfo[]>('GET', `/api/my/tables${after === undefined ? '' : `?after=${encodeURIComponent(after)}`}`),
  open: (wish: OpenTable) => ask<TableInfo>('POST', '/api/tables', wish),
  oneScreen: async (wish: OneScreenTable) =>
    deal(await ask<TableInfo>('POST', '/api/one-screen', { ...wish, wait: true })),
  playNow: async (wish: PlayNow) => deal(await ask<TableInfo>('POST', '/api/play-now', { ...wish, wait: true })),
  table: (id: string, invite?: string | null) =>
    ask<TableInfo>('GET', table(id) + (invite ? `?invite=${encodeURIComponent(invite)}` : '')),
  sit: (id: string, seat?: number | null, invite?: string | null) =>
    ask<TableInfo>('POST', `${table(id)}/sit`, { ...(seat == null ? {} : { seat }), ...(invite ? { invite } : {}) }),
  leave: (id: string) => ask<TableInfo>('POST', `${table(id)}/leave`),
  standIn: (id: string, seat: number) => ask<TableInfo>('POST', `${table(id)}/stand-in`, { seat }),
  moreTime: (id: string, seat: number) => ask<TableInfo>('POST', `${table(id)}/more-time`, { seat }),
  dayOff: (id: string) => ask<TableInfo>('POST', `${table(id)}/day-off`),
  chair: (id: string, seat: number, level: string | null) =>
    ask<TableInfo>('POST', `${table(id)}/chair`, { seat, level }),
  arrange: (id: string, wish: Arrange) => ask<TableInfo>('POST', `${table(id)}/arrange`, wish),
  ready: (id: string, ready: boolean) => ask<TableInfo>('POST', `${table(id)}/ready`, { ready }),
  newInvite: (id: string) => ask<TableInfo>('POST', `${table(id)}/invite`),
  start: (id: string) => ask<TableInfo>('POST', `${table(id)}/start`),
  rematch: async (id: string) => deal(await ask<TableInfo>('POST', `${table(id)}/rematch`, { wait: true })),
  moments: (id: string, first: number | 'own', seat: number | null, invite: string | null) =>
    ask<Moments>(
      'GET',
      `${table(id)}/moments?first=${first}${seat === null ? '' : `&seat=${seat}`}${invite ? `&invite=${encodeURIComponent(invite)}` : ''}`,
    ),
  branch: (id: string, from: BranchOff, invite: string | null) =>
    ask<TableInfo>('POST', `${table(id)}/branch${invite ? `?invite=${encodeURIComponent(invite)}` : ''}`, from),
  hint: (id: string, strength: number) => ask<Advice>('POST', `${table(id)}/hint`, { strength }),
  review: (id: string, first: number, invite: string | null) =>
    ask<ReviewSoFar>(
      'GET',
      `${table(id)}/review?first=${first}${invite ? `&invite=${encodeURIComponent(invite)}` : ''}`,
    ),
  askReview: (id: string, invite: string | null) =>
    ask<ReviewSoFar>('POST', `${table(id)}/review${invite ? `?invite=${encodeURIComponent(invite)}` : ''}`),
  record: (id: string) => ask<GameRecord>('GET', `${table(id)}/record`),
  bring: (record: string) => ask<Brought>('POST', '/api/records', record),
  ratings: (id: string, invite?: string | null) =>
    ask<SeatRating[]>('GET', `${table(id)}/ratings${invite ? `?invite=${encodeURIComponent(invite)}` : ''}`),
  person: (id: string) => ask<Profile>('GET', person(id)),
  history: (id: string, game: string, seats: number) =>
    ask<RatingHistory>('GET', `${person(id)}/rating?${new URLSearchParams({ game, seats: String(seats) })}`),
  shares: (id: string) => ask<Shares>('GET', `${person(id)}/shares`),
  openings: (id: string, game: string, language: string) =>
    ask<Openings>('GET', `${person(id)}/openings?${new URLSearchParams({ game, language })}`),
  gamesOf: (id: string, sought: Record<string, string>) =>
    ask<TableInfo[]>('GET', `${person(id)}/games?${new URLSearchParams(sought)}`),
  leaderboard: (game: string, seats: number) =>
    ask<Leaderboard>('GET', `/api/leaderboard/${encodeURIComponent(game)}/${seats}`),
};

/** Random letters, also where the page is not served over https. */
export function randomName(bytes = 16): string {
  const raw = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(raw, (b) => b.toString(16).padStart(2, '0')).join('');
}
