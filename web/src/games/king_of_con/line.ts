/** The action line: what is awaited, what the half-made offers would do, and the buttons that do it. */
import type { ActionButton, ActionLine, Part, Telling } from '../board';
import * as play from './play';
import type { Props } from './play';
import { itemName, itemPiece, listed, nameOf, tellScene, traitName, traitPiece } from './sentences';
import { stage } from './stage.svelte';
import type { View } from './types';

export type Lead = 'bid' | 'loot' | 'seals' | 'step' | null;
export interface Said extends ActionLine {
  show: Lead;
  /** What Enter and B do: the last button, unless it is blocked. */
  confirm?: (() => void) | undefined;
}

export function tellingOf(p: Props): Telling<View> {
  return {
    t: p.t,
    view: p.view,
    me: p.me,
    chairs: p.chairs,
    player: (seat) =>
      seat === p.me
        ? { as: 'player', text: p.t('you'), seat }
        : { as: 'player', text: p.chairs[seat]?.name ?? '', seat },
    who: (seat) => (seat === p.me ? 'you' : 'other'),
  };
}

function said(show: Lead, line: Omit<ActionLine, 'lead'>): Said {
  const last = line.buttons?.at(-1);
  return { ...line, show, confirm: last && !last.blocked ? last.press : undefined };
}

export function lineFor(p: Props): Said | null {
  if (stage.scene) return story(p);
  if (p.over || p.me === null) return null;
  if (!play.myTurn(p)) return p.waiting.length && p.view.players[p.me]?.sealed ? sealed(p) : null;
  switch (p.view.phase) {
    case 'passions':
      return passions(p);
    case 'hid_bid':
      return bidding(p);
    case 'looting':
      return looting(p);
    default:
      return tie(p);
  }
}

// ── The reveal ───────────────────────────────────────────────

function story(p: Props): Said {
  const { t } = p;
  const { title, hint } = tellScene(stage.scene!, tellingOf(p));
  const still = stage.paused || !p.prefs.motion;
  const buttons: ActionButton[] = [];
  if (stage.at > 0) buttons.push({ label: t('do.back'), icon: 'back', press: () => stage.back() });
  if (!stage.last && !still) buttons.push({ label: t('do.pause'), icon: 'wait', press: () => (stage.paused = true) });
  if (!stage.last) buttons.push({ label: t('do.skip'), press: () => stage.end() });
  buttons.push({ label: t(stage.last ? 'do.go_on' : 'do.next'), tone: 'primary', press: () => stage.next() });
  return said('step', { title, hint, buttons, cancel: () => stage.end() });
}

// ── Choosing ─────────────────────────────────────────────────

/** For those who do not watch the reveal move: what it brought, after what is asked now. */
const withRecap = (p: Props, hint: Part[] | string): Part[] | string =>
  p.desk.recap.length ? [...(typeof hint === 'string' ? [hint] : hint), ' · ', ...p.desk.recap] : hint;

/** What Escape does while something is chosen. */
const dropping = ({ desk }: Props): Pick<Said, 'cancel'> => (desk.half ? { cancel: () => desk.clear() } : {});

function sealedSoFar(p: Props): string {
  const names = p.view.players.flatMap((player, seat) =>
    player.sealed && seat !== p.me ? [p.chairs[seat]?.name ?? ''] : [],
  );
  return names.length ? p.t('sealed.so_far', { names: listed(p.t, names) }) : '';
}

function passions(p: Props): Said {
  const { t, desk } = p;
  const chosen = desk.passion;
  return said('seals', {
    title: chosen ? t.parts('passions.back', { passion: traitPiece(t, chosen) }) : t('passions.choose'),
    hint: sealedSoFar(p) || t('passions.hint'),
    buttons: [
      {
        label: chosen ? t('action.put_back', { passion: traitName(t, chosen) }) : t('do.put_back'),
        tone: 'primary',
        blocked: chosen ? null : t('passions.choose'),
        press: () => void play.putBack(p),
      },
    ],
    rule: '1.3',
    ...dropping(p),
  });
}

function bidding(p: Props): Said {
  const { t, desk } = p;
  const total = desk.total;
  return said('bid', {
    title: t(desk.active ? 'bid.how_many' : 'bid.choose'),
    hint: withRecap(p, sealedSoFar(p) || t(p.view.options.bluffing_by_mistake ? 'bid.hint_mistakes' : 'bid.hint')),
    buttons: [
      ...(desk.active ? [{ label: t('cancel'), icon: 'undo', press: () => desk.clear() }] : []),
      {
        label: t(total ? 'do.seal' : 'do.seal_pass', { n: total }),
        icon: 'lock',
        tone: 'primary',
        press: () => play.seal(p),
      },
    ],
    rule: '5.2',
    ...dropping(p),
  });
}

function looting(p: Props): Said {
  const { t, desk } = p;
  const n = Object.values(play.offersOf(p)).filter(Boolean).length;
  return said('loot', {
    title: t(desk.sending ? 'loot.sending' : 'loot.choose'),
    hint: withRecap(p, sealedSoFar(p) || t('loot.hint')),
    buttons: [
      ...(Object.keys(desk.offers).length && !desk.sending
        ? [{ label: t('do.clear'), icon: 'undo', press: () => desk.clear() }]
        : []),
      {
        label: t(n ? 'do.seal_offers' : 'do.seal_none', { n }),
        icon: 'lock',
        tone: 'primary',
        press: () => play.seal(p),
      },
    ],
    rule: '6.1',
    ...dropping(p),
  });
}

function sealed(p: Props): Said {
  const { t } = p;
  const names = p.waiting.map((seat) => nameOf(tellingOf(p), seat));
  const buttons: ActionButton[] = p.sealed
    ? [{ label: t('do.open_again', { phase: p.view.phase }), icon: 'undo', press: () => void play.openAgain(p) }]
    : [];
  const line = said('seals', {
    title: t('wait.sealed', { names: listed(t, names) }),
    hint: withRecap(p, p.view.you?.supply === 0 ? t('wait.no_tokens') : p.sealed ? t('wait.sealed_hint') : ''),
    buttons,
  });
  return { ...line, confirm: undefined }; // Enter seals: it should not open again by being pressed twice
}

// ── Ties ─────────────────────────────────────────────────────

function tie(p: Props): Said {
  const { t } = p;
  const what = play.contested(p);
  const concede = play.mayConcede(p);
  const rule = concede ? '3.5' : '6.9';
  if (!what || (!what.item && !what.characteristic)) {
    return said(null, {
      title: t('tie.pick'),
      hint: withRecap(p, t(concede ? 'tie.hint_concede' : 'tie.hint')),
      rule,
      buttons: [{ label: t('do.take'), tone: 'primary', blocked: t('tie.pick'), press: () => undefined }],
    });
  }
  const name = what.item ? itemName(t, what.item) : traitName(t, what.characteristic!);
  const piece = what.item ? itemPiece(t, what.item) : traitPiece(t, what.characteristic!);
  const about = what.item ? 'item' : 'dominance';
  const buttons: ActionButton[] = [];
  if (concede) buttons.push({ label: t('do.concede', { name }), press: () => play.concedeTie(p) });
  buttons.push({ label: t('do.take_what', { name, about }), tone: 'primary', press: () => play.takeTie(p) });
  return said(null, {
    title: t.parts('tie.decide', { what: piece, about }),
    hint: withRecap(p, t(concede ? 'tie.hint_concede' : 'tie.hint')),
    buttons,
    rule,
  });
}
