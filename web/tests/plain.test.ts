import { expect, test } from 'vitest';
import type { ChairInfo, Choice } from '@/games/board';
import { label, offer, readable, said } from '@/table/plain';
import { words } from '@/words';

const chairs = ['Ada', 'Marco'].map((name, seat) => ({ seat, name }) as ChairInfo);
const t = words('en', {
  'view.pot': 'In this turn',
  'colour.red': 'crimson',
  'action.take': 'Take {colour} from {from_seat}',
});

test('names and values are said in the words of the game, or as they are', () => {
  expect([label(t, 'pot'), label(t, 'last_roll')]).toEqual(['In this turn', 'Last roll']);
  expect(said(t, chairs, 'colour', 'red')).toBe('crimson');
  expect(said(t, chairs, 'colour', ['red', 'blue'])).toBe('crimson, blue');
  expect(said(t, chairs, 'leader_seat', 1)).toBe('Marco');
  expect([said(t, chairs, 'n', 3), said(t, chairs, 'n', null), said(t, chairs, 'n', false)]).toEqual([3, '–', 'false']);
});

test('a choice is a sentence; without one, its kind and facts', () => {
  expect(offer(t, chairs, { action: 1, kind: 'take', colour: 'red', from_seat: 0 } as Choice)).toBe(
    'Take crimson from Ada',
  );
  expect(offer(t, chairs, { action: 2, kind: 'pass_on', last_roll: 4 } as Choice)).toBe('Pass on, last roll 4');
});

test('a template that cannot be read is left out, the others stay', () => {
  expect(readable({ good: '{n, plural, other {#}}', bad: '{n, plural', worse: '}' })).toEqual({
    good: '{n, plural, other {#}}',
  });
  expect(readable(undefined)).toEqual({});
});
