/** What the choices sent by the server offer for a half-made selection. Nothing here knows a rule: it only searches. */
import { EDITIONS } from './components';
import type { Choice, View } from './types';

/** The colours (from 0) that a choice takes, or null when it takes no gems. */
export function gemsOf(choice: Choice): number[] | null {
  switch (choice.kind) {
    case 'take_three':
      return [choice.one - 1, choice.two - 1, choice.three - 1];
    case 'take_two':
      return [choice.one - 1, choice.two - 1];
    case 'take_one':
      return [choice.colour - 1];
    case 'take_alike':
      return [choice.colour - 1, choice.colour - 1];
    default:
      return null;
  }
}

const count = (list: number[], value: number) => list.filter((other) => other === value).length;
const contains = (whole: number[], part: number[]) =>
  part.every((colour) => count(part, colour) <= count(whole, colour));

/** The sets of gems on offer that contain the selection. */
function continuing(choices: Choice[], gems: number[]): number[][] {
  return choices
    .map(gemsOf)
    .filter((set) => set !== null && set.length >= gems.length && contains(set, gems)) as number[][];
}

/** The piles from which one more gem can be added. */
export function nextGems(choices: Choice[], gems: number[]): Set<number> {
  const found = new Set<number>();
  for (const set of continuing(choices, gems)) {
    for (const colour of set) if (count(set, colour) > count(gems, colour)) found.add(colour);
  }
  return found;
}

/** The choice that takes exactly these gems. */
export function exactGems(choices: Choice[], gems: number[]): Choice | undefined {
  return choices.find((choice) => {
    const set = gemsOf(choice);
    return set !== null && set.length === gems.length && contains(set, gems);
  });
}

/** How many gems the selection can become. */
export function roomForGems(choices: Choice[], gems: number[]): number {
  return Math.max(gems.length, ...continuing(choices, gems).map((set) => set.length));
}

export const possible = (choices: Choice[], gems: number[]) => continuing(choices, gems).length > 0;

/** A card in sight, or the unseen top of a deck. Levels and slots from 1. */
export type Spot =
  | { at: 'market'; level: number; slot: number; card: string }
  | { at: 'hand'; slot: number; card: string }
  | { at: 'deck'; level: number; card: null };

export const sameSpot = (a: Spot | null, b: Spot) => a !== null && spotName(a) === spotName(b) && a.card === b.card;
export const spotName = (spot: Spot) =>
  spot.at === 'market'
    ? `market:${spot.level}:${spot.slot}`
    : spot.at === 'hand'
      ? `hand:${spot.slot}`
      : `deck:${spot.level}`;

export interface CardOffers {
  recruit: Choice | undefined;
  choosePayment: Choice | undefined;
  reserve: Choice | undefined;
}

/** What can be done with a card now. */
export function offersFor(choices: Choice[], spot: Spot): CardOffers {
  const find = (kind: string) =>
    choices.find(
      (choice) =>
        choice.kind === kind &&
        (!('level' in spot) || ('level' in choice && choice.level === spot.level)) &&
        (!('slot' in spot) || ('slot' in choice && choice.slot === spot.slot)),
    );
  if (spot.at === 'deck') return { recruit: undefined, choosePayment: undefined, reserve: find('reserve_top') };
  if (spot.at === 'hand')
    return { recruit: find('recruit_hand'), choosePayment: find('choose_payment_hand'), reserve: undefined };
  return { recruit: find('recruit'), choosePayment: find('choose_payment'), reserve: find('reserve') };
}

/** Whether the card is still where it was picked. */
export function stillThere(view: View, me: number | null, spot: Spot): boolean {
  if (spot.at === 'market') return view.market[spot.level - 1]?.[spot.slot - 1] === spot.card;
  if (spot.at === 'hand') return me !== null && view.players[me]?.hand[spot.slot - 1]?.card === spot.card;
  return view.decks[spot.level - 1]! > 0;
}

/** What the viewer's own tokens and bonuses do not cover, by colour; null when the card cannot be recruited by this viewer. */
export function lackOf(view: View, card: string): { lacks: number[]; jokers: number; missing: number } | null {
  const lacks = view.you?.lacks[card];
  if (!lacks) return null;
  const sum = lacks.reduce((a, b) => a + b, 0);
  return { lacks, jokers: Math.min(view.you!.jokers, sum), missing: Math.max(0, sum - view.you!.jokers) };
}

export const editionOf = (view: View) => EDITIONS[view.edition];

/** Where a choice is seen on the board. */
export function spots(choice: Choice): string[] {
  const piles = (...numbers: number[]) => numbers.map((n) => `[data-pile="${n}"]`);
  switch (choice.kind) {
    case 'take_three':
      return piles(choice.one, choice.two, choice.three);
    case 'take_two':
      return piles(choice.one, choice.two);
    case 'take_one':
    case 'take_alike':
      return piles(choice.colour);
    case 'give_back':
      return [`[data-give="${choice.colour}"]`];
    case 'reserve':
    case 'recruit':
    case 'choose_payment':
      return [`[data-spot="market:${choice.level}:${choice.slot}"]`];
    case 'recruit_hand':
    case 'choose_payment_hand':
      return [`[data-spot="hand:${choice.slot}"]`];
    case 'reserve_top':
      return [`[data-spot="deck:${choice.level}"]`];
    case 'take_place':
      return [`[data-spot="tile:${choice.tile}"]`];
    default:
      return [];
  }
}
