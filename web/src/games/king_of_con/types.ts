/** What the server sends about a game of King of Con: see `src/ludoteca/games/king_of_con/views.py`. */
import type { Phase } from './facts';

export type { Choice, Event, Phase } from './facts';
/** Tokens by Item. */
export type Tokens = Record<string, number>;

export interface ItemState {
  id: string;
  where: 'deck' | 'booth' | 'stall' | 'collection';
  owner: number | null;
  booth: number | null;
  value: number | null;
}

export interface BoothState {
  booth: number;
  item: string | null;
  offers: number[];
  leaders: number[];
}

export interface Dominance {
  characteristic: number;
  seat: number | null;
  items: number;
  tokens: number;
  tie: 'tokens' | 'monkeys' | null;
}

export interface Player {
  monkey: number;
  trash: number;
  recovers: number;
  gave: number;
  supply: number | null;
  sealed: boolean;
  items: { id: string; value: number }[];
  nearest_epic: { characteristic: number; items: number; needs: number } | null;
  epics: number[];
  passions: number[] | null;
  /** The Quadrant as it was last revealed. */
  shown: Tokens;
}

export interface Score {
  items: number;
  matches: number;
  epics: number;
  tokens: number;
}

/** `view.final` and `result.reasons`. */
export interface Reason extends Score {
  points: number;
  supply: number;
  on_items: number;
  monkey: number;
}

export type OfferKind = 'attack' | 'defend' | 'buy';

export interface Own {
  seat: number;
  supply: number;
  placed: number;
  left: number;
  passions: { passion: number; points: number }[];
  put_back: number | null;
  quadrant: Tokens;
  /** For each Item in play that matches: the Passions it matches. */
  matches: Record<string, number[]>;
  offers: Record<string, { kind: OfferKind; least: number }>;
  points: number | null;
  score: Score | null;
}

export interface View {
  round: number;
  rounds: number;
  phase: Phase;
  hid_bid: number | null;
  options: { passions: number; monkey_control: boolean; bluffing_by_mistake: boolean };
  pool: number;
  deck: number;
  /** In the order of the Quadrant. */
  items: ItemState[];
  booths: BoothState[];
  stall: string[];
  dominance: Dominance[];
  contest: null | {
    seat: number;
    item: string | null;
    booth: number | null;
    characteristic: number | null;
    seats: number[] | null;
  };
  ties: { item: string; seats: number[]; tokens: number }[];
  players: Player[];
  you: Own | null;
  final: (Reason & { seat: number; rank: number })[] | null;
  ended_by: 'rounds' | 'epic' | null;
}
