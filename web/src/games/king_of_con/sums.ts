/** What an offer amounts to, beside what everybody can see. */
import type { Props } from './play';
import { place } from './play';
import { traitNames } from './sentences';

/** At how many Booths tokens lie: two or more can only happen with the option that allows mistakes. */
export function boothsOffered({ view, desk }: Props): number {
  return Object.entries(desk.offers).filter(([id, n]) => n && place(view, id).booth).length;
}

/** "2 + 3 = 5, passes Luca's 4": an offer at a Booth. */
export function sumOf(p: Props, id: string): string {
  const { t, view, desk, me } = p;
  const n = desk.offers[id] ?? 0;
  const state = place(view, id);
  if (!state.booth) return t(n ? 'sum.wasted' : 'sum.none', { n });
  if (n && boothsOffered(p) > 1) return t('sum.two_booths');
  const { offers } = view.booths[state.booth - 1]!;
  const mine = offers[me!] ?? 0;
  const total = mine + n;
  const others = offers
    .map((tokens, seat) => ({ tokens, seat }))
    .filter((other) => other.seat !== me && other.tokens > 0);
  const best = Math.max(0, ...others.map((other) => other.tokens));
  const rival = others.find((other) => other.tokens === best);
  const against = !rival ? 'nobody' : total > best ? 'passes' : total === best ? 'ties' : 'below';
  return t('sum.booth', {
    mine,
    n,
    total,
    sum: mine && n ? 'yes' : 'no',
    against,
    name: rival ? (p.chairs[rival.seat]?.name ?? '') : '',
    best,
  });
}

/** What an offer in the looting would do. */
export function effectOf(p: Props, id: string): { text: string; short: boolean } {
  const { t, view } = p;
  const facts = view.you?.offers[id];
  const n = p.desk.offers[id] ?? view.you?.quadrant[id] ?? 0;
  if (!facts) return { text: t('sum.wasted', { n }), short: true };
  const value = place(view, id).value ?? 0;
  const passions = view.you?.matches[id] ?? [];
  const match =
    passions.length && facts.kind !== 'defend' ? ` ${t('offer.matches', { passions: traitNames(t, passions) })}` : '';
  if (!n) return { text: t('offer.zero'), short: false };
  if (facts.kind === 'defend') return { text: t('offer.raises', { from: value, to: value + n }), short: false };
  if (n < facts.least) return { text: t('offer.needs', { least: facts.least }), short: true };
  return { text: t(facts.kind === 'buy' ? 'offer.buys' : 'offer.passes', { n: n - value }) + match, short: false };
}
