// Generated from src/ludoteca/server/wire.py by tools/generate.py: change it there. In words: docs/wire.md.

/** Who you are. */
export interface Me {
  id: string;
  name: string;
}

/** What you want to be called. */
export interface Rename {
  name: string;
}

/** A choice made before the game. */
export interface OptionInfo {
  key: string;
  values: string[];
  default: string;
  titles: Record<string, Record<string, string>>;
}

/** A game of this server: what stands on its box. `words` are the pitch and the names of options. */
export interface GameInfo {
  key: string;
  title: string;
  seats: number[];
  minutes: number;
  options: OptionInfo[];
  levels: string[];
  version: string;
  colour: string;
  cover: boolean;
  words: Record<string, Record<string, string>>;
}

/** All words of a game, for a page that has no board of its own for it. */
export interface GameWords {
  words: Record<string, Record<string, string>>;
}

/** The rules of a game in Markdown, and the language they are in. */
export interface RulesPage {
  language: string;
  text: string;
}

/** A table to open; `bots` has a level or null for each chair. */
export interface OpenTable {
  game: string;
  seats: number;
  options: Record<string, string>;
  public: boolean;
  bots: (string | null)[];
  name?: string | null;
}

/** A table full of bots, please. */
export interface PlayNow {
  game: string;
  seats?: number | null;
  level?: string | null;
  options?: Record<string, string> | null;
  /** Deal only at `start`, so that your entropy can follow the commitment. */
  wait?: boolean;
}

/** Deal, please; with your own entropy for it. */
export interface Start {
  entropy?: string | null;
}

/** Once more, please; a table full of bots is dealt at once, unless you want to `wait` for `start`. */
export interface Rematch {
  wait?: boolean;
}

/** A chair to take; none named: your own, or the first free one. */
export interface Sit {
  seat?: number | null;
  invite?: string | null;
}

/** A bot for a chair, or nobody. */
export interface Chair {
  seat: number;
  level?: string | null;
}

/** Another number of chairs, or other options; what is left out stays as it is. */
export interface Arrange {
  seats?: number | null;
  options?: Record<string, string> | null;
}

/** Whether you would like to begin, as things are arranged now. */
export interface Ready {
  ready: boolean;
}

/** The chair of somebody who is not there. */
export interface StandIn {
  seat: number;
}

/** Who sits on a chair. */
export interface ChairInfo {
  seat: number;
  kind: 'person' | 'bot' | 'empty';
  name: string;
  level: string | null;
  online: boolean;
  /** A bot plays for someone who left. */
  standin: boolean;
  /** Before the start: would like to begin as things are arranged now. */
  ready: boolean;
}

/** One shuffle of the set-up: `order[i]` is the piece that came to place i. */
export interface ShuffleInfo {
  name: string;
  order: number[];
}

/** What chance said in the deal (0) or in a step of the game: `4/6 2/6` are two numbers drawn below 6. */
export interface DrawsInfo {
  seq: number;
  drawn: string;
}

/** The promise of fair chance and, after the end, its proof. */
export interface Fair {
  commitment: string;
  entropy: string[];
  server_seed: string | null;
  seed: string | null;
  shuffles: ShuffleInfo[] | null;
  chance: 'seed' | 'keyed' | null;
  draws: DrawsInfo[] | null;
}

/** How a game ended, in short: for each seat its rank and points; `won` where one plays alone against the game. */
export interface Outcome {
  ranks: number[];
  scores: number[];
  won: boolean | null;
}

/** A table as one guest may see it. */
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
  ended: 'rules' | 'damaged' | null;
  result: Outcome | null;
}

/** How a game ended. */
export interface Result {
  ranks: number[];
  scores: number[];
  reasons: Record<string, unknown>[];
}

/** A finished game, written down. */
export interface GameRecord {
  game: string;
  version: string;
  seats: number;
  options: Record<string, string>;
  seed: string | null;
  decisions: number[][];
  names: string[];
  fair: Fair;
  result: Result;
}

/** Why something was not done. */
export interface Refusal {
  key: string;
  facts: Record<string, unknown>;
  sentence: string;
}

/** How far the fast engine is. */
export interface Warmup {
  ready: boolean;
  done: number;
  total: number;
  what: string;
}

/** A decision. */
export interface Do {
  type: 'do';
  id: string;
  action: number;
  at: number;
  then?: number[];
}

/** Takes back what you have sealed. */
export interface OpenAgain {
  type: 'open_again';
  id: string;
  at: number;
}

/** Chat. */
export interface Say {
  type: 'say';
  text: string;
}

/** Something random for the shuffle. */
export interface Entropy {
  type: 'entropy';
  text: string;
}

/** Still here. */
export interface Ping {
  type: 'ping';
  at: number;
}

/** What a seat may do now; the game's own values come with it (see the game's `facts.ts`). */
export interface Choice {
  action: number;
  kind: string;
}

/**
 * A fact of the game, with its values (see the game's `facts.ts`); what this viewer may not know is null.
 *
 * `at` is when it was decided (of sealed decisions: when the screens went up), `decider` who decided for its seat.
 */
export interface GameEvent {
  n: number;
  kind: string;
  seat: number | null;
  at?: number;
  decider?: 'person' | 'bot' | 'standin' | null;
}

/** The table changed. */
export interface TableMessage {
  type: 'table';
  table: TableInfo;
}

/** The game as one viewer may see it. */
export interface Update {
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

/** Your decision is stored. */
export interface Done {
  type: 'done';
  id: string;
  seq: number;
}

/** Nothing changed, and why. */
export interface RefusedMessage {
  type: 'refused';
  id: string | null;
  key: string;
  facts: Record<string, unknown>;
  sentence: string;
}

/** Somebody said something. */
export interface Said {
  type: 'said';
  seat: number | null;
  name: string;
  text: string;
  at: number;
}

/** The newest sequence number. */
export interface Pong {
  type: 'pong';
  seq: number;
}

/** The game is over: check its chance. */
export interface Revealed {
  type: 'revealed';
  fair: Fair;
}

/**
 * Some of a game's positions, from number `first` (0: the deal) on; `total` of them so far.
 *
 * When the game is over, each has everybody's chance to win as it was then, in hundredths.
 */
export interface Moments {
  first: number;
  total: number;
  moments: Update[];
  chances: number[][];
}

export type FromBrowser = Do | OpenAgain | Say | Entropy | Ping;

export type FromServer = TableMessage | Update | Done | RefusedMessage | Said | Pong | Revealed;
