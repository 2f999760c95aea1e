/** The viewer's side of the table before anything is sent: marks on drawn cards and on the deck, answers half made. */
export class Desk {
  /** Places of the display (from 1) to keep, and to draw again. */
  keep = $state<number[]>([]);
  out = $state<number[]>([]);
  /** The level that is marked to draw from. */
  level = $state<string | null>(null);
  /** How many of each card are to leave the deck. */
  gone = $state<Record<string, number>>({});
  /** Cards offered in an exchange. */
  swap = $state<string[]>([]);
  /** The answer to a card that asks: a card, or a place. */
  pick = $state<string | null>(null);
  /** The uppermost cards in the order wished. */
  order = $state<string[]>([]);
  sort = $state<'level' | 'power' | 'set'>('level');
  /** The schedule lies over the rest. */
  schedule = $state(false);
  deckOpen = $state(false);
  /** How things looked when the last decision was sent; null: the view shows what came of it. */
  sent = $state.raw<string | null>(null);
  asked = $state(false);

  get leaving(): number {
    return Object.values(this.gone).reduce((a, b) => a + b, 0);
  }
  get sending(): boolean {
    return this.sent !== null;
  }

  clearAnswer(): void {
    this.pick = null;
    this.order = [];
    this.asked = false;
  }
  clearDraft(): void {
    this.level = null;
    this.keep = [];
    this.out = [];
    this.swap = [];
    this.asked = false;
  }
}
