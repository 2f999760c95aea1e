import { pageAt } from '@/state/pages';

/** Where a link that somebody has sent leads in this house, with or without its `https://`; null if it leads elsewhere. */
export function linkHere(link: string, origin: string): string | null {
  const { host, protocol } = new URL(origin);
  const text = link.trim();
  try {
    const url = new URL(text.startsWith(`${host}/`) ? `${protocol}//${text}` : text, origin);
    const parts = url.pathname.split('/').filter(Boolean).map(decodeURIComponent);
    return url.host === host && parts.length && pageAt(parts) !== 'lost' ? url.pathname + url.search + url.hash : null;
  } catch {
    return null; // no address at all
  }
}
