/** The action line: what is awaited, and the buttons of that decision. */
import { telling } from '@/table/telling';
import type { ActionButton, ActionLine, Telling } from '../board';
import { arena } from './arena.svelte';
import { card, cardName, paragraphOf } from './components';
import * as play from './play';
import { cardPiece, player, strong, tellFrame } from './sentences';
import type { MatchView, Props, View } from './types';

export interface Said extends ActionLine {
  show?: 'steps' | 'speed';
  confirm?: () => void;
}

export const tellingOf = (p: Props): Telling<View> => telling(p.t, p.view, p.me, p.chairs) as Telling<View>;

const RULE: Record<string, string> = { level: '3.2', draft: '3.4', redraw: '3.5', exchange: '3.11', trim: '4.1' };

export function lineFor(p: Props): Said | null {
  if (p.over) return null;
  if (arena.ceremony && !arena.battle) return ceremony(p);
  if (arena.battle) {
    const match = play.questionFor(p);
    const asked = match && arena.atEnd && play.liveMatch(p.view, arena.battle) === match;
    return asked ? question(p, match) : watching(p);
  }
  const step = play.stepOf(p);
  if (step && step !== 'ready') return deckPhase(p, step);
  if (play.questionFor(p)) return question(p, play.questionFor(p)!);
  return waiting(p);
}

// ── The deck phase ───────────────────────────────────────────

function deckPhase(p: Props, step: string): Said {
  const { t, desk } = p;
  const rule = RULE[step];
  const base = { show: 'steps' as const, ...(rule ? { rule } : {}) };
  if (step === 'level') {
    const marked = desk.level;
    if (marked === null) return { ...base, title: t('line.level'), hint: t('line.level.hint') };
    const go = () => play.chooseLevel(p, marked);
    const cancel = () => (desk.level = null);
    return {
      ...base,
      title: t('line.level_sure', { level: marked }),
      hint: t('line.level.hint'),
      cancel,
      confirm: go,
      buttons: [
        { label: t('cancel'), icon: 'undo', press: cancel },
        { label: t('do.level', { level: marked }), tone: 'primary', icon: 'check', press: go },
      ],
    };
  }
  if (step === 'exchange') {
    const { card: id, left } = p.view.you!.exchange!;
    const go = () => play.exchange(p);
    const full = desk.swap.length === left;
    const decline = play.first(p, 'decline');
    return {
      ...base,
      title: t.parts('line.exchange', { card: cardPiece(t, id), n: left }),
      hint: t('line.exchange.hint'),
      ...(desk.swap.length ? { cancel: () => (desk.swap = []) } : {}),
      buttons: [
        ...(decline ? [{ label: t('do.decline'), press: () => play.answer(p, decline) }] : []),
        {
          label: t('do.exchange', {
            n: left,
            card: desk.swap[0] ? cardName(t, desk.swap[0]) : '',
            named: left === 1 && desk.swap.length ? 'yes' : 'no',
          }),
          tone: 'primary',
          icon: 'check',
          blocked: full ? null : t('exchange.more', { n: left - desk.swap.length }),
          press: go,
        },
      ],
      ...(full ? { confirm: go } : {}),
    };
  }
  if (step === 'trim') return trim(p, base);
  const picks = play.maxPicks(p);
  const more = picks - desk.keep.length;
  const again = play.mayRedraw(p);
  const cancel = () => desk.clearDraft();
  const buttons: ActionButton[] = [];
  if (desk.out.length)
    buttons.push({ label: t('do.redraw', { n: desk.out.length }), icon: 'swap', press: () => play.redraw(p) });
  const go = () => {
    if (!desk.keep.length && !desk.asked) desk.asked = true;
    else play.keep(p);
  };
  buttons.push({
    label: desk.asked && !desk.keep.length ? t('do.keep_none_sure') : t('do.keep', { n: desk.keep.length, of: picks }),
    tone: desk.keep.length === picks ? 'primary' : 'plain',
    icon: 'check',
    press: go,
    blocked: desk.out.length && again ? t('line.redraw_first') : null,
  });
  return {
    ...base,
    ...(desk.keep.length || desk.out.length || desk.asked ? { cancel } : {}),
    buttons,
    ...(desk.out.length ? { confirm: () => play.redraw(p) } : { confirm: go }),
    title:
      desk.asked && !desk.keep.length ? t('line.keep_none') : t('line.draft', { more, out: desk.out.length, picks }),
    hint: t('line.draft.hint', { level: p.view.teams[p.me!]!.level ?? '', n: picks, redraw: play.redrawing(p) }),
  };
}

function trim(p: Props, base: { show: 'steps'; rule?: string }): Said {
  const { t, desk } = p;
  const next = p.view.you!.next;
  const go = () => play.ready(p);
  return {
    ...base,
    ...(desk.leaving ? { cancel: () => (desk.gone = {}) } : {}),
    confirm: go,
    title: t('line.trim', { n: desk.leaving }),
    hint: t('line.trim.hint'),
    buttons: [
      ...(desk.leaving ? [{ label: t('do.remove_none'), icon: 'undo', press: () => (desk.gone = {}) }] : []),
      {
        label: next ? t('do.ready_for', { name: play.teamName(p, next.rival) }) : t('do.ready'),
        tone: 'primary',
        icon: 'check',
        press: go,
      },
    ],
  };
}

// ── A card asks ──────────────────────────────────────────────

function question(p: Props, match: MatchView): Said {
  const { t, desk } = p;
  const asks = match.asks!;
  const it = card(asks.card);
  const sum = match.flag === null ? '' : t('ask.sum', { attack: match.attack, flag: match.flag });
  const enough = play.first(p, 'enough');
  const stop: ActionButton[] = enough
    ? [{ label: t(it.amount > asks.left ? 'do.enough' : 'do.pass'), press: () => play.answer(p, enough) }]
    : [];
  const half = desk.pick !== null || desk.order.length > 0;
  const base = { rule: paragraphOf(it.id), ...(half ? { cancel: () => desk.clearAnswer() } : {}) };
  if (asks.effect === 'reorder') {
    const go = () => play.putBack(p);
    return {
      ...base,
      title: t('ask.reorder', { n: asks.left }),
      hint: [t('ask.waits'), sum].join(' '),
      confirm: go,
      buttons: [{ label: t('do.put_back'), tone: 'primary', icon: 'check', press: go }],
    };
  }
  const chosen = play.marked(p);
  const go = () => play.answer(p, chosen);
  const named = chosen && 'card' in chosen ? { n: 1, card: cardName(t, chosen.card) } : { n: 0, card: '' };
  return {
    ...base,
    title: t(`ask.${asks.effect}`, { n: asks.left, must: asks.must ? 'yes' : 'no' }),
    hint: [t('ask.waits'), sum].join(' '),
    ...(chosen ? { confirm: go } : {}),
    buttons: [
      ...stop,
      {
        label: t(`do.${asks.effect}`, named),
        tone: 'primary',
        icon: 'check',
        blocked: chosen ? null : t('ask.choose'),
        press: go,
      },
    ],
  };
}

// ── Watching ─────────────────────────────────────────────────

const LOUD = new Set(['begin', 'capture', 'ask', 'won']);

function watching(p: Props): Said {
  const { t } = p;
  const battle = arena.battle!;
  const how = tellingOf(p);
  // At double speed only what matters is said.
  let at = arena.at;
  if (arena.speed === 2) while (at > 0 && !LOUD.has(battle.frames[at]!.kind)) at--;
  const frame = battle.frames[at]!;
  const match = play.liveMatch(p.view, battle);
  const open = arena.atEnd && match?.asks;
  const done = arena.atEnd && battle.over;
  const title = open
    ? t.parts('say.asks', { who: how.who(open.team), name: player(how, open.team), card: cardPiece(t, open.card) })
    : tellFrame(frame, how);
  const trophy = frame.kind === 'won' && frame.events.find((event) => event.kind === 'trophy_won');
  const hint = done
    ? trophy
      ? t.parts('say.trophy', {
          who: how.who(trophy.team),
          name: player(how, trophy.team),
          round: trophy.round!,
          n: trophy.fans ?? 0,
          known: trophy.fans === null ? 'no' : 'yes',
        })
      : battle.final
        ? t('say.final_won')
        : ''
    : t('say.where', {
        park: battle.final ? t('final') : t(`park.${battle.park}`),
        one: play.teamName(p, battle.teams[0]),
        two: play.teamName(p, battle.teams[1]),
      });
  const leave = () => arena.leave();
  const again = () => arena.watch(battle.key, 'start');
  const on = p.view.over
    ? t('do.ceremony')
    : battle.round === p.view.round && p.view.phase === 'match'
      ? t('do.tournament')
      : t('do.continue');
  const buttons: ActionButton[] = done
    ? [
        { label: t('do.replay'), icon: 'again', press: again },
        { label: on, tone: 'primary', icon: 'next', press: leave },
      ]
    : battle !== play.ownBattle(p) || open
      ? [{ label: t('do.tournament'), icon: 'cup', press: leave }]
      : [];
  return { show: 'speed', title, hint, buttons, cancel: leave, ...(done ? { confirm: leave } : {}) };
}

function waiting(p: Props): Said | null {
  const { t } = p;
  const busy = p.waiting.map((seat) => play.teamName(p, seat));
  if (!busy.length) return null;
  const names = strong(
    busy.length > 3 ? t('line.others', { n: busy.length }) : new Intl.ListFormat(t.lang).format(busy),
  );
  if (p.sealed) {
    const again: ActionButton = { label: t('do.level_again'), icon: 'undo', press: () => void p.openAgain() };
    return {
      title: t.parts('line.wait.level', { names, n: busy.length }),
      hint: t('line.wait.level.hint', { level: p.view.you?.wanted ?? '' }),
      buttons: [again],
    };
  }
  const key =
    p.view.phase === 'deck'
      ? 'line.wait.deck'
      : p.view.phase === 'final_trim'
        ? 'line.wait.final_trim'
        : 'line.wait.match';
  const live =
    p.view.phase === 'match' || p.view.phase === 'final'
      ? arena.battles.find((battle) => play.liveMatch(p.view, battle))
      : undefined;
  return {
    title: t.parts(key, { names, n: busy.length }),
    hint: p.me === null ? t('watching') : t('line.wait.hint'),
    ...(live
      ? {
          buttons: [
            {
              label: t('do.watch', { one: play.teamName(p, live.teams[0]), two: play.teamName(p, live.teams[1]) }),
              icon: 'eye',
              tone: 'primary' as const,
              press: () => arena.watch(live.key),
            },
          ],
        }
      : {}),
  };
}

function ceremony(p: Props): Said {
  const { t } = p;
  const champion = p.view.champion ?? 0;
  const close = () => (arena.ceremony = false);
  return {
    title: t.parts('ceremony.title', { who: tellingOf(p).who(champion), name: player(tellingOf(p), champion) }),
    hint: t(`ceremony.${p.view.over ?? 'final'}`),
    buttons: [{ label: t('do.results'), icon: 'cup', tone: 'primary', press: close }],
    confirm: close,
  };
}
