/** Names of levels and options: from the catalogue, or the server's own word where it has none. */
import { visitor } from '@/state/me.svelte';
import { t } from '@/state/words.svelte';

const tidy = (word: string) => (word.charAt(0).toUpperCase() + word.slice(1)).replaceAll('_', ' ');
const named = (fallback: string, ...keys: string[]) => {
  const key = keys.find((k) => t.has(k));
  return key ? t(key) : tidy(fallback);
};

export const levelName = (level: string) => named(level, `level.${level}`).toLowerCase();
export const optionName = (game: string, option: string) =>
  named(option, `option.${game}.${option}`, `option.${option}`);
/** What only this server has, such as a sheet somebody drew, it names itself. */
const title = (game: string, option: string, value: string) =>
  visitor.games?.find((g) => g.key === game)?.options.find((o) => o.key === option)?.titles[value]?.[t.lang];
export const valueName = (game: string, option: string, value: string) =>
  title(game, option, value) ?? named(value, `option.${game}.${option}.${value}`, `option.${option}.${value}`);
