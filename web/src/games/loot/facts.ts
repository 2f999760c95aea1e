// Generated from src/ludoteca/games/loot/facts.py by tools/generate.py: change it there.

export type Ability = 'wrap' | 'plus_minus';
export type Colour = 'red' | 'yellow' | 'green' | 'blue';
export type Direction = 'up' | 'right' | 'down' | 'left';
export type Ending = 'rules' | 'idle';
export type Line = 'red' | 'yellow' | 'green' | 'blue' | '1' | '2' | '3' | '4';
export type Mark = '/' | 'x';
export type Stand = 'red' | 'yellow' | 'green' | 'blue' | 'meeps';

/** What can happen; a value that this viewer may not know is null. */
export interface Events {
  started: { seat: number; square: number; stand: Stand };
  ordered: { seat: number; dice: number[] };
  used: { seat: number; ability: Ability };
  walked: { seat: number; from: number; to: number; direction: Direction; steps: number };
  slashed: { seat: number; square: number; stand: Stand };
  crossed: { seat: number; square: number; stand: Stand };
  relocated: { seat: number; from: number; to: number };
  stayed: { seat: number; square: number; stand: Stand };
  row: { seat: number; number: number; points: number };
  column: { seat: number; number: number; points: number };
  hall: { seat: number; colour: Colour; size: number; points: number };
  meeps: { seat: number; space: number; points: number };
  combo: { seat: number; line: Line; points: number };
  gained: { seat: number; ability: Ability };
  wrote: { seat: number; space: number; points: number; total: number };
  rolled: { seat: null; dice: number[]; first: boolean };
  new_round: { seat: null; round: number };
  last_round: { seat: number };
  bonus: { seat: number; points: number; total: number };
  ended: { seat: null; why: Ending };
}
export type Event = { [K in keyof Events]: { n: number; kind: K } & Events[K] }[keyof Events];
export type EventOf<K extends keyof Events> = Extract<Event, { kind: K }>;

/** What a seat may do. */
export interface Choices {
  start: { row: number; column: number; to: number };
  order: { first: number; second: number; third: number; dice: number[] };
  walk: {
    direction: Direction;
    to: number;
    steps: number;
    path: number[];
    ability: Ability | null;
    mark: Mark;
    points: number;
    gains: Told<'row' | 'column' | 'hall' | 'meeps' | 'combo' | 'gained'>[];
    total: number;
    space: number | null;
    ends: boolean;
  };
  walk_wrap: {
    direction: Direction;
    to: number;
    steps: number;
    path: number[];
    ability: Ability | null;
    mark: Mark;
    points: number;
    gains: Told<'row' | 'column' | 'hall' | 'meeps' | 'combo' | 'gained'>[];
    total: number;
    space: number | null;
    ends: boolean;
  };
  walk_minus: {
    direction: Direction;
    to: number;
    steps: number;
    path: number[];
    ability: Ability | null;
    mark: Mark;
    points: number;
    gains: Told<'row' | 'column' | 'hall' | 'meeps' | 'combo' | 'gained'>[];
    total: number;
    space: number | null;
    ends: boolean;
  };
  walk_plus: {
    direction: Direction;
    to: number;
    steps: number;
    path: number[];
    ability: Ability | null;
    mark: Mark;
    points: number;
    gains: Told<'row' | 'column' | 'hall' | 'meeps' | 'combo' | 'gained'>[];
    total: number;
    space: number | null;
    ends: boolean;
  };
  relocate: { row: number; column: number; to: number };
  stay: { to: number };
}
export type Choice = { [K in keyof Choices]: { action: number; kind: K } & Choices[K] }[keyof Choices];
export type ChoiceOf<K extends keyof Choices> = Extract<Choice, { kind: K }>;

/** Events that have not happened yet: without their number and seat. */
export type Told<Kinds extends keyof Events> = {
  [K in Kinds]: { kind: K } & Omit<Events[K], 'seat'>;
}[Kinds];

/** The types of values that sentences say, with what each is made of. */
export interface Said {
  ability: Ability;
  dice: number[];
  direction: Direction;
  ending: Ending;
  flag: boolean;
  hall: Colour;
  line: Line;
  line_number: number;
  number: number;
  space: number;
  square: number;
  stand: Stand;
}

/** What the sentence of each kind says: the type of each value, and the value it is made of. */
export const SENTENCES = {
  doer: 'seat',
  words: { direction: 'direction', stand: 'a_stand' },
  events: {
    started: { square: 'square' },
    ordered: { dice: 'dice' },
    used: { ability: 'ability' },
    walked: { direction: 'direction', steps: 'number' },
    slashed: { stand: 'stand' },
    crossed: { square: 'square' },
    relocated: { to: 'square' },
    stayed: {},
    row: { number: 'line_number', points: 'number' },
    column: { number: 'line_number', points: 'number' },
    hall: { points: 'number', hall: 'hall of colour' },
    meeps: { points: 'number' },
    combo: { line: 'line', points: 'number' },
    gained: { ability: 'ability' },
    wrote: { space: 'space', total: 'number' },
    rolled: { dice: 'dice', first: 'flag' },
    new_round: { round: 'number' },
    last_round: {},
    bonus: { points: 'number' },
    ended: { why: 'ending' },
  },
} as const;
