/** What is printed on the components, from the same file that the rules read. */
import rows from '@games/king_of_con/components/cards.csv?raw';
import type { DeckRow } from '../board';

/** Short names of the 15 characteristics, as the drawings have them: genres, categories, editions. */
export const SIGNS = [
  'sci',
  'hero',
  'fan',
  'man',
  'hor',
  'com',
  'vid',
  'fig',
  'gam',
  'gad',
  'vin',
  'sig',
  'lim',
  'del',
  'mint',
] as const;
export const GENRES = [1, 2, 3, 4, 5];
export const CATEGORIES = [6, 7, 8, 9, 10];
export const EDITIONS = [11, 12, 13, 14, 15];

export const sign = (characteristic: number) => SIGNS[characteristic - 1]!;

export interface Item {
  id: string;
  /** Characteristics from 1 to 15. */
  genre: number;
  category: number;
  edition: number;
  /** All three. */
  traits: number[];
}

const [head, ...lines] = rows
  .trim()
  .split(/\r?\n/)
  .map((line) => line.split(','));
const PRINTED: DeckRow[] = lines.map((line) => Object.fromEntries(head!.map((name, n) => [name, line[n] ?? ''])));
const passions = PRINTED.filter((row) => row['kind'] === 'passion').map((row) => row['characteristic']!);

function read(printed: DeckRow[]): Map<string, Item> {
  const items = printed.map((row): Item => {
    const [genre, category, edition] = ['genre', 'category', 'edition'].map(
      (axis) => passions.indexOf(row[axis]!) + 1,
    ) as [number, number, number];
    return { id: row['id']!, genre, category, edition, traits: [genre, category, edition] };
  });
  items.sort((a, b) => a.genre - b.genre || a.category - b.category);
  return new Map(items.map((one) => [one.id, one]));
}

/** In the order of the Quadrant: five rows of genres, five columns of categories. */
export let ITEMS = read(PRINTED.filter((row) => row['kind'] === 'item'));
export let IDS = [...ITEMS.keys()];

/** From now on the Items are those of this deck; of none: the printed ones. */
export function useDeck(_: string, deck: DeckRow[] | null): void {
  ITEMS = read(deck ?? PRINTED.filter((row) => row['kind'] === 'item'));
  IDS = [...ITEMS.keys()];
}

export const item = (id: string) => ITEMS.get(id)!;
