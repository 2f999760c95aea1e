/** Splendor: Marvel and classic Splendor at the table. */
import en from '@games/splendor/words/en.json';
import it from '@games/splendor/words/it.json';
import { defineGame } from '../board';
import Board from './Board.svelte';
import { useDeck } from './components';
import Cell from './Cell.svelte';
import Picture from './Picture.svelte';
import { workedOut } from './workedOut';
import Preview from './Preview.svelte';
import { Desk } from './desk.svelte';
import InlineCard from './InlineCard.svelte';
import InlineGem from './InlineGem.svelte';
import { spots } from './offers';
import Quiet from './Quiet.svelte';
import Seat from './Seat.svelte';
import SeatNote from './SeatNote.svelte';
import { awaited, describe, reasons, turned } from './sentences';
import './splendor.css';
import Tray from './Tray.svelte';
import type { Choice, Event, View } from './types';

export default defineGame<View, Choice, Event, Desk>({
  words: { en, it },
  useDeck,
  Cell,
  workedOut,
  Preview,
  Board,
  Tray,
  Seat,
  SeatNote,
  inline: { gem: InlineGem, card: InlineCard, quiet: Quiet },
  desk: () => new Desk(),
  describe,
  turned,
  firstRound: (t) => t.parts('event.new_round', { round: 1 }),
  awaited,
  reasons,
  Picture,
  spots,
  news: ['received', 'recruited', 'reserved', 'took'],
  score: (view, seat, t) => {
    const { points } = view.players[seat]!;
    return { value: points, of: view.goal, label: t('score', { points, goal: view.goal }) };
  },
  head: (view, t) => ({
    ...(view.edition === 'base' ? { title: t('head.title_base') } : {}),
    where: t(view.edition === 'base' ? 'head.round_base' : 'head.round', { n: view.round }),
    goal: t(view.edition === 'base' ? 'head.goal_base' : 'head.goal', { goal: view.goal }),
  }),
  parts: {
    pile: '[data-pile="$"]',
    card: '.market button[data-card="$"]',
    market: '.market',
    bank: '.bank',
    places: '.places',
    free: '.tray__handle, .slots button',
  },
  shortcuts: [
    { keys: ['1', '…', '5'], word: 'key.gems' },
    { keys: ['←', '↑', '→', '↓'], word: 'key.arrows' },
    { keys: ['Enter', 'Space'], word: 'key.select' },
    { keys: ['b'], word: 'key.confirm' },
    { keys: ['r'], word: 'key.reserve' },
  ],
});
