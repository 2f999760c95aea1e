/** What a card in sight means for this viewer, for its label and for a closer look. */
import { offersFor, sameSpot, type Spot } from './offers';
import type { Peek } from './peek.svelte';
import type { Props } from './play';
import { sentenceStart, shortText } from './sentences';

export function statusOf(p: Props, spot: Spot): string {
  const { t, view } = p;
  const picked = sameSpot(p.desk.spot, spot) ? t('card.picked') : '';
  if (offersFor(p.choices, spot).recruit) return t(view.edition === 'base' ? 'card.can_base' : 'card.can') + picked;
  const short = spot.card ? shortText(t, view, spot.card) : '';
  return (short ? t('card.short', { short }) : '') + picked;
}

export function lookAt(p: Props, spot: Spot): Peek | null {
  if (!spot.card) return null;
  const { t, view } = p;
  const good = offersFor(p.choices, spot).recruit !== undefined;
  const payable = view.you !== null && spot.card in view.you.lacks;
  const short = shortText(t, view, spot.card);
  const note = good
    ? t('card.now', { edition: view.edition })
    : short
      ? sentenceStart(short)
      : payable
        ? t('card.payable')
        : '';
  return { kind: 'card', edition: view.edition, id: spot.card, note, good };
}
