/** The boxes on the shelf: the colour of the spine, and which part of the picture a thumbnail shows. */
export const KNOWN: Record<string, { spine: string; crop: string }> = {
  splendor: { spine: '#1b1446', crop: '18 76 204 212' },
  king_of_con: { spine: '#ee4a78', crop: '28 66 184 200' },
  loot: { spine: '#0f7f86', crop: '20 84 204 204' },
  challengers: { spine: '#2a9d4e', crop: '6 96 214 200' },
};
