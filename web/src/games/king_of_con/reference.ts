/** What the pictures of King of Con mean. */
import en from '@games/king_of_con/words/en.json';
import it from '@games/king_of_con/words/it.json';
import type { Reference } from '../board';
import { sprite } from './art';
import { sign } from './components';
import './king_of_con.css';

const KINDS = ['genre', 'category', 'edition'];
const SIGNS = ['monkey', 'purse', 'trash', 'crown', 'stall'];

export const reference: Reference = {
  words: { en, it },
  sprite,
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
