/** King of Con at the table. */
import en from '@games/king_of_con/words/en.json';
import it from '@games/king_of_con/words/it.json';
import { defineGame } from '../board';
import Board from './Board.svelte';
import { useDeck } from './components';
import Picture from './Picture.svelte';
import Preview from './Preview.svelte';
import { Desk } from './desk.svelte';
import End from './End.svelte';
import InlineItem from './InlineItem.svelte';
import InlineTrait from './InlineTrait.svelte';
import './king_of_con.css';
import Seat from './Seat.svelte';
import SeatNote from './SeatNote.svelte';
import { awaited, describe, reasons, turned } from './sentences';
import { stage } from './stage.svelte';
import Track from './Track.svelte';
import Tray from './Tray.svelte';
import type { Choice, Event, View } from './types';

export default defineGame<View, Choice, Event, Desk>({
  words: { en, it },
  useDeck,
  Preview,
  Board,
  Tray,
  Seat,
  SeatNote,
  End,
  inline: { item: InlineItem, trait: InlineTrait, track: Track },
  desk: () => new Desk(),
  Picture,
  spots: (choice) =>
    'item' in choice
      ? [`[data-item="${choice.item}"]`, `[data-card="${choice.item}"]`]
      : 'booth' in choice
        ? [`.booth__press[data-booth="${choice.booth}"]`]
        : 'passion' in choice
          ? [`[data-passion="${choice.passion}"]`]
          : [],
  describe,
  turned,
  sounds: { screens_up: 'screens' },
  awaited,
  reasons,
  told: () => stage.until,
  news: ['epic', 'looted', 'bought', 'bought_stall', 'dominated', 'offered'],
  score: (view, seat, t) => {
    const row = view.final?.find((one) => one.seat === seat);
    return row && !stage.scene ? { value: row.points, label: t('score.label', { n: row.points }) } : null;
  },
  head: (view, t) => {
    const phase = view.phase === 'hid_bid' ? t('phase.hid_bid', { n: view.hid_bid ?? 1 }) : t(`phase.${view.phase}`);
    const text = view.round ? `${t('round', { n: view.round })}, ${phase}` : phase;
    return { goal: [{ as: 'track', text, view, t }] };
  },
  parts: {
    booth: '.booth__press[data-item="$"]',
    item: '.quad button[data-item="$"]',
    more: '.bid .stepper .btn:last-child',
    booths: '.booths',
    quadrant: '.quad',
    dominance: '.dom',
    passions: '.passions',
  },
  shortcuts: [
    { keys: ['1', '…', '4'], word: 'key.booths' },
    { keys: ['←', '↑', '→', '↓'], word: 'key.arrows' },
    { keys: ['0', '…', '9'], word: 'key.digits' },
    { keys: ['+', '−'], word: 'key.step' },
    { keys: ['Delete'], word: 'key.drop' },
    { keys: ['b'], word: 'key.confirm' },
    { keys: ['→', 'Esc'], word: 'key.story' },
    { keys: ['r'], word: 'key.replay' },
  ],
});
