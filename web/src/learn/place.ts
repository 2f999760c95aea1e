/** Where the coach's bubble stands: beside what it speaks of, over none of it, and within the window. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

const AIR = 22;
const EDGE = 8;
const BLIND = 10_000; // what is to be pressed and cannot be: worse than to lose sight of all the rest

const overlap = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top));

/**
 * The place, of those around the target and in the corners, that covers nothing of the target and least of what else must be
 * seen; the nearest comes first.
 */
export function placeFor(bubble: Box, target: Box | null, others: Box[], room: Box): { left: number; top: number } {
  const within = (left: number, top: number) => ({
    left: Math.max(room.left + EDGE, Math.min(left, room.left + room.width - bubble.width - EDGE)),
    top: Math.max(room.top + EDGE, Math.min(top, room.top + room.height - bubble.height - EDGE)),
  });
  const right = room.left + room.width;
  const bottom = room.top + room.height;
  const corners = [
    [right, bottom],
    [room.left, bottom],
    [right, room.top],
    [room.left, room.top],
  ] as const;
  if (!target) return within(right - bubble.width - AIR, bottom - bubble.height - AIR);
  const x = target.left + target.width / 2 - bubble.width / 2;
  const y = target.top + target.height / 2 - bubble.height / 2;
  const around = [
    [x, target.top + target.height + AIR],
    [x, target.top - bubble.height - AIR],
    [target.left + target.width + AIR, y],
    [target.left - bubble.width - AIR, y],
    ...corners,
  ] as const;
  const places = around.map(([left, top]) => within(left, top));
  const covered = (at: { left: number; top: number }) =>
    BLIND * overlap({ ...bubble, ...at }, target) +
    others.reduce((sum, one) => sum + overlap({ ...bubble, ...at }, one), 0);
  return places.reduce((best, at) => (covered(at) < covered(best) ? at : best));
}
