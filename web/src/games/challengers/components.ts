/** What is printed on the cards, from the same file that the rules read. */
import rows from '@games/challengers/components/cards.csv?raw';
import type { DeckRow, Words } from '../board';
import { standIn } from '../stand_in';
import { sprite } from './art';
import type { LevelName } from './types';

export interface Card {
  id: string;
  /** Cards of one name share a seat, whatever their level. */
  name: string;
  /** The name of its drawing. */
  slug: string;
  set: string;
  level: LevelName;
  /** Null: as strong as the number of the round. */
  power: number | null;
  copies: number;
  timing: string;
  effect: string;
  amount: number;
  measure: string;
  which: string;
  must: boolean;
}

/** One line of a comma-separated file; quoted fields may hold commas. */
const fields = (line: string) => [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map((m) => m[1] ?? m[2] ?? '');

const [head, ...lines] = rows.trim().split(/\r?\n/).map(fields);
const PRINTED: DeckRow[] = lines.map((line) => Object.fromEntries(head!.map((name, n) => [name, line[n] ?? ''])));

/** The name of a title's drawing, or of one that stands in for it. */
function drawing(title: string): string {
  const name = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return sprite.includes(`id="challenger-${name}"`) ? name : standIn(title);
}

function read(deck: DeckRow[]): Map<string, Card> {
  const cards = new Map<string, Card>();
  for (const row of deck) {
    const at = (name: string) => row[name] ?? '';
    cards.set(at('id'), {
      id: at('id'),
      name: at('name'),
      slug: drawing(at('name')),
      set: at('set'),
      level: at('level') as LevelName,
      power: at('power') === 'round' ? null : Number(at('power')),
      copies: Number(at('copies')),
      timing: at('timing'),
      effect: at('effect'),
      amount: Number(at('amount') || 0),
      measure: at('measure'),
      which: at('which'),
      must: at('must') === 'yes',
    });
  }
  return cards;
}

export let CARDS = read(PRINTED);
export const card = (id: string): Card => CARDS.get(id)!;
export const SEATS = 6;

const ORDER: LevelName[] = ['P', 'A', 'B', 'C', 'R', 'SOLO'];
let byId = [...CARDS.keys()];

/** From now on the cards are those of this deck; of none: the printed ones. */
export function useDeck(_: string, deck: DeckRow[] | null): void {
  CARDS = read(deck?.filter((row) => row['kind'] === 'card') ?? PRINTED);
  byId = [...CARDS.keys()];
}

/** As a deck is read: level, then power, then as in the box. */
export const byLevel = (a: string, b: string) =>
  ORDER.indexOf(card(a).level) - ORDER.indexOf(card(b).level) ||
  (card(a).power ?? 0) - (card(b).power ?? 0) ||
  byId.indexOf(a) - byId.indexOf(b);
export const byPower = (a: string, b: string) => (card(a).power ?? 0) - (card(b).power ?? 0) || byLevel(a, b);
export const bySet = (a: string, b: string) => card(a).set.localeCompare(card(b).set) || byLevel(a, b);

export const rarity = (it: Card): 'rare' | 'common' | null =>
  it.level === 'P' || it.set === 'robot' ? null : it.copies <= 3 ? 'rare' : it.copies >= 5 ? 'common' : null;

/** Its paragraph in the rules: those of §10 stand in the order of the box, one for each card that does something. */
const told = [...CARDS.values()].filter((it) => it.effect || it.power === null).map((it) => it.id);
export const paragraphOf = (id: string) => (told.includes(id) ? `10.${told.indexOf(id) + 1}` : '10');

// ── Its words ────────────────────────────────────────────────

export const cardName = (t: Words, id: string) => t(`card.${id}`);
export const setName = (t: Words, set: string) => t(`set.${set}`);
/** What a card does; '' for a card that does nothing. */
export const cardText = (t: Words, it: Card) => (t.has(`text.${it.id}`) ? t(`text.${it.id}`) : '');

/** The small print: what people ask about such a card. */
export function rulings(t: Words, it: Card): string[] {
  const keys = [
    `ruling.${it.effect}`,
    `ruling.${it.effect}.${it.timing}`,
    `ruling.${it.measure}`,
    `ruling.${it.timing}`,
  ];
  return it.effect ? keys.filter((key) => t.has(key)).map((key) => t(key)) : [];
}

/** Everything about a card in one sentence, for those who do not see it. */
export function cardLabel(t: Words, it: Card, power?: number): string {
  const text = cardText(t, it);
  const parts = [
    cardName(t, it.id),
    it.power === null && power === undefined ? t('power.round') : t('power.n', { n: power ?? it.power ?? 0 }),
    setName(t, it.set),
    t(`level.${it.level}`),
  ];
  const rare = rarity(it);
  if (rare) parts.push(t(rare));
  return parts.join(', ') + (text ? `. ${it.timing ? `${t(`timing.${it.timing}`)}: ` : ''}${text}` : '');
}
