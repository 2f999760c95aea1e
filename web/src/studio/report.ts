/** What a growing report holds (`ludoteca balance --stream` writes it), and its figures in words. */
import type { DeckRow } from '@/games/board';
import { prefs } from '@/state/prefs.svelte';
import { t } from '@/state/studio_words.svelte';

export type Verdict = 'moved' | 'same' | 'open';

export interface Figure {
  what: string;
  kind: string;
  id: string;
  name: string;
  before: number;
  after: number;
  difference: number;
  half: number;
  /** Half of the 95 % interval of before and of after, each by itself. */
  own: [number, number];
  percent: boolean;
  of: [number, number];
  /** The smallest difference that would most likely have shown. */
  least: number;
  verdict: Verdict;
}

/** While this deck's machine code is made: the other deck alone, and both by a bot that needs none. */
export interface Early {
  deals: number;
  figures: { what: string; kind: string; value: number; half: number; percent: boolean }[];
  sight?: { bot: string; report: Grown } | null;
}

/** A row or part that differs; `was` and `now` are null where it is new or gone. */
export interface Changed {
  id: string;
  name: string;
  columns: string[];
  was: DeckRow | null;
  now: DeckRow | null;
  figures: Figure[];
}

export interface Grown {
  deals: number;
  wanted: number;
  changed: Changed[];
  chairs: Figure[];
  course: Figure[];
  /** Rounds, and how many games took so many: before and after. */
  lengths: [number, number, number][];
  /** The share of the games that were decided, from their start to their end: before and after. */
  tension: [number[], number[]];
  things: Figure[];
  /** In which level a row lies, by its id. */
  levels: Record<string, string>;
  moved: Figure[];
  looked_at: number;
  never: string[];
  always: string[];
  ways: Figure[];
  /** What each card is worth by exchange, the dearest first, if that was asked for. */
  worths: Figure[];
}

/** A line of a chart of dots. */
export interface Dot {
  label: string;
  before: number;
  after: number;
  own: [number, number];
  hot?: boolean;
}

/** Words that came in every language, as whoever reads them wants them. */
export function localised<T>(value: T): T {
  if (Array.isArray(value)) return value.map((one: unknown) => localised(one)) as T;
  if (value === null || typeof value !== 'object') return value;
  const parts = Object.entries(value);
  if (parts.length === 2 && 'en' in value && 'it' in value) return value[prefs.lang === 'it' ? 'it' : 'en'] as T;
  // What stands in a deck is nobody's words, though a title may stand there in both languages.
  const kept = (key: string, one: unknown) => (key === 'was' || key === 'now' ? one : localised(one));
  return Object.fromEntries(parts.map(([key, one]) => [key, kept(key, one as unknown)])) as T;
}

export const ENOUGH = 50; // players who had a thing: of fewer a sentence, no dot
const MOST_DEALS = 100_000; // beyond so many it is not worth waiting

export const number = (value: number, digits = 1, more: Intl.NumberFormatOptions = {}) =>
  new Intl.NumberFormat(prefs.lang, { maximumFractionDigits: digits, ...more }).format(value);
export const percent = (value: number, digits = 1) => number(value, digits, { style: 'percent' });
export const shown = (figure: { percent: boolean }, value: number) =>
  figure.percent ? percent(value) : number(value, 2);
/** A difference: in hundredths where it is one of shares. */
export const signed = (figure: { percent: boolean }, value: number) =>
  number(figure.percent ? 100 * value : value, figure.percent ? 1 : 2, { signDisplay: 'exceptZero' }).replace('-', '−');
/** Half of an interval, in the same units. */
export const give = (figure: { percent: boolean }, half: number) => signed(figure, Math.abs(half)).replace('+', '');

export function kindOf(kind: string): string {
  const [of, level] = kind.split(' level ');
  if (level) return t('report.of_level', { kind: kindOf(of!), level });
  return t.has(`had.${kind}`) ? t(`had.${kind}`) : kind;
}

export function inWords(figure: Figure, named = false): string {
  const said = t(`what.${figure.what}`, { kind: kindOf(figure.kind), n: Number(figure.kind) + 1 });
  return named && figure.name ? `${figure.name}: ${said}` : said;
}

/** «26.8 % → 36.1 %: +9.3 (from +6.9 to +11.7)», and of what is open what would tell. */
export function compared(figure: Figure, deals: number, done: boolean): string {
  const values = {
    before: shown(figure, figure.before),
    after: shown(figure, figure.after),
    difference: signed(figure, figure.difference),
    low: signed(figure, figure.difference - figure.half),
    high: signed(figure, figure.difference + figure.half),
    hundred: figure.percent ? 'yes' : 'no',
  };
  const said = t('told.figures', values);
  return done && figure.verdict === 'open' ? `${said} ${wouldTell(figure, deals)}` : said;
}

function wouldTell(figure: Figure, deals: number): string {
  const wanted = deals * (figure.least / Math.abs(figure.difference)) ** 2;
  if (!(wanted < MOST_DEALS)) return t('told.small', { least: signed(figure, figure.least) });
  const rounded = 10 ** Math.floor(Math.log10(wanted));
  return t('told.would', { n: Math.ceil(wanted / rounded) * rounded });
}

/** How the owners of a thing fared, of the way of having it that most players had. */
export const mainOf = (figures: Figure[]) =>
  figures
    .filter((one) => one.what === 'wins')
    .sort((a, b) => Math.max(...b.of) - Math.max(...a.of))
    .at(0);

/** How many players had it, in the same way. */
export const takenOf = (figures: Figure[], main: Figure) =>
  figures.find((one) => one.what === 'taken' && one.kind === main.kind);

export const enough = (figure: Figure) => Math.min(...figure.of) >= ENOUGH;

export interface Told {
  verdict: Verdict;
  up: boolean;
  head: string;
  text: string;
}

/** The findings in sentences: what was changed first. */
export function told(report: Pick<Grown, 'deals' | 'wanted' | 'changed' | 'course' | 'chairs'>): Told[] {
  const done = report.deals >= report.wanted;
  const sentence = (figure: Figure, what: string, more: Record<string, string> = {}): Told => ({
    verdict: figure.verdict,
    up: figure.difference > 0,
    head: t(`told.${what}`, { how: how(figure), d: signed(figure, figure.difference), ...more }),
    text: compared(figure, report.deals, done),
  });
  const cards = report.changed.slice(0, 3).flatMap((one): Told[] => {
    const main = mainOf(one.figures);
    const taken = main && takenOf(one.figures, main);
    if (!main || !taken) return [];
    const often = t('told.taken', { before: percent(taken.before), after: percent(taken.after), how: how(taken) });
    if (enough(main)) {
      const line = sentence(main, 'card', { name: one.name });
      return [{ ...line, text: `${line.text} ${often}` }];
    }
    const few = t('told.few', { before: main.of[0], after: main.of[1] });
    const line = sentence(taken, 'card_taken', { name: one.name });
    return [{ ...line, text: `${often} ${few}` }];
  });
  const course = ['rounds', 'decided'].flatMap((what) => {
    const figure = report.course.find((one) => one.what === what);
    return figure ? [sentence(figure, what)] : [];
  });
  return [...cards, ...course, ...chairs(report)];
}

const how = (figure: Figure) =>
  figure.verdict === 'moved' ? (figure.difference > 0 ? 'more' : 'fewer') : figure.verdict;

function chairs(report: Pick<Grown, 'chairs'>): Told[] {
  const seats = report.chairs;
  if (seats.length < 2) return [];
  const verdict = (['moved', 'open'] as const).find((one) => seats.some((seat) => seat.verdict === one)) ?? 'same';
  const rates = seats.map((seat) => seat.after);
  const values = {
    low: percent(Math.min(...rates)),
    high: percent(Math.max(...rates)),
    half: number(100 * Math.max(...seats.map((seat) => seat.own[1]))),
    fair: percent(1 / seats.length),
  };
  return [{ verdict, up: true, head: t('told.chairs', { how: verdict }), text: t('told.chairs_how', values) }];
}

/** Round places for a scale from low to high. */
export function ticks(low: number, high: number, about = 4): number[] {
  const span = high - low || 1;
  const ten = 10 ** Math.floor(Math.log10(span / about));
  const step = [1, 2, 2.5, 5, 10].map((n) => n * ten).find((one) => span / one <= about) ?? ten * 10;
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  return Array.from({ length: Math.max(1, last - first) + 1 }, (_, n) => (first + n) * step);
}

/** The numbers below which none, a quarter, half, three quarters and all of the games lie. */
export function fiveOf(lengths: Grown['lengths'], side: 1 | 2): number[] {
  const all = lengths.flatMap((one) => Array<number>(one[side]).fill(one[0]));
  return [0, 0.25, 0.5, 0.75, 1].map((part) => all[Math.round(part * (all.length - 1))] ?? 0);
}
