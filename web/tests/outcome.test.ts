import { describe, expect, it } from 'vitest';
import { outcome } from '@/pages/outcome';
import { prefs } from '@/state/prefs.svelte';
import type { TableInfo } from '@/wire';

const NAMES = ['Anna', 'Bruno', 'Carla', 'Dario'];
function table(you: number | null, ranks: number[], scores: number[], won: boolean | null = null): TableInfo {
  const chairs = ranks.map((_, seat) => ({ seat, name: NAMES[seat] }));
  return { you, chairs, result: { ranks, scores, won } } as unknown as TableInfo;
}

describe('a finished game shows its result in the list', () => {
  it.each([
    [table(0, [1, 2], [17, 12]), 'You won, 17–12', 'Hai vinto, 17–12'],
    [table(0, [2, 1], [12, 17]), 'Bruno won, 17–12', 'Ha vinto Bruno, 17–12'],
    [table(1, [1, 1], [9, 9]), 'Shared win, 9–9', 'Vittoria condivisa, 9–9'],
    [table(2, [1, 2, 3, 4], [20, 15, 9, 1]), '3rd of 4, 9 points', '3º su 4, 9 punti'],
    [table(3, [1, 2, 3, 4], [20, 15, 9, 1]), '4th of 4, 1 point', '4º su 4, 1 punto'],
    [table(0, [1, 2, 3], [20, 15, 9]), 'You won, 20 points', 'Hai vinto, 20 punti'],
    [table(null, [2, 1], [12, 17]), 'Bruno won', 'Ha vinto Bruno'],
    [table(0, [1], [31]), '31 points', '31 punti'],
    [table(0, [1], [31], true), 'You won, 31 points', 'Hai vinto, 31 punti'],
    [table(0, [1], [31], false), 'You lost, 31 points', 'Hai perso, 31 punti'],
    [{ ...table(0, [1], [31]), result: null }, null, null],
  ])('%#', (one, english, italian) => {
    prefs.lang = 'en';
    expect(outcome(one)).toBe(english);
    prefs.lang = 'it';
    expect(outcome(one)).toBe(italian);
  });
});
