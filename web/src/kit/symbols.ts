/**
 * Symbols that the keyboard can reach: `<ul use:symbols>`. Everything in the group that has words of its own (`explain.ts`) can
 * have the focus, but the group is one tab stop: arrows, Home and End lead from symbol to symbol. Controls keep their own stops.
 */
import { neighbour } from './walk';

const CONTROL = 'button, a, label, summary, [role="button"]';
/** What has words of its own, and is no control nor part of one. */
const WORDY = ':is([role="img"][aria-label], [title], :has(> .visually-hidden))';
const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function symbols(group: HTMLElement) {
  let stop: HTMLElement | null = null;
  let waiting = 0;

  const reachable = (one: HTMLElement) =>
    !one.matches('table, fieldset') &&
    !one.closest(CONTROL) &&
    !one.closest('[aria-hidden="true"], .log, .chat') &&
    !one.querySelector('button, a, input, select') &&
    one.checkVisibility();

  function look(): void {
    waiting = 0;
    const found: HTMLElement[] = [];
    for (const one of group.querySelectorAll<HTMLElement>(WORDY))
      if (!found.at(-1)?.contains(one) && reachable(one)) found.push(one);
    for (const gone of group.querySelectorAll<HTMLElement>('[data-symbol]')) {
      if (found.includes(gone)) continue;
      delete gone.dataset['symbol'];
      gone.removeAttribute('tabindex');
    }
    if (!stop || !found.includes(stop)) stop = found[0] ?? null;
    for (const one of found) {
      one.dataset['symbol'] = '';
      one.tabIndex = one === stop ? 0 : -1;
    }
  }
  const lookLater = () => (waiting ||= requestAnimationFrame(look));

  function focus(event: FocusEvent): void {
    const now = (event.target as Element).closest<HTMLElement>('[data-symbol]');
    if (!now || now === stop) return;
    if (stop) stop.tabIndex = -1;
    stop = now;
    stop.tabIndex = 0;
  }

  function key(event: KeyboardEvent): void {
    const here = event.target as HTMLElement;
    if (!('symbol' in here.dataset) || event.ctrlKey || event.metaKey || event.altKey) return;
    const found = [...group.querySelectorAll<HTMLElement>('[data-symbol]')];
    const arrow = ARROWS[event.key];
    let next: HTMLElement | undefined;
    if (arrow) {
      const boxes = found.map((one) => ({ box: one.getBoundingClientRect() }));
      next = found[neighbour(here.getBoundingClientRect(), arrow, boxes)];
    } else if (event.key === 'Home') next = found[0];
    else if (event.key === 'End') next = found.at(-1);
    else return;
    next?.focus();
    next?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    event.preventDefault(); // also at the edge: the board does not take the arrow for a move
  }

  const changes = new MutationObserver(lookLater);
  changes.observe(group, { childList: true, subtree: true });
  const sizes = new ResizeObserver(lookLater);
  sizes.observe(group);
  group.addEventListener('focusin', focus);
  group.addEventListener('keydown', key);
  look();
  return {
    destroy() {
      cancelAnimationFrame(waiting);
      changes.disconnect();
      sizes.disconnect();
      group.removeEventListener('focusin', focus);
      group.removeEventListener('keydown', key);
    },
  };
}
