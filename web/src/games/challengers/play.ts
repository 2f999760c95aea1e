/** What the viewer does: marks, answers, and sending them. Whether something may be done is read from the choices. */
import { arena } from './arena.svelte';
import type { Battle } from './story';
import type { Choice, MatchView, Props, View } from './types';

export const DRAFT_STEPS = ['level', 'draft', 'redraw', 'exchange', 'trim'];

export const choicesOf = (p: Props, kind: string): Choice[] => p.choices.filter((choice) => choice.kind === kind);
export const first = (p: Props, kind: string): Choice | undefined => p.choices.find((choice) => choice.kind === kind);
export const inDeckPhase = (view: View) => view.phase === 'deck' || view.phase === 'final_trim';

/** What this viewer decides in the deck phase; null when nothing. */
export const stepOf = (p: Props) =>
  p.me === null || !p.choices.length || !inDeckPhase(p.view) ? null : (p.view.teams[p.me]?.step ?? null);
export const teamName = (p: { chairs: Props['chairs']; t: Props['t'] }, team: number) =>
  p.chairs[team]?.name ?? p.t('robot');
export const isRobot = (p: { chairs: Props['chairs'] }, team: number) => team >= p.chairs.length;

// ── Matches ──────────────────────────────────────────────────

/** The match of the view that this battle is, while it is going on. */
export function liveMatch(view: View, battle: Battle): MatchView | null {
  if (battle.over) return null;
  return (
    view.matches.find(
      (match) => match.state === 'live' && match.sides.every((side) => battle.teams.includes(side.team)),
    ) ?? null
  );
}
export const questionFor = (p: Props): MatchView | null =>
  p.me === null || !p.choices.length ? null : (p.view.matches.find((match) => match.asks?.team === p.me) ?? null);
export const ownBattle = (p: Props): Battle | null =>
  p.me === null ? null : (arena.battles.findLast((battle) => battle.teams.includes(p.me!)) ?? null);
/** The matches of the round on show (or the final). */
export function battlesNow(view: View): Battle[] {
  const last = arena.battles.at(-1);
  if (!last) return [];
  if (last.final) return view.phase === 'deck' ? [] : [last];
  return arena.battles.filter((battle) => battle.round === last.round && !battle.final);
}

// ── Sending ──────────────────────────────────────────────────

export function send(p: Props, steps: Props['desk']['errand']): void {
  if (p.busy || p.desk.sending) return;
  p.desk.errand = steps;
  carryOn(p);
}

/** What this viewer's own messages change, and nobody else's. */
function mine(view: View): string {
  const me = view.you?.seat ?? -1;
  return JSON.stringify([
    view.round,
    view.phase,
    view.you,
    view.teams[me],
    view.matches.find((match) => match.asks?.team === me),
  ]);
}

const MOST = 14; // the server takes twenty messages in five seconds
const WHILE = 5000;
const times: number[] = [];
let later = 0;

/** Sends the next message of an errand once the view shows what came of the one before. What does not fit any more is dropped. */
export async function carryOn(p: Props): Promise<void> {
  const { desk } = p;
  if (p.busy) return;
  if (desk.sent !== null) {
    if (desk.sent === mine(p.view)) return;
    desk.sent = null;
  }
  const [step, ...rest] = desk.errand;
  if (!step) return;
  const wait = times.length < MOST ? 0 : times.at(-MOST)! + WHILE - Date.now();
  if (wait > 0) {
    clearTimeout(later);
    later = window.setTimeout(() => void carryOn(p), wait);
    return;
  }
  const fits = (one: Choice) =>
    one.kind === step.kind &&
    (['place', 'card', 'action'] as const).every((key) => step[key] === undefined || one[key] === step[key]);
  const choice = p.choices.find(fits);
  if (!choice) {
    desk.errand = [];
    return;
  }
  desk.errand = rest;
  desk.sent = mine(p.view);
  times.push(Date.now());
  if (times.length > MOST) times.shift();
  if (!(await p.act(choice.action))) {
    desk.errand = [];
    desk.sent = null;
  }
}

const held = (view: View, id: string) => view.you?.deck.find((one) => one.card === id)?.count ?? 0;

// ── The deck phase ───────────────────────────────────────────

export function chooseLevel(p: Props, level: string): void {
  const choice = choicesOf(p, 'choose_level').find((one) => one.level === level);
  if (choice) send(p, [{ kind: 'choose_level', action: choice.action }]);
}

export const maxPicks = (p: Props) => (p.me === null ? 0 : (p.view.teams[p.me]?.picks ?? 0));
export const mayRedraw = (p: Props) => p.choices.some((choice) => choice.kind === 'mark');
const whyNoRedraw = (p: Props) => {
  const level = p.view.teams[p.me!]?.level ?? '';
  const stack = p.view.stacks.find((one) => one.level === level);
  return stack?.left ? p.t('why.redraw_used') : p.t('why.nothing_to_redraw', { level });
};
export const lying = (p: Props, place: number) => !!p.view.you?.display[place - 1];

export function toggleKeep(p: Props, place: number): void {
  const { desk } = p;
  if (!lying(p, place) || desk.sending) return;
  if (desk.keep.includes(place)) desk.keep = desk.keep.filter((one) => one !== place);
  else if (desk.keep.length >= maxPicks(p)) {
    if (maxPicks(p) === 1) desk.keep = [place];
    else return p.notice(p.t('draft.enough', { n: maxPicks(p) }));
  } else desk.keep = [...desk.keep, place];
  desk.out = desk.out.filter((one) => one !== place);
}

export function toggleOut(p: Props, place: number): void {
  const { desk } = p;
  if (!lying(p, place) || desk.sending) return;
  if (!mayRedraw(p)) return p.notice(whyNoRedraw(p));
  desk.out = desk.out.includes(place) ? desk.out.filter((one) => one !== place) : [...desk.out, place];
  desk.keep = desk.keep.filter((one) => one !== place);
}

export function redraw(p: Props): void {
  const places = [...p.desk.out].sort((a, b) => a - b);
  send(p, [...places.map((place) => ({ kind: 'mark', place })), { kind: 'redraw' }]);
  p.desk.out = [];
}

export function keep(p: Props): void {
  const places = [...p.desk.keep];
  send(p, [
    ...places.map((place) => ({ kind: 'pick', place })),
    ...(places.length < maxPicks(p) ? [{ kind: 'stop' }] : []),
  ]);
}

// ── Removing ─────────────────────────────────────────────────

export function toggleGone(p: Props, id: string, more: 1 | -1): void {
  const { desk } = p;
  const size = p.me === null ? 0 : (p.view.teams[p.me]?.deck_size ?? 0);
  const now = desk.gone[id] ?? 0;
  const next = Math.min(Math.max(0, now + more), held(p.view, id));
  if (more > 0 && desk.leaving >= size - 1) return p.notice(p.t('why.last_card'));
  const gone = { ...desk.gone, [id]: next };
  if (!next) delete gone[id];
  desk.gone = gone;
}

export function ready(p: Props): void {
  const removals = Object.entries(p.desk.gone).flatMap(([card, n]) =>
    Array.from({ length: n }, () => ({ kind: 'remove', card })),
  );
  send(p, [...removals, { kind: 'ready' }]);
}

// ── An exchange when a card is chosen ────────────────────────

export function toggleSwap(p: Props, id: string): void {
  const { desk } = p;
  const left = p.view.you?.exchange?.left ?? 0;
  const marked = desk.swap.filter((one) => one === id).length;
  if (marked && (desk.swap.length >= left || marked >= held(p.view, id)))
    desk.swap = desk.swap.filter((one) => one !== id);
  else if (left === 1) desk.swap = [id];
  else if (desk.swap.length < left) desk.swap = [...desk.swap, id];
  else p.notice(p.t('exchange.enough', { n: left }));
}

export function exchange(p: Props): void {
  const cards = [...p.desk.swap];
  p.desk.swap = [];
  send(
    p,
    cards.map((card) => ({ kind: 'remove', card })),
  );
}

// ── Questions in a match ─────────────────────────────────────

/** The uppermost cards that are to be put in order, as they lie. */
export function window3(match: MatchView, me: number): string[] {
  const side = match.sides.find((one) => one.team === me)!;
  return side.known
    .filter((one) => one.place <= (match.asks?.left ?? 0))
    .sort((a, b) => a.place - b.place)
    .map((one) => one.card);
}

export function moveInOrder(p: Props, at: number, by: -1 | 1): void {
  const order = [...p.desk.order];
  const to = at + by;
  if (to < 0 || to >= order.length) return;
  [order[at], order[to]] = [order[to]!, order[at]!];
  p.desk.order = order;
}

/** The order is said card by card; the last one is left over. */
export function putBack(p: Props): void {
  send(
    p,
    p.desk.order.slice(0, -1).map((card) => ({ kind: 'next', card })),
  );
}

/** Sends the one answer chosen. */
export function answer(p: Props, choice: Choice | undefined): void {
  if (!choice || p.busy || p.desk.sending) return;
  p.desk.clearAnswer();
  send(p, [{ kind: choice.kind, action: choice.action }]);
}

/** The choice that is marked, among those that a card offers. */
export const marked = (p: Props): Choice | undefined =>
  p.desk.pick === null ? undefined : p.choices.find((choice) => String(choice.action) === p.desk.pick);
