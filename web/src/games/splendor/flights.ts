/**
 * What travels over the table after a move: cause, then effect. Gems leave, the card travels, the gap is filled, then places and
 * the Avengers tile. The page already shows the result; copies fly above it, so nothing ever waits for them.
 */
import type { Props } from './play';
import type { Token } from './components';
import { editionOf } from './offers';
import type { Event } from './types';

// The design's times, in milliseconds; the viewer's speed multiplies them.
const MOVE = 320;
const DEAL = 420;
const APART = 60;
const OUT = 'cubic-bezier(.2, .8, .2, 1)';
const LAND = 'cubic-bezier(.3, 1.35, .5, 1)';

interface Was {
  box: DOMRect;
  copy: HTMLElement | null;
}

export class Stage {
  #was = new Map<string, Was>();
  #layer: HTMLElement | null = null;

  /** Before the page changes: where things are, and a copy of each card that is about to leave. */
  before(p: Props): void {
    this.#was.clear();
    if (p.fresh || !p.events.length || !p.prefs.motion) return;
    const leaving = new Set(p.events.flatMap((event) => leaves(event, p)));
    for (const element of document.querySelectorAll<HTMLElement>('.game-splendor [data-spot]')) {
      const spot = element.dataset['spot']!;
      this.#was.set(spot, {
        box: element.getBoundingClientRect(),
        copy: leaving.has(spot) ? (element.cloneNode(true) as HTMLElement) : null,
      });
    }
  }

  /** After the page has changed: the copies fly. Without motion, what changed keeps a brass edge instead. */
  after(p: Props): void {
    const happened = !p.fresh && p.events.length > 0;
    p.desk.changed = new Set(happened && !p.prefs.motion ? p.events.flatMap(touches) : []);
    if (!happened || !p.prefs.motion || document.visibilityState === 'hidden') return;
    let time = 0;
    for (const event of p.events) time = this.#play(event, p, time);
  }

  clear(): void {
    this.#was.clear();
    this.#layer?.remove();
    this.#layer = null;
  }

  /** Shows one fact, starting at `time`; returns when the next may start. */
  #play(event: Event, p: Props, time: number): number {
    const { tokens } = editionOf(p.view);
    switch (event.kind) {
      case 'took':
        return this.#gems(p, tokens, event.tokens, 'bank', event.seat, time);
      case 'returned':
        return this.#gems(p, tokens, event.tokens, 'seat', event.seat, time);
      case 'recruited': {
        const paid = this.#gems(p, tokens, event.paid, 'seat', event.seat, time);
        return this.#card(p, leaves(event, p)[0]!, [`team:${event.seat}`, `seat:${event.seat}`], paid);
      }
      case 'reserved': {
        const { seat } = event;
        if (event.grey) this.#gems(p, tokens, [0, 0, 0, 0, 0, 1], 'bank', seat, time);
        return this.#card(
          p,
          leaves(event, p)[0]!,
          seat === p.me ? ['hand', `team:${seat}`, `seat:${seat}`] : [`team:${seat}`, `seat:${seat}`],
          time,
        );
      }
      case 'dealt':
        return this.#deal(p, event.level, event.slot, time);
      case 'time_gem':
        return this.#gems(p, tokens, [0, 0, 0, 0, 0, 0, 1], 'bank', event.seat, time);
      case 'received':
        return this.#card(p, `tile:${event.tile}`, [`seat:${event.seat}`], time);
      case 'avengers': {
        const from = event.from === null ? 'avengers' : `seat:${event.from}`;
        return this.#card(p, 'avengers', [`seat:${event.seat}`], time, from);
      }
      default:
        return time;
    }
  }

  /** Tokens between the supply and a seat. */
  #gems(p: Props, tokens: Token[], amounts: number[], from: 'bank' | 'seat', seat: number, time: number): number {
    let n = 0;
    amounts.forEach((amount, kind) => {
      for (let k = 0; k < amount; k++, n++) {
        const bank = spot(`bank:${kind}`);
        const held = spot(`held:${seat}:${kind}`) ?? spot(`seat:${seat}`) ?? panelOf(`seat:${seat}`);
        if (!bank || !held || !tokens[kind]) continue;
        const [start, end] = from === 'bank' ? [bank, held] : [held, bank];
        this.#fly(
          p,
          tokenCopy(tokens[kind]!, from === 'bank' ? 40 : 28),
          start.getBoundingClientRect(),
          end,
          time + n * APART,
          MOVE,
          from === 'bank' ? 0.66 : 1.3,
        );
      }
    });
    return n ? time + MOVE * 0.6 + n * APART : time;
  }

  /** A copy of a card or tile travels from where it lay. */
  #card(p: Props, from: string, to: string[], time: number, start = from): number {
    const was = this.#was.get(from);
    // Where it lay, as the page is laid out now: on a phone the board may have shifted with the action line.
    const begin = (spot(start.replace('market:', 'slot:')) ?? panelOf(start))?.getBoundingClientRect() ?? was?.box;
    const end = to.map(spot).find(Boolean) ?? panelOf(to.at(-1)!);
    if (!was || !begin || !begin.width || !end) return time;
    const copy = was.copy ?? spot(from)?.cloneNode(true);
    if (!(copy instanceof HTMLElement)) return time;
    for (const [name, size] of [
      ['--card-w', was.box.width],
      ['--card-h', was.box.height],
      ['width', was.box.width],
      ['height', was.box.height],
    ] as const) {
      copy.style.setProperty(name, `${size}px`);
    }
    const small = Math.min(0.5, Math.max(0.22, end.getBoundingClientRect().height / was.box.height));
    this.#fly(p, copy, begin, end, time, DEAL, small);
    return time + DEAL * 0.55;
  }

  /** The card that fills the gap comes from its deck. */
  #deal(p: Props, level: number, slot: number, time: number): number {
    const card = spot(`market:${level}:${slot}`);
    const deck = spot(`deck:${level}`);
    if (!card || !deck) return time;
    const here = card.getBoundingClientRect();
    const there = deck.getBoundingClientRect();
    card.animate(
      [
        { translate: `${there.left - here.left}px ${there.top - here.top - 6}px`, rotate: '-4deg', opacity: 0 },
        { opacity: 1, offset: 0.3 },
        { translate: '0', rotate: '0deg', opacity: 1 },
      ],
      { duration: DEAL * p.prefs.motion, delay: time * p.prefs.motion, easing: OUT, fill: 'backwards' },
    );
    return time + APART;
  }

  #fly(p: Props, copy: HTMLElement, from: DOMRect, to: Element, time: number, duration: number, scale: number): void {
    const factor = p.prefs.motion;
    const end = to.getBoundingClientRect();
    copy.removeAttribute('data-spot');
    copy.removeAttribute('id');
    copy.classList.add('flying');
    copy.classList.remove('is-playable', 'is-picked', 'is-changed');
    copy.inert = true;
    this.#root().append(copy);
    const width = copy.offsetWidth || from.width;
    const height = copy.offsetHeight || from.height;
    const place = (box: DOMRect) =>
      `${box.left + box.width / 2 - width / 2}px ${box.top + box.height / 2 - height / 2}px`;
    const flight = copy.animate(
      [
        { translate: place(from), scale: 1, opacity: 1 },
        { opacity: 1, offset: 0.8 },
        { translate: place(end), scale, opacity: 0.2 },
      ],
      { duration: duration * factor * 1.15, delay: time * factor, easing: OUT, fill: 'both' },
    );
    const gone = () => copy.remove();
    flight.onfinish = () => {
      gone();
      to.animate([{ scale: 1.18 }, { scale: 1 }], { duration: 180 * factor, easing: LAND });
    };
    flight.oncancel = gone;
  }

  #root(): HTMLElement {
    if (!this.#layer) {
      this.#layer = document.createElement('div');
      this.#layer.className = 'flights game-splendor market'; // a copy looks as it did in the market
      this.#layer.setAttribute('aria-hidden', 'true');
      document.body.append(this.#layer);
    }
    return this.#layer;
  }
}

/** The spots from which something leaves, that will look different afterwards. */
function leaves(event: Event, p: Props): string[] {
  if (event.kind === 'recruited') {
    if (event.slot) return [`market:${editionOf(p.view).cards.get(event.card)!.level}:${event.slot}`];
    return event.seat === p.me ? [`hand:${event.hand}`] : [`team:${event.seat}`];
  }
  if (event.kind === 'reserved') return [event.slot ? `market:${event.level}:${event.slot}` : `deck:${event.level}`];
  if (event.kind === 'received') return [`tile:${event.tile}`];
  if (event.kind === 'avengers') return ['avengers'];
  return [];
}

/** What a fact changes for the eye. */
function touches(event: Event): string[] {
  if (event.kind === 'dealt') return [`market:${event.level}:${event.slot}`];
  if (event.kind === 'received') return [`tile:${event.tile}`, `seat:${event.seat}`];
  if (event.kind === 'avengers') return ['avengers', `seat:${event.seat}`];
  return ['took', 'returned', 'reserved', 'recruited', 'time_gem'].includes(event.kind) ? [`seat:${event.seat}`] : [];
}

const visible = (element: Element | null | undefined) =>
  element && element.getBoundingClientRect().width > 0 ? element : null;
const spot = (name: string): Element | null =>
  visible(document.querySelector(`.table.game-splendor [data-spot="${name}"]`));
/** The whole panel around a spot of a seat: on a phone its numbers are folded away. */
const panelOf = (name: string): Element | null =>
  visible(document.querySelector(`.table.game-splendor [data-spot="${name}"]`)?.closest('.player, .tray'));

function tokenCopy(token: Token, size: number): HTMLElement {
  const span = document.createElement('span');
  span.className = `token ${token.css}`;
  span.style.setProperty('--size', `${size}px`);
  span.innerHTML = `<svg aria-hidden="true"><use href="#${token.gem}"/></svg>`;
  return span;
}
