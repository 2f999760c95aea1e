/** The words of the tournaments' pages: they come with those pages, and the home page stays light. */
import en from '@words/contests/en.json';
import it from '@words/contests/it.json';
import { gameWords } from './words.svelte';

export const t = gameWords({ en, it });
