/** Ratings in words: never without how sure they are. */
import { t } from '@/state/words.svelte';
import type { SeatRating } from '@/wire';

export function rating({ points, margin, games }: { points: number; margin: number; games: number | null }): string {
  return games === 0 ? t('rating.new') : t('rating.of', { points, margin });
}

/** What a game has made of somebody: «1523 ± 390 (+23)». */
export function changed(one: SeatRating): string {
  if (one.change === null) return rating(one);
  const change = one.change > 0 ? `+${one.change}` : one.change < 0 ? `−${-one.change}` : '±0';
  return t(one.left ? 'rating.left' : 'rating.changed', { points: one.points, margin: one.margin, change });
}
