/**
 * The contract between the table and a game's board. README.md beside this file tells it in words.
 *
 * The table (src/table) owns the frame: header, action line, seat panels, log, chat, end screen. A game owns what is
 * printed: board, own area, the content of a seat panel, and the sentences of its events. Neither computes a rule.
 */
import type { Component, Snippet } from 'svelte';
import type { ChairInfo, Choice, DeckMistake, GameEvent, Result } from '@/wire';
import type { Catalogue, Part, Value, Words } from '@/words';

export type { ChairInfo, Choice, GameEvent, Result } from '@/wire';
export type { Catalogue, Part, Piece, Value, Values, Words } from '@/words';

/** How this person likes to play. Reactive: read it inside markup, `$derived` or `$effect`. */
export interface Prefs {
  /** How long a movement lasts, against the design's times: 0 (off or reduced motion), 0.5, 1 or 2. */
  readonly motion: number;
  /** Ask once more before a decision that cannot be taken back. */
  readonly confirm: boolean;
  readonly sound: boolean;
  /** Single-key shortcuts are on. */
  readonly keys: boolean;
  readonly lang: 'en' | 'it';
}

export interface ActionButton {
  /** Names its result: "Take 3 gems", not "OK". */
  label: string;
  press: () => void;
  tone?: 'primary' | 'plain' | 'danger';
  /** A symbol of the sprite without `i-`: 'undo', 'check' … */
  icon?: string;
  /** Not now, and why: the button stays focusable and says so when pressed. */
  blocked?: string | null;
}

/** What the action line shows. Whatever is left out falls back to the table's own sentence. */
export interface ActionLine {
  title?: string | Part[];
  hint?: string | Part[];
  /** Left of the words: slots with the chosen gems, the dice … */
  lead?: Snippet;
  /** Last on the right is the one that confirms. */
  buttons?: ActionButton[];
  /** The paragraph of the rules that this decision comes from, as "2.3"; shown as a small link. */
  rule?: string;
  /** What Escape does: drops a half-made choice. Only while there is one, for it stands before taking back. */
  cancel?: () => void;
}

/** What every component of a game receives, as props. All of it is reactive. */
export interface BoardProps<View = any, Ch extends Choice = any, Ev extends GameEvent = any, Desk = any> {
  /** The game as this viewer may see it. */
  view: View;
  /** What this seat may do now; empty when it is not waiting. */
  choices: Ch[];
  /** This viewer's seat, or null for a spectator. */
  me: number | null;
  chairs: ChairInfo[];
  /** The seats that owe a decision. */
  waiting: number[];
  /** The facts that led from the previous view to this one, oldest first. Empty when `fresh`. */
  events: Ev[];
  /** Every fact seen so far that stands, oldest first; also those from before this viewer came. What was taken back is not there. */
  history: Ev[];
  /** True after (re)connecting, and after something was taken back: draw, do not animate. */
  fresh: boolean;
  /** A decision of ours is on its way. Do not send another; keep showing the selection. */
  busy: boolean;
  /** Counts the updates drawn: changes with every one. */
  seq: number;
  /**
   * Sends a decision: a choice's `action` and the steps that follow it, all or nothing. Resolves when stored; a refusal is
   * shown by the table, and the promise resolves to false.
   */
  act: (action: number, then?: number[]) => Promise<boolean>;
  /** We have sealed while others still think: `openAgain` takes it back. */
  sealed: boolean;
  openAgain: () => Promise<boolean>;
  /** The game's words first, then the table's. */
  t: Words;
  prefs: Prefs;
  /** The game is over. */
  over: boolean;
  /** What the game made with `desk()`: its own half-made selection, shared by Board, Tray and Seat. */
  desk: Desk;
  /** Sets the action line; call it from an `$effect`. `null` gives it back to the table. */
  line: (line: ActionLine | null) => void;
  /** A short notice at the bottom of the page. */
  notice: (text: string | Part[]) => void;
  /** Opens the rules beside the table, at a paragraph ("2.3"). */
  rules: (paragraph?: string) => void;
}

/** A Seat additionally knows which seat it draws. */
export interface SeatProps<
  View = any,
  Ch extends Choice = any,
  Ev extends GameEvent = any,
  Desk = any,
> extends BoardProps<View, Ch, Ev, Desk> {
  seat: number;
}

/** What sentences are made with. */
export interface Telling<View = any> {
  t: Words;
  view: View;
  me: number | null;
  chairs: ChairInfo[];
  /** A person's name, coloured and with the symbol, as a value for a template. */
  player: (seat: number) => Value;
  /** 'you' or 'other', for `{who, select, you {…} other {…}}`. */
  who: (seat: number) => 'you' | 'other';
}

/** What draws a choice as a small picture; `view` is of any moment of the same game. */
export interface PictureProps<View = any, Ch extends Choice = any> {
  choice: Ch;
  view: View;
  t: Words;
}

/** One line of the log. */
export interface LogLine {
  parts: Part[];
  /** Whose symbol stands before the line; leave out for lines of nobody. */
  seat?: number;
  /** 'round' draws a separator with the words in the middle. */
  kind?: 'line' | 'round';
  /** Only the newest of such lines in a row is shown: that somebody has sealed is news until the next does. */
  folded?: boolean;
}

export interface Score {
  value: number | string;
  /** "/16" in small after the value. */
  of?: number;
  /** For screen readers: "9 of 16 points". */
  label: string;
}

/** A line of the ranking; `seat` is null for a rival without a chair, such as a game's own automaton. */
export interface Ranked {
  seat: number | null;
  name: string;
  rank: number;
  score: number;
  reasons: Part[][];
}

/** One row of a deck: what stands in each column. */
export type DeckRow = Record<string, string>;

/** What edits a deck that is one sheet; the server says what is wrong with it. */
export interface SheetEditorProps {
  content: unknown;
  printed: unknown;
  readonly: boolean;
  /** What is wrong, by the part that it is in: «combos red need». */
  mistakes: DeckMistake[];
  t: Words;
  /** The studio's own words. */
  say: Words;
  onchange: (content: unknown) => void;
}

/** A column of a deck's table that is worked out; nothing where the row says nothing of it. */
export interface WorkedOut {
  key: string;
  digits: number;
  of: (row: DeckRow) => number | null;
}

export interface GameBoard<View = any, Ch extends Choice = any, Ev extends GameEvent = any, Desk = any> {
  words: { en: Catalogue; it: Catalogue };
  /** Draws from now on what is printed on a deck of somebody's own (its form, its rows); of none: the printed deck. */
  useDeck?: (form: string, rows: DeckRow[] | null) => void;
  /** One row of a deck as it will look, with the drawings it needs: for the studio. */
  Preview?: Component<{ row: DeckRow; form: string; t: Words }>;
  /** What stands in a cell of a deck's table, drawn as it is printed; of none: as it is written. */
  Cell?: Component<{ column: string; value: string; form: string }>;
  /** What can be worked out of a row and is not written there, such as the sum of a price: `worked.<key>` in the studio's words. */
  workedOut?: (form: string, kind: string) => WorkedOut[];
  /** A deck that is one sheet, small: for the studio's shelf. */
  SheetPicture?: Component<{ content: unknown }>;
  /** Edits a deck that is one sheet, drawn as it will look: for the studio. */
  sheetEditor?: () => Promise<{ default: Component<SheetEditorProps> }>;
  /** Fills the board area. */
  Board: Component<BoardProps<View, Ch, Ev, Desk>>;
  /** This viewer's own area: below the board, stuck to the bottom of a phone. Not drawn for spectators. */
  Tray?: Component<BoardProps<View, Ch, Ev, Desk>>;
  /** The body of one player's panel; name, symbol, presence, turn mark and score are the table's. */
  Seat?: Component<SeatProps<View, Ch, Ev, Desk>>;
  /** The small line under a player's name. The table's own note ("Bot, club level", "Away") follows it: do not repeat that. */
  SeatNote?: Component<SeatProps<View, Ch, Ev, Desk>>;
  /** A third tab beside Moves and Chat. */
  Tab?: { label: string; Body: Component<BoardProps<View, Ch, Ev, Desk>> };
  /** Shown above the ranking on the end screen. */
  End?: Component<BoardProps<View, Ch, Ev, Desk>>;
  /** How a value of a sentence is drawn, by its `as`: `{ as: 'gem', text: 'reality', colour: 'red' }` → `inline.gem`. */
  inline?: Record<string, Component<{ value: any }>>;
  /** Makes the state the game's components share (a class with `$state` fields). Called once per table page. */
  desk?: () => Desk;
  /** A fact as a line of the log; null when it needs no line. */
  describe: (event: Ev, telling: Telling<View>) => LogLine | null;
  /** What chance brought with an event, where the log leaves that to the board: a card turned up, dice. For reviews. */
  turned?: (event: Ev, telling: Telling<View>) => Part[] | null;
  /** The separator before the very first lines, where no fact says it: "Round 1". */
  firstRound?: (t: Words) => Part[];
  /**
   * The number of the last fact that may be told yet, while the board is still showing how it came about; null: everything is.
   * Log and end screen wait for it. Reactive.
   */
  told?: () => number | null;
  /** Where a choice is seen on the board: selectors of the pieces it is about, for reviews and hints to draw on. */
  spots?: (choice: Ch) => string[];
  /** A choice as a small picture beside its words, in reviews, hints and puzzles. */
  Picture?: Component<PictureProps<View, Ch>>;
  /** A choice that is never made for the player, even if it is the only one: how fast it comes would tell a secret. */
  keepsAsking?: (choice: Ch) => boolean;
  /** Chance that is seen at the table: which of the numbers drawn below `below` a fact has shown, in the order they were drawn. */
  seenChance?: { below: number; of: (event: Ev) => number[] };
  /** Kinds of fact that tell most of a turn, the most telling first: for what has happened since one's last move. */
  news?: readonly string[];
  /** Facts that are heard: 'dice', 'flag' or 'screens', by their kind. */
  sounds?: Partial<Record<string, 'dice' | 'flag' | 'screens'>>;
  /** Points in a player's panel and on the end screen. */
  score?: (view: View, seat: number, t: Words) => Score | null;
  /** The lines under a name on the end screen, made from `result.reasons[seat]`. */
  reasons?: (result: Result, seat: number, telling: Telling<View>) => Part[][];
  /** The whole ranking, best first, where somebody without a chair has a place too; null: the chairs by their ranks. */
  ranking?: (result: Result, telling: Telling<View>) => Ranked[] | null;
  /** In the header: where the game is ("round 12"), and what it is about ("First to 16 points …"). */
  head?: (view: View, t: Words) => { title?: string; where?: string; goal?: string | Part[] };
  /** Whose decision the table says is awaited, when the Board itself says nothing. */
  awaited?: (view: View, telling: Telling<View>) => { title?: string | Part[]; hint?: string | Part[] } | null;
  /**
   * Where a lesson finds what it speaks of: by the name of a kind of thing, a selector in which `$` stands for which one of
   * them (`{ pile: '[data-pile="$"]' }` for `pile:2`). `free` are things that only show something and can always be pressed.
   */
  parts?: Record<string, string>;
  /** Keys listed in the `?` dialog; `word` is a key of the game's words. */
  shortcuts?: { keys: string[]; word: string }[];
}

/** A picture of the quick reference and what it means: a symbol of the game's own sprite, or a sign with a number in it. */
export interface Meaning {
  symbol?: string;
  /** Classes of the game's style sheet that make the picture what it is on the table. */
  css?: string;
  text?: string;
  name: string;
  note: string;
}

/** What a game's pictures mean, on one screen: `reference.ts` beside its board. */
export interface Reference {
  words: { en: Catalogue; it: Catalogue };
  sprite: string;
  /** One printed piece as an example, and what is where on it: places in hundredths of its width and height. */
  Example?: Component<{ t: Words }>;
  marks?: (t: Words) => { x: number; y: number; text: string }[];
  meanings: (t: Words) => Meaning[];
}

/** Only for its types: `export default defineGame<View, Choice, Event, Desk>({ … })`. */
export function defineGame<View, Ch extends Choice = Choice, Ev extends GameEvent = GameEvent, Desk = undefined>(
  board: GameBoard<View, Ch, Ev, Desk>,
): GameBoard<View, Ch, Ev, Desk> {
  return board;
}
