import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  Chance,
  KeyedStream,
  check,
  hex,
  hmacOf,
  hmacSlow,
  mixSeed,
  readDraws,
  rootKey,
  sha256,
  sha256Slow,
  unhex,
} from '@/fair';
import { dropShare, noteCommitment, noteShare, noted } from '@/promises';
import type { Fair } from '@/wire';

const MASK = (1n << 63n) - 1n;

describe('SHA-256', () => {
  test.each([0, 1, 55, 56, 63, 64, 65, 200])('of %i bytes, in both ways', async (n) => {
    const bytes = Uint8Array.from({ length: n }, (_, i) => (i * 7 + 3) & 255);
    const known = createHash('sha256').update(bytes).digest('hex');
    expect(hex(sha256Slow(bytes))).toBe(known);
    expect(hex(await sha256(bytes))).toBe(known);
  });
});

describe('HMAC', () => {
  test.each([0, 8, 63, 64, 200])('of %i bytes, in both ways', async (n) => {
    const key = Uint8Array.from({ length: 32 }, (_, i) => 255 - i);
    const bytes = Uint8Array.from({ length: n }, (_, i) => (i * 5 + 1) & 255);
    const known = createHmac('sha256', key).update(bytes).digest('hex');
    expect(hex(hmacSlow(key, bytes))).toBe(known);
    expect(hex(await (await hmacOf(key))(bytes))).toBe(known);
  });
});

describe('the stream', () => {
  test('stays inside 63 bits and depends on the seed alone', () => {
    const a = new Chance(42n);
    const b = new Chance(42n);
    for (let i = 0; i < 1000; i++) {
      const z = a.next();
      expect(z >= 0n && z <= MASK).toBe(true);
      expect(b.next()).toBe(z);
    }
  });
  test('is the same one as in core/chance.py', () => {
    const chance = new Chance(1234567890123456789n);
    expect(chance.shuffle(12)).toEqual([7, 4, 2, 6, 8, 10, 3, 0, 5, 1, 9, 11]);
    expect([2, 6, 10, 52, 1000].map((n) => chance.below(n))).toEqual([0, 4, 1, 31, 704]);
  });
  test('below gives every number about equally often', () => {
    const chance = new Chance(7n);
    const seen = Array<number>(6).fill(0);
    for (let i = 0; i < 6000; i++) seen[chance.below(6)]!++;
    for (const n of seen) expect(n).toBeGreaterThan(850);
  });
  test('a shuffle keeps every card', () => {
    const cards = new Chance(1n).shuffle(40);
    expect(cards.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => i));
    expect(cards).not.toEqual(cards.toSorted((a, b) => a - b));
  });
});

async function dealt(): Promise<Fair> {
  const serverSeed = Uint8Array.from({ length: 32 }, (_, i) => i);
  const entropy = ['ada', '', 'perché no'];
  const seed = await mixSeed(serverSeed, entropy);
  const chance = new Chance(seed);
  const shuffles = [40, 30, 4].map((n, i) => ({
    name: `deck_${i + 1}`,
    order: chance.shuffle(n),
  }));
  return {
    commitment: hex(await sha256(serverSeed)),
    entropy,
    server_seed: hex(serverSeed),
    seed: String(seed),
    shuffles,
    chance: 'seed',
    draws: null,
    beginning: '',
  };
}

describe('the check of a game with a seed', () => {
  test('an honest deal passes, step by step', async () => {
    const verdict = await check(await dealt());
    expect(verdict?.fair).toBe(true);
    expect(verdict?.steps.map((s) => s.what)).toEqual(['commitment', 'seed', 'shuffle', 'shuffle', 'shuffle']);
  });
  test('nothing to check before the end', async () => {
    expect(await check({ ...(await dealt()), server_seed: null, seed: null, shuffles: null })).toBeNull();
  });
  test('another secret than the promised one is found out', async () => {
    const fair = await dealt();
    const verdict = await check({ ...fair, server_seed: fair.server_seed!.replace(/^00/, 'ff') });
    expect(verdict?.fair).toBe(false);
    expect(verdict?.steps[0]).toMatchObject({ what: 'commitment', ok: false });
  });
  test('ignored entropy is found out', async () => {
    const verdict = await check({ ...(await dealt()), entropy: ['ada', 'bob', 'perché no'] });
    expect(verdict?.steps[1]).toMatchObject({ what: 'seed', ok: false });
  });
  test('two swapped cards are found out', async () => {
    const fair = await dealt();
    const order = [...fair.shuffles![1]!.order];
    [order[0], order[1]] = [order[1]!, order[0]!];
    const verdict = await check({
      ...fair,
      shuffles: [fair.shuffles![0]!, { name: 'deck_2', order }, fair.shuffles![2]!],
    });
    expect(verdict?.steps.filter((s) => !s.ok)).toEqual([{ what: 'shuffle', name: 'deck_2', size: 30, ok: false }]);
  });
  test('hexadecimal text that is none', () => {
    expect(unhex('xyz')).toBeNull();
    expect(unhex('0aff')).toEqual(new Uint8Array([10, 255]));
  });
});

interface Vector {
  secret: string;
  entropy: string[];
  commitment: string;
  root: string;
  steps: { seq: number; drawn: string }[];
}
const { vectors } = JSON.parse(readFileSync('../docs/chance_vectors.json', 'utf8')) as { vectors: Vector[] };

describe('keyed chance', () => {
  test.each(vectors)('is that of docs/chance_vectors.json', async ({ secret, entropy, root, steps }) => {
    const found = await rootKey(unhex(secret)!, entropy);
    expect(hex(found)).toBe(root);
    for (const { seq, drawn } of steps) {
      const stream = await KeyedStream.of(found, seq);
      for (const [value, bound] of readDraws(drawn)!) expect(await stream.below(bound)).toBe(value);
    }
  });
  test.each(['1', '1/0', '1/6 ', ' 1/6', 'a/b', '-1/6', '1/6  2/6'])('«%s» is no list of draws', (text) => {
    expect(readDraws(text)).toBeNull();
  });
});

/** The second vector as a game: a shuffle of forty cards, and a die in step 7. */
function game(): Fair {
  const { secret, entropy, commitment, steps } = vectors[1]!;
  const deal = readDraws(steps[0]!.drawn)!.map(([value]) => Number(value));
  const order = Array.from({ length: 40 }, (_, i) => i);
  for (let i = 39; i > 0; i--) [order[i], order[deal[39 - i]!]] = [order[deal[39 - i]!]!, order[i]!];
  return {
    commitment,
    entropy,
    server_seed: secret,
    seed: null,
    shuffles: [{ name: 'deck', order }],
    chance: 'keyed',
    draws: steps.slice(0, 2).map(({ seq, drawn }) => ({ seq, drawn })),
    beginning: '',
  };
}
const wrong = async (fair: Fair, ...noted: Parameters<typeof check> extends [unknown, ...infer N] ? N : never) =>
  (await check(fair, ...noted))!.steps.filter((step) => !step.ok).map((step) => step.what);

describe('the check of a game with keyed chance', () => {
  test('an honest game passes, step by step', async () => {
    const { commitment, entropy } = game();
    const verdict = await check(game(), { commitment, shares: ['something older', entropy[0]!] });
    expect(verdict?.fair).toBe(true);
    expect(verdict?.steps.map((s) => s.what)).toEqual(['commitment', 'noted', 'share', 'draws', 'shuffle']);
    expect(verdict?.steps[3]).toMatchObject({ draws: 42, steps: 1 });
  });
  test('it goes without what was not written down, and without WebCrypto', async () => {
    vi.stubGlobal('crypto', {});
    expect(await wrong(game())).toEqual([]);
    vi.unstubAllGlobals();
  });
  test('nothing to check before the end', async () => {
    expect(await check({ ...game(), server_seed: null })).toBeNull();
  });
  test('every lie is found out', async () => {
    const fair = game();
    const [deal, die] = fair.draws!;
    const order = fair.shuffles![0]!.order;
    expect(await wrong({ ...fair, server_seed: 'ff'.repeat(32) })).toEqual(['commitment', 'draws', 'shuffle']);
    expect(await wrong({ ...fair, server_seed: 'no' })).toEqual(['commitment']);
    expect(await wrong({ ...fair, entropy: ['ada', 'bob', ''] })).toContain('draws');
    expect(await wrong({ ...fair, draws: [deal!, { seq: 7, drawn: '3/6' }] })).toEqual(['draws']);
    expect(await wrong({ ...fair, draws: [deal!, { seq: 8, drawn: die!.drawn }, die!] })).toEqual(['draws']);
    expect(await wrong({ ...fair, draws: [] })).toEqual(['draws', 'shuffle']);
    expect(await wrong({ ...fair, draws: [die!, deal!] })).toContain('draws');
    expect(await wrong({ ...fair, shuffles: [{ name: 'deck', order: order.toReversed() }] })).toEqual(['shuffle']);
    expect(await wrong({ ...fair, shuffles: [{ name: 'deck', order: order.slice(1) }] })).toEqual(['shuffle']);
  });
  test('dice that fell otherwise than the numbers drawn are found out', async () => {
    const fair = game();
    const values = fair.draws!.flatMap(({ drawn }) =>
      (readDraws(drawn) ?? []).flatMap(([value, bound]) => (bound === 6n ? [Number(value)] : [])),
    );
    expect(values.length).toBeGreaterThan(0);
    const steps = async (seen: number[]) => (await check(fair, null, { below: 6, values: seen }))!.steps.at(-1);
    expect(await steps(values)).toEqual({ what: 'seen', ok: true, n: values.length });
    expect(await steps([(values[0]! + 1) % 6, ...values.slice(1)])).toMatchObject({ what: 'seen', ok: false });
    expect(await steps([...values, 0])).toMatchObject({ what: 'seen', ok: false });
  });
  test('another promise than the one written down, and a share left out, are found out', async () => {
    expect(await wrong(game(), { commitment: '00'.repeat(32), shares: [] })).toEqual(['noted']);
    expect(await wrong(game(), { commitment: game().commitment, shares: ['mine'] })).toEqual(['share']);
  });
});

describe('what the browser writes down', () => {
  let kept: Record<string, string>;
  beforeEach(() => {
    kept = {};
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept[key] ?? null,
      setItem: (key: string, value: string) => (kept[key] = value),
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  test('the first fingerprint stands, and every share until it came too late', () => {
    expect(noted('a')).toBeNull();
    noteShare('a', 'lost');
    noteCommitment('a', 'one');
    noteCommitment('a', 'two');
    noteShare('a', 'x');
    noteShare('a', 'y');
    noteShare('a', 'x');
    dropShare('a', 'y');
    expect(noted('a')).toEqual({ commitment: 'one', shares: ['x'] });
  });
  test('old tables are forgotten', () => {
    for (let i = 0; i < 250; i++) noteCommitment(`table ${i}`, String(i));
    expect(noted('table 249')?.commitment).toBe('249');
    expect(noted('table 0')).toBeNull();
  });
});
