/** Days as people write them. */
import { t } from '@/state/words.svelte';

export function day(seconds: number): string {
  return new Date(seconds * 1000).toLocaleDateString(t.lang, { day: 'numeric', month: 'short', year: 'numeric' });
}
