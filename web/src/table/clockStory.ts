/** What has happened to clocks besides turns, as sentences for the log and for notices. */
import { t } from '@/state/words.svelte';
import type { ChairInfo, ClockEvent } from '@/wire';
import { amount } from './clocks.svelte';

export function told(one: ClockEvent, chairs: ChairInfo[]): string {
  const name = chairs[one.seat]?.name ?? '';
  const by = one.by === null ? '' : (chairs[one.by]?.name ?? '');
  return t(`clock.story.${one.what}`, { name, by, amount: amount(one.amount) });
}
