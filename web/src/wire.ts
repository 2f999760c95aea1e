/** What browser and server say to each other. The same tables, in words, are in docs/wire.md. */

export interface Me { id: string; name: string }
export interface OptionInfo { key: string; values: string[]; default: string }
export interface GameInfo {
  key: string; title: string; seats: number[]; minutes: number; built: boolean;
  options: OptionInfo[]; levels: string[]; version: string;
}
export interface OpenTable {
  game: string; seats: number; options: Record<string, string>; public: boolean; bots: (string | null)[]; name?: string | null;
}
export interface PlayNow { game: string; seats?: number; level?: string; options?: Record<string, string> }
export interface ChairInfo {
  seat: number; kind: 'person' | 'bot' | 'empty'; name: string; level: string | null; online: boolean;
  /** A bot plays for someone who left. */
  standin: boolean;
}
export interface ShuffleInfo { name: string; order: number[] }
export interface Fair {
  commitment: string; entropy: string[]; server_seed: string | null; seed: string | null; shuffles: ShuffleInfo[] | null;
}
export interface TableInfo {
  id: string; game: string; name: string; options: Record<string, string>; public: boolean;
  phase: 'open' | 'playing' | 'over'; chairs: ChairInfo[]; you: number | null; host: boolean; invite: string | null;
  spectators: number; waiting: number[]; seq: number; created: number; moved: number; fair: Fair; rematch: string | null;
}
export interface Result { ranks: number[]; scores: number[]; reasons: Record<string, unknown>[] }
export interface GameRecord {
  game: string; version: string; seats: number; options: Record<string, string>; seed: string;
  decisions: [number, number][]; names: string[]; fair: Fair; result: Result;
}
export interface Refusal { key: string; facts: Record<string, unknown>; sentence: string }

/** What a seat may do now: the game's own named arguments come with it. */
export interface Choice { action: number; kind: string; [argument: string]: unknown }
/** A fact of the game; a part that this viewer may not see is null. */
export interface GameEvent { n: number; kind: string; seat: number; [fact: string]: unknown }

export type FromServer =
  | { type: 'table'; table: TableInfo }
  | { type: 'update'; seq: number; view: unknown; choices: Choice[]; waiting: number[]; events: GameEvent[]; fresh: boolean; result: Result | null }
  | { type: 'done'; id: string; seq: number }
  | ({ type: 'refused'; id: string | null } & Refusal)
  | { type: 'said'; seat: number | null; name: string; text: string; at: number }
  | { type: 'pong'; seq: number }
  | { type: 'revealed'; fair: Fair };

export type FromBrowser =
  | { type: 'do'; id: string; action: number; at: number }
  | { type: 'say'; text: string }
  | { type: 'entropy'; text: string }
  | { type: 'ping'; at: number };
