/** The viewer's half-made choice, and what is being drawn on the sheet right now. */
import type { Ability } from './types';

/** What the pencil is drawing: shown stroke by stroke, then part of the sheet. */
export interface Fresh {
  square: number | null;
  /** When the pawn has arrived, in milliseconds. */
  after: number;
  /** How long after that each circle begins: `hall-red-2`, `row-3`, `meeps-4`, `combo-red`, `space-5`. */
  circles: Map<string, number>;
}

export class Desk {
  /** The square chosen, not yet walked to. */
  pick = $state<number | null>(null);
  /** The square under the pointer or the focus. */
  hover = $state<number | null>(null);
  /** The ability the walk would use. */
  using = $state<Ability | null>(null);
  /** The order of the first dice, chosen and not yet sent: its action. */
  order = $state<number | null>(null);
  /** Whose sheet is enlarged. */
  peek = $state<number | null>(null);
  /** On a phone: the tracks are unfolded. */
  unfolded = $state(false);
  fresh = $state.raw<Fresh | null>(null);

  clear(): void {
    this.pick = this.using = this.order = null;
  }
}
