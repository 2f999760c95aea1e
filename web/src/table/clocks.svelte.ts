/** The clocks of a table as they are shown: the server says what was left, here it is counted down until it says so again. */
import type { TableSocket } from '@/socket.svelte';
import { t } from '@/state/words.svelte';
import type { ClockTerms } from '@/wire';
import type { Words } from '@/words';
import { getContext, setContext } from 'svelte';

const TICK = 200; // ms
const HOUR = 3600;
const DAY = 24 * HOUR;
/** So many seconds before the end a player is told once more. */
export const LAST_WORD = 10;

export type Face = 'waiting' | 'running' | 'low' | 'held' | 'sealed' | 'out' | 'bot';

/** One seat's clock at this moment. */
export interface Seen {
  face: Face;
  /** Seconds; a sealed clock tells none. */
  left: number | null;
  /** Of a full one. */
  share: number;
}

export class Clocks {
  #now = $state(performance.now());

  constructor(readonly socket: TableSocket) {}

  /** Counts while anybody looks; call in an effect. */
  tick(): () => void {
    const timer = setInterval(() => (this.#now = performance.now()), TICK);
    return () => clearInterval(timer);
  }

  get terms(): ClockTerms | null {
    return this.socket.table?.clock ?? null;
  }

  /** Whether clocks are there to be seen. */
  get on(): boolean {
    return this.terms !== null && this.socket.clocks !== null && this.socket.table?.phase === 'playing';
  }

  of(seat: number): Seen | null {
    const heard = this.socket.clocks;
    const clock = heard?.clocks[seat];
    if (!this.on || !heard || !clock) return null;
    if (clock.state === 'bot') return { face: 'bot', left: null, share: 0 };
    if (clock.left === null) return { face: 'sealed', left: null, share: 0 };
    const passed = Math.max(0, this.#now - heard.heardAt) / 1000;
    const runs = clock.state === 'running' || clock.state === 'held';
    // Where the line is lost, what was last seen stands still: nobody knows better.
    const spent = runs && this.socket.status === 'open' ? Math.max(0, passed - clock.held) : 0;
    const left = Math.max(0, clock.left - spent);
    const share = Math.min(1, left / Math.max(1, this.terms!.bank));
    if (clock.state === 'out') return { face: 'out', left, share };
    if (!runs) return { face: 'waiting', left, share };
    if (this.socket.status !== 'open' || clock.held > passed) return { face: 'held', left, share };
    return { face: left <= heard.low ? 'low' : 'running', left, share };
  }

  /** Whether a seat ran out of time, and has not been taken back since. */
  ranOut(seat: number): boolean {
    const last = this.socket.clocks?.story.findLast((one) => one.seat === seat && /out|back/.test(one.what));
    return last?.what === 'out';
  }
}

const KEY = Symbol('clocks');
export const putClocks = (clocks: Clocks): Clocks => setContext(KEY, clocks);
/** Of the table around us; none where nothing is played. */
export const clocksHere = (): Clocks | undefined => getContext<Clocks | undefined>(KEY);

// ── In words ─────────────────────────────────────────────────

function parts(left: number) {
  const whole = Math.ceil(left);
  return {
    days: Math.floor(whole / DAY),
    hours: Math.floor((whole % DAY) / HOUR),
    minutes: Math.floor((whole % HOUR) / 60),
    seconds: whole % 60,
  };
}

/** As a clock shows it: 2 d 4 h, 1 h 20 min, 4:12. */
export function short(left: number, w: Words = t): string {
  const { days, hours, minutes, seconds } = parts(left);
  if (days) return w('clock.short.days', { days, hours });
  if (hours) return w('clock.short.hours', { hours, minutes });
  return `${minutes}:${String(seconds).padStart(2, '0')}`;
}

/** As it is said. */
export function spoken(left: number, w: Words = t): string {
  const { days, hours, minutes, seconds } = parts(left);
  if (days) return w('clock.spoken.days', { days, hours });
  if (hours) return w('clock.spoken.hours', { hours, minutes });
  return minutes ? w('clock.spoken.minutes', { minutes, seconds }) : w('clock.spoken.seconds', { seconds });
}

export function said(seen: Seen, w: Words = t): string {
  if (seen.face === 'bot') return w('clock.read.away');
  return w(`clock.read.${seen.face}`, { time: seen.left === null ? '' : spoken(seen.left, w) });
}

/** A length of time that somebody has agreed on: 6 min, 90 s, a day. */
/** The sign of the time that is left on a list of games: an hourglass only where it is nearly out, as at the table. */
export function leftSign(left: number, terms: ClockTerms | null): 'hourglass' | 'calendar' | 'clock' {
  const live = terms?.kind === 'live';
  if (left <= (live ? Math.min(Math.max(terms.bank / 10, 30), terms.bank / 2) : 3600)) return 'hourglass';
  return live ? 'clock' : 'calendar';
}

export function amount(seconds: number): string {
  if (seconds >= DAY) return t('clock.a_day');
  return seconds % 60 ? t('clock.seconds', { n: seconds }) : t('clock.minutes', { n: seconds / 60 });
}

/** What a table has agreed on, in a few words. */
export function termsText(terms: ClockTerms | null): string {
  if (!terms) return '';
  if (terms.kind === 'days') return t('clock.days_terms', { days: terms.bank / DAY });
  return t('clock.live_terms', { bank: amount(terms.bank), increment: amount(terms.increment) });
}
