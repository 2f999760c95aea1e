/**
 * What this browser was promised before a deal, and what it threw in: written down here, so that at the end the server
 * cannot say that it was something else.
 */
export interface Noted {
  /** The fingerprint of the server's secret, as it was first shown. */
  commitment: string;
  /** Everything random that we sent for this table. */
  shares: string[];
}

const KEY = 'ludoteca.promises';
const MOST = 200;

function all(): Record<string, Noted> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, Noted>;
  } catch {
    return {};
  }
}

function keep(table: string, noted: Noted): void {
  const { [table]: _, ...others } = all();
  try {
    localStorage.setItem(
      KEY,
      JSON.stringify(Object.fromEntries([...Object.entries(others), [table, noted]].slice(-MOST))),
    );
  } catch {
    // Storage may be closed: then the check goes without this step.
  }
}

/** What was written down about a table. */
export const noted = (table: string): Noted | null => all()[table] ?? null;

/** Writes down the fingerprint shown before the deal; the first one stands. */
export function noteCommitment(table: string, commitment: string): void {
  if (!all()[table]) keep(table, { commitment, shares: [] });
}

/** Writes down what we throw in. */
export function noteShare(table: string, share: string): void {
  const known = all()[table];
  if (known && !known.shares.includes(share)) keep(table, { ...known, shares: [...known.shares, share] });
}

/** It came too late to be mixed in. */
export function dropShare(table: string, share: string): void {
  const known = all()[table];
  if (known) keep(table, { ...known, shares: known.shares.filter((other) => other !== share) });
}
