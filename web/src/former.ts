/** Who has had themselves deleted is «A former guest» to the server, and in the page's language here. */
import { t } from '@/state/words.svelte';
import type { TableInfo } from '@/wire';

const FORMER = 'A former guest';

export const named = (name: string) => name.replace(FORMER, t('former_guest'));

export function inWords(table: TableInfo): TableInfo {
  if (!table.chairs.some((chair) => chair.former)) return table;
  return { ...table, chairs: table.chairs.map((c) => (c.former ? { ...c, name: named(c.name) } : c)) };
}
