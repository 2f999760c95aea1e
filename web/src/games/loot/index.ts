/** Loot, the roll-and-write of the SPIEL fair, at the table. */
import en from '@games/loot/words/en.json';
import it from '@games/loot/words/it.json';
import { defineGame } from '../board';
import Board from './Board.svelte';
import { Desk } from './desk.svelte';
import End from './End.svelte';
import Gain from './Gain.svelte';
import InlineAbility from './InlineAbility.svelte';
import './loot.css';
import Picture from './Picture.svelte';
import Seat from './Seat.svelte';
import SeatNote from './SeatNote.svelte';
import SheetPicture from './SheetPicture.svelte';
import { awaited, describe, reasons, turned } from './sentences';
import type { Choice, Event, View } from './types';

export default defineGame<View, Choice, Event, Desk>({
  words: { en, it },
  SheetPicture,
  sheetEditor: () => import('./SheetEditor.svelte'),
  Board,
  Seat,
  SeatNote,
  End,
  inline: { gain: Gain, ability: InlineAbility },
  desk: () => new Desk(),
  Picture,
  spots: (choice) => ('to' in choice ? [`[data-square="${choice.to}"]`] : []),
  describe,
  turned,
  sounds: { rolled: 'dice' },
  // The first roll shows three dice, each later one the die that has come to the last place.
  seenChance: {
    below: 6,
    of: (event) =>
      event.kind === 'rolled' ? (event.first ? event.dice : event.dice.slice(-1)).map((face) => face - 1) : [],
  },
  awaited,
  reasons,
  news: ['last_round', 'hall', 'row', 'column', 'combo', 'walked'],
  score: (view, seat, t) => {
    const { total } = view.players[seat]!;
    return { value: total, label: t('points', { n: total }) };
  },
  head: (view, t) => ({
    where: t(view.round ? 'head.round' : 'head.start', { n: view.round }),
    goal: t('head.goal', { n: view.sheet.spaces - 1, bonus: view.sheet.end_bonus }),
  }),
  parts: {
    square: '.cell[data-square="$"]',
    order: 'li:nth-child($) > .order',
    ability: '.chip[data-ability="$"]',
    dice: '.action .dice, .action .orders',
    score: '.score',
    combos: '.combo-box',
    free: '.fold__handle',
  },
  shortcuts: [
    { keys: ['←', '↑', '→', '↓'], word: 'key.arrows' },
    { keys: ['Enter'], word: 'key.enter' },
    { keys: ['w'], word: 'key.wrap' },
    { keys: ['p'], word: 'key.plus_minus' },
    { keys: ['n'], word: 'key.next' },
    { keys: ['Shift', '←', '→'], word: 'key.look' },
  ],
});
