import { beforeEach, describe, expect, test, vi } from 'vitest';
import { called } from '@/learn/parts';
import { placeFor, placeWithin, tipOf, type Box } from '@/learn/place';
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
  test('where nothing is to be pressed, it lay over the market it spoke of', () => {
    const [said, market, phone] = [box(0, 0, 344, 305), box(2, 76, 356, 287), box(0, 0, 360, 700)];
    expect(covers(placeFor(said, null, [market], phone), market)).toBe(false);
    expect(covers(placeFor(said, null, [box(2, 400, 356, 300)], phone), box(2, 400, 356, 300))).toBe(false);
  });
  test('it lay over a card in the middle of a low phone, because the tray had to stay free', () => {
    const [said, card, whole] = [box(0, 0, 344, 305), box(122, 267, 74, 88), box(0, 0, 360, 740)];
    const at = placeWithin(said, card, [], box(0, 0, 360, 627), whole);
    expect(at.top).toBeGreaterThanOrEqual(355);
    expect(placeWithin(said, box(122, 100, 74, 88), [], box(0, 0, 360, 627), whole).top).toBeLessThan(627 - 305);
  });
  test('it lay over the button, to leave a whole deck in sight on a phone', () => {
    const [said, ready, deck] = [box(0, 0, 374, 281), box(201, 141, 173, 44), box(0, 364, 390, 381)];
    const at = placeFor(said, ready, [deck], box(0, 0, 390, 844));
    expect(at.top).toBeGreaterThanOrEqual(185);
  });
});

describe('where the bubble points', () => {
  const said = box(500, 300, 400, 330);
  test.each([
    ['up', box(700, 200, 80, 80), { left: 740, top: 300 }],
    ['down', box(520, 650, 60, 40), { left: 550, top: 630 }],
    ['to the right', box(920, 400, 60, 60), { left: 900, top: 430 }],
    ['to the left', box(400, 320, 80, 80), { left: 500, top: 360 }],
  ])('%s, at what is to be pressed', (_, target, at) => expect(tipOf(said, target)).toEqual(at));
  test('nowhere, if that is far away or not there', () => {
    expect(tipOf(said, box(700, 100, 80, 80))).toBeNull();
    expect(tipOf(said, null)).toBeNull();
  });
});

test('the name of what was pressed is not cut within a word', () => {
  expect(called('Level 3 deck, 16 cards left, press to reserve the top card unseen')).toBe(
    'Level 3 deck, 16 cards left',
  );
  expect(called('Row 1, column 1, blue stand, cards, not visited, you can start here')).toBe(
    'Row 1, column 1, blue stand, cards',
  );
  expect(called('Seal a pass')).toBe('Seal a pass');
  expect(called('A long name without any commas that goes on and on')).toBe(
    'A long name without any commas that goes on',
  );
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
