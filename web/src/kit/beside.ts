/** Where a bubble stands that tells more about a thing: at its right, or left, or above, or below; always on the page. */
export function beside(thing: DOMRect, width: number, height: number): { left: number; top: number } {
  const wide = Math.min(width, innerWidth - 16);
  const right = thing.right + 12 + wide < innerWidth;
  const left = thing.left - 12 - wide > 0;
  if (right || left) {
    const top = Math.min(Math.max(8, thing.top + thing.height / 2 - height / 2), innerHeight - height - 8);
    return { left: right ? thing.right + 12 : thing.left - 12 - wide, top };
  }
  const above = thing.top - height - 12;
  return {
    left: Math.min(Math.max(8, thing.left + thing.width / 2 - wide / 2), innerWidth - wide - 8),
    top: above > 8 ? above : Math.min(thing.bottom + 12, innerHeight - height - 8),
  };
}
