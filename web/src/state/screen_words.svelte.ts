/** The words on the cover of a screen that is passed around. */
import en from '@words/screen/en.json';
import it from '@words/screen/it.json';
import { gameWords } from './words.svelte';

export const t = gameWords({ en, it });
