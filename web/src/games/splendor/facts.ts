// Generated from src/ludoteca/games/splendor/facts.py by tools/generate.py: change it there.

export type Ending = 'rules' | 'idle';

/** What can happen; a value that this viewer may not know is null. */
export interface Events {
  took: { seat: number; tokens: number[] };
  reserved: { seat: number; level: number; slot: number | null; grey: boolean; card: string | null };
  recruited: { seat: number; card: string; paid: number[]; slot: number | null; hand: number | null };
  dealt: { seat: null; level: number; slot: number; card: string };
  returned: { seat: number; tokens: number[] };
  received: { seat: number; tile: number; place: string };
  time_gem: { seat: number };
  avengers: { seat: number; from: number | null; stars: number };
  passed: { seat: number };
  assembled: { seat: number; points: number };
  fell_short: { seat: number };
  new_round: { seat: null; round: number };
  ended: { seat: null; why: Ending };
}
export type Event = { [K in keyof Events]: { n: number; kind: K } & Events[K] }[keyof Events];
export type EventOf<K extends keyof Events> = Extract<Event, { kind: K }>;

/** What a seat may do. */
export interface Choices {
  take_three: { one: number; two: number; three: number };
  take_two: { one: number; two: number };
  take_one: { colour: number };
  take_alike: { colour: number };
  reserve: { level: number; slot: number; card: string };
  reserve_top: { level: number };
  recruit: { level: number; slot: number; card: string; coloured: number[]; jokers: number; spare: number };
  recruit_hand: { slot: number; card: string; coloured: number[]; jokers: number; spare: number };
  choose_payment: {
    level: number;
    slot: number;
    card: string;
    coloured: number[];
    jokers: number;
    spare: number;
    then: Choice[];
  };
  choose_payment_hand: {
    slot: number;
    card: string;
    coloured: number[];
    jokers: number;
    spare: number;
    then: Choice[];
  };
  swap: { colour: number; then: Choice[] };
  pay: {};
  give_back: { colour: number };
  take_place: { tile: number };
  pass: {};
}
export type Choice = { [K in keyof Choices]: { action: number; kind: K; then?: Choice[] } & Choices[K] }[keyof Choices];
export type ChoiceOf<K extends keyof Choices> = Extract<Choice, { kind: K }>;

/** The types of values that sentences say, with what each is made of. */
export interface Said {
  card: string | null;
  edition: undefined;
  ending: Ending;
  flag: boolean;
  free: number[];
  holder: number | null;
  level: number;
  loser: number | null;
  number: number;
  place: string;
  tokens: number[];
}

/** What the sentence of each kind says: the type of each value, and the value it is made of. */
export const SENTENCES = {
  doer: 'seat',
  words: {},
  events: {
    took: { tokens: 'tokens' },
    reserved: { edition: 'edition', grey: 'flag', card: 'card' },
    recruited: { edition: 'edition', card: 'card', paid: 'tokens', free: 'free of paid' },
    dealt: { level: 'level', card: 'card' },
    returned: { tokens: 'tokens' },
    received: { place: 'place' },
    time_gem: {},
    avengers: { from: 'holder', stars: 'number', loser: 'loser of from' },
    passed: {},
    assembled: { edition: 'edition', points: 'number' },
    fell_short: { edition: 'edition' },
    new_round: { round: 'number' },
    ended: { why: 'ending' },
  },
} as const;
