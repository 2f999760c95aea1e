/** What the server says about a tournament: src/ludoteca/games/challengers/views.py. */
import type { BoardProps } from '../board';
import type { Desk } from './desk.svelte';
import type { Choice, Event, Level as LevelName, LostBy, Park as ParkName, Reason as Why } from './facts';

export type {
  Choice,
  ChoiceOf,
  Event,
  EventOf,
  Level as LevelName,
  LostBy,
  Park as ParkName,
  Reason as Why,
} from './facts';
/** Something that happens to a team: a player, or the Robot, which is the team after the last seat. */
export type TeamEvent = Extract<Event, { team: number }>;
/** A choice of a card. */
export type CardChoice = Extract<Choice, { card: string }>;
export type Step = 'ready' | 'level' | 'draft' | 'redraw' | 'exchange' | 'trim' | 'awaiting';

export interface Counted {
  card: string;
  count: number;
}
export interface Trophy {
  round: number;
  park: ParkName;
  /** Null: on the back, and not for these eyes. */
  fans: number | null;
}
export interface Team {
  plan: number;
  deck_size: number;
  by_level: Partial<Record<LevelName, number>>;
  shown: Counted[];
  removed_since: Partial<Record<LevelName, number>>;
  step: Step | null;
  level: LevelName | null;
  picks: number;
  picked: number;
  redraw: boolean;
  fans: number;
  trophies: Trophy[];
  stars: { card: string; flags: number }[];
}
export interface Standing {
  team: number;
  low: number;
  high: number;
  trophies: number;
  best_trophy: number;
}
export interface Pairing {
  park: ParkName;
  teams: number[];
  winner: number | null;
  lost_by: LostBy | null;
  state: 'waiting' | 'live' | 'over';
}
export interface RoundView {
  round: number;
  levels: { level: LevelName; picks: number }[];
  trophy: { low: number; high: number };
  matches: Pairing[];
}
export interface Bonus {
  from: string;
  amount: number;
  why: Why;
}
export interface LineupCard {
  card: string;
  base: number;
  bonuses: Bonus[];
  power: number;
}
export interface BenchSeat {
  name: string;
  cards: string[];
}
export interface Side {
  team: number;
  pile: number;
  /** Cards of the pile this viewer knows, by place from the top. */
  known: { place: number; card: string }[];
  unseen: { place: number; level: LevelName }[];
  lineup: LineupCard[];
  cheer: number;
  bench: (BenchSeat | null)[];
  exhausted: string[];
}
export interface Question {
  team: number;
  card: string;
  effect: string;
  left: number;
  must: boolean;
}
export interface MatchView {
  park: ParkName | 'final';
  round: number | null;
  state: 'waiting' | 'live' | 'over';
  opener: number;
  tossed: boolean;
  attacker: number | null;
  holder: number | null;
  attack: number;
  flag: number | null;
  asks: Question | null;
  seats_needed: { team: number; names: number; free: number };
  winner: number | null;
  lost_by: LostBy | null;
  sides: Side[];
}
export interface NextMatch {
  park: ParkName | 'final';
  rival: number;
  opens: number | null;
}
export interface Own {
  seat: number;
  deck: Counted[];
  names: number;
  /** Cards on their way to the discards: redrawn, or removed but for starting cards. */
  leaving: Counted[];
  /** The level that is chosen in secret while others still choose. */
  wanted: string | null;
  display: (string | null)[];
  marked: number[];
  exchange: { card: string; left: number } | null;
  next: NextMatch | null;
}
export interface View {
  phase: 'deck' | 'match' | 'final_trim' | 'final' | 'over';
  round: number;
  rounds: number;
  sets: string[];
  left_out: string;
  parks: ParkName[];
  robot: { team: number; difficulty: number; solo_cards: boolean; random_cards: number } | null;
  lead_to_win: number | null;
  stacks: { level: LevelName; left: number; discards: number }[];
  schedule: RoundView[];
  final: { teams: number[]; winner: number | null; lost_by: LostBy | null; by_lot: boolean } | null;
  teams: Team[];
  standings: Standing[];
  matches: MatchView[];
  you: Own | null;
  champion: number | null;
  over: 'rounds' | 'lead' | 'final' | null;
}

export type Props = BoardProps<View, Choice, Event, Desk>;
