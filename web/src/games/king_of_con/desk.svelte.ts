/** The viewer's side of the table before anything is sent: half-made offers. */
import type { Part } from '../board';
import type { Tokens } from './types';

export class Desk {
  /** Tokens by Item, before they are sealed. */
  offers = $state<Tokens>({});
  /** The Item the controls are about. */
  active = $state<string | null>(null);
  /** The Passion to put back. */
  passion = $state<number | null>(null);
  /** A decision is on its way: the selection stays until a view shows it done. */
  sending = $state(false);
  /** Which decision that was. */
  sent = '';
  /** What the last reveal brought, for those who do not watch it move. */
  recap = $state.raw<Part[]>([]);

  get total(): number {
    return Object.values(this.offers).reduce((a, b) => a + b, 0);
  }

  /** Something is chosen and not sealed. */
  get half(): boolean {
    return this.active !== null || this.passion !== null || Object.keys(this.offers).length > 0;
  }

  clear(): void {
    this.offers = {};
    this.active = null;
    this.passion = null;
  }
}
