/** What the pictures of King of Con mean. */
import en from '@games/king_of_con/words/en.json';
import it from '@games/king_of_con/words/it.json';
import type { Reference } from '../board';
import { sprite } from './art';
import { sign } from './components';
import Example from './Example.svelte';
import './king_of_con.css';

const KINDS = ['genre', 'category', 'edition'];
const SIGNS = ['monkey', 'purse', 'trash', 'crown', 'stall'];

const MARKS = [
  [-3, 30],
  [103, 30],
  [100, 88],
  [72, -1],
] as const;

export const reference: Reference = {
  words: { en, it },
  sprite,
  Example,
  marks: (t) => MARKS.map(([x, y], n) => ({ x, y, text: t(`ref.mark.${n + 1}`) })),
  meanings: (t) => [
    ...Array.from({ length: 15 }, (_, n) => ({
      symbol: `ch-${sign(n + 1)}`,
      name: t(`characteristic.${n + 1}`),
      note: t(`ref.${KINDS[Math.floor(n / 5)]!}`),
    })),
    ...SIGNS.map((name) => ({ symbol: `k-${name}`, name: t(`ref.${name}`), note: t(`ref.${name}.note`) })),
    { css: 'coin', text: '3', name: t('ref.coin'), note: t('ref.coin.note') },
  ],
};
