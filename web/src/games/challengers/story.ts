/**
 * Matches as stories. The facts of a match are cut into frames (a card comes up, an effect, the flag changes hands, cards sit down) and
 * each frame knows both sides as they then lie. Only shown things are moved here, as the facts say; no rule is asked.
 */
import { byLevel, card, SEATS } from './components';
import type { Bonus, Counted, Event, EventOf, LineupCard, LostBy, MatchView, ParkName, Side, TeamEvent } from './types';

export type FrameKind = 'begin' | 'reveal' | 'effect' | 'ask' | 'compare' | 'capture' | 'bench' | 'won';

/** Both sides of a park at one moment. */
export interface Scene {
  sides: Record<number, Side>;
  attacker: number;
  /** Whose card has the flag; null before the first one. */
  holder: number | null;
  attack: number;
  flag: number | null;
  /** The team whose beaten cards still lie in the park. */
  beaten: number | null;
  /** The card that found no seat. */
  noSeat: { team: number; card: string } | null;
  asks: { team: number; card: string; left: number } | null;
  winner: number | null;
  lostBy: LostBy | null;
  /** Fans on the trophy, as far as known; undefined before it is won. */
  trophy?: { fans: number | null; boxed: boolean };
}

export interface Frame {
  kind: FrameKind;
  /** The number of its last fact. */
  n: number;
  events: TeamEvent[];
  scene: Scene;
  /** Seats just taken, exhausted cards, for emphasis. */
  seats: { team: number; place: number }[];
  spent: number[];
}

export interface Battle {
  key: string;
  round: number;
  final: boolean;
  park: ParkName | 'gold';
  /** The opener, then the other. */
  teams: [number, number];
  tossed: boolean;
  frames: Frame[];
  over: boolean;
}

export const keyOf = (round: number, park: string, final: boolean) => (final ? 'final' : `${round}.${park}`);

// ── Sums ─────────────────────────────────────────────────────

const powerOf = (base: number, bonuses: Bonus[]) => bonuses.reduce((sum, bonus) => sum + bonus.amount, base);
const withBonuses = (it: LineupCard, bonuses: Bonus[]): LineupCard => ({
  ...it,
  bonuses,
  power: powerOf(it.base, bonuses),
});
export const total = (lineup: LineupCard[]) => lineup.reduce((sum, it) => sum + it.power, 0);

/** Names that would need a seat if the flag were lost now, and the seats there are. */
export function seatsNeeded(side: Side): { names: string[]; free: number } {
  const seated = new Set(side.bench.flatMap((seat) => (seat ? [card(seat.cards[0]!).name] : [])));
  const names = new Map<string, string>();
  for (const it of side.lineup) if (!seated.has(card(it.card).name)) names.set(card(it.card).name, it.card);
  return { names: [...names.values()].reverse(), free: SEATS - seated.size };
}

/**
 * What the owner of a pile knows of it: cards in a known place, and what else must be in it, as the deck less what lies open. `rest` is
 * empty when the two do not fit (a card has left the deck for good on the way).
 */
export function pileOf(
  deck: Counted[],
  side: Side,
): { known: { place: number; card: string }[]; rest: Counted[]; unseen: number } {
  const left = new Map(deck.map((one) => [one.card, one.count]));
  const known = side.known.toSorted((a, b) => a.place - b.place);
  const open = [
    ...side.lineup.map((it) => it.card),
    ...side.bench.flatMap((seat) => seat?.cards ?? []),
    ...side.exhausted,
    ...known.map((one) => one.card),
  ];
  for (const id of open) left.set(id, Math.max(0, (left.get(id) ?? 0) - 1));
  const rest = [...left]
    .filter(([, count]) => count > 0)
    .map(([id, count]) => ({ card: id, count }))
    .sort((a, b) => byLevel(a.card, b.card));
  const count = rest.reduce((sum, one) => sum + one.count, 0) + known.length;
  const unseen = side.pile - count;
  return { known, rest: unseen < 0 ? [] : rest, unseen: Math.max(0, unseen) };
}

// ── One fact ─────────────────────────────────────────────────

const emptySide = (team: number, pile: number): Side => ({
  team,
  pile,
  known: [],
  unseen: [],
  lineup: [],
  cheer: 0,
  bench: Array.from({ length: SEATS }, () => null),
  exhausted: [],
});

const place = (scene: Scene, side: Side): Scene => ({ ...scene, sides: { ...scene.sides, [side.team]: side } });
const shift = (side: Side, by: number) =>
  side.known.map((one) => ({ ...one, place: one.place + by })).filter((one) => one.place > 0);
const offTop = (side: Side): Side => ({ ...side, pile: side.pile - 1, known: shift(side, -1) });
const offBottom = (side: Side): Side => ({
  ...side,
  pile: side.pile - 1,
  known: side.known.filter((one) => one.place < side.pile),
});
const ontoTop = (side: Side, id: string | null): Side => ({
  ...side,
  pile: side.pile + 1,
  known: [...(id ? [{ place: 1, card: id }] : []), ...shift(side, 1)],
});

/** A card leaves the bench, and with it the help it gave. */
function standUp(side: Side, id: string): Side {
  const copies = side.bench.flatMap((seat) => seat?.cards ?? []).filter((one) => one === id).length;
  let gone = false;
  const bench = side.bench.map((seat) => {
    const at = gone ? -1 : (seat?.cards.indexOf(id) ?? -1);
    if (!seat || at < 0) return seat;
    gone = true;
    return seat.cards.length === 1 ? null : { ...seat, cards: seat.cards.toSpliced(at, 1) };
  });
  const lineup = side.lineup.map((it) =>
    withBonuses(
      it,
      it.bonuses
        .map((bonus) =>
          bonus.why === 'bench' && bonus.from === id
            ? { ...bonus, amount: bonus.amount - bonus.amount / copies }
            : bonus,
        )
        .filter((bonus) => bonus.amount),
    ),
  );
  return { ...side, bench, lineup };
}

function sitDown(scene: Scene, event: EventOf<'benched'>, fromPile: boolean): Scene {
  let side = scene.sides[event.team]!;
  side = fromPile ? offTop(side) : { ...side, lineup: side.lineup.slice(0, -1) };
  const at = event.place - 1;
  const bench = side.bench.map((seat, n) =>
    n === at ? { name: card(event.card).name, cards: [...(seat?.cards ?? []), event.card] } : seat,
  );
  return place(scene, { ...side, bench });
}

/** The looked-at or reordered cards, as far as this viewer may know them. */
function seen(side: Side, cards: string[] | null): Side {
  const known = (cards ?? []).map((id, n) => ({ place: n + 1, card: id }));
  const rest = side.known.filter((one) => one.place > known.length);
  return { ...side, known: [...known, ...rest] };
}

function moved(side: Side, event: EventOf<'sank'>): Side {
  const { place, card } = event;
  if (place === null || card === null) return { ...side, known: [] };
  const without = side.known
    .filter((one) => one.place !== place)
    .map((one) => (one.place > place ? { ...one, place: one.place - 1 } : one));
  if (event.to === 'bottom') return { ...side, known: [...without, { place: side.pile, card }] };
  return {
    ...side,
    known: [{ place: 1, card }, ...without.map((one) => ({ ...one, place: one.place + 1 }))],
  };
}

/** The power of the card with the flag is what the comparison says: what its own words give may have changed since. */
function corrected(scene: Scene, flag: number): Scene {
  const side = scene.holder === null ? undefined : scene.sides[scene.holder];
  const top = side?.lineup.at(-1);
  if (!side || !top || top.power === flag) return scene;
  const own = top.bonuses.find((bonus) => bonus.why === 'holding');
  const others = top.bonuses.filter((bonus) => bonus !== own);
  const amount = (own?.amount ?? 0) + flag - top.power;
  const bonuses = amount ? [{ from: top.card, amount, why: 'holding' as const }, ...others] : others;
  return place(scene, { ...side, lineup: [...side.lineup.slice(0, -1), withBonuses(top, bonuses)] });
}

export function advance(before: Scene, event: TeamEvent, bonuses: Bonus[], cowboy: boolean): Scene {
  const scene: Scene = before.asks ? { ...before, asks: null } : before;
  const side = scene.sides[event.team];
  const last = side?.lineup.at(-1);
  switch (event.kind) {
    case 'revealed': {
      const lineup = [...side!.lineup, { card: event.card, base: event.base, bonuses: [], power: event.base }];
      const next = place(scene, { ...offTop(side!), lineup });
      return event.opening ? next : { ...next, attack: total(lineup) };
    }
    case 'compared': {
      const lineup = [...side!.lineup.slice(0, -1), withBonuses(last!, bonuses)];
      return corrected({ ...place(scene, { ...side!, lineup }), attack: event.attack, flag: event.flag }, event.flag);
    }
    case 'took_flag': {
      const lineup = [...side!.lineup.slice(0, -1), withBonuses(last!, bonuses)];
      const other = Number(Object.keys(scene.sides).find((team) => Number(team) !== event.team));
      const beaten = scene.sides[other]!.lineup.length ? other : null;
      return {
        ...place(scene, { ...side!, lineup, cheer: 0 }),
        holder: event.team,
        attacker: other,
        attack: 0,
        flag: event.power,
        beaten,
      };
    }
    case 'benched': {
      const next = sitDown(scene, event, cowboy);
      return {
        ...next,
        beaten: next.sides[event.team]!.lineup.length && next.beaten === event.team ? event.team : null,
      };
    }
    case 'no_seat':
      return { ...(cowboy ? place(scene, offTop(side!)) : scene), noSeat: { team: event.team, card: event.card } };
    case 'exhausted': {
      const from =
        event.from === 'bench'
          ? standUp(side!, event.card)
          : event.from === 'top'
            ? offTop(side!)
            : event.from === 'bottom'
              ? offBottom(side!)
              : event.from === 'park'
                ? { ...side!, lineup: side!.lineup.slice(0, -1) }
                : side!;
      return place(scene, { ...from, exhausted: [...from.exhausted, event.card] });
    }
    case 'recalled':
      return place(scene, ontoTop(standUp(side!, event.card), event.card));
    case 'looked':
    case 'reordered':
      return place(scene, seen(side!, event.cards));
    case 'sank':
      return place(scene, moved(side!, event));
    case 'gained_card':
      if (event.to === 'exhausted') return scene;
      return place(scene, event.to === 'top' ? ontoTop(side!, null) : { ...side!, pile: side!.pile + 1 });
    case 'left_deck':
      return place(scene, { ...side!, lineup: side!.lineup.slice(0, -1) });
    case 'cheered':
      return place(scene, { ...side!, cheer: event.amount });
    case 'asked':
      return { ...scene, asks: { team: event.team, card: event.card, left: event.left } };
    case 'match_won':
      return { ...scene, winner: event.team, lostBy: event.lost_by };
    case 'trophy_won':
      return { ...scene, trophy: { fans: event.fans, boxed: false } };
    case 'trophy_boxed':
      return { ...scene, trophy: { fans: null, boxed: true } };
    default:
      return scene;
  }
}

// ── Frames ───────────────────────────────────────────────────

const KIND: Record<string, FrameKind> = {
  revealed: 'reveal',
  compared: 'compare',
  took_flag: 'capture',
  benched: 'bench',
  no_seat: 'bench',
  asked: 'ask',
  match_won: 'won',
  trophy_won: 'won',
  trophy_boxed: 'won',
};

/** Whether a fact goes on with the frame before it. */
function joins(frame: Frame, event: TeamEvent): boolean {
  const kind = KIND[event.kind] ?? 'effect';
  const last = frame.events.at(-1)!;
  if (kind === 'compare') return frame.kind === 'reveal';
  if (kind === 'bench') return frame.kind === 'bench' && last.team === event.team;
  if (event.kind === 'asked') return last.kind === 'looked' || last.kind === 'searched';
  if (event.kind === 'trophy_won' || event.kind === 'trophy_boxed') return frame.kind === 'won';
  if (event.kind === 'exhausted') return last.kind === 'gained_card' && event.from === 'exhausted';
  if (event.kind === 'gained_card')
    return last.kind === 'left_deck' || (last.kind === 'gained_card' && last.team === event.team);
  return false;
}

/** How long a frame is looked at, in milliseconds at normal speed. */
export function lengthOf(frame: Frame): number {
  const close =
    frame.scene.sides[frame.scene.attacker]?.pile === 0 ||
    (frame.scene.flag !== null && frame.scene.flag - frame.scene.attack === 1);
  switch (frame.kind) {
    case 'begin':
      return 1500;
    case 'reveal':
      return (
        1150 + (frame.scene.sides[frame.events[0]!.team]?.lineup.at(-1)?.bonuses.length ? 400 : 0) + (close ? 400 : 0)
      );
    case 'compare':
      return 900;
    case 'capture':
      return 1400;
    case 'bench':
      return 650 + 90 * frame.events.length;
    case 'ask':
      return 900;
    case 'won':
      return 1200;
    default:
      return 1000;
  }
}

/** Reads the facts as they come; knows every match of the tournament so far. */
export class Book {
  battles: Battle[] = [];
  #open = new Map<number, Battle>();
  #last = new Map<number, Battle>();
  #round = 1;
  #final = false;
  #bonuses: Bonus[] = [];
  #cowboy: string | null = null;

  /** Matches that got new frames by this fact. */
  read(event: Event): Battle | null {
    if (event.team === null) {
      if (event.kind === 'round_began') this.#round = event.round;
      return null;
    }
    if (event.kind === 'finalist') this.#final = true;
    if (event.kind === 'match_began') return this.#begin(event);
    const battle =
      this.#open.get(event.team) ?? (event.kind.startsWith('trophy_') ? this.#last.get(event.team) : undefined);
    if (!battle) return null;
    if (event.kind === 'bonus') {
      this.#bonuses.push({ from: event.card, amount: event.amount, why: event.why });
      return null;
    }
    this.#add(battle, event);
    if (event.kind === 'match_won') {
      battle.over = true;
      for (const team of battle.teams) this.#open.delete(team);
    }
    return battle;
  }

  #begin(event: EventOf<'match_began'>): Battle {
    const teams: [number, number] = [event.team, event.rival];
    const sizes = event.decks;
    const scene: Scene = {
      sides: Object.fromEntries(teams.map((team, n) => [team, emptySide(team, sizes[n]!)])),
      attacker: teams[1],
      holder: null,
      attack: 0,
      flag: null,
      beaten: null,
      noSeat: null,
      asks: null,
      winner: null,
      lostBy: null,
    };
    const battle: Battle = {
      key: keyOf(this.#round, event.park, this.#final),
      round: this.#round,
      final: this.#final,
      park: event.park === 'final' || this.#final ? 'gold' : event.park,
      teams,
      tossed: event.tossed,
      frames: [{ kind: 'begin', n: event.n, events: [event], scene, seats: [], spent: [] }],
      over: false,
    };
    this.battles.push(battle);
    for (const team of teams) {
      this.#open.set(team, battle);
      this.#last.set(team, battle);
    }
    return battle;
  }

  #add(battle: Battle, event: TeamEvent): void {
    const frames = battle.frames;
    const last = frames.at(-1)!;
    const cowboy =
      this.#cowboy === `${battle.key}/${event.team}` && (event.kind === 'benched' || event.kind === 'no_seat');
    if (cowboy) this.#cowboy = null;
    const scene = advance(last.scene, event, this.#bonuses, cowboy);
    if (event.kind === 'compared' || event.kind === 'took_flag') this.#bonuses = [];
    if (event.kind === 'took_flag') {
      const rival = scene.sides[scene.attacker]!;
      this.#cowboy =
        card(event.card).effect === 'bench_rival_top' && rival.pile > 0 ? `${battle.key}/${rival.team}` : null;
    }
    const join = joins(last, event);
    const seats = event.kind === 'benched' ? [{ team: event.team, place: event.place - 1 }] : [];
    const spent = event.kind === 'exhausted' ? [event.team] : [];
    const kind = join && event.kind !== 'asked' ? last.kind : (KIND[event.kind] ?? 'effect');
    const frame: Frame = {
      kind,
      n: event.n,
      events: join ? [...last.events, event] : [event],
      scene,
      seats: join ? [...last.seats, ...seats] : seats,
      spent: join ? [...last.spent, ...spent] : spent,
    };
    battle.frames = join ? [...frames.slice(0, -1), frame] : [...frames, frame];
  }
}

/** A match as the server sees it now, in the shape of a frame's scene. */
export function sceneOf(match: MatchView, was: Scene): Scene {
  const [a, b] = match.sides as [Side, Side];
  const attacker = match.attacker ?? was.attacker;
  return {
    ...was,
    sides: { [a.team]: a, [b.team]: b },
    attacker,
    holder: match.flag === null ? null : (match.holder ?? was.holder),
    attack: match.attack,
    flag: match.flag,
    asks: match.asks,
  };
}
