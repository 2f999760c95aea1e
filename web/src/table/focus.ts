/**
 * Keeps the focus on the table. When what has it goes away with a phase, the browser would put it on the page, far from
 * everything; it goes to the action line instead, which says what is awaited now.
 */
export function keepFocus(table: HTMLElement, home: () => HTMLElement | null): () => void {
  let held: HTMLElement | null = null;
  const seen = (event: FocusEvent) => (held = event.target as HTMLElement);
  const left = () => {
    // Left on purpose, or taken away? Whatever is still there was left.
    if (held?.isConnected && held.checkVisibility()) held = null;
  };
  const watch = new MutationObserver(() => {
    if (!held || (held.isConnected && held.checkVisibility())) return;
    held = null;
    if (document.activeElement === document.body) home()?.focus({ preventScroll: true });
  });
  table.addEventListener('focusin', seen);
  table.addEventListener('focusout', left);
  watch.observe(table, { childList: true, subtree: true, attributes: true, attributeFilter: ['class', 'hidden'] });
  return () => {
    table.removeEventListener('focusin', seen);
    table.removeEventListener('focusout', left);
    watch.disconnect();
  };
}
