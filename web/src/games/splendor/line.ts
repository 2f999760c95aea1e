/** The action line: what is awaited, what the half-made choice would do, and the buttons that do it. */
import type { ActionButton, ActionLine, Part, Value } from '../board';
import { JOKER } from './components';
import { editionOf, exactGems, nextGems, offersFor, roomForGems } from './offers';
import * as play from './play';
import type { Props } from './play';
import { cardName, counts, gemPiece, gemPieces, sentenceStart, shortText } from './sentences';

export type Lead = 'gems' | 'card' | 'return' | null;
export interface Said extends ActionLine {
  show: Lead;
  /** What Enter and B do: the last button, unless it is blocked. */
  confirm?: (() => void) | undefined;
}

const joined = (...lines: Part[][]): Part[] => lines.flatMap((line, n) => (n && line.length ? [' ', ...line] : line));
const strong = (text: string): Value => ({ as: 'strong', text });

export function lineFor(p: Props): Said | null {
  if (p.over || p.me === null) return null;
  if (!play.myTurn(p)) return p.desk.spot ? planning(p) : null;
  switch (p.view.phase) {
    case 'pay':
      return naming(p);
    case 'return':
      return returning(p);
    case 'place':
      return choosingPlace(p);
    default:
      if (p.desk.gems.length) return taking(p);
      if (p.desk.spot?.at === 'deck') return blind(p);
      return p.desk.spot ? withCard(p) : beginning(p);
  }
}

function said(show: Lead, line: Omit<ActionLine, 'lead'>): Said {
  const last = line.buttons?.at(-1);
  return { ...line, show, confirm: last && !last.blocked ? last.press : undefined };
}
const cancel = (p: Props): ActionButton => ({ label: p.t('cancel'), icon: 'undo', press: () => p.desk.clear() });

function cardPart(p: Props): { name: string; value: Value } {
  const edition = editionOf(p.view);
  const name = sentenceStart(
    cardName(p.t, edition, edition.cards.get(p.view.you?.paying?.card ?? p.desk.spot!.card!)!),
  );
  return { name, value: strong(name) };
}

/** Nothing chosen yet. */
function beginning(p: Props): Said {
  const { t, choices } = p;
  const pass = choices.find((choice) => choice.kind === 'pass');
  if (pass) {
    return said(null, {
      title: t('turn.pass'),
      buttons: [{ label: t('do.pass'), tone: 'primary', press: () => void play.send(p, pass) }],
      rule: '2.1',
    });
  }
  const n = choices.filter((choice) => choice.kind === 'recruit' || choice.kind === 'recruit_hand').length;
  return said(null, {
    title: t('turn.what'),
    hint: t(nextGems(choices, []).size ? 'turn.hint' : 'turn.no_gems', { n }),
    rule: '2.1',
  });
}

function taking(p: Props): Said {
  const { t, choices, desk, view } = p;
  const { tokens } = editionOf(view);
  const exact = exactGems(choices, desk.gems);
  const next = [...nextGems(choices, desk.gems)].sort();
  const room = roomForGems(choices, desk.gems);
  const more = room - desk.gems.length;
  const will = view.players[p.me!]!.tokens.reduce((a, b) => a + b, 0) + (exact ? desk.gems.length : room);
  const over = will - view.token_limit;
  const room_for =
    over > 0
      ? t.parts('gems.over', { n: will, back: over })
      : exact && !next.length
        ? t.parts('gems.fine', { n: will, of: view.token_limit })
        : [];
  const amounts = tokens.map((_, kind) => desk.gems.filter((gem) => gem === kind).length);
  return said('gems', {
    title: more ? t('gems.more', { n: more }) : t.parts('gems.ready', { gems: gemPieces(t, editionOf(view), amounts) }),
    hint: joined(
      next.length ? t.parts('gems.next', { gems: next.map((kind) => gemPiece(t, tokens[kind]!)) }) : [],
      room_for,
    ),
    buttons: [
      cancel(p),
      {
        label: t('do.take', { n: exact ? desk.gems.length : room }),
        tone: 'primary',
        blocked: exact ? null : t('gems.more', { n: more }),
        press: () => void play.takeGems(p),
      },
    ],
    rule: desk.gems.length === 2 && desk.gems[0] === desk.gems[1] ? '2.4' : '2.2',
    cancel: () => desk.clear(),
  });
}

function withCard(p: Props): Said {
  const { t, desk, view, choices } = p;
  const spot = desk.spot!;
  const offers = offersFor(choices, spot);
  const card = cardPart(p);
  const edition = view.edition;
  const reserve: ActionButton[] = offers.reserve
    ? [
        {
          label: t('do.reserve'),
          press: () => play.reserve(p),
          ...(offers.recruit ? {} : { tone: 'primary' as const }),
        },
      ]
    : [];
  const done = { cancel: () => desk.clear() };
  if (offers.recruit) {
    return said('card', {
      title: t.parts('card.ready', { edition, card: card.value }),
      hint: payingHint(p),
      buttons: [
        cancel(p),
        ...reserve,
        { label: t('do.recruit', { edition }), icon: 'check', tone: 'primary', press: () => play.recruit(p) },
      ],
      rule: desk.swaps.some(Boolean) ? '5.4' : '5.1',
      ...done,
    });
  }
  return said('card', {
    title: t.parts('card.cannot', { card: card.value, short: shortText(t, view, spot.card!) }),
    hint: offers.reserve
      ? joined(t.parts('card.reserve_only'), t.parts('card.take_joker', { edition, n: view.bank[JOKER]! }))
      : spot.at === 'market'
        ? t('why.hand_full')
        : '',
    buttons: [cancel(p), ...reserve],
    rule: offers.reserve ? '4.1' : '5.1',
    ...done,
  });
}

/** What leaves the tray. The tokens are drawn beside the words, so where a joker can be chosen only that is said aloud on the page. */
function payingHint(p: Props): Part[] {
  const { t } = p;
  const tokens = play.toPay(p, play.payment(p)!);
  if (!tokens.some(Boolean)) return t.parts('card.pay_free');
  const edition = editionOf(p.view);
  const may = tokens.some((_, kind) => kind < JOKER && play.maySwap(p, kind));
  if (!may) return t.parts('card.pay', { tokens: gemPieces(t, edition, tokens) });
  return joined(
    [{ as: 'quiet', text: t('card.pay', { tokens: counts(t, edition, tokens) }) }],
    t.parts('card.swap_hint', { edition: edition.name }),
  );
}

/** Jokers are being named for a card: after a reload, what is already named stays. */
function naming(p: Props): Said {
  const { t, desk, view } = p;
  const card = cardPart(p);
  const paying = view.you!.paying!;
  const ready = paying.swapped.some(Boolean) || desk.swaps.some(Boolean);
  const undo: ActionButton[] = desk.swaps.some(Boolean)
    ? [{ label: t('do.put_back'), icon: 'undo', press: () => play.unswap(p) }]
    : [];
  return said('card', {
    title: ready
      ? t.parts('card.ready', { edition: view.edition, card: card.value })
      : t.parts('pay.now', { edition: view.edition, card: card.value }),
    hint: payingHint(p),
    buttons: [
      ...undo,
      {
        label: t('do.recruit', { edition: view.edition }),
        icon: 'check',
        tone: 'primary',
        blocked: ready ? null : t('pay.need_one', { edition: view.edition }),
        press: () => play.recruit(p),
      },
    ],
    rule: '5.4',
    ...(desk.swaps.some(Boolean) ? { cancel: () => desk.clear() } : {}),
  });
}

function blind(p: Props): Said {
  const { t, desk, view } = p;
  return said('card', {
    title: t('deck.ready', { level: desk.spot!.at === 'deck' ? desk.spot!.level : 0 }),
    hint: t('card.take_joker', { edition: view.edition, n: view.bank[JOKER]! }),
    buttons: [cancel(p), { label: t('do.reserve_top'), tone: 'primary', press: () => play.reserve(p) }],
    rule: '4.2',
    cancel: () => desk.clear(),
  });
}

function returning(p: Props): Said {
  const { t, desk, view } = p;
  const chosen = desk.back.reduce((a, b) => a + b, 0);
  const left = view.you!.excess - chosen;
  return said('return', {
    title:
      left > 0 || !chosen
        ? t('return.more', { n: left })
        : t.parts('return.ready', { gems: gemPieces(t, editionOf(view), desk.back) }),
    hint: t('return.hint'),
    buttons: [
      ...(chosen ? [cancel(p)] : []),
      {
        label: t('do.give', { n: view.you!.excess }),
        tone: 'primary',
        blocked: left > 0 ? t('return.more', { n: left }) : null,
        press: () => play.giveBack(p),
      },
    ],
    rule: '3.2',
    cancel: () => desk.clear(),
  });
}

function choosingPlace(p: Props): Said {
  const { t, desk, view } = p;
  if (desk.tile === null)
    return said(null, { title: t('place.choose', { edition: view.edition }), hint: t('place.hint'), rule: '6.4' });
  const place = editionOf(view).places.get(view.tiles[desk.tile - 1]!.id)!.name;
  return said(null, {
    title: t.parts('place.ready', { place: strong(place) }),
    hint: t('place.hint'),
    buttons: [
      cancel(p),
      {
        label: t('do.place', { place }),
        tone: 'primary',
        press: () => void play.send(p, play.placeChoice(p, desk.tile!)),
      },
    ],
    rule: '6.4',
    cancel: () => desk.clear(),
  });
}

/** Between turns: the table says whose turn it is, the hint tells about the selected card. */
function planning(p: Props): Said {
  const { t, view, desk } = p;
  const card = cardPart(p);
  const short = shortText(t, view, desk.spot!.card!);
  return said(null, {
    hint: short ? t.parts('card.cannot', { card: card.value, short }) : t.parts('card.later', { card: card.value }),
    buttons: [cancel(p)],
    cancel: () => desk.clear(),
  });
}
