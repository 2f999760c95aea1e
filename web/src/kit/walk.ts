/** Arrows walk over a board: from the thing that has the focus to the nearest one in that direction. */
type Direction = [number, number];

const ARROWS: Record<string, Direction> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The nearest thing in that direction; what lies straight ahead counts as nearer. */
export function neighbour(from: DOMRect, [dx, dy]: Direction, others: { box: DOMRect }[]): number {
  const middle = (box: DOMRect) => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 });
  const here = middle(from);
  let best = -1;
  let least = Infinity;
  others.forEach(({ box }, n) => {
    const there = middle(box);
    const ahead = (there.x - here.x) * dx + (there.y - here.y) * dy;
    const aside = Math.abs((there.x - here.x) * dy) + Math.abs((there.y - here.y) * dx);
    if (ahead < 4) return;
    const far = ahead + aside * 2.5;
    if (far < least) [best, least] = [n, far];
  });
  return best;
}

function step(board: string, direction: Direction): boolean {
  const things = `${board} [data-nav]`;
  const here = document.activeElement?.closest<HTMLElement>(things);
  if (!here) return false;
  const all = [...document.querySelectorAll<HTMLElement>(things)]
    .map((element) => ({ element, box: element.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0);
  const next = neighbour(here.getBoundingClientRect(), direction, all);
  if (next < 0) return false;
  all[next]!.element.focus();
  all[next]!.element.scrollIntoView({ block: 'nearest' });
  return true;
}

/** Whether the key was an arrow (which then has walked, if there was somewhere to go). */
export function walk(board: string, event: KeyboardEvent): boolean {
  const arrow = ARROWS[event.key];
  if (arrow && step(board, arrow)) event.preventDefault();
  return arrow !== undefined;
}

/** Whether a key pressed here is for the board: not for a field, an open dialog or the browser. */
export function forBoard(event: KeyboardEvent, others = ''): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  return !(event.target as HTMLElement).closest(`input, textarea, select, dialog[open]${others}`);
}
