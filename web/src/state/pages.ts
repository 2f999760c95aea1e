/** Addresses: the server’s `pages.json` lists them, and it answers each with the same page. */
import pages from '@server/pages.json';

export type PageName = keyof typeof pages | 'lost';

/** Which page is at an address: in the list, `*` stands for one part of it. */
export function pageAt(parts: string[]): PageName {
  const fits = (address: string) => {
    const wanted = address.split('/').filter(Boolean);
    return wanted.length === parts.length && wanted.every((part, n) => part === '*' || part === parts[n]);
  };
  const found = Object.entries(pages).find(([, addresses]) => addresses.some(fits));
  return (found?.[0] as PageName | undefined) ?? 'lost';
}
