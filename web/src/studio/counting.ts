/** How large a deck is, in words: «90 cards, 8 places». */
import { t } from '@/state/studio_words.svelte';
import type { DeckRow } from '@/games/board';
import type { DeckForm } from '@/wire';

export function countOf(form: DeckForm): string {
  if (form.sheet) return form.title;
  const rows = form.content as DeckRow[];
  const kinds = form.kinds.length ? form.kinds : ['item'];
  return kinds
    .map((kind) =>
      t(`count.${kind}`, { n: form.kinds.length ? rows.filter((row) => row['kind'] === kind).length : rows.length }),
    )
    .join(', ');
}
