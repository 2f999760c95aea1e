/** Facts and cards as words. */
import type { LogLine, Part, Piece, Result, Telling, Values, Words } from '../board';
import { EDITIONS, JOKER, TIME, type Card, type Edition, type Place, type Token } from './components';
import { lackOf } from './offers';
import { SENTENCES, type Event, type Said } from './facts';
import { sentences } from '../said';
import type { EditionName, Reason, View } from './types';

export const tokenWord = (t: Words, token: Token) => t(`colour.${token.key}`);

export const sentenceStart = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export function listed(t: Words, items: string[]): string {
  return new Intl.ListFormat(t.lang, { type: 'unit', style: 'short' }).format(items);
}

/** "1 yellow, 2 red". */
export function counts(t: Words, edition: Edition, amounts: number[]): string {
  return listed(
    t,
    amounts.flatMap((n, kind) => (n ? [t(`count.${edition.tokens[kind]!.key}`, { n })] : [])),
  );
}

export function cardName(t: Words, edition: Edition, card: Card): string {
  return card.name || t('card.unnamed', { level: card.level, colour: edition.tokens[card.bonus]!.key });
}

/** "2 blue short", also when jokers cover a part of it. */
export function shortText(t: Words, view: View, card: string): string {
  const lack = lackOf(view, card);
  if (!lack || !lack.missing) return '';
  const lacks = counts(t, EDITIONS[view.edition], lack.lacks);
  return lack.jokers
    ? t('short.jokers', { lacks, n: lack.jokers, edition: view.edition })
    : t('short.plain', { lacks, n: lack.missing });
}

/** Everything printed on a card, and `status` after it: what a screen reader says. */
export function cardLabel(t: Words, edition: Edition, card: Card, status = ''): string {
  const label = t('card.label', {
    name: sentenceStart(cardName(t, edition, card)),
    level: card.level,
    bonus: tokenWord(t, edition.tokens[card.bonus]!),
    points: card.points,
    stars: card.stars,
    time: edition.name === 'marvel' && card.level === 3 ? 1 : 0,
    cost: counts(t, edition, card.cost) || t('card.free'),
    status,
  });
  return label;
}

export function placeLabel(t: Words, edition: Edition, place: Place, state: string, owner: string): string {
  return t('place.label', { name: place.name, cost: counts(t, edition, place.cost), state, owner });
}

// ── Pieces ───────────────────────────────────────────────────

export const gemPiece = (t: Words, token: Token): Piece => ({ as: 'gem', text: tokenWord(t, token), token });

/** A piece for each single token. */
export function gemPieces(t: Words, edition: Edition, amounts: number[]): Piece[] {
  return amounts.flatMap((n, kind) => Array.from({ length: n }, () => gemPiece(t, edition.tokens[kind]!)));
}

export function cardPiece(t: Words, edition: Edition, id: string): Piece {
  const card = edition.cards.get(id)!;
  const text = card.name || t('card.some', { card: cardName(t, edition, card) });
  return { as: 'card', text, id, edition: edition.name };
}

// ── The log ──────────────────────────────────────────────────

const inWords = sentences<Said, View, Event>(SENTENCES, {
  card: (id, { t, view }, event) =>
    id === null
      ? t('card.hidden', { level: 'level' in event ? event.level : 0 })
      : cardPiece(t, EDITIONS[view.edition], id),
  tokens: (amounts, { t, view }) => gemPieces(t, EDITIONS[view.edition], amounts),
  free: (paid) => (paid.some(Boolean) ? 'no' : 'yes'),
  place: (id, { view }) => ({ as: 'strong', text: EDITIONS[view.edition].places.get(id)!.name }),
  holder: (seat, how) => (seat === null ? 'none' : how.who(seat)),
  loser: (seat, how) => (seat === null ? '' : how.player(seat)),
  edition: (_, { view }) => view.edition,
});

export function describe(event: Event, telling: Telling<View>): LogLine | null {
  if (event.kind === 'dealt') return null; // seen on the board
  const parts = inWords(event, telling);
  if (event.kind === 'new_round') return { kind: 'round', parts };
  return event.seat === null ? { parts } : { seat: event.seat, parts };
}

export const turned = (event: Event, telling: Telling<View>): Part[] | null =>
  event.kind === 'dealt' ? inWords(event, telling) : null;

// ── Waiting, and the end ─────────────────────────────────────

export function awaited(view: View, telling: Telling<View>): { title?: Part[] } | null {
  if (view.phase === 'main' || view.turn === telling.me) return null;
  return { title: telling.t.parts(`wait.${view.phase}`, { name: telling.player(view.turn), edition: view.edition }) };
}

export function reasons(result: Result, seat: number, { t, view }: Telling<View>): Part[][] {
  const all = result.reasons as unknown as Reason[];
  const mine = all[seat]!;
  const marvel = view.edition === 'marvel';
  const goal = marvel
    ? mine.qualifies
      ? 'reason.assembled'
      : 'reason.missing'
    : mine.qualifies
      ? 'reason.reached'
      : 'reason.short';
  const lines = [
    t.parts(goal),
    t.parts('reason.sum', {
      points: mine.points,
      cards: mine.cards,
      places: mine.places,
      avengers: mine.avengers ? 1 : 0,
      edition: view.edition,
    }),
  ];
  if (mine.idle) lines.push(t.parts('reason.idle'));
  // Ranked before somebody with as many points: say what decided.
  const rival = all.find(
    (other, n) =>
      n !== seat &&
      result.ranks[n]! > result.ranks[seat]! &&
      other.points === mine.points &&
      other.qualifies === mine.qualifies,
  );
  if (rival) lines.push(t.parts(mine.avengers && !rival.avengers ? 'reason.tie_avengers' : 'reason.tie_cards'));
  return lines;
}

/** "Missing 7 points and a purple bonus", in one or two lines. */
export function missingLines(
  t: Words,
  edition: EditionName,
  missing: { points: number; bonuses: number[]; time: boolean },
): string[] {
  const { tokens } = EDITIONS[edition];
  const lines: string[] = [];
  const say = (key: string, values?: Values) =>
    lines.push(t(lines.length ? `missing.${key}` : `missing.only_${key}`, values));
  if (missing.points) lines.push(t('missing.points', { n: missing.points }));
  if (missing.bonuses.length)
    say('bonuses', { n: missing.bonuses.length, colours: tokenWord(t, tokens[missing.bonuses[0]!]!) });
  if (missing.time) say('time');
  return lines.length ? lines : [t('missing.done')];
}

export const kinds = (edition: Edition) => (edition.name === 'marvel' ? TIME + 1 : JOKER + 1);
