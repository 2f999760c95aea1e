/** What the server sends about a game of Loot: see `src/ludoteca/games/loot/views.py`. Squares are 0 to 48, row by row. */
import type { BoardProps } from '../board';
import type { Desk } from './desk.svelte';
import type { Ability, Choice, Choices, Colour, Event, Line } from './facts';

export type { Ability, Choice, Colour, Direction, Event, Line } from './facts';
/** A choice that leads to a square, and one that walks there. */
export type Move = Extract<Choice, { to: number }>;
export type Walk = Extract<Choice, { path: number[] }>;
/** What one has decided while others still think: the choice it was, without its number. */
export type Sealed = Unnumbered<Move>;
export type SealedWalk = Unnumbered<Walk>;
type Unnumbered<One> = One extends Move ? Omit<One, 'action' | 'then'> : never;
/** One reason why a walk pays. */
export type Gain = Choices['walk']['gains'][number];

export interface Reward {
  points: number;
  ability: Ability | null;
}

export interface Hall {
  colour: Colour;
  size: number;
  squares: number[];
}

/** What is printed on the sheet. */
export interface Sheet {
  key: string;
  name: { en: string; it: string };
  /** Of our own design: the printed sheet was not available. */
  house: boolean;
  /** 49 letters: R, Y, G, B, or M for Meeps. */
  grid: string;
  halls: Hall[];
  meeps_track: Reward[];
  combos: ({ line: Line; need: number } & Reward)[];
  spaces: number;
  line_points: number;
  end_bonus: number;
}

export interface Sources {
  halls: number;
  meeps: number;
  lines: number;
  combos: number;
  end: number;
}

export interface Player {
  pawn: number | null;
  /** 49 marks: `.` clean, `/` slash, `x` cross. */
  marks: string;
  rows: number[];
  columns: number[];
  halls: { closed: boolean; colour: Colour; size: number }[];
  combos: { circles: number; done: boolean }[];
  meeps: number;
  abilities: Record<Ability, number>;
  used: Record<Ability, number>;
  total: number;
  track: number[];
  final: number | null;
  sources: Sources;
  crosses: number;
  moved: boolean;
  turn_points: number;
  /** The place, when the game is over. */
  rank: number | null;
}

export interface View {
  sheet: Sheet;
  phase: 'start' | 'order' | 'move';
  round: number;
  dice: [number, number, number];
  over: number;
  idle_left: number;
  players: Player[];
  /** `sealed`: what you have decided while others still think. */
  you: { seat: number; stuck: boolean; sealed: Sealed | null } | null;
}

export interface Reason {
  points: number;
  sources: Sources;
  bonus: number;
  crosses: number;
  tied: boolean;
  scores: number;
  unused: number;
  rounds: number;
  idle: boolean;
}

export type Props = BoardProps<View, Choice, Event, Desk>;
