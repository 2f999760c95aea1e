import { expect, test } from 'vitest';
import { roundWas, score } from '@/contests';

test('who was out of a knock-out was told to have missed its later rounds', () => {
  const missed = { what: 'missed', points: 0 } as const;
  expect(roundWas(missed, 'knockout')).toBe('out');
  expect(roundWas(missed, 'swiss')).toBe('missed');
  expect(roundWas({ what: 'played', points: 1 }, 'knockout')).toBe('played');
});

test('points are written as players write them', () => {
  expect([0, 1, 0.5, 2.5, 4 / 3].map((points) => score(points, 'en'))).toEqual(['0', '1', '½', '2½', '1⅓']);
});
