/** The words of lessons, puzzles and the quick reference: they come with those pages, and the home page stays light. */
import en from '@words/learn/en.json';
import it from '@words/learn/it.json';
import { gameWords } from './words.svelte';

export const t = gameWords({ en, it });
