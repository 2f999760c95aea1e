/** The words of the pages about people and their games: they come with those pages, and the home page stays light. */
import en from '@words/people/en.json';
import it from '@words/people/it.json';
import { gameWords } from './words.svelte';

export const t = gameWords({ en, it });
