/** What the viewer does: marks, answers, and sending them. Whether something may be done is read from the choices. */
import { arena } from './arena.svelte';
import type { Battle } from './story';
import type { Choice, ChoiceOf, MatchView, Props, View } from './types';

export const choicesOf = <K extends Choice['kind']>(p: Props, kind: K): ChoiceOf<K>[] =>
  p.choices.filter((choice): choice is ChoiceOf<K> => choice.kind === kind);
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

/** Sends a decision with all its steps; nothing if one of them is no choice. */
export async function send(p: Props, ...steps: (Choice | undefined)[]): Promise<void> {
  const { desk } = p;
  const [first, ...then] = steps.flatMap((step) => (step ? [step.action] : []));
  if (first === undefined || then.length < steps.length - 1 || p.busy || desk.sending) return;
  desk.sent = mine(p.view);
  if (!(await p.act(first, then))) desk.sent = null;
}

/** After each view: whether it shows what came of the decision that was sent. */
export function arrive(p: Props): void {
  if (p.desk.sent !== null && p.desk.sent !== mine(p.view)) p.desk.sent = null;
}

/** What this viewer's own decisions change, and nobody else's. */
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

const held = (view: View, id: string) => view.you?.deck.find((one) => one.card === id)?.count ?? 0;

// ── The deck phase ───────────────────────────────────────────

/** Marks a level; the second press, or the button, seals it: it can be changed only while others still choose. */
export function chooseLevel(p: Props, level: string): void {
  if (p.desk.level !== level) {
    p.desk.level = level;
    return;
  }
  p.desk.level = null;
  void send(
    p,
    choicesOf(p, 'choose_level').find((one) => one.level === level),
  );
}

export const maxPicks = (p: Props) => (p.me === null ? 0 : (p.view.teams[p.me]?.picks ?? 0));
export const mayRedraw = (p: Props) => p.choices.some((choice) => choice.kind === 'mark');
const levelOf = (p: Props) => p.view.teams[p.me!]?.level ?? '';
/** Whether there is a redraw; if not, whether it was used or the deck has no card for it. */
export function redrawing(p: Props): 'yes' | 'used' | 'none' {
  if (mayRedraw(p)) return 'yes';
  return p.view.stacks.find((one) => one.level === levelOf(p))?.left ? 'used' : 'none';
}
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
  const again = redrawing(p);
  if (again !== 'yes')
    return p.notice(p.t(again === 'used' ? 'why.redraw_used' : 'why.nothing_to_redraw', { level: levelOf(p) }));
  desk.out = desk.out.includes(place) ? desk.out.filter((one) => one !== place) : [...desk.out, place];
  desk.keep = desk.keep.filter((one) => one !== place);
}

export function redraw(p: Props): void {
  const marks = choicesOf(p, 'mark').filter((one) => p.desk.out.includes(one.place!));
  void send(p, ...marks, first(p, 'redraw') ?? marks[0]?.then?.find((step) => step.kind === 'redraw'));
  p.desk.out = [];
}

/** Picks what is marked; a card that opens an exchange comes last: that is decided before the others. */
export function keep(p: Props): void {
  const open = choicesOf(p, 'pick');
  const picks = p.desk.keep.map((place) => open.find((one) => one.place === place));
  const asking = picks.findIndex((one) => one?.exchange);
  if (asking >= 0) return void send(p, ...picks.slice(0, asking + 1));
  const stops = picks.length < Math.min(maxPicks(p), open.length);
  void send(p, ...picks, ...(stops ? [first(p, 'stop')] : []));
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

const removal = (p: Props, id: string) => choicesOf(p, 'remove').find((one) => one.card === id);

export function ready(p: Props): void {
  const removals = Object.entries(p.desk.gone).flatMap(([id, n]) => Array.from({ length: n }, () => removal(p, id)));
  void send(p, ...removals, first(p, 'ready'));
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
  void send(p, ...cards.map((id) => removal(p, id)));
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

/** The order is said card by card, each among those left; the last one is left over. */
export function putBack(p: Props): void {
  const steps: (Choice | undefined)[] = [];
  let left = choicesOf(p, 'next');
  for (const id of p.desk.order.slice(0, -1)) {
    const step = left.find((one) => one.card === id);
    steps.push(step);
    left = (step?.then ?? []).filter((one) => one.kind === 'next');
  }
  void send(p, ...steps);
}

/** Sends the one answer chosen. */
export function answer(p: Props, choice: Choice | undefined): void {
  if (!choice || p.busy || p.desk.sending) return;
  p.desk.clearAnswer();
  void send(p, choice);
}

/** The choice that is marked, among those that a card offers. */
export const marked = (p: Props): Choice | undefined =>
  p.desk.pick === null ? undefined : p.choices.find((choice) => String(choice.action) === p.desk.pick);
