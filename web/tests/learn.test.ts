import { beforeEach, describe, expect, test, vi } from 'vitest';
import { placeFor, type Box } from '@/learn/place';
import { answeredOf, keepAnswer, keepStep, stepOf } from '@/learn/progress';

const box = (left: number, top: number, width: number, height: number): Box => ({ left, top, width, height });
const window = box(0, 0, 1440, 900);
const bubble = box(0, 0, 400, 330);
const covers = (at: { left: number; top: number }, other: Box) =>
  at.left < other.left + other.width &&
  other.left < at.left + bubble.width &&
  at.top < other.top + other.height &&
  other.top < at.top + bubble.height;

describe('where the bubble stands', () => {
  test('under what is to be pressed, if there is room', () => {
    const at = placeFor(bubble, box(700, 100, 80, 60), [], window);
    expect(at.top).toBeGreaterThan(160);
    expect(at.left).toBe(540);
  });
  test.each([[box(700, 840, 80, 50)], [box(0, 0, 60, 60)], [box(1380, 860, 60, 40)], [box(20, 400, 300, 120)]])(
    'never over it: %o',
    (target) => {
      expect(covers(placeFor(bubble, target, [], window), target)).toBe(false);
    },
  );
  test('nor over what is to be looked at, where another place is free', () => {
    const target = box(700, 100, 80, 60);
    const look = box(500, 180, 500, 400);
    expect(covers(placeFor(bubble, target, [look], window), look)).toBe(false);
  });
  test('it lay over the button, to leave a whole deck in sight on a phone', () => {
    const [said, ready, deck] = [box(0, 0, 374, 281), box(201, 141, 173, 44), box(0, 364, 390, 381)];
    const at = placeFor(said, ready, [deck], box(0, 0, 390, 844));
    expect(at.top).toBeGreaterThanOrEqual(185);
  });
});

describe('what is kept in the browser', () => {
  beforeEach(() => {
    const kept = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    });
  });
  test('the step of each lesson', () => {
    expect(stepOf('loot')).toBe(0);
    keepStep('loot', 4);
    expect([stepOf('loot'), stepOf('splendor')]).toEqual([4, 0]);
  });
  test('the first answer to a puzzle', () => {
    keepAnswer('a', false);
    keepAnswer('a', true);
    expect(answeredOf('a')).toEqual({ right: false });
  });
});
