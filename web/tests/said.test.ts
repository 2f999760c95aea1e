import { describe, expect, it } from 'vitest';
import { sentences } from '@/games/said';
import { telling } from '@/table/telling';
import { plain, words } from '@/words';

interface Said {
  card: string | null;
  cards: string[];
  flag: boolean;
  number: number;
}
type Event = { n: number; kind: 'drew'; seat: number | null; card: string | null; cards: string[]; free: boolean };

const DECLARED = {
  doer: 'seat',
  words: { card: 'card' },
  events: { drew: { card: 'card', all: 'cards of cards', free: 'flag' } },
} as const;
const t = words('en', {
  'card.ace': 'the ace',
  'event.drew': '{who, select, you {You} other {{name}}}: {card}; {all}; {free, select, yes {free} other {paid}}',
});
const how = telling(t, null, 0, [{ name: 'Ana' }, { name: 'Bea' }] as never);
const said = sentences<Said, null, Event>(DECLARED, { cards: (cards) => cards.join(' and ') });
const drew = (change: Partial<Event>): Event => ({
  n: 1,
  kind: 'drew',
  seat: 1,
  card: 'ace',
  cards: ['a', 'b'],
  free: true,
  ...change,
});

describe('the sentence of an event', () => {
  it('says each value by its type', () => {
    expect(plain(said(drew({}), how))).toBe('Bea: the ace; a and b; free');
    expect(plain(said(drew({ seat: 0, free: false }), how))).toBe('You: the ace; a and b; paid');
  });
  it('says none of what is hidden, and no name when nobody does it', () => {
    expect(plain(said(drew({ card: null, seat: null }), how))).toBe(': none; a and b; free');
  });
});
