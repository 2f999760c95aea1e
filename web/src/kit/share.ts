/** Hands a link on: by the system's share sheet where there is one, otherwise by the clipboard. */
import { notices } from '@/state/notices.svelte';
import { t } from '@/state/words.svelte';

export async function share(title: string, url: string): Promise<void> {
  if (navigator.share) {
    try {
      return await navigator.share({ title, url });
    } catch (problem) {
      if (problem instanceof DOMException && problem.name === 'AbortError') return; // closed without choosing
    }
  }
  try {
    await navigator.clipboard.writeText(url);
    notices.show(t('copy.done'), 'done');
  } catch {
    notices.show(t('copy.failed_url', { url }), 'wrong', 15_000);
  }
}
