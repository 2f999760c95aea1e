/** Stands in for a board that nobody has drawn yet: the choices as buttons, the facts as they are. */
import { defineGame } from '@/games/board';
import Plain from './Plain.svelte';

export default defineGame<unknown>({
  words: { en: {}, it: {} },
  Board: Plain,
  describe: (event, { player }) => ({
    seat: event.seat,
    parts: [player(event.seat) as never, ` ${event.kind.replaceAll('_', ' ')}`],
  }),
});
