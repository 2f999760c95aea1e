/** What a lesson speaks of, on the page: `pile:2` by the selectors of the game's board, or a part that every table has. */
const OF_EVERY_TABLE: Record<string, string> = {
  confirm: '.action__buttons .btn--primary',
  button: '.action__buttons .btn:nth-child($)',
  action: '.action',
  tray: '.tray',
  seats: '.side .player',
};

export function partOf(name: string, parts: Record<string, string> = {}): HTMLElement | null {
  const [kind = '', which = ''] = name.replace(/\?$/, '').split(/:(.*)/s);
  const selector = (parts[kind] ?? OF_EVERY_TABLE[kind] ?? '').replaceAll('$', which.replace(/["\\]/g, '\\$&'));
  if (!selector) return null;
  const found = [...document.querySelectorAll<HTMLElement>(selector)];
  return found.find((one) => one.checkVisibility() && one.getBoundingClientRect().width > 0) ?? null;
}

const LONGEST = 44; // letters of a name

/** How a thing is called in a sentence: the beginning of its label, never cut within a word. */
export function called(label: string): string {
  const name = label.trim().split(/[.\n]/)[0]!;
  if (name.length <= LONGEST) return name;
  const short = name.slice(0, LONGEST + 1);
  return short.slice(0, Math.max(short.lastIndexOf(','), 0) || Math.max(short.lastIndexOf(' '), 0) || LONGEST);
}
