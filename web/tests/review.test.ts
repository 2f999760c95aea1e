import { expect, test } from 'vitest';
import { apart, brief, ended, middle } from '@/review/reading';

const lines = (...kinds: string[]) => kinds.map((kind, n) => ({ kind, seat: n % 2, n }));

test('a moment of few lines is told whole', () => {
  expect(brief(lines('sealed', 'bought'), ['bought'], 0).map(({ n }) => n)).toEqual([0, 1]);
});

test('a round of sixty lines is told by those that matter, as they came', () => {
  const told = lines(...Array<string>(30).fill('sealed'), 'bought', 'epic', ...Array<string>(30).fill('bought'));
  expect(brief(told, ['epic', 'bought'], 1).map(({ kind, n }) => [kind, n])).toEqual([
    ['epic', 31],
    ['bought', 33],
    ['bought', 35],
  ]);
});

test('where nothing is known to matter, the first lines are told', () => {
  expect(brief(lines('a', 'b', 'c', 'd', 'e'), [], 9).map(({ n }) => n)).toEqual([0, 1, 2]);
});

test('one wild error is not what all of them are', () => {
  expect(middle([2, 1, 21, 2, 3])).toBe(2);
  expect(middle([])).toBe(0);
});

test('a sentence that ends with an abbreviation gets no second full stop', () => {
  expect(ended(['You recruited ', { as: 'card', text: 'M.O.D.O.K.' }])).toBe(' ');
  expect(ended(['You recruited ', { as: 'card', text: 'Hulk' }])).toBe('. ');
});

test('flags of moments that lie close stand beside each other, within the graph', () => {
  expect(apart([10, 100, 200], 26, 300)).toEqual([10, 100, 200]);
  expect(apart([280, 285, 290], 26, 300)).toEqual([248, 274, 300]);
});
