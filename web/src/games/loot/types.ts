/** What the server sends about a game of Loot: see `src/ludoteca/games/loot/views.py`. Squares are 0 to 48, row by row. */
import type { BoardProps, Choice as AnyChoice, GameEvent } from '../board';
import type { Desk } from './desk.svelte';

export type Colour = 'red' | 'yellow' | 'green' | 'blue';
export type Ability = 'wrap' | 'plus_minus';
export type Direction = 'up' | 'right' | 'down' | 'left';
/** A row or a column of the combo table. */
export type Line = Colour | '1' | '2' | '3' | '4';

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

/** One reason why a walk pays. */
export interface Gain {
  kind: 'row' | 'column' | 'hall' | 'meeps' | 'combo' | 'gained';
  points?: number;
  number?: number;
  colour?: Colour;
  size?: number;
  space?: number;
  line?: Line;
  ability?: Ability;
}

export type Choice = AnyChoice & Sealed;

/** A decision, and what it would bring. */
export interface Sealed {
  kind: 'start' | 'order' | 'walk' | 'walk_wrap' | 'walk_minus' | 'walk_plus' | 'relocate' | 'stay';
  to?: number;
  direction?: Direction;
  steps?: number;
  path?: number[];
  ability?: Ability | null;
  mark?: '/' | 'x';
  points?: number;
  gains?: Gain[];
  total?: number;
  space?: number | null;
  ends?: boolean;
  dice?: number[];
}

export interface Event extends GameEvent {
  kind:
    | 'started'
    | 'ordered'
    | 'used'
    | 'walked'
    | 'slashed'
    | 'crossed'
    | 'relocated'
    | 'stayed'
    | 'row'
    | 'column'
    | 'hall'
    | 'meeps'
    | 'combo'
    | 'gained'
    | 'wrote'
    | 'rolled'
    | 'new_round'
    | 'last_round'
    | 'bonus'
    | 'ended';
  square?: number;
  stand?: Colour | 'meeps';
  dice?: number[];
  first?: boolean;
  from?: number;
  to?: number;
  direction?: Direction;
  steps?: number;
  number?: number;
  points?: number;
  colour?: Colour;
  size?: number;
  space?: number;
  line?: Line;
  ability?: Ability;
  total?: number;
  round?: number;
  why?: 'rules' | 'idle';
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
