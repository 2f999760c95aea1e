/** What is tested here speaks both languages at once. */
import { loadWords } from '@/state/words.svelte';

await Promise.all([loadWords('en'), loadWords('it')]);
