/** Which messages of a table have been read, so that coming back does not count them as new. */
const KEY = 'ludoteca.read';
const MOST = 20;

function all(): Record<string, number> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, number>;
  } catch {
    return {};
  }
}

export const lastRead = (table: string): number => all()[table] ?? 0;

export function keepRead(table: string, at: number): void {
  const { [table]: _, ...others } = all();
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...Object.entries(others), [table, at]].slice(-MOST))));
  } catch {
    // Storage may be closed: the count then starts again with the page.
  }
}
