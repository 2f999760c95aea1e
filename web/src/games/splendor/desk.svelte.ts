/** The viewer's side of the table before anything is sent: half-made selections. */
import type { Spot } from './offers';

const none = (n: number) => Array.from({ length: n }, () => 0);

export class Desk {
  /** Colours chosen from the supply, in the order of choosing. */
  gems = $state<number[]>([]);
  spot = $state.raw<Spot | null>(null);
  /** Jokers to be paid in place of each colour. */
  swaps = $state<number[]>(none(5));
  /** Own tokens chosen to go back, by kind. */
  back = $state<number[]>(none(6));
  /** A place chosen among several, from 1. */
  tile = $state<number | null>(null);
  /** A decision is on its way: the selection stays until the next view, then goes without a word. */
  sending = $state(false);
  /** What changed with the last move, where nothing moves: it keeps a brass edge. */
  changed = $state.raw<ReadonlySet<string>>(new Set());
  /** Whose cards are spread out in the window. */
  team = $state<number | null>(null);
  /** On a phone: the tray shows the reserved cards. */
  unfolded = $state(false);

  get empty(): boolean {
    return (
      !this.gems.length && !this.spot && this.tile === null && !this.back.some(Boolean) && !this.swaps.some(Boolean)
    );
  }

  clear(): void {
    this.gems = [];
    this.spot = null;
    this.tile = null;
    this.swaps = none(5);
    this.back = none(6);
  }

  pick(spot: Spot | null): void {
    this.clear();
    this.spot = spot;
  }

  pickGems(gems: number[]): void {
    this.clear();
    this.gems = gems;
  }
}
