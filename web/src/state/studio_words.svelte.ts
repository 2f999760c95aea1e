/** The words of the studio: they come with its page, and the home page stays light. */
import en from '@words/studio/en.json';
import it from '@words/studio/it.json';
import { gameWords } from './words.svelte';

export const t = gameWords({ en, it });
