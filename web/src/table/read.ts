/** What of a table has been seen before, so that coming back shows what is new and counts only that. */
const MOST = 20;

function all(key: string): Record<string, number> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, number>;
  } catch {
    return {};
  }
}

function keep(key: string, table: string, value: number): void {
  const { [table]: _, ...others } = all(key);
  try {
    localStorage.setItem(
      key,
      JSON.stringify(Object.fromEntries([...Object.entries(others), [table, value]].slice(-MOST))),
    );
  } catch {
    // Storage may be closed: everything is then new again with the page.
  }
}

const READ = 'ludoteca.read';
const SEEN = 'ludoteca.seen';

/** When the newest message that was read was sent. */
export const lastRead = (table: string): number => all(READ)[table] ?? 0;
export const keepRead = (table: string, at: number): void => keep(READ, table, at);

/** The number of the newest fact that was seen. */
export const lastSeen = (table: string): number => all(SEEN)[table] ?? 0;
export const keepSeen = (table: string, n: number): void => keep(SEEN, table, n);
