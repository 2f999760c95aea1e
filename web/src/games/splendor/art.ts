/** Every picture of the game as one hidden sprite: the illustrator's symbols, one a file, and the gems of the base edition. */
const files = import.meta.glob<string>('./art/**/*.svg', { query: '?raw', import: 'default', eager: true });

const pip = (id: string, path: string) =>
  `<symbol id="pip-${id}" viewBox="0 0 48 48"><path d="${path}" fill="var(--g)" stroke="var(--g-edge, var(--g))" stroke-width="3" stroke-linejoin="round"/></symbol>`;

/* The classic gems, each with an outline of its own: brilliant, emerald cut, drop and coin; sapphire and ruby are the house's square and lozenge. */
const classic = `
${pip('white', 'M13 5h22l10 13-21 26L3 18Z')}
${pip('emerald', 'M15 3h18l12 12v18L33 45H15L3 33V15Z')}
${pip('black', 'M24 1c4 8 19 14 19 27.500a19 18.500 0 0 1-38 0C5 15 20 9 24 1Z')}
${pip('gold', 'M24 3a21 21 0 1 1 0 42a21 21 0 0 1 0-42Z')}
<symbol id="gem-white" viewBox="0 0 48 48"><path d="M13 5h22l10 13-21 27L3 18Z" fill="var(--g)" stroke="var(--g-lo)" stroke-width="1.500" stroke-linejoin="round"/><path d="M13 5 3 18h12l9-13Z" fill="var(--g-hi)"/><path d="m24 5 9 13h12L35 5Z" fill="var(--g-lo)" opacity=".35"/><path d="M3 18h12l9 27Z" fill="var(--g-lo)" opacity=".3"/><path d="M45 18H33l-9 27Z" fill="var(--g-lo)" opacity=".7"/></symbol>
<symbol id="gem-emerald" viewBox="0 0 48 48"><path d="M15 3h18l12 12v18L33 45H15L3 33V15Z" fill="var(--g)"/><path d="M15 3h18l-4 9H19l-7 7-9-4Z" fill="var(--g-hi)"/><path d="M33 45H15l4-9h10l7-7 9 4Z" fill="var(--g-lo)"/><path d="M45 15v18l-9-4V19l-7-7 4-9Z" fill="var(--g-lo)" opacity=".5"/></symbol>
<symbol id="gem-black" viewBox="0 0 48 48"><path d="M24 1c4 8 19 14 19 27.500a19 18.500 0 0 1-38 0C5 15 20 9 24 1Z" fill="var(--g)"/><path d="M24 1C20 9 5 15 5 28.500c0 4 1.300 7.800 3.500 10.800C10 28 17 20 24 13Z" fill="var(--g-hi)"/><path d="M24 47c10.500 0 19-8.300 19-18.500 0-3-.8-5.700-2-8C40 34 33 42 16 45.300 18.500 46.400 21.200 47 24 47Z" fill="var(--g-lo)"/></symbol>
<symbol id="gem-gold" viewBox="0 0 48 48"><circle cx="24" cy="24" r="22" fill="var(--g)"/><path d="M24 2a22 22 0 0 0-15.600 37.600L39.600 8.400A21.900 21.900 0 0 0 24 2Z" fill="var(--g-hi)" opacity=".8"/><circle cx="24" cy="24" r="15" fill="none" stroke="var(--g-lo)" stroke-width="2.500"/><path d="m14 30 1-13 5 6 4-9 4 9 5-6 1 13Z" fill="var(--g-lo)"/></symbol>`;

export const sprite = `<svg class="sprite" width="0" height="0" aria-hidden="true" focusable="false">${classic}${Object.values(files).join('')}</svg>`;
