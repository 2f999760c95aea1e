/** What is printed on the components, from the same files that the rules read. */
import base from '@games/splendor/components/base.csv?raw';
import marvel from '@games/splendor/components/marvel.csv?raw';
import type { DeckRow } from '../board';
import { sprite } from './art';
import { standIn } from '../stand_in';
import type { EditionName } from './types';

/** A kind of token: its name in the words, its colours in the style sheet, its shapes in the sprite. */
export interface Token {
  key: string;
  css: string;
  gem: string;
  pip: string;
}
const token = (key: string, shape = key, css = shape): Token => ({
  key,
  css: `g-${css}`,
  gem: `gem-${shape}`,
  pip: `pip-${shape}`,
});

export const JOKER = 5;
export const TIME = 6;

export interface Card {
  id: string;
  /** Empty in the base edition. */
  name: string;
  level: number;
  /** The colour of the bonus, 0 to 4. */
  bonus: number;
  points: number;
  cost: number[];
  stars: number;
  art: string;
}

export interface Place {
  id: string;
  name: string;
  points: number;
  cost: number[];
  art: string;
}

export interface Edition {
  name: EditionName;
  /** Five colours, the joker, and in the Marvel edition the time gem. */
  tokens: Token[];
  cards: Map<string, Card>;
  places: Map<string, Place>;
}

/** Lines and fields of a file with commas; a field in quotes may hold commas. */
export function parseCsv(text: string): Record<string, string>[] {
  const [head, ...lines] = text.trim().split(/\r?\n/).map(fields);
  return lines.map((line) => Object.fromEntries(head!.map((name, i) => [name, line[i] ?? ''])));
}

function fields(line: string): string[] {
  const found = line.match(/("([^"]|"")*"|[^,]*)(,|$)/g) ?? [];
  return found
    .slice(0, line.endsWith(',') ? undefined : -1)
    .map((field) => field.replace(/,$/, ''))
    .map((field) => (field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field));
}

export const slug = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** A drawing if there is one, otherwise one of those that stand in for a new title. */
const drawn = (name: string, title: string) => (sprite.includes(`id="${name}"`) ? name : standIn(title));

function read(name: EditionName, rows: DeckRow[], tokens: Token[]): Edition {
  const colours = tokens.slice(0, JOKER).map((kind) => kind.key);
  const cards = new Map<string, Card>();
  const places = new Map<string, Place>();
  for (const row of rows) {
    const cost = colours.map((colour) => Number(row[colour]));
    const id = row['id']!;
    const title = row['name']!;
    if (row['kind'] === 'card') {
      const level = Number(row['level']);
      const motif = `motif-${level}-${row['bonus']}`;
      const art = name === 'marvel' ? drawn(`character-${slug(title)}`, title) : motif;
      cards.set(id, {
        id,
        name: title,
        level,
        bonus: colours.indexOf(row['bonus']!),
        points: Number(row['points']),
        cost,
        stars: Number(row['avengers'] || 0),
        art,
      });
    } else {
      const art = drawn(`${name === 'marvel' ? 'place' : 'noble'}-${slug(title)}`, title);
      places.set(id, { id, name: title, points: Number(row['points']), cost, art });
    }
  }
  return { name, tokens, cards, places };
}

export const EDITIONS: Record<EditionName, Edition> = {
  marvel: read('marvel', parseCsv(marvel), [
    token('yellow'),
    token('red'),
    token('orange'),
    token('blue'),
    token('purple'),
    token('grey'),
    token('time', 'green'),
  ]),
  base: read('base', parseCsv(base), [
    token('white'),
    token('blue'),
    token('green', 'emerald', 'green'),
    token('red'),
    token('black'),
    token('gold'),
  ]),
};

const PRINTED = { ...EDITIONS };

/** From now on the cards and places are those of this deck; of none: the printed ones. */
export function useDeck(form: string, rows: DeckRow[] | null): void {
  Object.assign(EDITIONS, PRINTED);
  if (rows && (form === 'marvel' || form === 'base')) EDITIONS[form] = read(form, rows, PRINTED[form].tokens);
}

export const ROMAN = ['', 'I', 'II', 'III'];
