/** The drawings: one emblem for each title, the signs of sets, parks and moments, and a few icons of this game. */
import marks from './marks.svg?raw';

const emblems = import.meta.glob<string>('./art/*.svg', { query: '?raw', import: 'default', eager: true });

export const sprite = `<svg class="sprite" width="0" height="0" aria-hidden="true" focusable="false">${marks}${Object.values(emblems).join('')}</svg>`;
