/**
 * What happened as a story of scenes: screens lift, Booths are sold one by one, Items change hands, dominances are paid. Each scene
 * knows the table before and after it. Only shown things are moved here, as the facts say; no rule is asked.
 */
import type { Event, EventOf } from './facts';
import type { Player, Tokens, View } from './types';

export type SceneKind = 'lift' | 'sale' | 'defend' | 'loot' | 'fade' | 'recover' | 'dominance' | 'epic' | 'score';

/** A tie, as far as its scene tells it. */
export interface Tie {
  seats: number[];
  tokens: number;
  before: number[];
  /** Null while nobody has taken it. */
  after: number[] | null;
  winner: number | null;
  conceded: number[];
}

/** What the screens hid, by seat. */
export interface Reveal {
  hidBid: number | null;
  offers: Tokens[];
  passed: number[];
}

export interface Scene {
  kind: SceneKind;
  events: Event[];
  before: View;
  after: View;
  reveal: Reveal | null;
  /** The totals at the Booths when the screens went up; sold Booths keep theirs. */
  booths: View['booths'];
  item: string | null;
  characteristic: number | null;
  tie: Tie | null;
  /** Everything of this kind told so far in this story, this scene included. */
  told: Event[];
}

// ── The table after a fact ───────────────────────────────────

function withPlayer(view: View, seat: number, change: Partial<Player>): View {
  return { ...view, players: view.players.map((player, n) => (n === seat ? { ...player, ...change } : player)) };
}

const withSupply = (view: View, seat: number, more: number): View =>
  view.you?.seat === seat
    ? { ...view, you: { ...view.you, supply: view.you.supply + more, left: view.you.left + more } }
    : view;

const withTrash = (view: View, seat: number, more: number): View =>
  withPlayer(view, seat, { trash: view.players[seat]!.trash + more });

/** An Item lies somewhere else, or is worth something else. */
function withItem(view: View, id: string, owner: number | 'stall', value: number): View {
  const owned = owner !== 'stall';
  const players = view.players.map((player, seat) => {
    const others = player.items.filter((held) => held.id !== id);
    if (seat !== owner) return others.length === player.items.length ? player : { ...player, items: others };
    const items = [...others, { id, value }].sort((a, b) => a.id.localeCompare(b.id));
    return { ...player, items };
  });
  return {
    ...view,
    players,
    items: view.items.map((state) =>
      state.id === id
        ? { id, where: owned ? 'collection' : 'stall', owner: owned ? owner : null, booth: null, value }
        : state,
    ),
    booths: view.booths.map((booth) =>
      booth.item === id ? { ...booth, item: null, offers: booth.offers.map(() => 0), leaders: [] } : booth,
    ),
    stall: owned ? view.stall.filter((lying) => lying !== id) : [...view.stall, id],
  };
}

function withMonkeys(view: View, monkeys: number[]): View {
  return {
    ...view,
    players: view.players.map((player, seat) => ({ ...player, monkey: monkeys[seat] ?? player.monkey })),
  };
}

/** The table after this fact, as far as everybody can see it. */
export function advance(view: View, event: Event): View {
  switch (event.kind) {
    case 'offered': {
      const { seat, tokens, total } = event;
      const next = withSupply(view, seat, -tokens);
      if (event.booth === null) return next;
      return {
        ...next,
        booths: next.booths.map((booth) => (booth.booth === event.booth ? lead(booth, seat, total) : booth)),
      };
    }
    case 'reinforced':
      return withItem(withSupply(view, event.seat, -event.tokens), event.item, event.seat, event.value);
    case 'wasted':
      return withTrash(view, event.seat, event.tokens);
    case 'bought':
      return withItem(view, event.item, event.seat, event.value);
    case 'unsold':
      return withItem(view, event.item, 'stall', 2);
    case 'looted': {
      const paid = { ...withSupply(view, event.from, event.tokens), pool: view.pool - event.added };
      return withItem(paid, event.item, event.seat, event.tokens);
    }
    case 'bought_stall':
      return withItem(view, event.item, event.seat, event.tokens);
    case 'swapped':
      return withMonkeys(view, event.after);
    case 'gave':
      return { ...withSupply(view, event.seat, -1), pool: view.pool + 1 };
    case 'devalued':
      return withTrash(withItem(view, event.item, event.seat, event.value), event.seat, 1);
    case 'recovered': {
      const paid = withSupply(view, event.seat, event.tokens);
      return { ...withPlayer(paid, event.seat, { trash: 0 }), pool: view.pool + event.rest };
    }
    case 'dominated':
    case 'consoled':
      return { ...withSupply(view, event.seat, 1), pool: view.pool - 1 };
    case 'uncovered':
      return withPlayer(view, event.seat, { passions: event.passions, supply: event.supply });
    default:
      return view;
  }
}

function lead(booth: View['booths'][number], seat: number, total: number): View['booths'][number] {
  const offers = booth.offers.map((n, s) => (s === seat ? total : n));
  const best = Math.max(...offers);
  return { ...booth, offers, leaders: offers.flatMap((n, s) => (n && n === best ? [s] : [])) };
}

// ── The scenes ───────────────────────────────────────────────

const LIFT = new Set(['offered', 'passed', 'nobody_offered', 'reinforced']);
const POOL = ['whip_round', 'gave', 'fell_short'];

const itemOf = (event: Event): string | null => ('item' in event ? event.item : null);
const characteristicOf = (event: Event): number | null => ('characteristic' in event ? event.characteristic : null);

/** Which kind of scene a fact belongs to, when it does not simply go on with the one before. */
function opens(event: Event, view: View): SceneKind | null {
  switch (event.kind) {
    case 'screens_up':
      return 'lift';
    case 'bought':
    case 'unsold':
      return 'sale';
    case 'looted':
    case 'bought_stall':
    case 'wasted':
      return 'loot';
    case 'tied':
    case 'claimed':
    case 'conceded':
    case 'swapped':
      if (event.characteristic) return 'dominance';
      return view.booths.some((booth) => booth.item === event.item) ? 'sale' : 'loot';
    case 'devalued':
      return 'fade';
    case 'recovered':
      return 'recover';
    case 'dominated':
    case 'undominated':
    case 'consoled':
      return 'dominance';
    case 'epic':
      return 'epic';
    case 'ended':
    case 'uncovered':
    case 'scored':
      return 'score';
    default:
      return null;
  }
}

/** Whether a fact is still part of the scene before it. */
function goesOn(scene: Scene, event: Event): boolean {
  if (POOL.includes(event.kind)) return true;
  if (scene.kind === 'lift')
    return LIFT.has(event.kind) || (event.kind === 'wasted' && scene.reveal?.hidBid !== null && event.why !== 'beaten');
  if (scene.kind === 'sale' || scene.kind === 'loot') return itemOf(event) === scene.item && event.kind !== 'devalued';
  if (scene.kind === 'dominance') {
    if (!['dominated', 'undominated', 'consoled', 'claimed', 'conceded', 'swapped'].includes(event.kind)) return false;
    const settled = scene.events.some(
      (told) => told.kind === 'dominated' && told.characteristic === scene.characteristic,
    );
    return scene.tie
      ? !settled && characteristicOf(event) === scene.characteristic
      : ['dominated', 'undominated', 'consoled'].includes(event.kind);
  }
  return opens(event, scene.after) === scene.kind;
}

/** The last reveal, as it can still be seen: for scenes that begin in the middle of one. */
function lastReveal(view: View): Reveal {
  const looting = view.phase === 'spoils' || view.phase === 'looting' || view.phase === 'show_off';
  return {
    hidBid: looting ? null : (view.hid_bid ?? 3),
    offers: view.players.map((player) => player.shown),
    passed: view.players.flatMap((p, n) => (Object.keys(p.shown).length ? [] : [n])),
  };
}

export function scenesOf(events: Event[], start: View, earlier: Scene | null = null): Scene[] {
  const scenes: Scene[] = [];
  let view = start;
  let reveal: Reveal | null =
    earlier?.reveal ?? (start.phase === 'buying' || start.phase === 'spoils' ? lastReveal(start) : null);
  let booths = earlier && start.phase === 'buying' ? earlier.booths : start.booths;
  let told: Partial<Record<SceneKind, Event[]>> =
    earlier && ['buying', 'spoils', 'show_off'].includes(start.phase) ? { [earlier.kind]: earlier.told } : {};
  for (const event of events) {
    let scene = scenes.at(-1);
    const kind = opens(event, view);
    if (!scene || !goesOn(scene, event)) {
      if (!kind) {
        view = advance(view, event);
        continue;
      }
      if (kind === 'lift') {
        reveal = {
          hidBid: event.kind === 'screens_up' ? event.hid_bid : null,
          offers: start.players.map(() => ({})),
          passed: [],
        };
        told = {};
      }
      if (kind === 'recover') reveal = null;
      scene = {
        kind,
        events: [],
        before: view,
        after: view,
        reveal,
        booths,
        item: itemOf(event),
        characteristic: event.kind === 'tied' ? event.characteristic : null,
        tie: null,
        told: [...(told[kind] ?? [])],
      };
      if (event.kind === 'claimed' || event.kind === 'conceded' || event.kind === 'swapped') {
        if (kind === 'dominance') scene.characteristic = event.characteristic;
        scene.tie = resumed(view, event);
      }
      scenes.push(scene);
    }
    scene.events.push(event);
    scene.told.push(event);
    told[scene.kind] = scene.told;
    note(scene, event, reveal);
    view = advance(view, event);
    if (scene.kind === 'lift') booths = view.booths;
    scene.booths = booths;
    scene.after = view;
  }
  return scenes.flatMap(withDefence);
}

function note(scene: Scene, event: Event, reveal: Reveal | null): void {
  if (scene.kind === 'lift' && reveal && (event.kind === 'offered' || event.kind === 'reinforced'))
    reveal.offers[event.seat]![event.item] = event.tokens;
  if (scene.kind === 'lift' && reveal && event.kind === 'passed') reveal.passed.push(event.seat);
  if (event.kind === 'tied')
    scene.tie = {
      seats: event.seats,
      tokens: event.tokens,
      before: event.monkeys,
      after: null,
      winner: null,
      conceded: [],
    };
  if (!scene.tie) return;
  if (event.kind === 'conceded') scene.tie.conceded.push(event.seat);
  if (event.kind === 'claimed') scene.tie.winner = event.seat;
  if (event.kind === 'swapped')
    Object.assign(scene.tie, { winner: event.seat, before: event.before, after: event.after });
}

/** A tie whose beginning was told earlier: who is in it and with which Monkeys can still be seen. */
function resumed(view: View, event: EventOf<'claimed' | 'conceded' | 'swapped'>): Tie {
  const found = view.ties.find((tie) => tie.item === event.item);
  const seats = found?.seats ?? view.contest?.seats ?? ('seats' in event ? event.seats : []);
  return {
    seats: [...new Set([...seats, event.seat])].sort(),
    tokens: found?.tokens ?? 0,
    before: view.players.map((player) => player.monkey),
    after: null,
    winner: null,
    conceded: [],
  };
}

/** Own tokens are shown with all others, and then go onto the cards in a scene of their own. */
function withDefence(scene: Scene): Scene[] {
  const defended = scene.kind === 'lift' ? scene.events.filter((event) => event.kind === 'reinforced') : [];
  if (!defended.length) return [scene];
  const before = scene.events.filter((event) => event.kind !== 'reinforced').reduce(advance, scene.before);
  return [
    { ...scene, after: before },
    { ...scene, kind: 'defend', events: defended, told: defended, before },
  ];
}

/** How long a scene stays, in milliseconds, before the next one comes by itself. */
export function lengthOf(scene: Scene): number {
  if (scene.tie) return 4600;
  switch (scene.kind) {
    case 'lift':
      return 3200;
    case 'dominance':
      return 1400 + 130 * scene.events.length;
    case 'score':
      return 1500 + 900 * scene.after.players.length;
    case 'epic':
      return 3200;
    case 'recover':
    case 'fade':
      return 1900;
    default:
      return scene.events.some((event) => event.kind === 'whip_round')
        ? 3400
        : scene.events[0]?.kind === 'unsold'
          ? 1500
          : 2300;
  }
}

/** The number of the last fact this scene tells: the log waits for it. */
export const lastOf = (scene: Scene): number => Math.max(0, ...scene.events.map((event) => event.n));
