/** What the pictures of Challengers! mean. */
import en from '@games/challengers/words/en.json';
import it from '@games/challengers/words/it.json';
import type { Reference } from '../board';
import { sprite } from './art';
import Example from './Example.svelte';
import './challengers.css';

const SETS = ['city', 'castle', 'film-studio', 'funfair', 'haunted-house', 'outer-space', 'shipwreck'];
const WHEN = [
  'immediate',
  'while_attacking',
  'from_bench',
  'flag_possession',
  'flag_lost',
  'flag_gained',
  'when_chosen',
];

const MARKS = [
  [-4, 8],
  [104, 8],
  [104, 68],
  [-4, 82],
] as const;

export const reference: Reference = {
  words: { en, it },
  sprite,
  Example,
  marks: (t) => MARKS.map(([x, y], n) => ({ x, y, text: t(`ref.mark.${n + 1}`) })),
  meanings: (t) => [
    ...WHEN.map((when) => ({ symbol: `ch-w-${when}`, name: t(`ref.${when}`), note: t(`ref.${when}.note`) })),
    ...SETS.map((set) => ({
      symbol: `ch-set-${set}`,
      css: `setdot s-${set}`,
      name: t(`set.${set}`),
      note: t('ref.set'),
    })),
    { symbol: 'ch-fan-star', name: t('ref.fan'), note: t('ref.fan.note') },
    { symbol: 'ch-cup', name: t('ref.cup'), note: t('ref.cup.note') },
  ],
};
