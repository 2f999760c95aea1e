/** What a designer works out of a card: what it costs in all, and how many points each gem of that brings. */
import type { DeckRow, WorkedOut } from '@/games/board';
import { EDITIONS } from './components';
import type { EditionName } from './types';

export function workedOut(form: string, kind: string): WorkedOut[] {
  const colours = EDITIONS[form as EditionName].tokens.map((token) => token.key);
  const price = (row: DeckRow): number | null => {
    const paid = colours.filter((colour) => colour in row).map((colour) => Number(row[colour] || 0));
    return paid.some(Number.isNaN) ? null : paid.reduce((sum, one) => sum + one, 0);
  };
  const pointsAGem = (row: DeckRow): number | null => {
    const [cost, points] = [price(row), Number(row['points'] || 0)];
    return cost === null || Number.isNaN(points) || !cost ? null : points / cost;
  };
  const columns: WorkedOut[] = [{ key: 'price', digits: 0, of: price }];
  return kind === 'card' ? [...columns, { key: 'points_a_gem', digits: 2, of: pointsAGem }] : columns;
}
