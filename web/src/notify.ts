/** Being told while the page is not open (web push), or open and not looked at. */
import { prefs } from '@/state/prefs.svelte';
import type { NoticesInfo } from '@/wire';
import { toBase64, you } from '@/you';

export const canBeTold = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** Whether this browser is told already. */
export async function browserTold(): Promise<boolean> {
  if (!canBeTold() || Notification.permission !== 'granted') return false;
  const worker = await navigator.serviceWorker.getRegistration();
  return !!(await worker?.pushManager.getSubscription());
}

/** After a press: asks for permission and subscribes; null if the person would rather not. */
export async function tell(key: string): Promise<NoticesInfo | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const worker = await navigator.serviceWorker.ready;
  const wish = { userVisibleOnly: true, applicationServerKey: key };
  const made = await worker.pushManager.subscribe(wish);
  const part = (name: PushEncryptionKeyName) => toBase64(made.getKey(name)!);
  return you.subscribe({
    endpoint: made.endpoint,
    p256dh: part('p256dh'),
    auth: part('auth'),
    language: prefs.lang,
  });
}

/** This browser is not told any more. */
export async function tellNot(): Promise<NoticesInfo> {
  const worker = await navigator.serviceWorker.ready;
  const made = await worker.pushManager.getSubscription();
  const { endpoint = '' } = made ?? {};
  await made?.unsubscribe();
  return you.unsubscribe(endpoint);
}
