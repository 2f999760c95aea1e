import { expect, test, vi } from 'vitest';
import type { GameBoard } from '@/games/board';
import { standing, withoutUndone } from '@/table/standing';
import { Teller, telling } from '@/table/telling';
import type { GameEvent } from '@/wire';
import { plain, words } from '@/words';

const chairs = ['Ada', 'Bruno'].map((name, seat) => ({
  seat,
  name,
  kind: 'person' as const,
  level: null,
  online: true,
  standin: false,
  former: false,
  ready: false,
  person: null,
  sign: null,
  host: false,
}));
const CATALOGUE = {
  took: '{who, select, you {You} other {{name}}} took {n, plural, one {# gem} other {# gems}}',
  round: 'Round {n}',
};
const t = words('en', CATALOGUE);
const how = telling(t, {}, 0, chairs);
const describe = vi.fn<GameBoard['describe']>((event, { t, who, player }) => {
  if (event.kind === 'round') return { kind: 'round', parts: t.parts('round', { n: event['r'] as number }) };
  if (event.kind === 'silent') return null;
  return {
    seat: event.seat,
    parts: t.parts('took', { who: who(event.seat), name: player(event.seat), n: event['n_gems'] as number }),
  };
});
const events = [
  { n: 1, kind: 'took', seat: 0, n_gems: 1 },
  { n: 2, kind: 'round', seat: 0, r: 2 },
  { n: 3, kind: 'silent', seat: 0 },
  { n: 4, kind: 'took', seat: 1, n_gems: 3 },
];

test('facts become lines, in rounds, seen from your chair', () => {
  const rounds = new Teller({ describe } as unknown as GameBoard).rounds(events, how);
  expect(rounds.map((r) => [r.title && plain(r.title.parts), r.lines.map((l) => plain(l.parts))])).toEqual([
    [null, ['You took 1 gem']],
    ['Round 2', ['Bruno took 3 gems']],
  ]);
  expect(rounds[1]!.lines[0]!.parts[0]).toEqual({ as: 'player', text: 'Bruno', seat: 1 });
});

test('a line is made once, and once for each language', () => {
  describe.mockClear();
  const teller = new Teller({ describe } as unknown as GameBoard);
  teller.rounds(events, how);
  teller.rounds(events, how);
  expect(describe).toHaveBeenCalledTimes(4);
  teller.rounds(events, { ...how, t: words('it', {}) });
  expect(describe).toHaveBeenCalledTimes(8);
});

test('the first round has its name, and lines that fold leave only the newest of a row', () => {
  const board = {
    describe: (event: { n: number; kind: string; seat: number }) => ({
      seat: event.seat,
      parts: [String(event.n)],
      ...(event.kind === 'sealed' ? { folded: true } : {}),
    }),
    firstRound: () => ['Round 1'],
  } as unknown as GameBoard;
  const kinds = ['sealed', 'sealed', 'took', 'sealed'];
  const facts = kinds.map((kind, i) => ({ n: i + 1, kind, seat: 0 }));
  const [first] = new Teller(board).rounds(facts, how);
  expect(plain(first!.title!.parts)).toBe('Round 1');
  expect(first!.lines.map((line) => line.key)).toEqual([2, 3, 4]);
});

test('what was taken back is folded into the line that says so', () => {
  const back = { n: 5, kind: 'taken_back', seat: 1, after: 1 };
  const how2 = { ...how, t: words('en', { ...CATALOGUE, 'event.taken_back': '{name} takes it back' }) };
  const after = [...events, back, { n: 6, kind: 'took', seat: 0, n_gems: 2 }];
  const [round] = new Teller({ describe } as unknown as GameBoard).rounds(after, how2);
  expect(round!.lines.map((l) => plain(l.parts))).toEqual(['You took 1 gem', 'Bruno takes it back', 'You took 2 gems']);
  expect(round!.lines[1]!.gone!.map((l) => plain(l.parts))).toEqual(['Round 2', 'Bruno took 3 gems']);
  expect(withoutUndone(after).map((event) => event.n)).toEqual([1, 6]);
  // Taken back once more: one line, with all that is gone.
  const twice = standing([...after, { n: 7, kind: 'taken_back', seat: 0, after: 0 } as GameEvent]);
  expect(twice.events.map((event) => event.n)).toEqual([7]);
  expect(twice.gone.get(7)!.map((event) => event.n)).toEqual([1, 6]);
});
