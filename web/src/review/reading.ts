/** A review as its page reads it: chances at every step, strokes and costly choices, in whole hundredths. */
import type { Choice, ReviewDecision, ReviewOption, ReviewPiece } from '@/wire';
import type { Part } from '@/words';

export const hundredths = (chance: number): number => Math.round(100 * chance);
/** What is said as «± n»: two standard errors, and never none. */
export const margin = (error: number): number => Math.max(1, hundredths(2 * error));
export const signed = (chance: number): string => {
  const n = hundredths(chance);
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : '0';
};

/** Everybody's chances after each piece: as they were said last. */
export function chancesAt(pieces: readonly ReviewPiece[]): number[][] {
  let known: number[] = [];
  return pieces.map((piece) => (known = piece.after?.chances ?? known));
}

/** The option that was played, and the best one. */
export function compared(piece: ReviewPiece): { played?: ReviewOption; better?: ReviewOption } {
  const { decision } = piece;
  if (!decision) return {};
  const played = decision.options.find((option) => option.action === piece.action);
  const better = decision.options.find((option) => option.action === decision.best);
  return { ...(played && { played }), ...(better && better !== played && { better }) };
}

export const said = (decision: ReviewDecision, action: number, lang: string): string =>
  decision.words[lang]?.[decision.options.findIndex((option) => option.action === action)] ?? '';

/** An option as the page offers it. */
export const offered = (decision: ReviewDecision, action: number | undefined): Choice | undefined =>
  decision.choices[decision.options.findIndex((option) => option.action === action)] as Choice | undefined;

/** What a decision brought less than the best, as far as it is known: more than it surely cost. */
export const behind = (piece: ReviewPiece): number =>
  piece.decision?.options.find((option) => option.action === piece.action)?.loss ?? 0;

/** The number of the moment that shows the game before a step. */
export function momentBefore(ends: readonly number[], step: number): number {
  let found = 0;
  while (found + 1 < ends.length && ends[found + 1]! < step) found++;
  return found;
}

/** The number of the moment in which a step was told. */
export function momentOf(ends: readonly number[], step: number): number {
  const found = ends.findIndex((end) => end >= step);
  return found < 0 ? ends.length - 1 : found;
}

/** So many lines of a log that tell most of a moment, as they came: by their kinds, the most telling first, then the seat's own. */
export function brief<Line extends { kind: string; seat?: number | undefined }>(
  lines: readonly Line[],
  news: readonly string[],
  seat: number,
  most = 3,
): Line[] {
  if (lines.length <= most) return [...lines];
  const rank = (line: Line) => (news.includes(line.kind) ? news.indexOf(line.kind) : news.length);
  return lines
    .map((line, n) => ({ line, n }))
    .sort((one, other) => {
      const own = Number(other.line.seat === seat) - Number(one.line.seat === seat);
      return rank(one.line) - rank(other.line) || own || one.n - other.n;
    })
    .slice(0, most)
    .sort((one, other) => one.n - other.n)
    .map(({ line }) => line);
}

/** What a sentence ends with: no second full stop after «M.O.D.O.K.». */
export function ended(parts: readonly Part[]): string {
  const last = parts.at(-1);
  return (typeof last === 'string' ? last : last?.text)?.endsWith('.') ? ' ' : '. ';
}

/** The figure in the middle. */
export function middle(figures: readonly number[]): number {
  return [...figures].sort((one, other) => one - other)[figures.length >> 1] ?? 0;
}

/** Luck in words, before the number. */
export function luckWord(luck: number): string {
  const n = hundredths(luck);
  return n >= 30 ? 'luck.much' : n >= 8 ? 'luck.some' : n > -8 ? 'luck.even' : n > -30 ? 'luck.little' : 'luck.bad';
}

/** Accuracy in words, before the number; none of them blames anybody. */
export const accuracyWord = (accuracy: number): string =>
  `accuracy.${accuracy >= 95 ? 'very_high' : accuracy >= 85 ? 'high' : accuracy >= 70 ? 'good' : 'fair'}`;

/** Places in their order, moved as little as makes each stand so far from the next, and none beyond the end. */
export function apart(places: readonly number[], far: number, end: number): number[] {
  const moved = [...places];
  for (let n = 1; n < moved.length; n++) moved[n] = Math.max(moved[n]!, moved[n - 1]! + far);
  for (let n = moved.length - 1; n >= 0; n--)
    moved[n] = Math.min(moved[n]!, n + 1 < moved.length ? moved[n + 1]! - far : end);
  return moved;
}

export interface Band {
  seat: number;
  /** The area between what is below and this band's own top, as a path in 0…width by 0…100. */
  area: string;
  top: string;
}

/** Bands on top of each other, the first of `order` at the bottom. */
export function bands(chances: number[][], order: number[], x: (n: number) => number): Band[] {
  const below = chances.map(() => 0);
  return order.map((seat) => {
    const low = chances.map((_, n) => `${x(n)} ${100 - below[n]!}`);
    chances.forEach((all, n) => (below[n]! += 100 * (all[seat] ?? 0)));
    const high = chances.map((_, n) => `${x(n)} ${100 - below[n]!}`);
    return { seat, area: `M${low.join('L')}L${[...high].reverse().join('L')}Z`, top: `M${high.join('L')}` };
  });
}
