// Generated from src/ludoteca/games/king_of_con/facts.py by tools/generate.py: change it there.

export type Decision = 'items' | 'tokens' | 'monkeys' | 'concession';
export type Ending = 'rounds' | 'epic';
export type Phase = 'passions' | 'hype' | 'hid_bid' | 'buying' | 'looting' | 'spoils' | 'show_off' | 'over';
export type Waste = 'beaten' | 'not_enough' | 'two_booths' | 'not_in_play';

/** What can happen; a value that this viewer may not know is null. */
export interface Events {
  sealed: { seat: number; phase: Phase; passion: number | null; tokens: number | null };
  new_round: { seat: null; round: number };
  exposed: { seat: null; booth: number; item: string };
  screens_up: { seat: null; hid_bid: number | null };
  offered: { seat: number; item: string; tokens: number; booth: number | null; total: number };
  passed: { seat: number; hid_bid: number | null };
  nobody_offered: { seat: null; hid_bid: number | null };
  wasted: { seat: number; item: string; tokens: number; why: Waste };
  unsold: { seat: null; item: string; booth: number };
  bought: { seat: number; item: string; value: number; booth: number };
  reinforced: { seat: number; item: string; tokens: number; value: number };
  looted: { seat: number; item: string; tokens: number; from: number; added: number };
  bought_stall: { seat: number; item: string; tokens: number };
  tied: {
    seat: null;
    item: string | null;
    characteristic: number | null;
    seats: number[];
    tokens: number;
    monkeys: number[];
  };
  claimed: { seat: number; item: string | null; characteristic: number | null; monkey: number };
  conceded: { seat: number; item: string | null; characteristic: number | null; seats: number[] };
  swapped: {
    seat: number;
    item: string | null;
    characteristic: number | null;
    seats: number[];
    before: number[];
    after: number[];
  };
  whip_round: { seat: null; missing: number; pool: number };
  gave: { seat: number };
  fell_short: { seat: null; missing: number };
  devalued: { seat: number; item: string; value: number };
  recovered: { seat: number; tokens: number; rest: number };
  dominated: { seat: number; characteristic: number; items: number; by: Decision; tokens: number };
  undominated: { seat: null; characteristic: number };
  consoled: { seat: number };
  epic: { seat: number; characteristic: number; items: number };
  ended: { seat: null; why: Ending };
  uncovered: { seat: number; passions: [number, number]; supply: number };
  scored: {
    seat: number;
    points: number;
    rank: number;
    items: number;
    matches: number;
    epics: number;
    tokens: number;
    on_items: number;
  };
  no_tokens: { seat: number; phase: Phase };
}
export type Event = { [K in keyof Events]: { n: number; kind: K } & Events[K] }[keyof Events];
export type EventOf<K extends keyof Events> = Extract<Event, { kind: K }>;

/** What a seat may do. */
export interface Choices {
  put_back: { passion: number };
  bid: { booth: number; tokens: number };
  pass: {};
  place: { item: string; tokens: number; then: Choice[] };
  seal: {};
  claim: { item: string };
  concede: { item: string };
  claim_dominance: { characteristic: number };
  concede_dominance: { characteristic: number };
}
export type Choice = { [K in keyof Choices]: { action: number; kind: K; then?: Choice[] } & Choices[K] }[keyof Choices];
export type ChoiceOf<K extends keyof Choices> = Extract<Choice, { kind: K }>;

/** The types of values that sentences say, with what each is made of. */
export interface Said {
  booth: number | null;
  characteristic: number;
  decision: Decision;
  ending: Ending;
  hid_bid: number | null;
  item: string;
  moves: number[];
  number: number | null;
  passion: number | null;
  passions: [number, number];
  phase: Phase;
  seat: number;
  seats: number[];
  waste: Waste;
  what: string | null;
}

/** What the sentence of each kind says: the type of each value, and the value it is made of. */
export const SENTENCES = {
  doer: 'seat',
  words: { passion: 'characteristic', item: 'item', characteristic: 'characteristic' },
  events: {
    sealed: { phase: 'phase', passion: 'passion', tokens: 'number' },
    new_round: { round: 'number' },
    exposed: { booth: 'booth', item: 'item' },
    screens_up: { hid_bid: 'hid_bid' },
    offered: { item: 'item', tokens: 'number', booth: 'booth', total: 'number' },
    passed: {},
    nobody_offered: { hid_bid: 'hid_bid' },
    wasted: { item: 'item', tokens: 'number', why: 'waste' },
    unsold: { item: 'item' },
    bought: { item: 'item', value: 'number', booth: 'booth' },
    reinforced: { item: 'item', tokens: 'number', value: 'number' },
    looted: { item: 'item', tokens: 'number', from: 'seat', added: 'number' },
    bought_stall: { item: 'item', tokens: 'number' },
    tied: { seats: 'seats', tokens: 'number', what: 'what of item' },
    claimed: { monkey: 'number', what: 'what of item' },
    conceded: { what: 'what of item' },
    swapped: { moves: 'moves of seats' },
    whip_round: { missing: 'number' },
    gave: {},
    fell_short: { missing: 'number' },
    devalued: { item: 'item', value: 'number' },
    recovered: { tokens: 'number', rest: 'number' },
    dominated: { characteristic: 'characteristic', items: 'number', by: 'decision', tokens: 'number' },
    undominated: { characteristic: 'characteristic' },
    consoled: {},
    epic: { characteristic: 'characteristic', items: 'number' },
    ended: { why: 'ending' },
    uncovered: { passions: 'passions', supply: 'number' },
    scored: { points: 'number', rank: 'number', items: 'number', matches: 'number', epics: 'number', tokens: 'number' },
    no_tokens: {},
  },
} as const;
