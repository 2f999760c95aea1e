// Generated from src/ludoteca/games/challengers/facts.py by tools/generate.py: change it there.

export type DraftLevel = 'A' | 'B' | 'C';
export type EndOfDeck = 'top' | 'bottom';
export type HowOver = 'rounds' | 'lead' | 'final';
export type Level = 'P' | 'A' | 'B' | 'C' | 'R' | 'SOLO';
export type LostBy = 'power' | 'seats';
export type Park = 'green' | 'red' | 'purple' | 'yellow';
export type ParkOrFinal = 'green' | 'red' | 'purple' | 'yellow' | 'final';
export type Reason = 'kept' | 'attacking' | 'bench' | 'holding' | 'cheer';
export type Where = 'top' | 'bottom' | 'bench' | 'park' | 'exhausted';

/** What can happen; a value that this viewer may not know is null. */
export interface Events {
  round_began: { seat: null; team: null; round: number };
  match_began: {
    seat: number | null;
    team: number;
    park: ParkOrFinal;
    rival: number;
    tossed: boolean;
    decks: [number, number];
  };
  match_won: { seat: number | null; team: number; loser: number; lost_by: LostBy; park: ParkOrFinal };
  trophy_won: { seat: number | null; team: number; round: number; park: Park; fans: number | null };
  trophy_boxed: { seat: number | null; team: number; round: number; park: Park };
  trophies_opened: { seat: number | null; team: number; fans: number; trophies: number; best_trophy: number };
  lots_drawn: { seat: null; team: null };
  finalist: { seat: number | null; team: number; place: number; fans: number };
  ended: { seat: number | null; team: number; how: HowOver; fans: number };
  level_chosen: { seat: number | null; team: number; level: Level; picks: number };
  drew: { seat: number | null; team: number; count: number; level: Level; cards: (string | null)[] | null };
  redrew: { seat: number | null; team: number; count: number; level: Level; cards: (string | null)[] | null };
  picked: {
    seat: number | null;
    team: number;
    picked: number;
    level: Level;
    card: string | null;
    place: number | null;
  };
  stopped: { seat: number | null; team: number; picked: number };
  removed: { seat: number | null; team: number; level: Level; deck: number; card: string | null };
  declined: { seat: number | null; team: number; card: string };
  ready: { seat: number | null; team: number; deck: number; picked: number };
  revealed: { seat: number | null; team: number; card: string; base: number; place: number; opening: boolean };
  bonus: { seat: number | null; team: number; card: string; amount: number; why: Reason; place: number };
  compared: { seat: number | null; team: number; attack: number; flag: number; cards: number };
  took_flag: { seat: number | null; team: number; card: string; power: number; place: number };
  benched: { seat: number | null; team: number; card: string; place: number; count: number };
  no_seat: { seat: number | null; team: number; card: string };
  exhausted: { seat: number | null; team: number; card: string; from: Where; cause: string };
  recalled: { seat: number | null; team: number; card: string; cause: string };
  looked: { seat: number | null; team: number; count: number; cause: string; cards: string[] | null };
  reordered: { seat: number | null; team: number; count: number; cause: string; cards: string[] | null };
  sank: { seat: number | null; team: number; cause: string; to: Where; card: string | null; place: number | null };
  searched: { seat: number | null; team: number; count: number; cause: string };
  gained_card: { seat: number | null; team: number; level: Level; to: Where; cause: string; card: string | null };
  left_deck: { seat: number | null; team: number; card: string };
  cheered: { seat: number | null; team: number; card: string; amount: number };
  gained_fans: { seat: number | null; team: number; fans: number; cause: string; total: number };
  asked: { seat: number | null; team: number; card: string; left: number };
  passed: { seat: number | null; team: number; card: string };
}
export type Event = { [K in keyof Events]: { n: number; kind: K } & Events[K] }[keyof Events];
export type EventOf<K extends keyof Events> = Extract<Event, { kind: K }>;

/** What a seat may do. */
export interface Choices {
  choose_level: { level: DraftLevel; picks: number };
  pick: { place: number; card: string };
  mark: { place: number; card: string };
  redraw: {};
  stop: {};
  remove: { card: string };
  decline: {};
  ready: {};
  choose: { card: string };
  enough: {};
  next: { place: number; card: string; turn: number };
  to_bottom: { place: number; card: string };
  find: { place: number; card: string; where: EndOfDeck };
}
export type Choice = { [K in keyof Choices]: { action: number; kind: K } & Choices[K] }[keyof Choices];
export type ChoiceOf<K extends keyof Choices> = Extract<Choice, { kind: K }>;

/** The types of values that sentences say, with what each is made of. */
export interface Said {
  card: string | null;
  flag: boolean;
  how_over: HowOver;
  level: Level;
  lost_by: LostBy;
  number: number | null;
  park_or_final: ParkOrFinal;
  reason: Reason;
  signed: number;
  team: number;
  where: Where;
}

/** What the sentence of each kind says: the type of each value, and the value it is made of. */
export const SENTENCES = {
  doer: 'team',
  words: { park_or_final: 'park', reason: 'bonus' },
  events: {
    round_began: { round: 'number' },
    match_began: { park: 'park_or_final', rival: 'team', tossed: 'flag' },
    match_won: { loser: 'team', lost_by: 'lost_by' },
    trophy_won: { round: 'number', fans: 'number' },
    trophy_boxed: { round: 'number' },
    trophies_opened: { fans: 'number', trophies: 'number' },
    lots_drawn: {},
    finalist: { fans: 'number' },
    ended: { how: 'how_over', fans: 'number' },
    level_chosen: { level: 'level' },
    drew: { count: 'number', level: 'level' },
    redrew: { count: 'number', level: 'level' },
    picked: { card: 'card' },
    stopped: { picked: 'number' },
    removed: { card: 'card' },
    declined: { card: 'card' },
    ready: { deck: 'number' },
    revealed: { card: 'card', base: 'number', opening: 'flag' },
    bonus: { card: 'card', amount: 'signed', why: 'reason' },
    compared: { attack: 'number', flag: 'number' },
    took_flag: { card: 'card', power: 'number' },
    benched: { card: 'card', count: 'number' },
    no_seat: { card: 'card' },
    exhausted: { card: 'card', cause: 'card' },
    recalled: { card: 'card', cause: 'card' },
    looked: { count: 'number', cause: 'card' },
    reordered: { count: 'number', cause: 'card' },
    sank: { cause: 'card', to: 'where', card: 'card' },
    searched: { cause: 'card' },
    gained_card: { cause: 'card', card: 'card' },
    left_deck: { card: 'card' },
    cheered: { card: 'card', amount: 'number' },
    gained_fans: { fans: 'number', cause: 'card' },
    asked: { card: 'card' },
    passed: { card: 'card' },
  },
} as const;
