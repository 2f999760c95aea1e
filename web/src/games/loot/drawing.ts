/** The pencil and the floor plan: a square is 100 units wide, strokes are drawn by hand. */
import type { Colour, Hall } from './types';

export const SIDE = 7;
export const rowOf = (square: number) => Math.floor(square / SIDE);
export const columnOf = (square: number) => square % SIDE;
export const xOf = (square: number) => columnOf(square) * 100;
export const yOf = (square: number) => rowOf(square) * 100;

const COLOURS: Record<string, Colour> = { R: 'red', Y: 'yellow', G: 'green', B: 'blue' };
/** The colour of a square, or Meeps. */
export const standAt = (grid: string, square: number): Colour | 'meeps' => COLOURS[grid[square] ?? ''] ?? 'meeps';

const SLASHES = [
  'M18 84C36 64 62 36 84 15',
  'M15 80C38 62 60 40 86 19',
  'M20 87C38 60 64 38 82 12',
  'M16 83C40 66 58 34 85 17',
];
const BACKSLASHES = ['M17 17C36 36 62 60 84 85', 'M20 14C40 40 60 58 82 84', 'M15 20C38 38 64 64 86 82'];
const LOOPS = [
  'M58 8C28 2 6 22 8 50s26 44 50 42 38-28 32-52S64 8 44 12',
  'M40 9C16 14 4 38 10 62s32 34 56 26 32-44 20-64S48 4 32 14',
  'M66 10C40 0 10 16 8 46s24 48 48 46 40-24 36-52-28-36-52-28',
];
export const slash = (square: number) => SLASHES[square % SLASHES.length]!;
export const backslash = (square: number) => BACKSLASHES[square % BACKSLASHES.length]!;
export const loop = (n: number) => LOOPS[n % LOOPS.length]!;

/** One outline for a whole hall: squares, and bridges between neighbours, so that they are seen to belong together. */
export function hallShape(squares: number[], inset: number): string {
  const there = new Set(squares);
  const side = 100 - 2 * inset;
  let path = '';
  for (const square of squares) {
    const x = xOf(square) + inset;
    const y = yOf(square) + inset;
    path += `M${x} ${y}h${side}v${side}h${-side}Z`;
    if (columnOf(square) < SIDE - 1 && there.has(square + 1))
      path += `M${x + side - 1} ${y}h${2 * inset + 2}v${side}h${-2 * inset - 2}Z`;
    if (there.has(square + SIDE)) path += `M${x} ${y + side - 1}h${side}v${2 * inset + 2}h${-side}Z`;
  }
  return path;
}

/** Dashed walls between the stands of a hall. */
export function walls({ squares }: Hall): string {
  let path = '';
  for (const square of squares) {
    if (columnOf(square) < SIDE - 1 && squares.includes(square + 1))
      path += `M${xOf(square) + 100} ${yOf(square) + 14}v72`;
    if (squares.includes(square + SIDE)) path += `M${xOf(square) + 14} ${yOf(square) + 100}h72`;
  }
  return path;
}

/** The dotted aisles. */
export const AISLES = [1, 2, 3, 4, 5, 6].map((n) => `M0 ${n * 100}h700M${n * 100} 0v700`).join('');

const PIPS: Record<number, string> = { 1: '5', 2: '37', 3: '357', 4: '1379', 5: '13579', 6: '134679' };
/** Grid places of a die's eyes, as `row/column`. */
export const eyes = (face: number): string[] =>
  [...(PIPS[face] ?? '')].map((n) => `${Math.ceil(Number(n) / 3)}/${((Number(n) - 1) % 3) + 1}`);

/** Ten digits written by hand, 24 × 32. */
const DIGITS = [
  'M12 4C5 4 4 11 4 16s2 12 8 12 8-6 8-12S18 3 11 4.5',
  'M7 9c3-1 5-3 6-5l-1 24',
  'M5 10c1-8 14-8 14 0 0 6-12 11-15 18 5-1 10-1 16 0',
  'M5 6c5-4 13-2 13 4 0 5-5 6-8 6 4 0 10 1 10 7 0 7-11 8-16 3',
  'M15 28c0-8 1-16 1-24C12 10 8 15 4 20c6-1 11-1 17 0',
  'M19 4H8L6 15c5-4 14-2 14 5 0 8-11 10-16 5',
  'M17 4C9 8 5 14 5 20c0 10 14 11 14 2 0-8-11-9-14-1',
  'M4 5c5 1 11 1 16 0C15 12 11 20 9 28',
  'M12 15C4 12 5 4 12 4s8 8 0 11c-10 3-9 13 0 13s10-10 0-13',
  'M19 10c0-8-13-8-13 0 0 7 11 7 13 0 0 6-2 12-6 18',
];
export const digits = (n: number): string[] => [...String(n)].map((d) => DIGITS[Number(d)]!);

/** Footprints along a walk: two a square, left and right of the line. */
export interface Foot {
  x: number;
  y: number;
  turn: number;
  side: number;
}
const TURN = { up: 0, right: 90, down: 180, left: 270 };
const STEP = { up: [-1, 0], right: [0, 1], down: [1, 0], left: [0, -1] } as const;
const wrapped = (n: number) => ((n % SIDE) + SIDE) % SIDE;

export function footprints(from: number, direction: keyof typeof TURN, steps: number): Foot[] {
  const [down, right] = STEP[direction];
  const feet: Foot[] = [];
  for (let step = 0; step < steps; step++) {
    for (const part of step ? [-0.24, 0.24] : [0.46]) {
      const x = wrapped(columnOf(from) + right * (step + part) + 0.5) * 100;
      const y = wrapped(rowOf(from) + down * (step + part) + 0.5) * 100;
      feet.push({ x, y, turn: TURN[direction], side: part > 0 ? 14 : -14 });
    }
  }
  return feet;
}

/** Where a walk over the edge leaves the plan and where it comes back. */
export function crossing(from: number, direction: keyof typeof TURN): { x: number; y: number; turn: number }[] {
  const [down, right] = STEP[direction];
  const x = xOf(from) + 50;
  const y = yOf(from) + 50;
  const turn = TURN[direction];
  if (right)
    return [
      { x: right > 0 ? 702 : -2, y, turn },
      { x: right > 0 ? -2 : 702, y, turn },
    ];
  return [
    { x, y: down > 0 ? 702 : -2, turn },
    { x, y: down > 0 ? -2 : 702, turn },
  ];
}
