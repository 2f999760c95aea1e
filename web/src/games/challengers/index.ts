/** Challengers! at the table. */
import en from '@games/challengers/words/en.json';
import it from '@games/challengers/words/it.json';
import { defineGame } from '../board';
import { arena } from './arena.svelte';
import Board from './Board.svelte';
import { useDeck } from './components';
import Picture from './Picture.svelte';
import Preview from './Preview.svelte';
import './challengers.css';
import { Desk } from './desk.svelte';
import End from './End.svelte';
import InlineCard from './InlineCard.svelte';
import Rounds from './Rounds.svelte';
import Seat from './Seat.svelte';
import SeatNote from './SeatNote.svelte';
import { describe, ranking, reasons } from './sentences';
import Tab from './Tab.svelte';
import type { Choice, Event, View } from './types';

export default defineGame<View, Choice, Event, Desk>({
  words: { en, it },
  useDeck,
  Preview,
  Board,
  Seat,
  SeatNote,
  Tab: { label: 'tab.tournament', Body: Tab },
  End,
  inline: { card: InlineCard, rounds: Rounds },
  desk: () => new Desk(),
  Picture,
  spots: (choice) =>
    choice.kind === 'choose_level'
      ? [`[data-level="${choice.level}"]`]
      : 'card' in choice
        ? [`[data-card="${choice.card}"]`, `[data-row="${choice.card}"]`]
        : [],
  describe,
  keepsAsking: (choice) => choice.kind === 'decline',
  sounds: { took_flag: 'flag' },
  firstRound: (t) => t.parts('event.round_began', { round: 1 }),
  reasons,
  ranking,
  told: () => arena.until,
  news: ['trophy_won', 'match_won', 'finalist', 'picked', 'removed'],
  score: (now, seat, t) => {
    const view = arena.was ?? now;
    const line = view.standings.find((one) => one.team === seat);
    if (!line) return null;
    const value = line.low === line.high ? String(line.low) : `${line.low}–${line.high}`;
    return { value, label: t('score.label', { n: value }) };
  },
  head: (view, t) => ({
    where:
      view.over && !arena.battle
        ? t('where.over')
        : (arena.battle ? arena.battle.final : view.final)
          ? t('final')
          : arena.battle
            ? t('where.park', { n: arena.battle.round, park: t(`park.${arena.battle.park}`) })
            : t(view.phase === 'match' ? 'where.match' : 'where.deck', { n: view.round }),
    goal: [{ as: 'rounds', text: t('round', { n: view.round }), view, t }],
  }),
  parts: {
    seen: '.table:has([data-screen="match"]) .action__buttons .btn--primary',
    keep: '[data-place="$"] [data-do="keep"]',
    remove: '[data-remove="$"]',
    fan: '.fan',
    deck: '.mydeck',
    free: '.speed button',
  },
  shortcuts: [
    { keys: ['1', '…', '5'], word: 'key.cards' },
    { keys: ['k', 'r'], word: 'key.marks' },
    { keys: ['b'], word: 'key.confirm' },
    { keys: ['Space', '←', '→'], word: 'key.story' },
    { keys: ['s'], word: 'key.skip' },
    { keys: ['t'], word: 'key.tournament' },
    { keys: ['i'], word: 'key.inspect' },
  ],
});
