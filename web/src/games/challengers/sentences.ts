/** Facts in words: for the log, for the action line while a match is watched, and for the end. */
import type { LogLine, Part, Piece, Ranked, Result, Telling, Value, Words } from '../board';
import { cardName } from './components';
import type { Battle, Frame } from './story';
import { decision } from './tally';
import { SENTENCES, type Event, type Said } from './facts';
import { sentences } from '../said';
import type { Bonus, Trophy, View } from './types';

type Tell = Telling<View>;

export const cardPiece = (t: Words, id: string): Piece => ({ as: 'card', text: cardName(t, id), id, t });
export const strong = (text: string | number): Piece => ({ as: 'strong', text: String(text) });
export const player = (how: Tell, team: number): Value =>
  how.chairs[team] ? how.player(team) : strong(how.t('robot'));
const signed = (n: number) => (n < 0 ? `−${-n}` : `+${n}`);

/** "+1 Vendor +2 holding the flag": the bonuses of a card. */
export function bonusParts(t: Words, bonuses: Bonus[]): Part[] {
  return bonuses.flatMap((bonus): Part[] => [
    ` ${signed(bonus.amount)} `,
    bonus.why === 'bench' ? cardPiece(t, bonus.from) : t(`bonus.${bonus.why}`),
  ]);
}

/** One fact as a sentence, without what came before it. */
export const factParts = sentences<Said, View, Event>(SENTENCES, {
  team: (team, how) => player(how, team),
  card: (id, { t }, event) => {
    if (id !== null) return cardPiece(t, id);
    return 'level' in event ? t('card.level', { level: event.level }) : t('card.hidden');
  },
  signed: (amount) => signed(amount),
});

// ── The log ──────────────────────────────────────────────────

/** What the log remembers from line to line: who meets whom, and the card that came up last. */
const pairs = new Map<number, number>();
const shown = new Map<number, { card: string; base: number; bonuses: Bonus[] }>();
let final = false;

const OWN = new Set(['level_chosen', 'drew', 'redrew', 'picked', 'stopped', 'removed', 'declined']);
const SILENT = ['revealed', 'bonus', 'looked', 'searched', 'asked'];

export function describe(event: Event, how: Tell): LogLine | null {
  const { t, me } = how;
  if (event.team === null) {
    const parts = factParts(event, how);
    if (event.kind === 'lots_drawn') return { parts };
    final = false;
    return { parts, kind: 'round' };
  }
  const line = (parts: Part[]): LogLine => (how.chairs[event.team] ? { parts, seat: event.team } : { parts });
  if (event.kind === 'finalist') final = true;
  if (event.kind === 'match_began') {
    pairs.set(event.team, event.rival);
    pairs.set(event.rival, event.team);
    if (final) return { parts: [t('final')], kind: 'round' };
  }
  // The match one plays oneself, and the final, are told card by card; of the others only how they end.
  const near = final || (me !== null && (event.team === me || pairs.get(event.team) === me));
  if (event.kind === 'revealed') shown.set(event.team, { card: event.card, base: event.base, bonuses: [] });
  if (event.kind === 'bonus')
    shown.get(event.team)?.bonuses.push({ from: event.card, amount: event.amount, why: event.why });
  if (OWN.has(event.kind))
    return event.team === me || (event.kind === 'picked' && event.card) ? line(factParts(event, how)) : null;
  if (['match_won', 'trophy_won', 'trophy_boxed', 'trophies_opened', 'finalist', 'ended', 'ready'].includes(event.kind))
    return line(factParts(event, how));
  if (event.kind === 'gained_fans') return line(factParts(event, how));
  if (!near || SILENT.includes(event.kind)) return null;
  if (event.kind === 'compared') {
    const last = shown.get(event.team);
    return last
      ? line(
          t.parts('log.attack', {
            card: cardPiece(t, last.card),
            base: last.base,
            bonuses: bonusParts(t, last.bonuses) as Piece[],
            attack: strong(event.attack),
          }),
        )
      : null;
  }
  return line(factParts(event, how));
}

// ── While a match is watched ─────────────────────────────────

/** "Juggler, Ghost and Clown". */
function together(t: Words, pieces: Piece[]): Part[] {
  let n = 0;
  return new Intl.ListFormat(t.lang)
    .formatToParts(pieces.map((piece) => piece.text))
    .map((part) => (part.type === 'element' ? pieces[n++]! : part.value));
}

/** What the action line says of a frame. */
export function tellFrame(frame: Frame, how: Tell): Part[] {
  const { t } = how;
  const last = frame.events.at(-1)!;
  const { scene } = frame;
  if (frame.kind === 'won') return factParts(frame.events[0]!, how);
  if (frame.kind === 'ask' && 'card' in last && last.card !== null)
    return t.parts('say.asks', {
      who: how.who(last.team),
      name: player(how, last.team),
      card: cardPiece(t, last.card),
    });
  if (last.kind === 'compared') {
    const top = scene.sides[last.team]!.lineup.at(-1)!;
    const gap = last.flag - last.attack;
    return t.parts('say.attack', {
      who: how.who(last.team),
      name: player(how, last.team),
      card: cardPiece(t, top.card),
      base: top.base,
      bonuses: bonusParts(t, top.bonuses) as Piece[],
      attack: last.attack,
      flag: last.flag,
      gap: Math.max(0, gap),
    });
  }
  if (frame.kind === 'bench') {
    const cards = frame.events.flatMap((event) => (event.kind === 'benched' ? [cardPiece(t, event.card)] : []));
    if (last.kind === 'no_seat') return factParts(last, how);
    return t.parts('say.bench', {
      cards: together(t, cards) as Piece[],
      n: cards.length,
      who: how.who(last.team),
      name: player(how, last.team),
    });
  }
  if (frame.kind === 'begin') return factParts(frame.events[0]!, how);
  return factParts(last.kind === 'asked' ? frame.events[0]! : last, how);
}

// ── The end ──────────────────────────────────────────────────

interface Reasons {
  place: number;
  fans: number;
  trophies: Trophy[];
  finalist: boolean;
  champion: boolean;
  how: 'rounds' | 'lead' | 'final';
}

export function reasons(result: Result, seat: number, how: Tell): Part[][] {
  const { t } = how;
  const own = result.reasons[seat] as unknown as Reasons;
  const alone = result.ranks.length === 1;
  const place =
    own.how === 'final' && (own.champion || own.finalist)
      ? [t.parts(own.champion ? 'end.champion' : 'end.finalist')]
      : own.champion
        ? [t.parts(`end.by_${own.how}`)]
        : alone
          ? [t.parts('end.lost_to_robot')]
          : [];
  return [...place, fansOf(t, own)];
}

function fansOf(t: Words, { trophies, fans }: { trophies: Trophy[]; fans: number }): Part[] {
  return t.parts('end.fans', {
    n: trophies.length,
    sum: trophies.reduce((total, trophy) => total + (trophy.fans ?? 0), 0),
    fans,
  });
}

/** Alone at the table one meets the Robot: it has a place too, though no chair. */
export function ranking(result: Result, how: Tell): Ranked[] | null {
  const { t, view } = how;
  const robot = view.robot?.team;
  if (robot === undefined || result.ranks.length > 1) return null;
  const team = view.teams[robot]!;
  const fans = view.standings.find((line) => line.team === robot)!.low;
  const lost = view.champion === robot;
  return [
    {
      seat: 0,
      name: how.chairs[0]!.name,
      rank: lost ? 2 : 1,
      score: result.scores[0]!,
      reasons: reasons(result, 0, how),
    },
    {
      seat: null,
      name: t('robot'),
      rank: lost ? 1 : 2,
      score: fans,
      reasons: [...(lost ? [t.parts(`end.by_${view.over ?? 'rounds'}`)] : []), fansOf(t, team)],
    },
  ].sort((a, b) => a.rank - b.rank);
}

/** What decided the last match, for the ceremony. */
export function decided(battle: Battle | undefined, how: Tell): Part[] | null {
  const last = decision(battle);
  if (!last) return null;
  const { t } = how;
  return t.parts(`ceremony.by_${last.by}`, {
    card: cardPiece(t, last.card),
    who: how.who(last.loser),
    name: player(how, last.loser),
    attack: last.attack,
    flag: last.flag,
    tie: last.attack === last.flag ? 'yes' : 'no',
  });
}
