/** What the viewer does: marks, answers, and sending them. Whether something may be done is read from the choices. */
import { arena } from './arena.svelte';
import type { Battle } from './story';
import type { Choice, MatchView, Props, View } from './types';

export const DRAFT_STEPS = ['level', 'draft', 'redraw', 'exchange', 'trim'];

export const choicesOf = (p: Props, kind: string): Choice[] => p.choices.filter((choice) => choice.kind === kind);
export const first = (p: Props, kind: string): Choice | undefined => p.choices.find((choice) => choice.kind === kind);
export const inDeckPhase = (view: View) => view.phase === 'deck' || view.phase === 'final_trim';

/** What this viewer decides in the deck phase; null when nothing. */
export const stepOf = (p: Props) => (p.me === null || !p.choices.length || !inDeckPhase(p.view) ? null : (p.view.teams[p.me]?.step ?? null));
export const teamName = (p: { chairs: Props['chairs']; t: Props['t'] }, team: number) => p.chairs[team]?.name ?? p.t('robot');
export const isRobot = (p: { chairs: Props['chairs'] }, team: number) => team >= p.chairs.length;

// ── Matches ──────────────────────────────────────────────────

/** The match of the view that this battle is, while it is going on. */
export function liveMatch(view: View, battle: Battle): MatchView | null {
  if (battle.over) return null;
  return view.matches.find((match) => match.state === 'live' && match.sides.every((side) => battle.teams.includes(side.team))) ?? null;
}
export const questionFor = (p: Props): MatchView | null => (p.me === null || !p.choices.length ? null : (p.view.matches.find((match) => match.asks?.team === p.me) ?? null));
export const ownBattle = (p: Props): Battle | null => (p.me === null ? null : (arena.battles.findLast((battle) => battle.teams.includes(p.me!)) ?? null));
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

/** Sends the next message of an errand once the view shows the one before it. Whatever does not fit any more is dropped. */
export async function carryOn(p: Props): Promise<void> {
  const { desk } = p;
  if (p.busy) return;
  if (desk.sent) {
    if (!desk.sent.done(p.view)) return;
    desk.sent = null;
  }
  const [step, ...rest] = desk.errand;
  if (!step) return;
  const choice = p.choices.find((one) => one.kind === step.kind && (step.place === undefined || one.place === step.place) && (step.card === undefined || one.card === step.card));
  if (!choice) {
    desk.errand = [];
    return;
  }
  desk.errand = rest;
  desk.sent = step;
  if (!(await p.act(choice.action))) {
    desk.errand = [];
    desk.sent = null;
  }
}

const own = (view: View) => view.teams[view.you?.seat ?? -1];
const held = (view: View, id: string) => view.you?.deck.find((one) => one.card === id)?.count ?? 0;

// ── The deck phase ───────────────────────────────────────────

export function chooseLevel(p: Props, level: string): void {
  const choice = choicesOf(p, 'choose_level').find((one) => one.level === level);
  if (choice && !p.busy) void p.act(choice.action);
}

export const maxPicks = (p: Props) => (p.me === null ? 0 : (p.view.teams[p.me]?.picks ?? 0));
export const mayRedraw = (p: Props) => p.choices.some((choice) => choice.kind === 'mark');
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
  if (!mayRedraw(p)) return p.notice(p.t('why.redraw_used'));
  desk.out = desk.out.includes(place) ? desk.out.filter((one) => one !== place) : [...desk.out, place];
  desk.keep = desk.keep.filter((one) => one !== place);
}

export function redraw(p: Props): void {
  const places = [...p.desk.out].sort((a, b) => a - b);
  send(p, [
    ...places.map((place) => ({ kind: 'mark', place, done: (view: View) => !!view.you?.marked.includes(place) || !own(view)?.redraw })),
    { kind: 'redraw', done: (view) => !own(view)?.redraw },
  ]);
  p.desk.out = [];
}

export function keep(p: Props): void {
  const places = [...p.desk.keep];
  const picks = maxPicks(p);
  const round = p.view.round;
  const gone = (view: View) => view.round !== round || own(view)?.step !== 'draft';
  send(p, [
    ...places.map((place) => ({ kind: 'pick', place, done: (view: View) => !view.you?.display[place - 1] || view.round !== round })),
    ...(places.length < picks ? [{ kind: 'stop', done: gone }] : []),
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
  const counts: Record<string, number> = {};
  const removals = Object.entries(p.desk.gone).flatMap(([id, n]) => Array.from({ length: n }, () => id));
  send(p, [
    ...removals.map((id) => {
      const left = held(p.view, id) - (counts[id] = (counts[id] ?? 0) + 1);
      return { kind: 'remove', card: id, done: (view: View) => held(view, id) <= left };
    }),
    { kind: 'ready', done: (view) => own(view)?.step !== 'trim' },
  ]);
}

// ── An exchange when a card is chosen ────────────────────────

export function toggleSwap(p: Props, id: string): void {
  const { desk } = p;
  const left = p.view.you?.exchange?.left ?? 0;
  const marked = desk.swap.filter((one) => one === id).length;
  if (marked && (desk.swap.length >= left || marked >= held(p.view, id))) desk.swap = desk.swap.filter((one) => one !== id);
  else if (left === 1) desk.swap = [id];
  else if (desk.swap.length < left) desk.swap = [...desk.swap, id];
  else p.notice(p.t('exchange.enough', { n: left }));
}

export function exchange(p: Props): void {
  const counts: Record<string, number> = {};
  const cards = [...p.desk.swap];
  p.desk.swap = [];
  send(p, cards.map((id) => {
    const left = held(p.view, id) - (counts[id] = (counts[id] ?? 0) + 1);
    return { kind: 'remove', card: id, done: (view: View) => held(view, id) <= left };
  }));
}

// ── Questions in a match ─────────────────────────────────────

/** The uppermost cards that are to be put in order, as they lie. */
export function window3(match: MatchView, me: number): string[] {
  const side = match.sides.find((one) => one.team === me)!;
  return side.known.filter((one) => one.place <= (match.asks?.left ?? 0)).sort((a, b) => a.place - b.place).map((one) => one.card);
}

export function moveInOrder(p: Props, at: number, by: -1 | 1): void {
  const order = [...p.desk.order];
  const to = at + by;
  if (to < 0 || to >= order.length) return;
  [order[at], order[to]] = [order[to]!, order[at]!];
  p.desk.order = order;
}

export function putBack(p: Props, match: MatchView): void {
  const left = match.asks!.left;
  const mine = (view: View) => view.matches.find((one) => one.asks?.team === p.me)?.asks ?? null;
  const steps = p.desk.order.slice(0, -1).map((id, n) => ({
    kind: 'next',
    card: id,
    done: (view: View) => {
      const asks = mine(view);
      return !asks || asks.card !== match.asks!.card || asks.left < left - n;
    },
  }));
  send(p, steps);
}

/** Sends the one answer chosen. */
export function answer(p: Props, choice: Choice | undefined): void {
  if (!choice || p.busy || p.desk.sending) return;
  p.desk.clearAnswer();
  void p.act(choice.action);
}

/** The choice that is marked, among those that a card offers. */
export const marked = (p: Props): Choice | undefined => (p.desk.pick === null ? undefined : p.choices.find((choice) => String(choice.action) === p.desk.pick));
