import { expect, test } from 'vitest';
import { areasOf, inNumbers, mirrored, turned, wrongAreas } from '@/games/loot/sheets';
import { mendable } from '@/studio/bringing';
import { ordered } from '@/studio/counting';
import { asCells, asCsv, asTable } from '@/studio/csv';
import { compared, type Figure } from '@/studio/report';
import { Sheet } from '@/studio/sheet.svelte';
import { nearest, sieves } from '@/studio/sifting';
import type { DeckColumn, DeckForm } from '@/wire';

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

test('a table is read as spreadsheets write it, with comments, quotation marks and any of three separators', () => {
  const text = '\ufeff# Splendor,…\r\nID;name;points\r\nA1;"Baron; ""II""";9\r\n\r\nA2;Groot;x\r\n';
  const rows = asTable(text);
  expect(rows).toEqual([
    { id: 'A1', name: 'Baron; "II"', points: '9' },
    { id: 'A2', name: 'Groot', points: 'x' },
  ]);
  expect(asTable(asCsv(['id', 'name', 'points'], rows))).toEqual(rows);
  expect(asCells('a\t"b\nc"\r\nd\te\r\n')).toEqual([
    ['a', 'b c'],
    ['d', 'e'],
  ]);
});

test('a file is mended in the sheet only where every mistake is that of a cell', () => {
  const wrong = (row: number, column: string) => ({ line: 3, row, column, sentence: 'x' });
  expect(mendable([wrong(0, 'points'), wrong(4, 'level')])).toBe(true);
  expect(mendable([wrong(0, 'points'), wrong(-1, 'pionts')])).toBe(false);
  expect(mendable([])).toBe(false);
});

test('rows of a list stand by level, the changed ones first', () => {
  const printed = ['1', '1', '2', '2'].map((level, n) => ({ id: `M${n}`, level, points: '0' }));
  const form = { content: printed, kinds: [], columns: [column('points', 'number')] } as unknown as DeckForm;
  const sheet = new Sheet(
    form,
    printed.map((row, n) => (n === 1 || n === 3 ? { ...row, points: '5' } : row)),
  );
  expect(ordered(sheet, [0, 1, 2, 3])).toEqual([
    { level: '1', rows: [1, 0] },
    { level: '2', rows: [3, 2] },
  ]);
});

const FAIR = ['RRM', 'YMB', 'YBB']
  .map((row) => [...row.padEnd(7, 'M')].join(' '))
  .concat(Array(4).fill('M M M M M M M'));

test('halls of a painted sheet find themselves, and a mistake of a row is of its largest hall', () => {
  const letters = FAIR.flatMap((row) => row.split(' '));
  const areas = areasOf(letters);
  expect(areas.map((one) => [one.colour, one.squares])).toEqual([
    ['red', [0, 1]],
    ['yellow', [7, 14]],
    ['blue', [9, 15, 16]],
  ]);
  expect(wrongAreas(areas, ['grid 2']).map((one) => one.colour)).toEqual(['blue']);
  expect(wrongAreas(areas, ['meeps_track'])).toEqual([]);
});

test('a sheet turns and mirrors, and is counted', () => {
  const letters = FAIR.flatMap((row) => row.split(' '));
  expect(turned(letters).slice(0, 7).join('')).toBe('MMMMYYR');
  expect(turned(turned(turned(turned(letters))))).toEqual(letters);
  expect(mirrored(letters).slice(0, 7).join('')).toBe('MMMMMRR');
  const combos = { red: { need: 1, reward: 3 }, '2': { need: 1, reward: 'wrap' } };
  const content = { name: { en: '', it: '' }, grid: FAIR, meeps_track: [1, 'wrap', 4], combos, score_spaces: 9 };
  expect(inNumbers(content)).toEqual({ stands: 7, meeps: 42, halls: 3, track: 5, combos: 3, spaces: 9 });
});
