/** Stands in for a board that nobody has drawn yet: the choices as buttons, the facts as they are. */
import { defineGame } from '@/games/board';
import Plain from './Plain.svelte';

export default defineGame<unknown>({
  words: { en: {}, it: {} },
  Board: Plain,
  describe: ({ seat, kind }, { player }) => {
    const what = kind.replaceAll('_', ' ');
    return seat === null ? { parts: [what] } : { seat, parts: [player(seat) as never, ` ${what}`] };
  },
});
