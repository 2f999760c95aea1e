import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Chance, check, hex, mixSeed, sha256, sha256Slow, unhex } from '@/fair';
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
    expect(chance.shuffle(Array.from({ length: 12 }, (_, i) => i))).toEqual([7, 4, 2, 6, 8, 10, 3, 0, 5, 1, 9, 11]);
    expect([2, 6, 10, 52, 1000].map((n) => chance.below(n))).toEqual([0, 4, 1, 31, 704]);
  });
  test('below gives every number about equally often', () => {
    const chance = new Chance(7n);
    const seen = Array<number>(6).fill(0);
    for (let i = 0; i < 6000; i++) seen[chance.below(6)]!++;
    for (const n of seen) expect(n).toBeGreaterThan(850);
  });
  test('a shuffle keeps every card', () => {
    const cards = new Chance(1n).shuffle(Array.from({ length: 40 }, (_, i) => i));
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
    order: chance.shuffle(Array.from({ length: n }, (_, k) => k)),
  }));
  return {
    commitment: hex(await sha256(serverSeed)),
    entropy,
    server_seed: hex(serverSeed),
    seed: String(seed),
    shuffles,
  };
}

describe('the check', () => {
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
