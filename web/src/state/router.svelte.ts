/** Where one is in the house, and how one gets elsewhere. */
class Route {
  path = $state(location.pathname);
  query = $state.raw(new URLSearchParams(location.search));
  hash = $state(decodeURIComponent(location.hash.slice(1)));

  /** The parts of the path: `/table/wren` → ['table', 'wren']. */
  get parts(): string[] {
    return this.path.split('/').filter(Boolean).map(decodeURIComponent);
  }

  read(): void {
    this.path = location.pathname;
    this.query = new URLSearchParams(location.search);
    this.hash = decodeURIComponent(location.hash.slice(1));
  }
}

export const route = new Route();

export function go(to: string, replace = false): void {
  const samePage = new URL(to, location.href).pathname === location.pathname;
  history[replace ? 'replaceState' : 'pushState'](null, '', to);
  route.read();
  if (!samePage) {
    scrollTo(0, 0);
    // A new page starts where a new document would: screen readers and the Tab key begin at the top.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true }));
  }
}

/** The address of the page that is open, told more exactly (`?at=12`); a page that has been left changes nothing any more. */
export function tell(to: string): void {
  if (new URL(to, location.href).pathname === location.pathname) history.replaceState(null, '', to);
}

/** Ordinary links inside the site change the page without loading a new one. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = (event.target as Element).closest?.('a');
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (link.getAttribute('href')?.startsWith('#')) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}

addEventListener('popstate', () => route.read());
addEventListener('hashchange', () => route.read());
