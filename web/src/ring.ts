/** A notice by the page itself: where it is open and connected, but nobody looks. Web push tells those who are not connected. */
import type { NoticesInfo } from '@/wire';
import { you } from '@/you';

/** Shows it if the person has allowed notices, has not muted them, and does not look; a table's next one takes its place. */
export async function ring(table: string, kind: NoticesInfo['muted'][number], title: string): Promise<void> {
  const allowed = 'Notification' in window && Notification.permission === 'granted';
  if (!allowed || document.visibilityState === 'visible') return;
  const { notices } = await you.look();
  if (notices.muted.includes(kind) || notices.muted_tables.includes(table)) return;
  const worker = await navigator.serviceWorker?.getRegistration();
  const told = { tag: table, renotify: true, icon: '/icon-192.png', data: { table } };
  await worker?.showNotification(title, told);
}
