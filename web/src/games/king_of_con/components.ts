/** What is printed on the components, from the same file that the rules read. */
import rows from '@games/king_of_con/components/cards.csv?raw';

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

function read(): Map<string, Item> {
  const [head, ...lines] = rows
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  const column = (name: string) => head!.indexOf(name);
  const passions = lines
    .filter((line) => line[column('kind')] === 'passion')
    .map((line) => line[column('characteristic')]!);
  const items = new Map<string, Item>();
  for (const line of lines) {
    if (line[column('kind')] !== 'item') continue;
    const [genre, category, edition] = ['genre', 'category', 'edition'].map(
      (axis) => passions.indexOf(line[column(axis)]!) + 1,
    ) as [number, number, number];
    const id = line[column('id')]!;
    items.set(id, { id, genre, category, edition, traits: [genre, category, edition] });
  }
  return items;
}

/** In the order of the Quadrant: five rows of genres, five columns of categories. */
export const ITEMS = read();
export const IDS = [...ITEMS.keys()];
export const item = (id: string) => ITEMS.get(id)!;
