/** The words of finding a game: they come with what needs them, and the home page stays light. */
import en from '@words/find/en.json';
import it from '@words/find/it.json';
import { gameWords } from './words.svelte';

export const t = gameWords({ en, it });
