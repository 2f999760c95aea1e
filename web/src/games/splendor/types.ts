/** What the server sends about a game of Splendor: see `src/ludoteca/games/splendor/views.py`. */
export type { Choice, Event } from './facts';

export type EditionName = 'marvel' | 'base';
/** A number for each kind of token: five colours, joker, time gem. */
export type Tokens = number[];

export interface HandCard {
  level: number;
  /** Null: this viewer may not know it. */
  card: string | null;
  /** Reserved from the top of a deck: the others have not seen it. */
  secret: boolean;
}

export interface Player {
  points: number;
  tokens: Tokens;
  bonuses: number[];
  stars: number;
  cards: string[];
  hand: HandCard[];
  missing: { points: number; bonuses: number[]; time: boolean };
  qualifies: boolean;
}

/** How a card is paid: coloured tokens, jokers that must be, jokers that could stand for a coloured token. */
export interface Payment {
  card: string;
  coloured: number[];
  jokers: number;
  spare: number;
}

export interface View {
  edition: EditionName;
  goal: number;
  token_limit: number;
  hand_limit: number;
  round: number;
  turn: number;
  phase: 'main' | 'pay' | 'return' | 'place';
  final_round: boolean;
  over: number;
  bank: Tokens;
  decks: number[];
  market: (string | null)[][];
  tiles: { id: string; owner: number | null }[];
  avengers: number | null;
  players: Player[];
  you: null | {
    seat: number;
    lacks: Record<string, number[]>;
    jokers: number;
    excess: number;
    paying: null | (Payment & { swapped: number[] });
  };
}

/** Why somebody came where they came: `result.reasons`. */
export interface Reason {
  points: number;
  qualifies: boolean;
  avengers: boolean;
  cards: number;
  places: number;
  idle: boolean;
}
