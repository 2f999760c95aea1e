/** Facts, Items and scenes as words. */
import type { LogLine, Part, Piece, Result, Telling, Value, Words } from '../board';
import { item as printed } from './components';
import type { Scene } from './story';
import { SENTENCES, type Event, type EventOf, type Said } from './facts';
import { sentences } from '../said';
import type { Reason, View } from './types';

export const sentenceStart = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export function listed(t: Words, items: string[]): string {
  return new Intl.ListFormat(t.lang, { type: 'conjunction' }).format(items);
}

export const itemName = (t: Words, id: string) => t(`item.${id}`);
export const traitName = (t: Words, characteristic: number) => t(`characteristic.${characteristic}`);
export const itemPiece = (t: Words, id: string): Piece => ({ as: 'item', text: itemName(t, id), id });
export const traitPiece = (t: Words, characteristic: number): Piece => ({
  as: 'trait',
  text: traitName(t, characteristic),
  characteristic,
});

/** "Issue One: SuperHeroes, Comics, Signed": what is printed on it. */
export function itemLabel(t: Words, id: string): string {
  return t('item.label', {
    name: itemName(t, id),
    traits: printed(id)
      .traits.map((trait) => traitName(t, trait))
      .join(', '),
  });
}

/** A name for a sentence that is only text; the viewer is "you". */
export const nameOf = (how: Pick<Telling, 't' | 'me' | 'chairs'>, seat: number) =>
  seat === how.me ? how.t('you') : (how.chairs[seat]?.name ?? '');
export const namesOf = (how: Pick<Telling, 't' | 'me' | 'chairs'>, seats: number[]) =>
  sentenceStart(
    listed(
      how.t,
      [...seats].sort((a, b) => Number(b === how.me) - Number(a === how.me)).map((seat) => nameOf(how, seat)),
    ),
  );

/** "Signed and MangAnime". */
export const traitNames = (t: Words, characteristics: number[]) =>
  listed(
    t,
    characteristics.map((c) => traitName(t, c)),
  );

// ── The log ──────────────────────────────────────────────────

/** Seen on the board, or said by the line before. */
const SILENT = new Set(['exposed', 'devalued', 'undominated']);

export const factParts = sentences<Said, View, Event>(SENTENCES, {
  item: (id, { t }) => (id === null ? '' : itemPiece(t, id)),
  characteristic: (number, { t }) => (number === null ? '' : traitPiece(t, number)),
  passion: (number, { t }) => (number === null ? '' : traitPiece(t, number)),
  passions: (numbers, { t }) => traitNames(t, numbers),
  what: (item, { t }, event) =>
    item !== null ? itemPiece(t, item) : traitPiece(t, (event as EventOf<'tied'>).characteristic!),
  seats: (seats, how) => namesOf(how, seats),
  moves: (seats, how, event) => moves(seats, event as EventOf<'swapped'>, how),
});

/** "Ada has Monkey 2 now instead of 4; …", whose Monkey changed. */
function moves(seats: number[], { before, after }: EventOf<'swapped'>, how: Telling<View>): string {
  return seats
    .filter((seat) => before[seat] !== after[seat])
    .map((seat) =>
      how.t('monkey.moves', {
        who: how.who(seat),
        name: how.chairs[seat]?.name ?? '',
        before: before[seat]!,
        after: after[seat]!,
      }),
    )
    .join('; ');
}

export function describe(event: Event, how: Telling<View>): LogLine | null {
  if (SILENT.has(event.kind)) return null;
  const parts = factParts(event, how);
  if (event.kind === 'new_round' || event.kind === 'screens_up') return { kind: 'round', parts };
  const folded = event.kind === 'sealed' && event.seat !== how.me;
  return { parts, ...(event.seat === null ? {} : { seat: event.seat }), ...(folded ? { folded } : {}) };
}

export const turned = (event: Event, how: Telling<View>): Part[] | null =>
  event.kind === 'exposed' ? factParts(event, how) : null;

// ── The scenes ───────────────────────────────────────────────

const joined = (lines: Part[][]): Part[] => lines.flatMap((line, n) => (n ? [' · ', ...line] : line));
const of = <K extends Event['kind']>(scene: Scene, ...kinds: K[]) =>
  scene.events.filter((event): event is EventOf<K> => (kinds as string[]).includes(event.kind));

/** One sentence for a scene, and what else is worth saying about it. */
export function tellScene(scene: Scene, how: Telling<View>): { title: Part[]; hint: Part[] } {
  const { t } = how;
  const facts = (...kinds: Event['kind'][]) => joined(of(scene, ...kinds).map((event) => factParts(event, how)));
  switch (scene.kind) {
    case 'lift': {
      const none = facts('nobody_offered');
      return {
        title: none.length ? none : factParts(scene.events[0]!, how),
        hint: joined(scene.before.players.map((_, seat) => lifted(scene, seat, how))),
      };
    }
    case 'defend':
      return { title: t.parts('scene.defend'), hint: facts('reinforced') };
    case 'fade':
      return { title: t.parts('scene.fade'), hint: t.parts('scene.fade_hint') };
    case 'recover':
      return { title: t.parts('scene.recover'), hint: facts('recovered') };
    case 'epic':
      return { title: facts('epic'), hint: t.parts('event.ended', { why: 'epic' }) };
    case 'score':
      return {
        title: facts('ended'),
        hint: joined(
          of(scene, 'scored')
            .filter((event) => event.rank === 1)
            .map((event) => factParts(event, how)),
        ),
      };
    case 'dominance':
      if (!scene.tie)
        return {
          title: t.parts('scene.dominance'),
          hint: joined(
            [...paid(scene, how), facts('consoled', 'whip_round', 'fell_short')].filter((line) => line.length),
          ),
        };
  }
  const more = facts('wasted', 'consoled', 'whip_round', 'fell_short');
  const done = of(scene, 'bought', 'unsold', 'looted', 'bought_stall', 'dominated')[0];
  const tie = scene.tie;
  if (!tie)
    return done
      ? { title: factParts(done, how), hint: more }
      : {
          title: facts('wasted').length ? factParts(of(scene, 'wasted')[0]!, how) : [],
          hint: joined(
            of(scene, 'wasted')
              .slice(1)
              .map((event) => factParts(event, how)),
          ),
        };
  const what: Value = scene.item ? itemPiece(t, scene.item) : traitPiece(t, scene.characteristic!);
  const atTie = t.parts('scene.tie', {
    players: namesOf(how, tie.seats),
    tokens: tie.tokens,
    about: scene.item ? 'item' : 'dominance',
  });
  if (tie.winner !== null && tie.after) {
    const rivals = tie.seats.filter((seat) => seat !== tie.winner && !tie.conceded.includes(seat));
    const monkeys = listed(
      t,
      rivals
        .map((seat) => tie.before[seat]!)
        .sort((a, b) => a - b)
        .map(String),
    );
    const title = t.parts('scene.won', {
      who: how.who(tie.winner),
      name: how.player(tie.winner),
      what,
      monkey: tie.before[tie.winner]!,
      monkeys,
      n: rivals.length,
    });
    return {
      title,
      hint: joined(
        [
          ...of(scene, 'conceded').map((event) => factParts(event, how)),
          tie.tokens ? atTie : [],
          t.parts('scene.swap'),
          more,
        ].filter((line) => line.length),
      ),
    };
  }
  if (done) return { title: factParts(done, how), hint: facts('conceded') };
  return tie.conceded.length
    ? { title: facts('conceded'), hint: atTie }
    : {
        title: facts('tied'),
        hint: t.parts('scene.waits', { control: how.view.options.monkey_control ? 'yes' : 'no' }),
      };
}

/** What one screen hid. */
export function lifted(scene: Scene, seat: number, how: Telling<View>): Part[] {
  const { t } = how;
  const offers = Object.entries(scene.reveal?.offers[seat] ?? {});
  const tokens = offers.reduce((sum, [, n]) => sum + n, 0);
  const booth = offers.length === 1 ? scene.booths.find((b) => b.item === offers[0]![0])?.booth : undefined;
  const at = !tokens ? 'none' : scene.reveal?.hidBid && booth ? 'booth' : 'items';
  return t.parts('scene.offer', {
    who: how.who(seat),
    name: how.player(seat),
    at,
    tokens,
    booth: booth ?? 0,
    n: offers.length,
  });
}

/** Tokens for dominances, by player. */
function paid(scene: Scene, how: Telling<View>): Part[][] {
  const counts = scene.after.players.map(
    (_, seat) => of(scene, 'dominated').filter((event) => event.seat === seat).length,
  );
  return counts.flatMap((n, seat) =>
    n ? [how.t.parts('scene.paid', { who: how.who(seat), name: how.player(seat), n })] : [],
  );
}

// ── Waiting, and the end ─────────────────────────────────────

export function awaited(view: View, how: Telling<View>): { title?: Part[]; hint?: string } | null {
  const { t } = how;
  const contest = view.contest;
  if (contest && contest.seat !== how.me) {
    const what = contest.item
      ? itemPiece(t, contest.item)
      : contest.characteristic
        ? traitPiece(t, contest.characteristic)
        : '';
    return {
      title: t.parts('wait.tie', {
        name: how.player(contest.seat),
        what,
        about: contest.item || contest.characteristic ? 'one' : 'many',
      }),
    };
  }
  return null;
}

export function reasons(result: Result, seat: number, { t, view }: Telling<View>): Part[][] {
  const all = result.reasons as unknown as Reason[];
  const mine = all[seat]!;
  const passions = (view.players[seat]?.passions ?? []).map((passion) => traitPiece(t, passion));
  const lines = [
    t.parts('reason.passions', { passions }),
    t.parts('reason.sum', {
      items: mine.items,
      matches: mine.matches,
      epics: mine.epics,
      tokens: mine.tokens,
      supply: mine.supply,
    }),
  ];
  // Ranked before somebody with as many points: say what decided.
  const rival = all.find(
    (other, n) => n !== seat && result.ranks[n]! > result.ranks[seat]! && other.points === mine.points,
  );
  if (rival)
    lines.push(
      rival.on_items < mine.on_items
        ? t.parts('reason.tie_tokens', { n: mine.on_items })
        : t.parts('reason.tie_monkey', { n: mine.monkey }),
    );
  return lines;
}
