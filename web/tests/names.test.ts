import { expect, test } from 'vitest';
import { valueName } from '@/pages/names';
import { visitor } from '@/state/me.svelte';

test('a sheet that somebody drew goes by its title, our own by our words', () => {
  const titles = { mine: { en: 'Sunday fair', it: 'Fiera della domenica' } };
  const option = { key: 'sheet', values: ['symmetric', 'mine', 'other_one'], default: 'symmetric', titles };
  const words = {
    en: { 'option.sheet.symmetric': 'House sheet, symmetric' },
    it: { 'option.sheet.symmetric': 'Foglio della casa, simmetrico' },
  };
  visitor.games = [
    {
      key: 'loot',
      title: 'Loot',
      seats: [1],
      minutes: 20,
      options: [option],
      levels: [],
      version: '1',
      colour: '#0f7f86',
      cover: true,
      words,
      lesson: null,
      puzzles: 0,
      board: null,
      rules: null,
    },
  ];
  expect(['Sunday fair', 'Fiera della domenica']).toContain(valueName('loot', 'sheet', 'mine'));
  expect(valueName('loot', 'sheet', 'symmetric')).toMatch(/^(House sheet, symmetric|Foglio della casa, simmetrico)$/);
  expect(valueName('loot', 'sheet', 'other_one')).toBe('Other one');
});
