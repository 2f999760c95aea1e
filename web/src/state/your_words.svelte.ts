/** The words of the pages about who you are: they come with those pages, and the home page stays light. */
import en from '@words/you/en.json';
import it from '@words/you/it.json';
import { gameWords } from './words.svelte';

export const t = gameWords({ en, it });
