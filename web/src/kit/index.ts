/** The parts worth sharing between pages and boards. */
export { default as Button } from './Button.svelte';
export { default as Copy } from './Copy.svelte';
export { default as Cover } from './Cover.svelte';
export { default as Dialog } from './Dialog.svelte';
export { default as Icon } from './Icon.svelte';
export { default as Meter } from './Meter.svelte';
export { default as Segmented } from './Segmented.svelte';
export { default as Sentence } from './Sentence.svelte';
export { default as Sheet } from './Sheet.svelte';
export { default as Sigil, colour, symbol } from './Sigil.svelte';
export { default as Stack } from './Stack.svelte';
export { default as Tabs } from './Tabs.svelte';
export { default as TrayMe } from './TrayMe.svelte';
export { default as Waiting } from './Waiting.svelte';
export { hint } from './hint';
