/**
 * The boxes that the page itself has pictures of: each game's own `cover.svg` (240 × 300), put into the page once and drawn
 * with `<use>`. A cover's `<title>` is the game's, and its view `thumb` is the part that a thumbnail shows.
 */
const found = import.meta.glob<string>('@games/*/cover.svg', { query: '?raw', import: 'default', eager: true });

interface Box {
  title: string;
  crop: string;
  symbol: string;
}

function box(key: string, picture: string): Box {
  const inside = picture.replace(/^[^]*?<svg[^>]*>|<\/svg>\s*$/g, '');
  return {
    title: /<title>([^<]*)<\/title>/.exec(picture)?.[1] ?? key,
    crop: /<view id="thumb" viewBox="([^"]*)"/.exec(picture)?.[1] ?? '0 0 240 300',
    symbol: `<symbol id="cover-${key}" viewBox="0 0 240 300">${inside.replace(/<(title|view)\b.*/g, '')}</symbol>`,
  };
}

export const BOXES: Record<string, Box> = Object.fromEntries(
  Object.entries(found).map(([path, picture]) => {
    const key = /([^/]+)\/cover\.svg/.exec(path)![1]!;
    return [key, box(key, picture)];
  }),
);

export const sprite =
  '<svg class="sprite" width="0" height="0" aria-hidden="true" focusable="false">' +
  `${Object.values(BOXES)
    .map(({ symbol }) => symbol)
    .join('')}</svg>`;
