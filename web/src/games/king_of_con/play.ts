/** What pressing things does: offers grow and shrink here, and decisions leave from here. */
import { tick } from 'svelte';
import type { BoardProps } from '../board';
import { IDS } from './components';
import type { Desk } from './desk.svelte';
import { stage } from './stage.svelte';
import type { Choice, Event, ItemState, Tokens, View } from './types';

export type Props = BoardProps<View, Choice, Event, Desk>;

/** The table as it is told so far. */
export const shown = (p: Props): View => stage.view ?? p.view;
export const myTurn = (p: Props) => p.choices.length > 0;
export const place = (view: View, id: string): ItemState => view.items[IDS.indexOf(id)]!;

function find(p: Props, kind: Choice['kind'], facts: { [name: string]: unknown } = {}): Choice | undefined {
  return p.choices.find(
    (choice) =>
      choice.kind === kind &&
      Object.entries(facts).every(([name, value]) => (choice as { [name: string]: unknown })[name] === value),
  );
}

/** Choosing offers, not settling a tie. */
export const offering = (p: Props) => myTurn(p) && (p.view.phase === 'hid_bid' || p.view.phase === 'looting');
/** Which decision this is: the next one may be of the same kind. Of ties there may be several in a row, with choices of their own. */
function occasion({ view, choices }: Props): string {
  const which = view.contest ? choices.map((choice) => choice.action).join() : '';
  return `${view.round} ${view.phase} ${view.hid_bid ?? 0} ${which}`;
}
/** One Booth a hid-bid; several slots only with the option that allows mistakes. */
export const oneOnly = (p: Props) => p.view.phase === 'hid_bid' && !p.view.options.bluffing_by_mistake;

// ── Offers ───────────────────────────────────────────────────

/** The Items that may take an offer now. */
export function openItems(p: Props): Set<string> {
  if (!offering(p)) return new Set(p.choices.flatMap((choice) => (choice.kind === 'claim' ? [choice.item!] : [])));
  const ids = new Set<string>();
  for (const choice of p.choices) {
    if (choice.kind === 'place') ids.add(choice.item!);
    if (choice.kind === 'bid') ids.add(p.view.booths[choice.booth! - 1]!.item!);
  }
  return ids;
}

/** How many tokens this Item could take, beside the other offers. */
export function most(p: Props, id: string): number {
  const others = p.desk.total - (p.desk.offers[id] ?? 0);
  return Math.max(0, (p.view.you?.left ?? 0) - (oneOnly(p) ? 0 : others));
}

/** Everything offered: half-made, on its way, or sealed. */
export function offersOf(p: Props): Tokens {
  return { ...p.view.you?.quadrant, ...p.desk.offers };
}

export function setTokens(p: Props, id: string, tokens: number): void {
  const { desk } = p;
  if (desk.sending || !offering(p)) return;
  const n = Math.max(0, Math.min(most(p, id), Math.floor(Number.isFinite(tokens) ? tokens : 0)));
  desk.offers = { ...(oneOnly(p) ? {} : desk.offers), [id]: n };
  desk.active = id;
}

export const addTokens = (p: Props, id: string, more: number) => setTokens(p, id, (p.desk.offers[id] ?? 0) + more);

export function drop(p: Props, id: string): void {
  if (p.desk.sending) return;
  const { [id]: _, ...rest } = p.desk.offers;
  p.desk.offers = rest;
  if (p.desk.active === id) p.desk.active = Object.keys(rest).at(-1) ?? null;
}

/** A press on an Item, on its Booth, in the Quadrant or on the Stall. */
export function pressItem(p: Props, id: string): void {
  const { desk, view, t } = p;
  if (desk.sending || !myTurn(p)) return;
  if (!offering(p)) {
    if (find(p, 'claim', { item: id })) desk.active = id;
    return;
  }
  if (!openItems(p).has(id)) {
    if (view.you?.quadrant[id]) p.notice(t('offer.laid'));
    else if (view.phase === 'hid_bid') p.notice(t('why.not_now_place'));
    else p.notice(t('why.not_in_play', { item: t(`item.${id}`) }));
    return;
  }
  if (oneOnly(p)) {
    if (desk.active === id) return desk.clear();
    const before = desk.active ? (desk.offers[desk.active] ?? 0) : 0;
    return setTokens(p, id, before || 1);
  }
  if (id in desk.offers) {
    desk.active = id;
    return;
  }
  const empty = Object.entries(desk.offers).filter(([, n]) => n > 0);
  desk.offers = Object.fromEntries(empty);
  if (!most(p, id)) return p.notice(t('why.too_many_tokens', { left: 0 }));
  setTokens(p, id, view.phase === 'looting' ? (view.you?.offers[id]?.least ?? 1) : 1);
}

// ── Sending ──────────────────────────────────────────────────

/** Sends a decision with all its steps. The selection stays until a view shows it done and then goes by itself. */
export async function send(p: Props, choice: Choice | undefined, then: Choice[] = []): Promise<void> {
  if (!choice || p.busy || p.desk.sending) return;
  p.desk.sending = true;
  p.desk.sent = occasion(p);
  p.desk.recap = [];
  const stored = await p.act(
    choice.action,
    then.map((step) => step.action),
  );
  if (!stored) p.desk.sending = false;
}

export const putBack = (p: Props) => send(p, find(p, 'put_back', { passion: p.desk.passion ?? 0 }));

/** Seals what is offered: one bid, or offer by offer and then the seal, in one message. */
export function seal(p: Props): void {
  const { desk, view, t } = p;
  if (!offering(p) || desk.sending || p.busy) return;
  const offers = Object.entries(desk.offers).filter(([, n]) => n > 0);
  const [only] = offers;
  if (view.phase === 'hid_bid' && offers.length <= 1 && !view.you?.placed) {
    const booth = only ? place(view, only[0]).booth : null;
    const choice = only ? find(p, 'bid', { booth: booth ?? 0, tokens: only[1] }) : find(p, 'pass');
    if (choice) return void send(p, choice);
  }
  const missing = IDS.filter((id) => desk.offers[id] && !view.you?.quadrant[id]);
  const places = missing.map((id) => find(p, 'place', { item: id, tokens: desk.offers[id]! }));
  const sealing = find(p, 'seal') ?? places[0]?.then?.find((step) => step.kind === 'seal');
  const [first, ...then] = [...places, sealing].flatMap((step) => (step ? [step] : []));
  if (then.length < places.length) return p.notice(t('offer.gone'));
  void send(p, first, then);
}

/** Takes a sealed offer back into the hand, as it was: to be changed and sealed again. */
export async function openAgain(p: Props): Promise<void> {
  const { desk } = p;
  const { quadrant, put_back } = p.view.you!;
  if (desk.sending || p.busy || !(await p.openAgain())) return;
  desk.clear();
  desk.offers = { ...quadrant };
  desk.active = Object.keys(quadrant)[0] ?? null;
  desk.passion = put_back;
  await tick();
  // Whoever came by keyboard goes on at what was chosen.
  if (document.activeElement?.matches('body, .action__buttons *'))
    document
      .querySelector<HTMLElement>('.board [data-nav][aria-pressed="true"], .board .bigpassion[aria-pressed="true"]')
      ?.focus({ preventScroll: true });
}

/** After each view: what has been sent goes silently, what no longer applies goes too. */
export function settle(p: Props): void {
  const { desk } = p;
  if (desk.sending) {
    if (myTurn(p) && desk.sent === occasion(p)) return; // somebody else's move came first
    desk.sending = false;
    return desk.clear();
  }
  const open = openItems(p);
  if (Object.keys(desk.offers).some((id) => !open.has(id)))
    desk.offers = Object.fromEntries(Object.entries(desk.offers).filter(([id]) => open.has(id)));
  if (desk.active && !open.has(desk.active)) desk.active = null;
  if (desk.passion !== null && !find(p, 'put_back', { passion: desk.passion })) desk.passion = null;
}

// ── Ties ─────────────────────────────────────────────────────

/** The Item or dominance about which the viewer must decide now; an Item only when it is chosen or the only one. */
export function contested(p: Props): { item: string | null; characteristic: number | null } | null {
  const dominance = p.choices.find((choice) => choice.kind === 'claim_dominance');
  if (dominance) return { item: null, characteristic: dominance.characteristic };
  const claims = p.choices.filter((choice) => choice.kind === 'claim');
  if (!claims.length) return null;
  const chosen = claims.length === 1 ? claims[0] : claims.find((choice) => choice.item === p.desk.active);
  return { item: chosen?.item ?? null, characteristic: null };
}

export function takeTie(p: Props): void {
  const what = contested(p);
  if (what?.characteristic) void send(p, find(p, 'claim_dominance', { characteristic: what.characteristic }));
  else if (what?.item) void send(p, find(p, 'claim', { item: what.item }));
}

export function mayConcede(p: Props): boolean {
  return p.choices.some((choice) => choice.kind === 'concede' || choice.kind === 'concede_dominance');
}

export function concedeTie(p: Props): void {
  const what = contested(p);
  if (what?.characteristic) void send(p, find(p, 'concede_dominance', { characteristic: what.characteristic }));
  else if (what?.item) void send(p, find(p, 'concede', { item: what.item }));
}
