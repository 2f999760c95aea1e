/** What the pictures of Loot mean. */
import en from '@games/loot/words/en.json';
import it from '@games/loot/words/it.json';
import type { Reference } from '../board';
import sprite from './art.svg?raw';
import Example from './Example.svelte';
import './loot.css';

const start = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const MARKS = [
  [21, 22],
  [50, 50],
  [64, 36],
  [43, 2],
] as const;

export const reference: Reference = {
  words: { en, it },
  sprite,
  Example,
  marks: (t) => MARKS.map(([x, y], n) => ({ x, y, text: t(`ref.mark.${n + 1}`) })),
  meanings: (t) => [
    ...['red', 'yellow', 'green', 'blue'].map((colour) => ({
      symbol: `loot-${colour}`,
      css: `ref__stand ref__stand--${colour}`,
      name: start(t(`colour.${colour}`)),
      note: t('ref.stand'),
    })),
    { symbol: 'loot-meeps', name: t('stand.meeps'), note: t('ref.meeps') },
    { symbol: 'loot-pawn', name: t('ref.pawn'), note: t('ref.pawn.note') },
    { symbol: 'loot-cross', name: t('ref.cross'), note: t('ref.cross.note') },
    { symbol: 'loot-halls', name: t('ref.halls'), note: t('ref.halls.note') },
    { symbol: 'loot-line', name: t('ref.line'), note: t('ref.line.note') },
    { symbol: 'loot-wrap', name: start(t('ability.wrap')), note: t('ref.wrap') },
    { symbol: 'loot-plus_minus', name: start(t('ability.plus_minus')), note: t('ref.plus_minus') },
    { symbol: 'loot-flag', name: t('ref.flag'), note: t('ref.flag.note') },
  ],
};
