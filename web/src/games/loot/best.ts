/** The best result of solo games, for each sheet, kept in this browser. */
const key = (sheet: string) => `ludoteca.loot.best.${sheet}`;

export function best(sheet: string): number | null {
  try {
    const found = Number(localStorage.getItem(key(sheet)));
    return Number.isInteger(found) && found > 0 ? found : null;
  } catch {
    return null;
  }
}

/** Keeps a result if it is the best so far; returns what was best before. */
export function keepBest(sheet: string, points: number): number | null {
  const before = best(sheet);
  if (before === null || points > before) {
    try {
      localStorage.setItem(key(sheet), String(points));
    } catch {
      // Storage may be closed: then there is no record to keep.
    }
  }
  return before;
}
