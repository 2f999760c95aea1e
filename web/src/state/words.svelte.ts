/** The table's own words in the language chosen now, and a game's words in front of them. One language is loaded at a time. */
import type { Refusal } from '@/wire';
import { words, type Catalogue, type Part, type Values, type Words } from '@/words';
import { prefs, type Lang } from './prefs.svelte';

const FILES: Record<Lang, () => Promise<{ default: Catalogue }>> = {
  en: () => import('@words/en.json'),
  it: () => import('@words/it.json'),
};
let own = $state.raw<Partial<Record<Lang, Catalogue>>>({});

/** Fetches the words of a language, unless they are there. */
export async function loadWords(lang: Lang): Promise<void> {
  if (own[lang]) return;
  const { default: found } = await FILES[lang]();
  own = { ...own, [lang]: found };
}

/** The language the page speaks: the one that was chosen, as soon as its words are there. */
const spoken = (): Lang => (own[prefs.lang] ? prefs.lang : prefs.lang === 'it' ? 'en' : 'it');

function inEach(game?: Record<Lang, Catalogue>): Words {
  const made: Partial<Record<Lang, Words>> = {};
  const now = (): Words => {
    const lang = spoken();
    const mine = own[lang];
    return mine ? (made[lang] ??= words(lang, ...(game ? [game[lang]] : []), mine)) : words(lang);
  };
  const t = ((key: string, values?: Values) => now()(key, values)) as Words;
  t.parts = (key: string, values?: Values): Part[] => now().parts(key, values);
  t.has = (key: string) => now().has(key);
  Object.defineProperty(t, 'lang', { get: spoken, enumerable: true });
  return t;
}

export const t: Words = inEach();

export const gameWords = (game: { en: Catalogue; it: Catalogue }): Words => inEach(game);

/** A refusal as a sentence: from the catalogue when it knows the key, otherwise as the server said it. */
export function refusalText(refusal: Refusal, w: Words = t): string {
  const key = `why.${refusal.key}`;
  return w.has(key) ? w(key, refusal.facts as Values) : refusal.sentence;
}

/** A list of names: "Ada, Marco and Sofia". */
export function list(items: string[]): string {
  return new Intl.ListFormat(spoken(), { type: 'conjunction' }).format(items);
}

/** How long ago, in words: "5 minutes ago". */
export function ago(seconds: number): string {
  const format = new Intl.RelativeTimeFormat(spoken(), { numeric: 'auto' });
  const past = Math.max(0, Date.now() / 1000 - seconds);
  if (past < 60) return t('just_now');
  if (past < 3600) return format.format(-Math.round(past / 60), 'minute');
  if (past < 86400) return format.format(-Math.round(past / 3600), 'hour');
  return format.format(-Math.round(past / 86400), 'day');
}
