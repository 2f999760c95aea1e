/** What the action line says. */
import type { ActionButton, ActionLine } from '../board';
import { drop, mayMove, picked, send, walkOf } from './offers';
import { gainPieces, place } from './sentences';
import type { Props } from './types';

export interface Said extends ActionLine {
  confirm?: () => void;
}

export function lineFor(p: Props): Said | null {
  const { t, view, desk } = p;
  if (p.me === null || p.over) return null;
  if (!p.choices.length) {
    if (!view.players[p.me]!.moved || view.phase === 'order') return {};
    const names = new Intl.ListFormat(t.lang, { type: 'conjunction' }).format(
      p.waiting.map((seat) => p.chairs[seat]!.name),
    );
    if (!p.waiting.length) return {};
    const again: ActionButton[] = p.sealed
      ? [{ label: t('do.open_again'), icon: 'undo', press: () => void p.openAgain() }]
      : [];
    const hint = t(view.phase === 'start' ? 'done.start' : 'done.hint');
    return { title: t('done.title', { names }), hint, buttons: again };
  }
  const cancel = () => drop(p);
  const half = desk.pick !== null || desk.order !== null || !!desk.using;
  const dropping: Pick<Said, 'cancel'> = half ? { cancel } : {};
  const cancelling: ActionButton[] =
    desk.pick !== null || desk.using ? [{ label: t('cancel'), icon: 'undo', press: cancel }] : [];
  const confirm = () => void send(p);
  const go = (label: string): Pick<Said, 'buttons' | 'confirm' | 'cancel'> => ({
    ...dropping,
    confirm,
    buttons: [...cancelling, { label, icon: 'check', tone: 'primary', press: confirm }],
  });
  const still = { ...dropping, buttons: cancelling };

  if (view.phase === 'order') {
    const chosen = p.choices.filter((choice) => choice.kind === 'order').find((one) => one.action === desk.order);
    const said = { title: t('order.title'), hint: t('order.hint'), rule: '1.3' };
    return chosen ? { ...said, ...go(t('order.go', { dice: chosen.dice.join(', ') })) } : { ...said, ...still };
  }
  const choice = picked(p);
  const walk = walkOf(choice);
  if (view.phase === 'start') {
    const said = {
      title: choice ? t('start.picked', { square: place(t, choice.to) }) : t('start.title'),
      hint: t('start.hint'),
      rule: '1.2',
    };
    return choice ? { ...said, ...go(t('start.go')) } : { ...said, ...still };
  }
  const n = view.dice[0];
  if (desk.using) {
    const hint = t(`use.${desk.using}.hint`);
    const rule = desk.using === 'wrap' ? '5.3' : '5.4';
    if (!walk) return { title: t(`use.${desk.using}`, { n, less: n - 1, more: n + 1 }), hint, rule, ...still };
    return {
      title: t('walk.picked', { n: walk.steps, square: place(t, walk.to) }),
      hint: gainPieces(t, walk),
      rule,
      ...go(t('use.go', { ability: desk.using, n: walk.points })),
    };
  }
  if (view.you?.stuck) {
    if (!mayMove(p)) return null;
    const stay = p.choices.some((one) => one.kind === 'stay');
    const able = p.choices.some((one) => walkOf(one)?.ability) ? 1 : 0;
    if (stay) return { title: t('stay.title'), hint: t('stay.hint', { able }), rule: '3.9', ...go(t('stay.go')) };
    const said = { title: t('stuck.title'), hint: t('stuck.hint', { n, able }), rule: '3.7' };
    return choice
      ? { ...said, title: t('stuck.picked', { square: place(t, choice.to) }), ...go(t('stuck.go')) }
      : { ...said, ...still };
  }
  if (!walk)
    return {
      title: t('walk.title', { n }),
      hint: t('walk.hint'),
      rule: '3.1',
      ...still,
    };
  return {
    title: t('walk.picked', { n, square: place(t, walk.to) }),
    hint: gainPieces(t, walk),
    ...go(t('walk.go', { n: walk.points })),
  };
}
