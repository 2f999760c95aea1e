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
 * seen; the nearest comes first. Where nothing is to be pressed, a corner that leaves most of what is spoken of in sight.
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
  const beside = (at: { left: number; top: number }) =>
    others.reduce((sum, one) => sum + overlap({ ...bubble, ...at }, one), 0);
  const least = (places: { left: number; top: number }[], covered: (at: { left: number; top: number }) => number) =>
    places.reduce((best, at) => (covered(at) < covered(best) ? at : best));
  if (!target) {
    const corner = within(right - bubble.width - AIR, bottom - bubble.height - AIR);
    return least([corner, ...corners.map(([left, top]) => within(left, top))], beside);
  }
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
  return least(places, (at) => BLIND * overlap({ ...bubble, ...at }, target) + beside(at));
}

/** As above, in the free room of a phone; where that is too low to leave the target free, over what stands at its bottom. */
export function placeWithin(bubble: Box, target: Box | null, others: Box[], room: Box, whole: Box) {
  const at = placeFor(bubble, target, others, room);
  const blind = target !== null && overlap({ ...bubble, ...at }, target) > 0;
  return blind ? placeFor(bubble, target, others, whole) : at;
}

/** Where the bubble's edge points at the target: the middle of its side that faces it; none where they do not stand close. */
export function tipOf(bubble: Box, target: Box | null): { left: number; top: number } | null {
  if (!target) return null;
  const [right, bottom] = [bubble.left + bubble.width, bubble.top + bubble.height];
  const near = (gap: number) => gap >= 0 && gap <= AIR + 4;
  const along = (middle: number, low: number, high: number) => Math.max(low + 28, Math.min(middle, high - 28));
  const x = along(target.left + target.width / 2, bubble.left, right);
  const y = along(target.top + target.height / 2, bubble.top, bottom);
  const faces = {
    across: x > target.left && x < target.left + target.width,
    along: y > target.top && y < target.top + target.height,
  };
  if (faces.across && near(bubble.top - target.top - target.height)) return { left: x, top: bubble.top };
  if (faces.across && near(target.top - bottom)) return { left: x, top: bottom };
  if (faces.along && near(bubble.left - target.left - target.width)) return { left: bubble.left, top: y };
  if (faces.along && near(target.left - right)) return { left: right, top: y };
  return null;
}
