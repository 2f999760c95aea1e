/** The last finding of each deck, kept in this browser: the reports themselves are made anew when they are asked for. */
import type { Grown } from './report';

export interface Kept {
  bot: string;
  /** As much of the report as its sentences are made of. */
  report: Pick<Grown, 'deals' | 'wanted' | 'changed' | 'course' | 'chairs'>;
}

const PLACE = 'ludoteca:findings';
const MOST = 40; // decks that are remembered
const CARDS = 3; // changed cards that are told of

type All = Record<string, Kept>;

function all(): All {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? '{}') as All;
  } catch {
    return {};
  }
}

export function keepFinding(deck: string, bot: string, { deals, wanted, changed, course, chairs }: Grown): void {
  const cards = changed.slice(0, CARDS).map((one) => ({ ...one, was: null, now: null }));
  const others = Object.entries(all()).filter(([hash]) => hash !== deck);
  const kept = [[deck, { bot, report: { deals, wanted, changed: cards, course, chairs } }] as const, ...others];
  try {
    localStorage.setItem(PLACE, JSON.stringify(Object.fromEntries(kept.slice(0, MOST))));
  } catch {
    // A browser that keeps nothing: the shelf says «not tested».
  }
}

export const findingOf = (deck: string): Kept | undefined => all()[deck];
