import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { TableSocket } from '@/socket.svelte';
import { parseJson, Refused, unpacked } from '@/api';
import type { FromServer, TableInfo } from '@/wire';

/** A line to a server that says only what the test tells it to. */
class FakeSocket {
  static all: FakeSocket[] = [];
  sent: Record<string, unknown>[] = [];
  readyState = 0;
  onopen: (() => void) | null = null;
  onmessage: ((m: { data: string }) => void) | null = null;
  onclose: ((e: { code: number }) => void) | null = null;
  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }
  send(text: string) {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  open() {
    this.readyState = 1;
    this.onopen?.();
  }
  close(code = 1006) {
    this.readyState = 3;
    this.onclose?.({ code });
  }
  hear(message: FromServer) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const update = (seq: number, events: number[], more: object = {}): FromServer => ({
  type: 'update',
  seq,
  view: { seq },
  choices: [],
  waiting: [0],
  fresh: false,
  result: null,
  sealed: false,
  events: events.map((n) => ({ n, kind: 'moved', seat: 0 })),
  ...more,
});

function sit(pace = 0, random = () => 1) {
  const socket = new TableSocket('wren', null, {
    open: (url) => new FakeSocket(url) as unknown as WebSocket,
    random,
    pace: () => pace,
  });
  socket.connect();
  return { socket, line: () => FakeSocket.all.at(-1)! };
}

beforeEach(() => {
  FakeSocket.all = [];
  vi.useFakeTimers();
  vi.stubGlobal('document', { addEventListener: () => {}, removeEventListener: () => {}, visibilityState: 'visible' });
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('what is taken back is drawn as it was, and told', () => {
  const { socket, line } = sit();
  line().open();
  line().hear(update(1, [1]));
  line().hear({ type: 'may_take_back', to: 0, why: null, ask: false });
  void socket.takeBack();
  expect(line().sent.at(-1)).toMatchObject({ type: 'take_back', to: 0 });
  line().hear(update(2, [], { events: [{ n: 2, kind: 'taken_back', seat: 0, after: 0 }] }));
  vi.runOnlyPendingTimers();
  expect(socket.update).toMatchObject({ seq: 2, fresh: true, events: [] });
  expect(socket.jumps).toBe(1);
  expect(socket.events.map((event) => event.kind)).toEqual(['moved', 'taken_back']);
});

describe('a decision', () => {
  test('is resolved when the server has stored it', async () => {
    const { socket, line } = sit();
    line().open();
    const done = socket.do(17);
    expect(socket.busy).toBe(true);
    expect(line().sent[0]).toMatchObject({ type: 'do', action: 17 });
    line().hear({ type: 'done', id: line().sent[0]!['id'] as string, seq: 1 });
    await done;
    expect(socket.busy).toBe(false);
  });
  test('is sent again, under the same name, after the line was lost', async () => {
    const { socket, line } = sit();
    line().open();
    line().hear(update(4, [1], { fresh: true }));
    const done = socket.do(3);
    const id = line().sent[0]!['id'];
    line().close();
    expect(socket.status).toBe('lost');
    await vi.advanceTimersByTimeAsync(600);
    expect(line().url).toContain('since=4');
    line().open();
    expect(line().sent[0]).toEqual({ type: 'do', id, action: 3, at: 4 });
    line().hear({ type: 'done', id: id as string, seq: 5 });
    await done;
  });
  test('that is refused says why', async () => {
    const { socket, line } = sit();
    line().open();
    const done = socket.do(3);
    line().hear({
      type: 'refused',
      id: line().sent[0]!['id'] as string,
      key: 'not_your_turn',
      facts: {},
      sentence: 'It is not your turn.',
    });
    await expect(done).rejects.toThrow(Refused);
    await expect(done).rejects.toThrow('It is not your turn.');
  });
});

describe('updates', () => {
  test('a run of choices becomes choices again', () => {
    const pass = { action: 4, kind: 'pass' };
    const bids = { action: 9, kind: 'bid', booth: 2, tokens: 3, run: { tokens: 3 } };
    expect(unpacked([pass, bids])).toEqual([
      pass,
      { action: 9, kind: 'bid', booth: 2, tokens: 3 },
      { action: 10, kind: 'bid', booth: 2, tokens: 4 },
      { action: 11, kind: 'bid', booth: 2, tokens: 5 },
    ]);
  });

  test('a snapshot is drawn, not animated, and still fills the log', () => {
    const { socket, line } = sit();
    line().open();
    line().hear(update(7, [1, 2, 3], { fresh: true }));
    expect(socket.update).toMatchObject({ seq: 7, fresh: true, events: [] });
    expect(socket.events.map((e) => e.n)).toEqual([1, 2, 3]);
  });
  test('repeated facts and old updates are dropped', async () => {
    const { socket, line } = sit();
    line().open();
    line().hear(update(1, [1, 2], { fresh: true }));
    line().hear(update(2, [2, 3]));
    line().hear(update(1, [1, 2]));
    await vi.runOnlyPendingTimersAsync();
    expect(socket.update?.seq).toBe(2);
    expect(socket.events.map((e) => e.n)).toEqual([1, 2, 3]);
  });
  test('quick moves are shown one after another', async () => {
    const { socket, line } = sit(500);
    line().open();
    line().hear(update(1, [1], { fresh: true }));
    for (const n of [2, 3, 4]) line().hear(update(n, [n]));
    expect(socket.update?.seq).toBe(2);
    await vi.advanceTimersByTimeAsync(500);
    expect(socket.update?.seq).toBe(3);
    socket.catchUp();
    expect(socket.update?.seq).toBe(4);
    expect(socket.events.length).toBe(4);
  });
  test('a crowd of moves is shown at once, with every line in the log', async () => {
    const { socket, line } = sit(500);
    line().open();
    line().hear(update(1, [1], { fresh: true }));
    for (let n = 2; n <= 30; n++) line().hear(update(n, [n]));
    await vi.advanceTimersByTimeAsync(5000);
    expect(socket.update?.seq).toBe(30);
    expect(socket.events.map((e) => e.n)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
  });
});

test('coming back takes longer each time, and not for ever', async () => {
  const { socket, line } = sit();
  const waits: number[] = [];
  for (let i = 0; i < 8; i++) {
    line().close();
    waits.push(socket.retryAt - Date.now());
    await vi.advanceTimersByTimeAsync(waits[i]!);
  }
  expect(waits).toEqual([500, 500, 1000, 2000, 4000, 8000, 15000, 15000]);
  expect(FakeSocket.all.length).toBe(9);
});

test('a line that has held is met with a quick try again', async () => {
  const { socket, line } = sit();
  for (let i = 0; i < 3; i++) {
    line().close();
    await vi.advanceTimersByTimeAsync(16_000);
  }
  line().open();
  expect(socket.attempt).toBe(3);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(socket.attempt).toBe(0);
});

test('whoever was greeted by each of several servers that died is back within a second', async () => {
  const { socket, line } = sit();
  for (let i = 0; i < 6; i++) {
    line().open();
    line().hear(update(i + 1, [i + 1], { fresh: true }));
    line().close();
    expect(socket.retryAt - Date.now()).toBeLessThanOrEqual(1000);
    await vi.advanceTimersByTimeAsync(1000);
  }
  line().close(); // and nobody is there
  expect(socket.retryAt - Date.now()).toBe(2000);
});

describe('a server that takes leave (1012)', () => {
  test('is left within a second, each at a moment of their own, however often that happens', async () => {
    const { socket, line } = sit(0, () => 0.3);
    line().open();
    for (let i = 0; i < 4; i++) {
      line().close(1012);
      expect(socket.status).toBe('lost');
      expect(socket.retryAt - Date.now()).toBe(300);
      await vi.advanceTimersByTimeAsync(300);
      expect(FakeSocket.all.length).toBe(i + 2);
      line().open();
    }
    expect(socket.status).toBe('open');
    expect(socket.attempt).toBe(0);
  });
  test('is nobody’s business if we are back within two seconds', async () => {
    const { socket, line } = sit();
    line().open();
    const usual = socket.quiet;
    line().close(1012);
    await vi.advanceTimersByTimeAsync(1000);
    line().close(); // not there yet: refused by the one that is leaving
    expect(socket.quiet).toBeGreaterThanOrEqual(2000);
    expect(socket.quiet).toBeLessThan(3000);
    expect(socket.retryAt - Date.now()).toBe(500); // from here on as ever
    await vi.advanceTimersByTimeAsync(500);
    line().open();
    expect(socket.status).toBe('open');
    expect(socket.quiet).toBe(usual);
    expect(usual).toBeLessThan(2000);
  });
  test('loses no decision', async () => {
    const { socket, line } = sit();
    line().open();
    const done = socket.do(3);
    const id = line().sent[0]!['id'];
    line().close(1012);
    await vi.advanceTimersByTimeAsync(1000);
    line().open();
    expect(line().sent[0]).toMatchObject({ type: 'do', id, action: 3 });
    line().hear({ type: 'done', id: id as string, seq: 1 });
    await done;
  });
  test('does not call back who has left the table', async () => {
    const { socket, line } = sit();
    line().open();
    socket.close();
    line().close(1012);
    await vi.advanceTimersByTimeAsync(5000);
    expect(FakeSocket.all.length).toBe(1);
  });
});

test('a silent line is given up', async () => {
  const { socket, line } = sit();
  line().open();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(line().sent).toEqual([{ type: 'ping', at: 0 }]);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(socket.status).toBe('lost');
});

describe('a phone that was locked', () => {
  const wake: (() => void)[] = [];
  beforeEach(() => {
    wake.length = 0;
    const addEventListener = (_: string, woken: () => void) => wake.push(woken);
    vi.stubGlobal('document', { addEventListener, removeEventListener: () => {}, visibilityState: 'visible' });
  });

  test.each([20_000, 3_600_000])('is at the table again within a second (%d ms)', async (locked) => {
    const { socket, line } = sit();
    line().open();
    vi.setSystemTime(Date.now() + locked); // its timers slept too
    for (const woken of wake) woken();
    await vi.advanceTimersByTimeAsync(999);
    expect(FakeSocket.all.length).toBe(2);
    line().open();
    expect(socket.status).toBe('open');
  });

  test('keeps a line that answers', async () => {
    const { line } = sit();
    line().open();
    vi.setSystemTime(Date.now() + 20_000);
    for (const woken of wake) woken();
    expect(line().sent.at(-1)).toMatchObject({ type: 'ping' });
    line().hear({ type: 'pong', seq: 0 } as FromServer);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(FakeSocket.all.length).toBe(1);
  });
});

test('chat is not repeated after a reconnect', () => {
  const { socket, line } = sit();
  line().open();
  const said: FromServer = { type: 'said', seat: 1, name: 'Ada', text: 'ciao', at: 12.5 };
  line().hear(said);
  line().hear(said);
  expect(socket.chat.length).toBe(1);
});

test('entropy is given again after a reconnect, until the start', async () => {
  const { socket, line } = sit();
  line().open();
  socket.addEntropy('words');
  line().close();
  await vi.advanceTimersByTimeAsync(600);
  line().open();
  expect(line().sent).toEqual([{ type: 'entropy', text: 'words' }]);
  line().hear({
    type: 'table',
    table: { phase: 'playing', chairs: [], fair: { server_seed: null } } as unknown as TableInfo,
  });
  line().close();
  await vi.advanceTimersByTimeAsync(1100);
  line().open();
  expect(line().sent).toEqual([]);
});

test('a 63-bit seed survives the way through JSON', () => {
  expect(parseJson('{"fair":{"seed": 9223372036854775807,"n":5}}')).toEqual({
    fair: { seed: '9223372036854775807', n: 5 },
  });
  expect(parseJson(JSON.stringify({ text: '"seed":12' }))).toEqual({ text: '"seed":12' });
});
