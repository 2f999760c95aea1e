/**
 * Fair chance, checked here, in the player's own browser, without trusting the server.
 *
 *  1. SHA-256 of the opened secret is the commitment, and that is the one this browser wrote down before the deal.
 *  2. What this browser threw in is part of it.
 *  3. Every number drawn, in the deal and in each step of the game, follows from the secret, everybody's entropy and the
 *     number of the step; and the named shuffles follow from the numbers of the deal.
 *
 *  4. Where chance is seen as it falls (dice), the numbers are those this page was shown.
 *
 * How numbers are made is said in src/ludoteca/core/keyed.py and docs/wire.md. This page knows no rules, so it does not check
 * that the cards lay as the numbers say: `ludoteca verify` does. Games that began under an earlier server have one
 * seed, and the stream of src/ludoteca/core/chance.py.
 */
import type { Noted } from './promises';
import type { Fair, ShuffleInfo } from '@/wire';

const text = new TextEncoder();

// ── Keyed chance ─────────────────────────────────────────────

const LABEL = 'ludoteca chance 1';
const NUMBERS = 1n << 64n;

/** A number in 8 bytes, the highest first. */
function eight(number: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number));
  return bytes;
}

/** What all keys of a game are made of: the secret with everybody's entropy. */
export async function rootKey(secret: Uint8Array, entropy: string[]): Promise<Uint8Array> {
  const hmac = await hmacOf(secret);
  return hmac(joined([text.encode(LABEL), ...entropy.flatMap((share) => [new Uint8Array(1), text.encode(share)])]));
}

/** The numbers of the deal (0) or of a step. */
export class KeyedStream {
  #next = 0;
  #block: DataView = new DataView(new ArrayBuffer(32));

  private constructor(private hmac: (message: Uint8Array) => Promise<Uint8Array>) {}

  static async of(root: Uint8Array, step: number): Promise<KeyedStream> {
    return new KeyedStream(await hmacOf(await (await hmacOf(root))(eight(step))));
  }

  async below(bound: bigint): Promise<bigint> {
    for (;;) {
      const place = this.#next % 4;
      if (place === 0) this.#block = new DataView((await this.hmac(eight(this.#next / 4))).buffer);
      this.#next++;
      const number = this.#block.getBigUint64(8 * place);
      if (number < NUMBERS - (NUMBERS % bound)) return number % bound;
    }
  }
}

type Draw = [value: bigint, bound: bigint];

/** `4/6 2/6`: a 4 and a 2, both drawn below 6; null if it is something else. */
export function readDraws(drawn: string): Draw[] | null {
  if (!/^(\d+\/[1-9]\d*( \d+\/[1-9]\d*)*)?$/.test(drawn)) return null;
  return drawn ? drawn.split(' ').map((pair) => pair.split('/').map(BigInt) as Draw) : [];
}

/** Draws again what a step is said to have drawn; null if it is not so. */
async function drawnAgain(root: Uint8Array, step: number, drawn: string): Promise<Draw[] | null> {
  const claimed = readDraws(drawn);
  const stream = await KeyedStream.of(root, step);
  for (const [value, bound] of claimed ?? []) if ((await stream.below(bound)) !== value) return null;
  return claimed;
}

/** The order of so many pieces, each placed by the next number drawn. */
function shuffled(size: number, below: (bound: number) => number | null): number[] | null {
  const order = Array.from({ length: size }, (_, i) => i);
  for (let i = size - 1; i > 0; i--) {
    const j = below(i + 1);
    if (j === null) return null;
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

// ── The stream of a seed ─────────────────────────────────────

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

  shuffle(size: number): number[] {
    return shuffled(size, (bound) => this.below(bound))!;
  }
}

/** The seed that a secret and everybody's entropy make together. */
export async function mixSeed(secret: Uint8Array, entropy: string[]): Promise<bigint> {
  const digest = await sha256(joined([secret, ...entropy.flatMap((e) => [new Uint8Array(1), text.encode(e)])]));
  return new DataView(digest.buffer, digest.byteOffset).getBigUint64(0) & MASK;
}

// ── Hashes ───────────────────────────────────────────────────

/** SHA-256. The browser's own where it offers it (https, localhost), otherwise the few lines below. */
export async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) return sha256Slow(bytes);
  return new Uint8Array(await subtle.digest('SHA-256', bytes as BufferSource));
}

let constants: { k: Uint32Array; start: Uint32Array } | undefined;

/** Of FIPS 180-4: bits of the roots of the first primes. */
function sha256Constants() {
  const k = new Uint32Array(64);
  const start = new Uint32Array(8);
  const frac = (x: number) => Math.floor((x - Math.floor(x)) * 2 ** 32);
  let found = 0;
  for (let n = 2; found < 64; n++) {
    let prime = true;
    for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false;
    if (!prime) continue;
    if (found < 8) start[found] = frac(Math.sqrt(n));
    k[found++] = frac(Math.cbrt(n));
  }
  return { k, start };
}

/** FIPS 180-4, for pages served over plain http in a home network. */
export function sha256Slow(message: Uint8Array): Uint8Array {
  const { k, start: first } = (constants ??= sha256Constants());
  const h = first.slice();
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

/** HMAC-SHA256 under one key: the browser's own, or of the lines above. */
export async function hmacOf(key: Uint8Array): Promise<(message: Uint8Array) => Promise<Uint8Array>> {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) return (message) => Promise.resolve(hmacSlow(key, message));
  const imported = await subtle.importKey('raw', key as BufferSource, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
  return async (message) => new Uint8Array(await subtle.sign('HMAC', imported, message as BufferSource));
}

/** RFC 2104, for keys no longer than a block. */
export function hmacSlow(key: Uint8Array, message: Uint8Array): Uint8Array {
  const padded = (with_: number) => Uint8Array.from({ length: 64 }, (_, i) => (key[i] ?? 0) ^ with_);
  return sha256Slow(joined([padded(0x5c), sha256Slow(joined([padded(0x36), message]))]));
}

function joined(pieces: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((n, piece) => n + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}

/** Hexadecimal text as bytes; null when it is not. */
export function unhex(text: string): Uint8Array | null {
  if (!/^([0-9a-f]{2})+$/i.test(text)) return null;
  return Uint8Array.from(text.match(/../g)!, (pair) => parseInt(pair, 16));
}

// ── The check ────────────────────────────────────────────────

export type Step =
  | { what: 'commitment' | 'noted' | 'share' | 'seed'; ok: boolean; claimed: string; found: string }
  | { what: 'draws'; ok: boolean; draws: number; steps: number }
  | { what: 'seen'; ok: boolean; n: number }
  | { what: 'shuffle'; ok: boolean; name: string; size: number };

export interface Verdict {
  fair: boolean;
  steps: Step[];
}

/** What this page saw fall at the table: numbers below `below`, in order, from the first to the last. */
export interface Seen {
  below: number;
  values: number[];
}

/**
 * Repeats all chance from the opened secret; `noted` is what this browser wrote down, `seen` what it was shown during the game.
 * Null while nothing has been opened.
 */
export async function check(fair: Fair, noted: Noted | null = null, seen: Seen | null = null): Promise<Verdict | null> {
  if (fair.server_seed === null) return null;
  const secret = unhex(fair.server_seed);
  const hash = secret ? hex(await sha256(secret)) : '';
  const steps: Step[] = [
    { what: 'commitment', ok: hash === fair.commitment.toLowerCase(), claimed: fair.commitment, found: hash },
  ];
  if (noted) {
    const { commitment, shares } = noted;
    steps.push({ what: 'noted', ok: commitment === fair.commitment, claimed: fair.commitment, found: commitment });
    if (shares.length) {
      const mine = shares.find((share) => fair.entropy.includes(share));
      steps.push({ what: 'share', ok: mine !== undefined, claimed: mine ?? '', found: shares.at(-1)! });
    }
  }
  if (secret) steps.push(...(await (fair.chance === 'keyed' ? checkKeyed(fair, secret) : checkSeed(fair, secret))));
  if (seen?.values.length && fair.chance === 'keyed') steps.push(checkSeen(fair, seen));
  return { fair: steps.every((s) => s.ok), steps };
}

async function checkKeyed(fair: Fair, secret: Uint8Array): Promise<Step[]> {
  const root = await rootKey(secret, fair.entropy);
  const claimed = fair.draws ?? [];
  const found = await Promise.all(claimed.map(({ seq, drawn }) => drawnAgain(root, seq, drawn)));
  const inOrder = claimed.every(({ seq }, i) => (i ? seq > claimed[i - 1]!.seq : seq === 0));
  const ok = claimed.length > 0 && inOrder && !found.includes(null);
  const draws = found.reduce((n, step) => n + (step?.length ?? 0), 0);
  const deal = (found[0] ?? []).values();
  return [
    { what: 'draws', ok, draws, steps: claimed.length - 1 },
    ...checkShuffles(fair.shuffles ?? [], (size) =>
      shuffled(size, (bound) => {
        const [value, of] = deal.next().value ?? [];
        return of === BigInt(bound) ? Number(value) : null;
      }),
    ),
  ];
}

/** The numbers that are said to have been drawn are those that fell before everybody's eyes. */
function checkSeen(fair: Fair, { below, values }: Seen): Step {
  const drawn = (fair.draws ?? [])
    .flatMap((step) => readDraws(step.drawn) ?? [])
    .filter(([, bound]) => bound === BigInt(below))
    .map(([value]) => Number(value));
  return { what: 'seen', ok: drawn.join() === values.join(), n: values.length };
}

async function checkSeed(fair: Fair, secret: Uint8Array): Promise<Step[]> {
  const seed = await mixSeed(secret, fair.entropy);
  const chance = new Chance(seed);
  return [
    { what: 'seed', ok: String(seed) === fair.seed, claimed: fair.seed ?? '', found: String(seed) },
    ...checkShuffles(fair.shuffles ?? [], (size) => chance.shuffle(size)),
  ];
}

function checkShuffles(claimed: ShuffleInfo[], drawn: (size: number) => number[] | null): Step[] {
  return claimed.map(({ name, order }) => {
    const again = drawn(order.length);
    return { what: 'shuffle', name, size: order.length, ok: again !== null && again.every((n, i) => n === order[i]) };
  });
}
