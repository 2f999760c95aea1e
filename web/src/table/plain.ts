/**
 * The board of a game that has none here: what there is to see as lists and tables, the choices as buttons, sentences from
 * the game's own words, which the server hands out. They may be a stranger's: everything is drawn as text.
 *
 * What a game does to read well on it: words `view.<name>` for the names in its view, `<name>.<value>` for values; `players`
 * is a list with an object for each seat, its `score` stands in the players' panels; a name that ends in `seat` is a chair.
 */
import { defineGame, type ChairInfo, type Choice, type GameBoard, type Telling, type Values } from '@/games/board';
import { tidy } from '@/pages/names';
import { api } from '@/api';
import { parse, type Catalogue, type Part, type Words } from '@/words';
import Plain from './Plain.svelte';
import './plain.css';

export type View = Record<string, unknown> & { players?: Record<string, unknown>[] };

/** Words whose templates can be read: a mistake in one sentence must not take the page away. */
export function readable(words: Catalogue = {}): Catalogue {
  const sound = ([, template]: [string, string]) => {
    try {
      return parse(template).length >= 0;
    } catch {
      return false;
    }
  };
  return Object.fromEntries(Object.entries(words).filter(sound));
}

type Json = Record<string, unknown>;
export const isObject = (one: unknown): one is Json => typeof one === 'object' && one !== null && !Array.isArray(one);
/** A list of objects is read as a table. */
export const isTable = (one: unknown): one is Json[] => Array.isArray(one) && one.length > 0 && one.every(isObject);
export const isDeep = (one: unknown): boolean => isObject(one) || Array.isArray(one);

export const label = (t: Words, name: string): string => (t.has(`view.${name}`) ? t(`view.${name}`) : tidy(name));

/** A value as text; `said('colour', 'red')` is the word `colour.red`, if there is one. */
export function said(t: Words, chairs: ChairInfo[], name: string, value: unknown): string | number {
  if (value === null || value === undefined) return '–';
  if (Array.isArray(value)) return value.map((part) => said(t, chairs, name, part)).join(', ');
  if (typeof value === 'object') return JSON.stringify(value);
  if (typeof value === 'number' && name.endsWith('seat') && chairs[value]) return chairs[value].name;
  const word = `${name}.${String(value)}`;
  if (t.has(word)) return t(word);
  return typeof value === 'number' ? value : String(value);
}

const spoken = (t: Words, chairs: ChairInfo[], facts: object): Values =>
  Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, said(t, chairs, name, value)]));

/** What pressing it does, in words. */
export function offer(t: Words, chairs: ChairInfo[], choice: Choice): string {
  const { action: _, kind, ...facts } = choice;
  const values = spoken(t, chairs, facts);
  if (t.has(`action.${kind}`)) return t(`action.${kind}`, values);
  const rest = Object.entries(values).map(([name, value]) => `${label(t, name).toLowerCase()} ${value as string}`);
  return [tidy(kind), ...rest].join(', ');
}

function describe(event: { kind: string; seat: number | null }, { t, chairs, player, who }: Telling) {
  const { kind, seat } = event;
  const name: Part = seat !== null && chairs[seat] ? (player(seat) as Part) : '';
  const values: Values = { ...spoken(t, chairs, event), name, who: seat === null ? 'other' : who(seat) };
  const parts = t.has(`event.${kind}`) ? t.parts(`event.${kind}`, values) : [name, ` ${kind.replaceAll('_', ' ')}`];
  return { ...(seat === null ? {} : { seat }), parts, ...(kind === 'round' ? { kind: 'round' as const } : {}) };
}

export async function plainBoard(game: string): Promise<GameBoard> {
  const { words } = await api.words(game);
  return defineGame<View>({
    words: { en: readable(words['en']), it: readable(words['it']) },
    Board: Plain,
    describe,
    score: (view, seat, t) => {
      const points = view.players?.[seat]?.['score'];
      return typeof points === 'number' ? { value: points, label: `${label(t, 'score')}: ${points}` } : null;
    },
    shortcuts: [{ keys: ['1', '…', '9'], word: 'plain.keys' }],
  });
}
