/** The words of reviews: they come with their page, and the home page stays light. */
import en from '@words/review/en.json';
import it from '@words/review/it.json';
import { gameWords } from './words.svelte';

export const t = gameWords({ en, it });
