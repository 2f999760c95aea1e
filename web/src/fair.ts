/**
 * The fair shuffle, checked here, in the player's own browser, without trusting the server.
 *
 *  1. SHA-256 of the revealed server seed is the commitment shown before the first deal.
 *  2. The game's seed is the first 8 bytes, without the top bit, of SHA-256(server seed ‖ 0x00 ‖ entropy 0 ‖ 0x00 ‖ entropy 1 …).
 *  3. The stream that starts at this seed gives every shuffle of the game, in order.
 *
 * The stream and the shuffle are those of src/ludoteca/core/chance.py.
 */
import type { Fair } from '@/wire';

const MASK = (1n << 63n) - 1n;
const RANGE = 1n << 63n;

/** The stream of chance: 63-bit numbers from a seed. */
export class Chance {
  constructor(private state: bigint) {}

  next(): bigint {
    this.state = (this.state + 0x1e3779b97f4a7c15n) & MASK;
    let z = this.state;
    z = ((z ^ (z >> 30n)) * 0x3f58476d1ce4e5b9n) & MASK;
    z = ((z ^ (z >> 27n)) * 0x14d049bb133111ebn) & MASK;
    return z ^ (z >> 31n);
  }

  /** A number below n, each equally likely. */
  below(n: number): number {
    const size = BigInt(n);
    const limit = RANGE - (RANGE % size);
    for (;;) {
      const z = this.next();
      if (z < limit) return Number(z % size);
    }
  }

  shuffle<T>(items: T[]): T[] {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [items[i], items[j]] = [items[j]!, items[i]!];
    }
    return items;
  }
}

/** SHA-256. The browser's own where it offers it (https, localhost), otherwise the few lines below. */
export async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) return sha256Slow(bytes);
  return new Uint8Array(await subtle.digest('SHA-256', bytes as BufferSource));
}

/** FIPS 180-4, for pages served over plain http in a home network. */
export function sha256Slow(message: Uint8Array): Uint8Array {
  const k = new Uint32Array(64);
  const h = new Uint32Array(8);
  const frac = (x: number) => Math.floor((x - Math.floor(x)) * 2 ** 32);
  let found = 0;
  for (let n = 2; found < 64; n++) {
    let prime = true;
    for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false;
    if (!prime) continue;
    if (found < 8) h[found] = frac(Math.sqrt(n));
    k[found++] = frac(Math.cbrt(n));
  }
  const padded = new Uint8Array((((message.length + 8) >> 6) << 6) + 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const data = new DataView(padded.buffer);
  data.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  data.setUint32(padded.length - 4, message.length << 3);
  const w = new Uint32Array(64);
  const r = (x: number, by: number) => (x >>> by) | (x << (32 - by));
  for (let start = 0; start < padded.length; start += 64) {
    for (let i = 0; i < 16; i++) w[i] = data.getUint32(start + 4 * i);
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15]!;
      const b = w[i - 2]!;
      w[i] = w[i - 16]! + (r(a, 7) ^ r(a, 18) ^ (a >>> 3)) + w[i - 7]! + (r(b, 17) ^ r(b, 19) ^ (b >>> 10));
    }
    const s = Array.from(h);
    for (let i = 0; i < 64; i++) {
      const e = s[4]!;
      const a = s[0]!;
      const t1 = s[7]! + (r(e, 6) ^ r(e, 11) ^ r(e, 25)) + ((e & s[5]!) ^ (~e & s[6]!)) + k[i]! + w[i]!;
      const t2 = (r(a, 2) ^ r(a, 13) ^ r(a, 22)) + ((a & s[1]!) ^ (a & s[2]!) ^ (s[1]! & s[2]!));
      s.unshift((t1 + t2) | 0);
      s[4] = (s[4]! + t1) | 0;
      s.length = 8;
    }
    for (let i = 0; i < 8; i++) h[i] = h[i]! + s[i]!;
  }
  const out = new Uint8Array(32);
  h.forEach((word, i) => new DataView(out.buffer).setUint32(4 * i, word));
  return out;
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}

/** Hexadecimal text as bytes; null when it is not. */
export function unhex(text: string): Uint8Array | null {
  if (!/^([0-9a-f]{2})+$/i.test(text)) return null;
  return Uint8Array.from(text.match(/../g)!, (pair) => parseInt(pair, 16));
}

/** The seed that a server seed and everybody's entropy make together. */
export async function mixSeed(serverSeed: Uint8Array, entropy: string[]): Promise<bigint> {
  const text = new TextEncoder();
  const pieces = [serverSeed, ...entropy.flatMap((e) => [new Uint8Array([0]), text.encode(e)])];
  const all = new Uint8Array(pieces.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const p of pieces) {
    all.set(p, at);
    at += p.length;
  }
  const digest = await sha256(all);
  return new DataView(digest.buffer, digest.byteOffset).getBigUint64(0) & MASK;
}

export type Step =
  | { what: 'commitment'; ok: boolean; claimed: string; found: string }
  | { what: 'seed'; ok: boolean; claimed: string; found: string }
  | { what: 'shuffle'; ok: boolean; name: string; size: number };

export interface Verdict {
  fair: boolean;
  steps: Step[];
}

/** Repeats the deal from the revealed seed. Null while nothing has been revealed. */
export async function check(fair: Fair): Promise<Verdict | null> {
  if (fair.server_seed === null || fair.seed === null) return null;
  const steps: Step[] = [];
  const serverSeed = unhex(fair.server_seed);
  const hash = serverSeed ? hex(await sha256(serverSeed)) : '';
  steps.push({ what: 'commitment', ok: hash === fair.commitment.toLowerCase(), claimed: fair.commitment, found: hash });
  const seed = serverSeed ? await mixSeed(serverSeed, fair.entropy) : -1n;
  steps.push({ what: 'seed', ok: String(seed) === fair.seed, claimed: fair.seed, found: String(seed) });
  const chance = new Chance(seed & MASK);
  for (const { name, order } of fair.shuffles ?? []) {
    const dealt = chance.shuffle(Array.from(order, (_, i) => i));
    steps.push({ what: 'shuffle', name, size: order.length, ok: dealt.every((card, i) => card === order[i]) });
  }
  return { fair: steps.every((s) => s.ok), steps };
}
