/**
 * A tooltip: `<button use:hint={'Gives one space gem'}>`. Shows on hover and keyboard focus, on a long press where there is no
 * pointer to hover with; Escape closes it. It repeats what is already said elsewhere, so screen readers are not given it.
 */
let bubble: HTMLElement | null = null;
let owner: Element | null = null;

/** A long press has asked what something is: whatever click it still makes is no press. One click, and no further one. */
export const press = { asked: false };

/** What goes takes its words along. */
const goes = new MutationObserver(() => owner?.isConnected === false && hide());

export function hide() {
  goes.disconnect();
  bubble?.remove();
  bubble = owner = null;
}

export function show(node: Element, text: string) {
  if (!text) return;
  hide();
  owner = node;
  bubble = document.createElement('div');
  bubble.className = 'hint';
  bubble.textContent = text;
  bubble.setAttribute('aria-hidden', 'true');
  (node.closest('dialog[open]') ?? document.body).append(bubble);
  goes.observe(document.body, { childList: true, subtree: true });
  const at = node.getBoundingClientRect();
  const size = bubble.getBoundingClientRect();
  const left = Math.min(Math.max(8, at.left + at.width / 2 - size.width / 2), innerWidth - size.width - 8);
  const above = at.top - size.height - 8;
  bubble.style.left = `${left}px`;
  bubble.style.top = `${above > 8 ? above : at.bottom + 8}px`;
}

export function hint(node: HTMLElement, text: string | null | undefined) {
  let words = text ?? '';
  let timer = 0;
  const later = (ms: number, long = false) => {
    clearTimeout(timer);
    timer = setTimeout(() => (show(node, words), (press.asked ||= long)), ms) as unknown as number;
  };
  const swallow = (event: Event) => {
    if (!press.asked) return;
    if (event.type === 'click') press.asked = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const stop = () => {
    clearTimeout(timer);
    if (owner === node) hide();
  };
  const on: [string, (e: Event) => void][] = [
    ['pointerenter', (e) => (e as PointerEvent).pointerType === 'mouse' && later(350)],
    ['pointerleave', stop],
    [
      'pointerdown',
      (e) => ((press.asked = false), (e as PointerEvent).pointerType === 'mouse' ? stop() : later(500, true)),
    ],
    ['pointerup', () => clearTimeout(timer)],
    ['pointercancel', stop],
    ['focus', () => node.matches(':focus-visible') && later(350)],
    ['blur', stop],
    ['click', swallow],
    ['contextmenu', swallow],
    ['keydown', (e) => ((press.asked = false), (e as KeyboardEvent).key === 'Escape' && stop())],
  ];
  for (const [name, listen] of on) node.addEventListener(name, listen, name === 'click');
  return {
    update(next: string | null | undefined) {
      words = next ?? '';
    },
    destroy() {
      stop();
      for (const [name, listen] of on) node.removeEventListener(name, listen, name === 'click');
    },
  };
}
