/** Every picture of the game as one hidden sprite: the illustrator's symbols, one a file, and the gems of both editions. */
const files = import.meta.glob<string>('./art/**/*.svg', { query: '?raw', import: 'default', eager: true });

export const sprite = `<svg class="sprite" width="0" height="0" aria-hidden="true" focusable="false">${Object.values(files).join('')}</svg>`;
