import { expect, test } from 'vitest';
import { Clocks, leftSign, short, spoken, termsText } from '@/table/clocks.svelte';
import type { Heard, TableSocket } from '@/socket.svelte';
import { words } from '@/words';
import en from '@words/en.json';

const t = words('en', en);

function at(table: Partial<Heard['clocks'][number]>, passed = 0, status = 'open'): Clocks {
  const clock = { left: 100, state: 'running' as const, held: 0, days_off: 0, ...table };
  const clocks: Heard = { low: 30, gift: 60, clocks: [clock], story: [], heardAt: performance.now() - 1000 * passed };
  const terms = { kind: 'live', bank: 200, increment: 5, when_out: 'standin' };
  return new Clocks({ clocks, status, table: { phase: 'playing', clock: terms } } as unknown as TableSocket);
}

test('time is shown short and said in words', () => {
  expect([short(252, t), short(8, t), short(0.2, t)]).toEqual(['4:12', '0:08', '0:01']);
  expect([short(2 * 86400 + 4 * 3600, t), short(4800, t)]).toEqual(['2 d 4 h', '1 h 20 min']);
  expect([spoken(61, t), spoken(30, t)]).toEqual(['1 minute 1 second', '30 seconds']);
  expect(termsText(null)).toBe('');
});

test('a clock counts down from what was heard, and not while it is held or the line is lost', () => {
  expect(at({}, 10).of(0)!.left).toBeCloseTo(90, 1);
  expect(at({}, 75).of(0)!.face).toBe('low');
  expect(at({ state: 'held', held: 20 }, 10).of(0)).toMatchObject({ face: 'held', left: 100, share: 0.5 });
  expect(at({ state: 'held', held: 20 }, 30).of(0)!.left).toBeCloseTo(90, 1);
  expect(at({}, 50, 'lost').of(0)).toMatchObject({ face: 'held', left: 100 });
  expect(at({ state: 'waiting' }, 50).of(0)).toMatchObject({ face: 'waiting', left: 100 });
  expect(at({ state: 'sealed', left: null }).of(0)).toMatchObject({ face: 'sealed', left: null });
  expect(at({}, 500).of(0)!.left).toBe(0);
});

test('at home ten minutes of ten were an hourglass', () => {
  const live = { kind: 'live', bank: 600, increment: 10, when_out: 'standin' } as const;
  expect([leftSign(599, live), leftSign(60, live)]).toEqual(['clock', 'hourglass']);
  expect(leftSign(29, { ...live, bank: 120 })).toBe('hourglass');
  const days = { ...live, kind: 'days', bank: 86400 } as const;
  expect([leftSign(86000, days), leftSign(3000, days)]).toEqual(['calendar', 'hourglass']);
});
