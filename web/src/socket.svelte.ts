/**
 * One table, live. Connects, comes back by itself, and never lets a decision get lost or count twice: each `do` keeps its
 * own id until the server says `done` or `refused`, and is sent again after a reconnect.
 */
import { dropShare, noteCommitment, noteShare } from './promises';
import { api, parseJson, randomName, Refused, unpacked } from '@/api';
import { isTakenBack } from '@/table/standing';
import { inWords } from '@/former';
import type * as wire from '@/wire';
import type { Fair, FromBrowser, FromServer, GameEvent, TableInfo } from '@/wire';

/** What the server tells of a change; here `events` are those to be animated, none when fresh. */
export type Update = Omit<wire.Update, 'type'>;
export type Said = Omit<wire.Said, 'type'>;
/** Everybody's clocks, and when (ms since the page opened) we heard of them. */
export type Heard = Omit<wire.ClocksMessage, 'type'> & { heardAt: number };
export type Status = 'connecting' | 'open' | 'lost' | 'closed';

/** What waits for an answer, and is sent again after a reconnect. */
type Command = Extract<FromBrowser, { id: string }>;
interface Pending {
  command: Command;
  resolve: () => void;
  reject: (why: Refused) => void;
}

export interface SocketOptions {
  /** How long a move of somebody else stays on the table before the next is shown, in milliseconds. */
  pace?: (events: GameEvent[]) => number;
  /** Where one screen is passed around: the seat it is uncovered for, and what happens when it is not any more. */
  seat?: number;
  covered?: () => void;
  /** For tests. */
  moments?: typeof api.moments;
  open?: (url: string) => WebSocket;
  random?: () => number;
}

const PING_EVERY = 15_000;
const SILENT_AFTER = 35_000;
const LONGEST_WAIT = 15_000;
/** So long a line may take to answer whoever has just come back to the page. */
const ANSWER_WITHIN = 600;
/** The close code with which a server takes leave: another one is there, or will be in a moment. */
const SERVICE_RESTART = 1012;
/** Everybody who was told comes back within this time, each at a moment of their own. */
const COME_AGAIN_WITHIN = 1_000;
/** A loss is nobody's business for so long; after a server has taken leave, a little longer. */
const BLINK = 1_200;
const LEAVE = 2_200;
/** A line that has held this long is a good one: the next loss is met with a quick try again. */
const STEADY_AFTER = 3_000;
/** A line on which anything was heard had a server at its other end: whatever went before, the next tries come within a second. */
const AFTER_A_GREETING = 2;
/** How long the table is shown as it was, before the last move is made again. */
const BEFORE_AGAIN = 700;
/** Among so many steps the last one is looked for that told us something. */
const MOMENTS_BACK = 24;
/** More moves than this at once are not shown one by one. */
const MOST_QUEUED = 8;

export class TableSocket {
  table = $state.raw<TableInfo | null>(null);
  /** What the board shows now. */
  update = $state.raw<Update | null>(null);
  /** How many updates have been drawn: what is behind our own screen changes without a new number. */
  drawn = $state(0);
  /** How often the story has been left for another place of it: a live table never does that. */
  jumps = $state(0);
  /** Every fact seen so far, in order: the log. */
  events = $state.raw<GameEvent[]>([]);
  chat = $state.raw<Said[]>([]);
  clocks = $state.raw<Heard | null>(null);
  fair = $state.raw<Fair | null>(null);
  status = $state<Status>('connecting');
  /** While lost: how often we have tried, and when (ms) the next try comes. */
  attempt = $state(0);
  retryAt = $state(0);
  /** While lost: how long (ms) that is not worth a word. */
  quiet = $state(BLINK);
  busy = $state(false);
  /** Our last decision can be taken back to step `to`, or why not. */
  back = $state.raw<Omit<wire.MayTakeBack, 'type'>>({ to: null, why: null, ask: false });
  /** A refusal that belongs to no decision of ours (chat too fast, no such table). */
  refusal = $state.raw<Refused | null>(null);

  /** A table to learn at: nothing is stored, nothing counts, nobody else is there. */
  readonly practice: boolean = false;
  /** Where one goes back to. */
  readonly home: string = '/';

  /** What is known of a fact besides its words: when it was decided, and whether a bot stood in. */
  readonly notes = new Map<number, { at: number; standin: boolean }>();

  #socket: WebSocket | null = null;
  #pending = new Map<string, Pending>();
  #queue: Update[] = [];
  #timers = { ping: 0, retry: 0, show: 0, steady: 0, wake: 0 };
  #heard = 0;
  /** The newest decision received, shown or not. */
  #seq = 0;
  #lastEvent = 0;
  /** The last move: the table before it, and with it. */
  #lastMove: { before: Update; after: Update } | null = null;

  #entropy: string | null = null;
  readonly #open: (url: string) => WebSocket;

  constructor(
    readonly id: string,
    readonly invite: string | null = null,
    readonly options: SocketOptions = {},
  ) {
    this.#open = options.open ?? ((url) => new WebSocket(url));
  }

  // ── Connecting ─────────────────────────────────────────────

  connect(): this {
    if (typeof addEventListener !== 'undefined') {
      addEventListener('online', this.#wake);
      addEventListener('offline', this.#cut);
      addEventListener('pagehide', this.#sleep);
      document.addEventListener('visibilitychange', this.#wake);
    }
    this.#dial();
    this.#timers.ping = setInterval(() => this.#beat(), PING_EVERY) as unknown as number;
    return this;
  }

  close(): void {
    this.status = 'closed';
    clearInterval(this.#timers.ping);
    clearTimeout(this.#timers.retry);
    clearTimeout(this.#timers.show);
    clearTimeout(this.#timers.steady);
    clearTimeout(this.#timers.wake);
    if (typeof removeEventListener !== 'undefined') {
      removeEventListener('online', this.#wake);
      removeEventListener('offline', this.#cut);
      removeEventListener('pagehide', this.#sleep);
      document.removeEventListener('visibilitychange', this.#wake);
    }
    this.#socket?.close();
    this.#socket = null;
    for (const [, p] of this.#pending)
      p.reject(new Refused({ key: 'closed', facts: {}, sentence: 'You left the table page.' }));
    this.#pending.clear();
  }

  /** Try again at once, without waiting for the timer. */
  retryNow(): void {
    if (this.status !== 'lost') return;
    clearTimeout(this.#timers.retry);
    this.#dial();
  }

  #dial(): void {
    const where = typeof location === 'undefined' ? 'ws://localhost' : location.origin.replace(/^http/, 'ws');
    const invite = this.invite ? `&invite=${encodeURIComponent(this.invite)}` : '';
    const seat = this.options.seat === undefined ? '' : `&seat=${this.options.seat}`;
    const path = `/api/tables/${encodeURIComponent(this.id)}/socket?since=${this.#seq}${invite}${seat}`;
    const socket = this.#open(where + path);
    this.#socket = socket;
    this.#heard = Date.now();
    socket.onopen = () => {
      if (socket !== this.#socket) return;
      this.status = 'open';
      this.quiet = BLINK;
      this.#timers.steady = setTimeout(() => (this.attempt = 0), STEADY_AFTER) as unknown as number;
      if (this.#entropy !== null) this.#send({ type: 'entropy', text: this.#entropy });
      for (const [, p] of this.#pending) this.#send(p.command);
    };
    socket.onmessage = (message) => {
      if (socket !== this.#socket) return;
      this.#heard = Date.now();
      this.attempt = Math.min(this.attempt, AFTER_A_GREETING);
      this.receive(parseJson(String(message.data)) as FromServer);
    };
    socket.onclose = (event) => {
      if (socket !== this.#socket) return;
      if (this.options.covered) this.options.covered();
      else this.#lost(event.code === SERVICE_RESTART);
    };
  }

  #lost(toldToComeAgain = false): void {
    this.#socket = null;
    clearTimeout(this.#timers.steady);
    if (this.status === 'closed') return;
    this.status = 'lost';
    const random = this.options.random ?? Math.random;
    let wait: number;
    if (toldToComeAgain) {
      // Nothing is wrong with the line, so this is no attempt that failed.
      wait = COME_AGAIN_WITHIN * random();
      this.quiet = LEAVE;
    } else {
      // 0.5 s twice, for a line that is lost just after it was made; then 1 s, and 2 s … up to 15 s where nobody is heard, each
      // somewhere between half and the whole, so that a crowd does not return at once.
      wait = Math.min(LONGEST_WAIT, 500 * 2 ** Math.max(0, this.attempt - 1)) * (0.5 + random() / 2);
      this.attempt++;
    }
    this.retryAt = Date.now() + wait;
    this.#timers.retry = setTimeout(() => this.#dial(), wait) as unknown as number;
  }

  #beat(): void {
    if (this.status !== 'open') return;
    if (Date.now() - this.#heard > SILENT_AFTER) {
      this.#cut();
    } else this.#send({ type: 'ping', at: this.#seq });
  }

  /** The line is dead, though nobody has closed it: the browser says so, or it has been silent for too long. */
  #cut = () => {
    if (this.status !== 'open') return;
    if (this.options.covered) return this.options.covered();
    const dead = this.#socket;
    this.#lost();
    dead?.close();
  };

  #wake = () => {
    if (document.visibilityState === 'hidden') return;
    if (this.status === 'lost') return this.retryNow();
    // A phone that was locked may hold a line that has died without a word: nobody waits for that one.
    this.#beat();
    if (this.status !== 'open') return this.retryNow();
    const asked = Date.now();
    clearTimeout(this.#timers.wake);
    this.#timers.wake = setTimeout(() => {
      if (this.#heard >= asked) return;
      this.#cut();
      this.retryNow();
    }, ANSWER_WITHIN) as unknown as number;
  };

  /** Leaving the page: tell the server now rather than after thirty silent seconds. */
  #sleep = () => this.#socket?.close();

  #send(message: FromBrowser): void {
    if (this.#socket && this.#socket.readyState === 1) this.#socket.send(JSON.stringify(message));
  }

  // ── Speaking ───────────────────────────────────────────────

  /** Decides, in one step or several, all or nothing. Resolves when the server has stored it; rejects with the refusal. */
  do(action: number, then: number[] = []): Promise<void> {
    return this.#ask({
      type: 'do',
      id: randomName(),
      action,
      at: this.update?.seq ?? this.#seq,
      ...(then.length ? { then } : {}),
    });
  }

  /** Takes back what we have sealed. */
  openAgain(): Promise<void> {
    return this.#ask({ type: 'open_again', id: randomName(), at: this.update?.seq ?? this.#seq });
  }

  /** Takes our last decision back, if the server has said that we may. */
  takeBack(): Promise<void> {
    return this.back.to === null
      ? Promise.resolve()
      : this.#ask({ type: 'take_back', id: randomName(), to: this.back.to });
  }

  /** Asks the others to be let take back what cannot be taken back without them. */
  askBack(): void {
    this.#send({ type: 'ask_back' });
  }

  /** Lets whoever has asked take back, or not. */
  answerBack(yes: boolean): void {
    this.#send({ type: 'answer_back', yes, at: this.table?.seq ?? this.#seq });
  }

  #ask(command: Command): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#pending.set(command.id, { command, resolve, reject });
      this.busy = true;
      // Whoever decides has seen enough of the last move: what comes now is shown at once.
      clearTimeout(this.#timers.show);
      this.#timers.show = 0;
      if (this.#queue.length) this.#showNext();
      this.#send(command);
    });
  }

  say(text: string): void {
    this.#send({ type: 'say', text: text.slice(0, 500) });
  }

  /** Our share of chance; kept, so that it also survives a lost connection before the start. */
  addEntropy(text: string): void {
    this.#entropy = text.slice(0, 64);
    noteShare(this.id, this.#entropy);
    this.#send({ type: 'entropy', text: this.#entropy });
  }

  /** The game began before our share came: no harm. */
  #tooLate(): void {
    if (this.#entropy !== null) dropShare(this.id, this.#entropy);
    this.#entropy = null;
  }

  // ── Hearing ────────────────────────────────────────────────

  receive(message: FromServer): void {
    switch (message.type) {
      case 'table':
        this.table = inWords(message.table);
        if (message.table.phase === 'open') noteCommitment(this.id, message.table.fair.commitment);
        else this.#entropy = null;
        break;
      case 'update':
        this.#updated(message);
        break;
      case 'may_take_back':
        this.back = message;
        break;
      case 'done':
        this.#settle(message.id)?.resolve();
        break;
      case 'refused': {
        const why = new Refused({ key: message.key, facts: message.facts, sentence: message.sentence });
        const pending = message.id === null ? undefined : this.#settle(message.id);
        if (pending) pending.reject(why);
        else if (message.key === 'already_started') this.#tooLate();
        else this.refusal = why;
        break;
      }
      case 'said': {
        const { seat, name, text, at } = message;
        if (!this.chat.some((s) => s.at === at && s.name === name && s.text === text)) {
          // What spectators have said comes to those who played when the game is over: in its place.
          this.chat = [...this.chat, { seat, name, text, at }].toSorted((a, b) => a.at - b.at).slice(-300);
        }
        break;
      }
      case 'clocks':
        this.clocks = { ...message, heardAt: performance.now() };
        break;
      case 'pong':
        // The server fills gaps by itself; a long-standing gap means that a message was lost.
        break;
      case 'revealed':
        this.fair = message.fair;
        break;
    }
  }

  #settle(id: string): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    this.busy = this.#pending.size > 0;
    return pending;
  }

  #updated(message: Extract<FromServer, { type: 'update' }>): void {
    // A repeated update is older than what we have; one with the same number may carry new choices.
    if (message.seq < this.#seq && !message.fresh) return;
    const news = message.events.filter((e) => e.n > this.#lastEvent);
    if (news.length) this.#lastEvent = news[news.length - 1]!.n;
    for (const event of news) this.note(event);
    this.#seq = message.seq;
    const next: Update = { ...message, choices: unpacked(message.choices), events: news };
    if (message.fresh) {
      this.#queue = [];
      clearTimeout(this.#timers.show);
      this.#timers.show = 0;
      this.#show({ ...next, events: [] }, news);
      return;
    }
    this.#queue.push(next);
    if (this.#queue.length > MOST_QUEUED) this.#merge();
    if (!this.#timers.show) this.#showNext();
  }

  /** When a fact was decided, and whether a bot stood in. */
  protected note(event: GameEvent): void {
    if (event.at) this.notes.set(event.n, { at: event.at * 1000, standin: event.decider === 'standin' });
  }

  /** Too much happened to watch it all: the board jumps, the log still gets every line. */
  #merge(): void {
    const last = this.#queue[this.#queue.length - 1]!;
    this.#queue = [{ ...last, events: this.#queue.flatMap((u) => u.events) }];
  }

  #showNext = () => {
    this.#timers.show = 0;
    const next = this.#queue.shift();
    if (!next) return;
    this.#show(next, next.events);
    const pace = next.events.length ? (this.options.pace?.(next.events) ?? 0) : 0;
    this.#timers.show = setTimeout(this.#showNext, pace) as unknown as number;
  };

  #show(update: Update, log: GameEvent[]): void {
    if (log.length) this.events = [...this.events, ...log];
    if (update.events.some(isTakenBack)) {
      // The board is laid as it was: there is nothing to be played forward.
      this.jumps++;
      this.drawn++;
      this.#lastMove = null;
      update = { ...update, events: [], fresh: true };
    }
    if (!update.fresh || update.seq !== this.update?.seq) this.drawn++;
    if (this.update && update.events.length) this.#lastMove = { before: this.update, after: update };
    this.update = update;
  }

  /** Shows the last move once more: the table as it was before it, then the move. */
  async again(): Promise<void> {
    this.catchUp();
    const found = this.#lastMove ?? (await this.#lastMoveStored());
    const move = this.#lastMove ?? found; // somebody may have moved meanwhile
    if (!move || this.busy || !this.update) return;
    this.catchUp();
    const now = this.update;
    this.jumps++;
    this.drawn++;
    this.update = { ...move.before, choices: [], events: [], fresh: true };
    clearTimeout(this.#timers.show);
    this.#timers.show = setTimeout(() => {
      this.drawn++;
      this.update = { ...now, events: move.after.events, fresh: false };
      this.#showNext();
    }, BEFORE_AGAIN) as unknown as number;
  }

  /** The last move that told us something, as the server remembers it: after a reload nothing has been seen yet. */
  async #lastMoveStored(): Promise<{ before: Update; after: Update } | null> {
    const first = Math.max(0, this.#seq - MOMENTS_BACK);
    const { moments } = await (this.options.moments ?? api.moments)(this.id, first, null, this.invite);
    const last = moments.findLastIndex((moment) => moment.events.length > 0);
    return last > 0 && !moments[last]!.events.some(isTakenBack)
      ? { before: moments[last - 1]!, after: moments[last]! }
      : null;
  }

  /** Shows at once whatever is still waiting to be shown. */
  catchUp(): void {
    if (!this.#queue.length) return;
    this.#merge();
    clearTimeout(this.#timers.show);
    this.#showNext();
  }
}
