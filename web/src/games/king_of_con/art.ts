/** The drawings: 15 characteristics, the objects, signs and grounds that Items are composed of, and the other pieces. */
import drawings from './art.svg?raw';

export const sprite = drawings;

/** Where the sign of the genre lies on the object of each category, in the 100 × 80 of an emblem. */
export const PLACE: Record<string, [x: number, y: number, size: number]> = {
  com: [34, 12, 40],
  vid: [23, 14, 38],
  fig: [31, 6, 38],
  gam: [26, 29, 34],
  gad: [26, 24, 38],
};
