/** Hands a link on: by the system's share sheet where there is one, otherwise by the clipboard. */
import { notices } from '@/state/notices.svelte';
import { t } from '@/state/words.svelte';

/** Whether the system has a share sheet; a button that copies then stands beside the one that shares. */
export const hasShareSheet = () => typeof navigator.share === 'function';

export async function share(title: string, url: string): Promise<void> {
  if (navigator.share) {
    try {
      return await navigator.share({ title, url });
    } catch (problem) {
      if (problem instanceof DOMException && problem.name === 'AbortError') return; // closed without choosing
    }
  }
  await copy(url);
}

export async function copy(url: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(url);
    notices.show(t('copy.done'), 'done');
  } catch {
    notices.show(t('copy.failed_url', { url }), 'wrong', 15_000);
  }
}
