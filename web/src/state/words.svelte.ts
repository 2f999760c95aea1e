/** The table's own words in the language chosen now, and a game's words in front of them. */
import en from '@words/en.json';
import it from '@words/it.json';
import type { Refusal } from '@/wire';
import { words, type Catalogue, type Part, type Values, type Words } from '@/words';
import { prefs } from './prefs.svelte';

function inBoth(enWords: Words, itWords: Words): Words {
  const now = () => (prefs.lang === 'it' ? itWords : enWords);
  const t = ((key: string, values?: Values) => now()(key, values)) as Words;
  t.parts = (key: string, values?: Values): Part[] => now().parts(key, values);
  t.has = (key: string) => now().has(key);
  Object.defineProperty(t, 'lang', { get: () => prefs.lang, enumerable: true });
  return t;
}

export const t: Words = inBoth(words('en', en), words('it', it));

export function gameWords(game: { en: Catalogue; it: Catalogue }): Words {
  return inBoth(words('en', game.en, en), words('it', game.it, it));
}

/** A refusal as a sentence: from the catalogue when it knows the key, otherwise as the server said it. */
export function refusalText(refusal: Refusal, w: Words = t): string {
  const key = `why.${refusal.key}`;
  return w.has(key) ? w(key, refusal.facts as Values) : refusal.sentence;
}

/** A list of names: "Ada, Marco and Sofia". */
export function list(items: string[]): string {
  return new Intl.ListFormat(prefs.lang, { type: 'conjunction' }).format(items);
}

/** How long ago, in words: "5 minutes ago". */
export function ago(seconds: number): string {
  const format = new Intl.RelativeTimeFormat(prefs.lang, { numeric: 'auto' });
  const past = Math.max(0, Date.now() / 1000 - seconds);
  if (past < 60) return t('just_now');
  if (past < 3600) return format.format(-Math.round(past / 60), 'minute');
  if (past < 86400) return format.format(-Math.round(past / 3600), 'hour');
  return format.format(-Math.round(past / 86400), 'day');
}
