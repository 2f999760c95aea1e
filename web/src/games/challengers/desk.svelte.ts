/** The viewer's side of the table before anything is sent: marks on drawn cards and on the deck, answers half made. */
/** One of several messages that a decision travels as: each is sent when the view shows the one before it. */
export interface Errand {
  kind: string;
  /** Which of the choices of this kind. */
  place?: number;
  card?: string;
  action?: number;
}

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
  errand = $state.raw<Errand[]>([]);
  /** How things looked when the last one was sent; null: the view shows what came of it. */
  sent = $state.raw<string | null>(null);
  asked = $state(false);

  get leaving(): number {
    return Object.values(this.gone).reduce((a, b) => a + b, 0);
  }
  get sending(): boolean {
    return this.errand.length > 0 || this.sent !== null;
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
