/** What the pictures of Splendor mean. */
import en from '@games/splendor/words/en.json';
import it from '@games/splendor/words/it.json';
import type { Reference } from '../board';
import { sprite } from './art';
import { EDITIONS, JOKER } from './components';
import { sentenceStart, tokenWord } from './sentences';
import Example from './Example.svelte';
import './splendor.css';

const { tokens } = EDITIONS.marvel;

const MARKS = [
  [-3, 8],
  [103, 8],
  [103, 33],
  [-3, 90],
] as const;

export const reference: Reference = {
  words: { en, it },
  sprite,
  Example,
  marks: (t) => MARKS.map(([x, y], n) => ({ x, y, text: t(`ref.mark.${n + 1}`) })),
  meanings: (t) => [
    ...tokens.map((token, kind) => ({
      symbol: token.gem,
      css: `token ${token.css}`,
      name: sentenceStart(tokenWord(t, token)),
      note: t(kind < JOKER ? 'ref.gem' : kind === JOKER ? 'ref.joker' : 'ref.time'),
    })),
    { symbol: 'star', css: 'ref__star', name: t('ref.star'), note: t('ref.star.note') },
    {
      symbol: tokens[1]!.pip,
      css: `bonus ${tokens[1]!.css}`,
      text: '2',
      name: t('ref.bonus'),
      note: t('ref.bonus.note'),
    },
    { css: `held ${tokens[1]!.css}`, text: '1', name: t('ref.held'), note: t('ref.held.note') },
    { css: 'ref__gold', name: t('ref.gold'), note: t('ref.gold.note') },
    { css: 'ref__number', text: '4', name: t('ref.points'), note: t('ref.points.note') },
  ],
};
