import { expect, test } from 'vitest';
import { compared, type Figure } from '@/studio/report';
import { nearest, sieves } from '@/studio/sifting';
import type { DeckColumn } from '@/wire';

const column = (key: string, sort: DeckColumn['sort'], values: string[] = []): DeckColumn => ({
  key,
  sort,
  values,
  kinds: [],
  about: '',
  allowed: '',
  label: '',
  names: {},
  fits: {},
});

test('rows are sifted by their level and by what is chosen from a short list, in its order', () => {
  const rows = ['3', '1', '2'].map((level, n) => ({ level, bonus: ['red', 'blue', 'red'][n]!, effect: `e${n}` }));
  const effects = Array.from({ length: 7 }, (_, n) => ({ level: '1', bonus: 'red', effect: `e${n}` }));
  const columns = [
    column('points', 'number'),
    column('bonus', 'choice', ['blue', 'red']),
    column('effect', 'choice'),
    column('level', 'number'),
  ];
  const found = sieves(columns, [...rows, ...effects]);
  expect(found.map((one) => [one.column.key, one.values])).toEqual([
    ['level', ['1', '2', '3']],
    ['bonus', ['blue', 'red']],
  ]);
  expect(sieves(columns, [rows[0]!])).toEqual([]);
});

test('a word that no row has finds the title most like it, or none', () => {
  const titles = ['Venom', 'Beta Ray Bill', 'Scarlet Witch'];
  expect(nearest('venon', titles)).toBe('Venom');
  expect(nearest('scarlett', titles)).toBe('Scarlet Witch');
  expect(nearest('zzzzzz', titles)).toBeUndefined();
});

test('how many deals would tell is a number, also in thousands', () => {
  const figure = {
    what: 'decided', kind: '', id: '', name: '', before: 0.85, after: 0.839, difference: -0.011, half: 0.05, own: [0, 0],
    percent: true, of: [50, 50], least: 0.07, verdict: 'open',
  } as unknown as Figure; // prettier-ignore
  const said = compared(figure, 50, true);
  expect(said).toContain('3000');
  expect(said).not.toContain('NaN');
});
