/** Names of levels, options and games: from the words on the game's box, or the server's own word where it has none. */
import { format, plain, type Part } from '@/words';
import type { GameInfo } from '@/wire';
import { visitor } from '@/state/me.svelte';
import { t } from '@/state/words.svelte';

export const tidy = (word: string) => (word.charAt(0).toUpperCase() + word.slice(1)).replaceAll('_', ' ');
const onBox = (game: string, key: string) => visitor.game(game)?.words[t.lang]?.[key];

export const levelName = (level: string) => (t.has(`level.${level}`) ? t(`level.${level}`) : tidy(level)).toLowerCase();
/** One line about the game. */
export const pitch = (game: string) => onBox(game, 'pitch') ?? '';
export const optionName = (game: string, option: string) =>
  option === 'deck' ? t('option.deck') : (onBox(game, `option.${option}`) ?? tidy(option));
/** What only this server has, such as a sheet somebody drew, it names itself. */
const title = (game: string, option: string, value: string) =>
  visitor.game(game)?.options.find((o) => o.key === option)?.titles[value]?.[t.lang];
/** A deck of somebody's own is called by the first digits of its hash. */
export const valueName = (game: string, option: string, value: string) =>
  option === 'deck'
    ? value.slice(0, 8)
    : (title(game, option, value) ?? onBox(game, `option.${option}.${value}`) ?? tidy(value));

/** A value as it stands within the sentence of a table's options. */
export const saidName = (game: string, option: string, value: string) =>
  onBox(game, `option.${option}.${value}.said`) ?? valueName(game, option, value);
export const hasSentence = (game: string) => onBox(game, 'option.sentence') !== undefined;

/** The options of a table as one sentence, with each choice in its place. */
export function sentenceOf(game: GameInfo, seats: number, chosen: Record<string, string>): Part[] {
  const values = game.options.flatMap(({ key, default: usual }) => {
    const value = chosen[key] ?? usual;
    return [
      [key, value],
      [`${key}_said`, { as: 'option', text: saidName(game.key, key, value), option: key }],
    ] as const;
  });
  return format(onBox(game.key, 'option.sentence') ?? '', { n: seats, ...Object.fromEntries(values) });
}

/** The same in plain words, for a list. */
export function optionsText(game: string, seats: number, chosen: Record<string, string>): string {
  const info = visitor.game(game);
  return info && hasSentence(game) ? plain(sentenceOf(info, seats, chosen)) : '';
}
