/** What can be seen of a sheet while it is painted: its halls, its numbers, and its squares turned or mirrored. Knows no rule. */
import { columnOf, rowOf, SIDE, standAt } from './drawing';
import type { Colour } from './types';

export type Reward = number | string;

export interface Content {
  name: Record<'en' | 'it', string>;
  grid: string[];
  meeps_track: Reward[];
  combos: Record<string, { need: number; reward: Reward }>;
  score_spaces: number;
}

export const COLOURS: Colour[] = ['red', 'yellow', 'green', 'blue'];

export interface Area {
  colour: Colour;
  size: number;
  squares: number[];
}

export const lettersOf = (rows: string[]) => rows.flatMap((row) => row.split(' '));
export const rowsOf = (letters: string[]) =>
  Array.from({ length: SIDE }, (_, n) => letters.slice(n * SIDE, n * SIDE + SIDE).join(' '));

const beside = (square: number) => [
  ...(rowOf(square) > 0 ? [square - SIDE] : []),
  ...(rowOf(square) < SIDE - 1 ? [square + SIDE] : []),
  ...(columnOf(square) > 0 ? [square - 1] : []),
  ...(columnOf(square) < SIDE - 1 ? [square + 1] : []),
];

/** Stands of one colour that touch along a side. */
export function areasOf(letters: string[]): Area[] {
  const grid = letters.join('');
  const seen = new Set<number>();
  const found: Area[] = [];
  for (const first of letters.keys()) {
    if (seen.has(first) || letters[first] === 'M') continue;
    const squares = [first];
    for (const square of squares)
      squares.push(...beside(square).filter((one) => letters[one] === letters[first] && !squares.includes(one)));
    squares.forEach((square) => seen.add(square));
    squares.sort((a, b) => a - b);
    found.push({ colour: standAt(grid, first) as Colour, size: squares.length, squares });
  }
  return found;
}

/** The areas that the server means: so many mistakes of a row are of its largest that begin there. */
export function wrongAreas(areas: Area[], columns: string[]): Area[] {
  return Array.from({ length: SIDE }, (_, row) => row).flatMap((row) => {
    const many = columns.filter((one) => one === `grid ${row + 1}`).length;
    const here = areas.filter((one) => rowOf(one.squares[0]!) === row).sort((a, b) => b.size - a.size);
    return here.slice(0, many);
  });
}

/** A quarter of a turn, clockwise. */
export const turned = (letters: string[]) =>
  letters.map((_, square) => letters[(SIDE - 1 - columnOf(square)) * SIDE + rowOf(square)]!);

/** Left and right exchanged. */
export const mirrored = (letters: string[]) =>
  letters.map((_, square) => letters[rowOf(square) * SIDE + SIDE - 1 - columnOf(square)]!);

const points = (rewards: Reward[]) =>
  rewards.filter((one) => typeof one === 'number').reduce((sum, one) => sum + one, 0);

/** What is printed on a sheet, counted. */
export function inNumbers(content: Content): Record<string, number> {
  const letters = lettersOf(content.grid);
  return {
    stands: letters.filter((one) => one !== 'M').length,
    meeps: letters.filter((one) => one === 'M').length,
    halls: areasOf(letters).length,
    track: points(content.meeps_track),
    combos: points(Object.values(content.combos).map((one) => one.reward)),
    spaces: content.score_spaces,
  };
}
