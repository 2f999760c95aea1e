/** What the pictures of Challengers! mean. */
import en from '@games/challengers/words/en.json';
import it from '@games/challengers/words/it.json';
import type { Reference } from '../board';
import { sprite } from './art';
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

export const reference: Reference = {
  words: { en, it },
  sprite,
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
