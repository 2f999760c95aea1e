/** What pressing things does: selections grow and shrink here, and decisions leave from here. */
import type { BoardProps } from '../board';
import { JOKER, TIME } from './components';
import type { Desk } from './desk.svelte';
import { editionOf, exactGems, nextGems, offersFor, sameSpot, stillThere, possible, type Spot } from './offers';
import { cardName, sentenceStart, tokenWord } from './sentences';
import type { Choice, Event, Payment, View } from './types';

export type Props = BoardProps<View, Choice, Event, Desk>;

export const myTurn = (p: Props) => p.choices.length > 0;
const find = (p: Props, kind: string, colour?: number) =>
  p.choices.find(
    (choice) => choice.kind === kind && (colour === undefined || ('colour' in choice && choice.colour === colour)),
  );

/** Nothing can be taken between turns, nor by those who watch: said when it is tried. */
function notNow(p: Props): void {
  if (!p.over) p.notice(p.t(p.me === null ? 'watching' : 'why.not_your_turn'));
}

/** Another decision comes first; said when something else is pressed. */
function elsewhere(p: Props): boolean {
  if (!myTurn(p) || p.view.phase === 'main') return false;
  p.notice(p.t(`why.phase_${p.view.phase}`, { edition: p.view.edition }));
  return true;
}

// ── Gems ─────────────────────────────────────────────────────

export type PileState = 'can' | 'picked' | 'twice' | 'both' | 'no' | 'rest';

export function pileState(p: Props, kind: number): PileState {
  const { gems } = p.desk;
  const chosen = gems.filter((gem) => gem === kind).length;
  const offered = kind < JOKER && nextGems(p.choices, gems).has(kind);
  if (chosen === 2) return 'both';
  if (chosen === 1) return offered && gems.length === 1 ? 'twice' : 'picked';
  if (offered) return 'can';
  return gems.length || kind >= JOKER ? 'no' : 'rest';
}

/** A press on a pile: one more, a second one, or back again. */
export function pressPile(p: Props, kind: number): void {
  const { desk, t, view } = p;
  const token = editionOf(view).tokens[kind]!;
  if (desk.sending || elsewhere(p)) return;
  const state = pileState(p, kind);
  if (state === 'can' || state === 'twice') return desk.pickGems([...desk.gems, kind]);
  if (state === 'picked' || state === 'both') return desk.pickGems(desk.gems.filter((gem) => gem !== kind));
  const colour = sentenceStart(tokenWord(t, token));
  if (kind === JOKER || kind === TIME) p.notice(t(`pile.${token.key}`));
  else if (!view.bank[kind]) p.notice(t('pile.empty', { colour: tokenWord(t, token) }));
  else if (desk.gems.length) p.notice(t('pile.not_with', { colour }));
  else if (myTurn(p)) p.notice(t('pile.not_now', { colour: tokenWord(t, token) }));
  else notNow(p);
}

export function dropGem(p: Props, place: number): void {
  p.desk.pickGems(p.desk.gems.filter((_, n) => n !== place));
}

// ── Cards ────────────────────────────────────────────────────

/** A press on a card selects it; also between turns, to plan ahead. */
export function pressCard(p: Props, spot: Spot): void {
  if (p.me === null) return notNow(p);
  if (p.desk.sending || p.over || elsewhere(p)) return;
  p.desk.pick(sameSpot(p.desk.spot, spot) ? null : spot);
}

export function pressDeck(p: Props, level: number): void {
  const spot: Spot = { at: 'deck', level, card: null };
  if (!myTurn(p)) return notNow(p);
  if (p.desk.sending || elsewhere(p)) return;
  if (offersFor(p.choices, spot).reserve) return p.desk.pick(sameSpot(p.desk.spot, spot) ? null : spot);
  p.notice(p.t(p.view.decks[level - 1] ? 'why.hand_full' : 'why.deck_empty'));
}

// ── Paying ───────────────────────────────────────────────────

/** The payment being put together: of the selected card, or of one whose jokers are already being named. */
export function payment(p: Props): (Payment & { swapped: number[] }) | null {
  if (p.view.you?.paying && myTurn(p)) return p.view.you.paying;
  const spot = p.desk.spot;
  const recruit = spot && offersFor(p.choices, spot).recruit;
  return recruit ? { ...(recruit as unknown as Payment), swapped: [0, 0, 0, 0, 0] } : null;
}

export const sum = (list: number[]) => list.reduce((a, b) => a + b, 0);

/** The tokens that leave the tray, jokers in the place of some colours. */
export function toPay(p: Props, paying: Payment & { swapped: number[] }): number[] {
  const swaps = paying.swapped.map((n, colour) => n + p.desk.swaps[colour]!);
  return [...paying.coloured.map((n, colour) => n - swaps[colour]!), paying.jokers + sum(swaps)];
}

export function maySwap(p: Props, colour: number): boolean {
  const paying = payment(p);
  if (!paying || p.desk.sending) return false;
  const begun = p.view.phase === 'pay';
  const offered = begun ? find(p, 'swap', colour + 1) : p.desk.spot && offersFor(p.choices, p.desk.spot).choosePayment;
  const used = sum(paying.swapped) + sum(p.desk.swaps);
  return Boolean(offered) && used < paying.spare && toPay(p, paying)[colour]! > 0;
}

export function swap(p: Props, colour: number): void {
  if (maySwap(p, colour)) p.desk.swaps[colour]!++;
}

/** Takes back the joker named last. */
export function unswap(p: Props): void {
  const last = p.desk.swaps.findLastIndex(Boolean);
  if (last >= 0 && !p.desk.sending) p.desk.swaps[last]!--;
}

// ── Giving back, and places ──────────────────────────────────

export const mayGive = (p: Props, kind: number) => Boolean(find(p, 'give_back', kind + 1));

export function give(p: Props, kind: number): void {
  const { desk, view, me } = p;
  if (desk.sending || me === null || !mayGive(p, kind)) return;
  if (sum(desk.back) >= view.you!.excess || desk.back[kind]! >= view.players[me]!.tokens[kind]!) return;
  desk.back[kind]!++;
}

export function ungive(p: Props, kind: number): void {
  if (p.desk.back[kind]! > 0 && !p.desk.sending) p.desk.back[kind]!--;
}

export const placeChoice = (p: Props, tile: number) =>
  p.choices.find((choice) => choice.kind === 'take_place' && choice.tile === tile);

export function pressPlace(p: Props, tile: number): boolean {
  if (!placeChoice(p, tile) || p.desk.sending) return false;
  p.desk.tile = p.desk.tile === tile ? null : tile;
  return true;
}

// ── Sending ──────────────────────────────────────────────────

/** Sends one decision. The selection stays until the next view and then goes by itself. */
export async function send(p: Props, choice: Choice | undefined): Promise<void> {
  if (!choice || p.busy || p.desk.sending) return;
  p.desk.sending = true;
  if (!(await p.act(choice.action))) p.desk.sending = false;
}

export const takeGems = (p: Props) => send(p, exactGems(p.choices, p.desk.gems));

export function reserve(p: Props): void {
  if (p.desk.spot) void send(p, offersFor(p.choices, p.desk.spot).reserve);
}

export function recruit(p: Props): void {
  const { desk } = p;
  if (p.view.phase === 'pay') {
    const paying = p.view.you!.paying!;
    desk.errand = {
      kind: 'pay',
      card: paying.card,
      swaps: paying.swapped.map((n, colour) => n + desk.swaps[colour]!),
      sent: -1,
    };
    return runErrand(p);
  }
  if (!desk.spot || p.busy) return;
  const offers = offersFor(p.choices, desk.spot);
  if (desk.swaps.some(Boolean) && offers.choosePayment) {
    desk.errand = { kind: 'pay', card: desk.spot.card!, swaps: [...desk.swaps], sent: p.seq };
    void send(p, offers.choosePayment).then(() => {
      if (!desk.sending) desk.errand = null;
    });
  } else void send(p, offers.recruit);
}

export function giveBack(p: Props): void {
  p.desk.errand = { kind: 'return', back: [...p.desk.back], sent: -1 };
  runErrand(p);
}

/** The next message of a decision that takes several; called after each view. Each number comes from the choices of that view. */
export function runErrand(p: Props): void {
  const { desk, view, seq, t } = p;
  const errand = desk.errand;
  if (!errand || p.busy || errand.sent === seq) return;
  const finish = () => {
    desk.errand = null;
    desk.sending = false;
    desk.clear();
  };
  if (!myTurn(p) || view.phase !== errand.kind) return finish();
  let choice: Choice | undefined;
  let back = errand.kind === 'return' ? errand.back : [];
  if (errand.kind === 'pay') {
    const colour = errand.swaps.findIndex((n, c) => n > view.you!.paying!.swapped[c]!);
    choice = colour < 0 ? find(p, 'pay') : find(p, 'swap', colour + 1);
  } else {
    const kind = back.findIndex(Boolean);
    if (kind < 0) return finish();
    choice = find(p, 'give_back', kind + 1);
    back = back.map((n, k) => (k === kind ? n - 1 : n));
  }
  if (!choice) {
    finish();
    return p.notice(t('gone.errand'));
  }
  desk.errand = errand.kind === 'pay' ? { ...errand, sent: seq } : { kind: 'return', back, sent: seq };
  desk.sending = true;
  void p.act(choice.action).then((stored) => {
    if (!stored) finish();
  });
}

/** After each view: a finished selection goes silently, one that no longer applies goes with a word. */
export function settle(p: Props): void {
  const { desk, view, t } = p;
  if (desk.errand) return runErrand(p);
  if (desk.sending) {
    desk.sending = false;
    return desk.clear();
  }
  if (view.phase !== 'return') desk.back = [0, 0, 0, 0, 0, 0];
  if (desk.tile !== null && !placeChoice(p, desk.tile)) desk.tile = null;
  if (desk.gems.length && !possible(p.choices, desk.gems)) {
    desk.clear();
    p.notice(t('gone.gems'));
  }
  const spot = desk.spot;
  if (spot && !stillThere(view, p.me, spot)) {
    desk.clear();
    if (spot.card) {
      const edition = editionOf(view);
      p.notice(t('gone.card', { card: sentenceStart(cardName(t, edition, edition.cards.get(spot.card)!)) }));
    }
  }
}
