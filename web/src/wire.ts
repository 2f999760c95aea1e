// Generated from src/ludoteca/server/wire.py by tools/generate.py: change it there. In words: docs/wire.md.

/** Something that could have been done: what it was worth to whoever decided, and how much less than the best. */
export interface ReviewOption {
  action: number;
  chance: number;
  error: number;
  loss: number;
  loss_error: number;
}

/** One decision, judged from what its seat could see then. */
export interface ReviewDecision {
  verdict: string;
  options: ReviewOption[];
  left_out: number;
  best: number;
  loss: number;
  error: number;
  change: number[];
  sealed: boolean;
  before: ReviewPoint | null;
  choices: Record<string, unknown>[];
  words: Record<string, string[]>;
  leads: HintFact[];
  spares: HintFact[];
}

/** Everybody's chance to win, as those who have to decide next can judge it. */
export interface ReviewPoint {
  chances: number[];
  errors: number[];
}

/** What chance did with a step: everybody's chance after it, less what could be expected. */
export interface ReviewStroke {
  luck: number[];
  errors: number[];
  outcomes: number;
  all_of_them: boolean;
}

/** One step of the game (0: the deal), and what was found out about it. */
export interface ReviewPiece {
  step: number;
  seat: number;
  action: number;
  decision: ReviewDecision | null;
  after: ReviewPoint | null;
  stroke: ReviewStroke | null;
  round: number;
}

/** One seat's account: start + own + others + luck + residue = end. */
export interface ReviewTotal {
  start: number;
  own: number;
  others: number;
  luck: number;
  residue: number;
  end: number;
  error: number;
  accuracy: number | null;
  decisions: number;
  as_good: number;
  costly: number;
  forced: number;
  strokes: number;
}

/** A moment that decided the game. */
export interface ReviewMoment {
  step: number;
  kind: string;
  seat: number;
  size: number;
  error: number;
}

/** A kind of thing that can be done: how many there are, and one of them in words. */
export interface HintMay {
  kind: string;
  count: number;
  words: Record<string, string>;
}

/**
 * Something that matters.
 *
 * `next`: another seat can do this and is likely to (the words stand after «can»); `then`: so are you, on your next turn;
 * `end`: the game may be over before it.
 */
export interface HintFact {
  kind: string;
  seat: number | null;
  times: number;
  words: Record<string, string>;
}

/** An option with its chance, and what it costs to choose it instead of the best. */
export interface HintMove {
  option: ReviewOption;
  choice: Record<string, unknown>;
  words: Record<string, string>;
}

/** What is told at a strength. */
export interface Advice {
  strength: number;
  may: HintMay[];
  facts: HintFact[];
  moves: HintMove[];
  both_fine: boolean;
}

/** Who you are. */
export interface Me {
  id: string;
  name: string;
  symbol: 'heart' | 'wave' | 'star' | 'leaf' | 'moon' | 'bolt' | 'flower' | 'key';
  colour: number;
}

/** What you want to be called. */
export interface Rename {
  name: string;
}

/** The sign by which you want to be known: one of our symbols, in one of our colours. */
export interface Avatar {
  symbol: 'heart' | 'wave' | 'star' | 'leaf' | 'moon' | 'bolt' | 'flower' | 'key';
  colour: number;
}

/** A device on which you are at home. */
export interface DeviceInfo {
  id: string;
  name: string;
  how: 'first' | 'link' | 'passkey';
  created: number;
  seen: number;
  here: boolean;
}

/** A passkey that opens your games. */
export interface PasskeyInfo {
  id: string;
  name: string;
  created: number;
  used: number;
}

/** From when to when nobody is to tell you of anything that can wait, by the clocks of a place. */
export interface QuietHours {
  begin: number;
  end: number;
  /** As browsers name it: `Europe/Rome`. */
  zone: string;
}

/** How you are told that you are awaited: with which key, and of what not. */
export interface NoticesInfo {
  /** The house's, for `pushManager.subscribe`. */
  key: string;
  browsers: number;
  muted: ('turn' | 'low' | 'start' | 'over' | 'invited')[];
  muted_tables: string[];
  quiet: QuietHours | null;
}

/** A browser that wants to be told, as its `PushSubscription` says. */
export interface Subscribe {
  endpoint: string;
  p256dh: string;
  auth: string;
  language: string;
}

/** A browser that does not want to be told any more. */
export interface Unsubscribe {
  endpoint: string;
}

/** A kind of notice, or a table, of which you want to be told or not. */
export interface Muted {
  muted: boolean;
  kind?: 'turn' | 'low' | 'start' | 'over' | 'invited' | null;
  table?: string | null;
}

/** Your quiet hours, or none. */
export interface Quiet {
  quiet: QuietHours | null;
}

/** A friend, or somebody whom you have blocked. */
export interface Person {
  id: string;
  name: string;
  symbol: 'heart' | 'wave' | 'star' | 'leaf' | 'moon' | 'bolt' | 'flower' | 'key';
  colour: number;
}

/** Everything that is yours to arrange. */
export interface You {
  me: Me;
  devices: DeviceInfo[];
  passkeys: PasskeyInfo[];
  /** By an address in numbers there can be none. */
  passkeys_here: boolean;
  notices: NoticesInfo;
  friends: Person[];
  blocked: Person[];
  chat: boolean;
}

/** Somebody at a table: on that chair, or who has said something at that time. */
export interface PersonAt {
  seat?: number | null;
  said?: number | null;
  invite?: string | null;
}

/** A friend to be asked to a table, and whether a chair is kept for them. */
export interface AskFriend {
  friend: string;
  keep?: boolean;
}

/** A friend of somebody at a table who is asked to it and has not answered. */
export interface AskedInfo {
  person: Person;
  kept: boolean;
}

/** What whoever keeps the house should know about somebody at a table, or about something they have said. */
export interface ReportIt {
  text: string;
  seat?: number | null;
  said?: number | null;
  invite?: string | null;
}

/** Whoever keeps the house will read it. */
export interface Reported {
  table: string;
}

/** Whether there is to be no chat at a table. */
export interface Hush {
  quiet: boolean;
}

/** Whether you want to take part in chats. */
export interface ChatWish {
  on: boolean;
}

/** What the browser is to ask of an authenticator, and the name under which its answer is awaited. */
export interface Ceremony {
  ticket: string;
  options: unknown;
}

/** An authenticator's answer, and a name for what it has made: the passkey, or the device that it opens. */
export interface Passkey {
  ticket: string;
  credential: unknown;
  name?: string;
}

/** What a link to a further device ends with; good once, for so many seconds. */
export interface OneTimeLink {
  code: string;
  seconds: number;
}

/** The end of a link, and a name for the device it was opened on. */
export interface UseLink {
  code: string;
  name?: string;
}

/** Who a link is from. */
export interface Whose {
  name: string;
  symbol: 'heart' | 'wave' | 'star' | 'leaf' | 'moon' | 'bolt' | 'flower' | 'key';
  colour: number;
}

/** A device or a passkey of yours, by its id; of devices also none: all others than this one. */
export interface OneOfYours {
  id?: string | null;
}

/** What you want to call a device. */
export interface NameDevice {
  id: string;
  name: string;
}

/** That you mean it: your own name, once more. */
export interface Sure {
  name: string;
}

/** You are not known here any more; in so many games your chair is a former guest's. */
export interface Forgotten {
  games: number;
}

/** A choice made before the game. */
export interface OptionInfo {
  key: string;
  values: string[];
  default: string;
  titles: Record<string, Record<string, string>>;
}

/** That a game has a lesson: of so many steps, and about how many minutes. */
export interface LessonInfo {
  steps: number;
  minutes: number;
}

/** That a game's rules can be read here: so many chapters, and about how many minutes. */
export interface RulesInfo {
  chapters: number;
  minutes: number;
}

/** A board that a game brings along in its own package: the addresses of its module and of its style sheet. */
export interface BoardInfo {
  module: string;
  style: string | null;
}

/** A game of this server: what stands on its box. `words` are the pitch and the names of options. */
export interface GameInfo {
  key: string;
  title: string;
  seats: number[];
  minutes: number;
  options: OptionInfo[];
  levels: string[];
  version: string;
  colour: string;
  cover: boolean;
  words: Record<string, Record<string, string>>;
  lesson: LessonInfo | null;
  /** How many there are. */
  puzzles: number;
  /** If the page has none of its own for it. */
  board: BoardInfo | null;
  rules: RulesInfo | null;
}

/** All words of a game, for a page that has no board of its own for it. */
export interface GameWords {
  words: Record<string, Record<string, string>>;
}

/** The rules of a game in Markdown, and the language they are in. */
export interface RulesPage {
  language: string;
  text: string;
}

/** The clock of a table: none, live, or by days (then the bank is there anew for each decision). */
export interface ClockTerms {
  kind: 'none' | 'live' | 'days';
  /** Seconds. */
  bank: number;
  /** Seconds, with each turn; never beyond the bank. */
  increment: number;
  /** Who plays for whoever has no time left. */
  when_out: 'standin' | 'out';
}

/** How long games with so many seats have taken here, in minutes: nine in ten between `low` and `high`. */
export interface Length {
  seats: number;
  games: number;
  low: number;
  middle: number;
  high: number;
}

/** A clock to choose, by name, and the games that were played with it. */
export interface ClockPreset {
  /** `clock.preset.<name>` in the catalogues. */
  name: string;
  clock: ClockTerms;
  lengths: Length[];
}

/** A table to open; `bots` has a level or null for each chair. */
export interface OpenTable {
  game: string;
  seats: number;
  options: Record<string, string>;
  public: boolean;
  bots: (string | null)[];
  name?: string | null;
  clock?: ClockTerms | null;
  take_back?: 'information' | 'consent';
  rated?: boolean;
  hints?: boolean;
}

/**
 * Another table that goes on from a moment of this game: of a finished one after `step`, with you on `seat`.
 *
 * `people`: those who sat here keep their chairs, and it begins when they start it; otherwise bots have the other chairs.
 */
export interface BranchOff {
  step?: number | null;
  seat?: number | null;
  level?: string | null;
  people?: boolean;
}

/**
 * Where a branch comes from: a table, or a puzzle.
 *
 * `guessed`: from one seat's view of a running game or a puzzle, with the unknown dealt again.
 */
export interface BranchInfo {
  table: string;
  step: number;
  guessed: boolean;
  puzzle: string;
}

/** A hint, please: 1 what may I do, 2 what matters here, 3 what would the bot do. */
export interface AskHint {
  strength: number;
}

/** A table full of bots, please. */
export interface PlayNow {
  game: string;
  seats?: number | null;
  level?: string | null;
  options?: Record<string, string> | null;
  /** Deal only at `start`, so that your entropy can follow the commitment. */
  wait?: boolean;
}

/** With anybody who would like the same: a game, so many seats, a clock by its name, rated or friendly. */
export interface QuickWish {
  game: string;
  seats: number;
  /** Of a `ClockPreset`, or `none`. */
  speed?: string;
  rated?: boolean;
  /** After a minute they fill up. */
  bots?: boolean;
}

/** You come to the table that was found for you, with your own entropy. */
export interface Come {
  entropy: string;
}

/** Deal, please; with your own entropy for it. */
export interface Start {
  entropy?: string | null;
}

/** A table for one screen that is passed around: you, the `others` by name, and bots by level. */
export interface OneScreenTable {
  game: string;
  others: string[];
  bots?: string[];
  options?: Record<string, string>;
  clock?: ClockTerms | null;
  /** Deal only at `start`, so that your entropy can follow the commitment. */
  wait?: boolean;
}

/** A tournament to be made: `seats` at a table at most, `rounds` of a Swiss, a level for each bot that takes part. */
export interface MakeTournament {
  name: string;
  game: string;
  kind: 'robin' | 'swiss' | 'knockout';
  seats: number;
  clock: ClockTerms;
  rounds?: number;
  bots?: string[];
  options?: Record<string, string>;
  rated?: boolean;
  /** You take part yourself. */
  play?: boolean;
  /** Seconds after which it begins by itself. */
  wait?: number | null;
}

/** A bot that is to take part. */
export interface AddBot {
  level: string;
}

/** Once more, please; a table full of bots is dealt at once, unless you want to `wait` for `start`. */
export interface Rematch {
  wait?: boolean;
}

/** A chair to take; none named: your own, or the first free one. */
export interface Sit {
  seat?: number | null;
  invite?: string | null;
}

/** A bot for a chair, or nobody. */
export interface Chair {
  seat: number;
  level?: string | null;
}

/** Other chairs, options or clock, rated or friendly, what can be taken back, hints; what is left out stays as it is. */
export interface Arrange {
  seats?: number | null;
  options?: Record<string, string> | null;
  clock?: ClockTerms | null;
  rated?: boolean | null;
  take_back?: 'information' | 'consent' | null;
  hints?: boolean | null;
}

/** Whether you would like to begin, as things are arranged now. */
export interface Ready {
  ready: boolean;
}

/** The chair of somebody who is not there. */
export interface StandIn {
  seat: number;
}

/** The chair of somebody who gets more time. */
export interface MoreTime {
  seat: number;
}

/** A deck as the text of its file, to be looked through; no game named: the one its columns fit. */
export interface CheckDeck {
  game: string;
  text: string;
  form?: string;
  language?: string;
}

/** A deck to be kept under a name. */
export interface SaveDeck {
  game: string;
  text: string;
  name: string;
  form?: string;
}

/** What does this deck do? Bots play so many deals with it and with another one (nothing: the printed deck). */
export interface AskReport {
  game: string;
  deck: string;
  before?: string;
  seats?: number;
  deals?: number;
  bot?: string;
  language?: string;
  /** Which cards are exchanged for others. */
  worth?: 'changed' | 'all';
}

/** Which numbers would make these wishes come true? Decks that differ from this one in these cells are tried. */
export interface AskSearch {
  game: string;
  deck: string;
  wishes: string[];
  cells: string[];
  seats?: number;
  deals?: number;
  tries?: number;
  bot?: string;
  language?: string;
}

/** A search is to go on until so many decks are tried. */
export interface GoOn {
  tries: number;
}

/** A deck to be taken off the shelf. */
export interface PutAway {
  hash: string;
}

/** Who sits on a chair. */
export interface ChairInfo {
  seat: number;
  kind: 'person' | 'bot' | 'empty';
  name: string;
  level: string | null;
  online: boolean;
  /** A bot plays for someone who left. */
  standin: boolean;
  /** A former guest's, who is forgotten. */
  former: boolean;
  /** Before the start: would like to begin as things are arranged now. */
  ready: boolean;
  /** Of a guest of this house: where their page is. */
  person: string | null;
  /** Arranges the table before the start. */
  host: boolean;
  /** A person's own; the chair has its own colour and symbol too. */
  sign: Avatar | null;
}

/** One shuffle of the set-up: `order[i]` is the piece that came to place i. */
export interface ShuffleInfo {
  name: string;
  order: number[];
}

/** What chance said in the deal (0) or in a step of the game: `4/6 2/6` are two numbers drawn below 6. */
export interface DrawsInfo {
  seq: number;
  drawn: string;
}

/** The promise of fair chance and, after the end, its proof. */
export interface Fair {
  commitment: string;
  entropy: string[];
  server_seed: string | null;
  seed: string | null;
  shuffles: ShuffleInfo[] | null;
  chance: 'seed' | 'keyed' | null;
  draws: DrawsInfo[] | null;
  /** Of a branch: the record it begins with, in hexadecimal. */
  beginning: string;
}

/** How a game ended, in short: for each seat its rank and points; `won` where one plays alone against the game. */
export interface Outcome {
  ranks: number[];
  scores: number[];
  won: boolean | null;
}

/** Somebody asks the others to be let take a decision back: whose it is, who agrees, who has not answered. */
export interface Asks {
  seat: number;
  agreed: number[];
  asked: number[];
}

/** A table as one guest may see it. */
export interface TableInfo {
  id: string;
  game: string;
  name: string;
  options: Record<string, string>;
  public: boolean;
  phase: 'open' | 'playing' | 'over';
  chairs: ChairInfo[];
  you: number | null;
  host: boolean;
  invite: string | null;
  spectators: number;
  waiting: number[];
  seq: number;
  created: number;
  moved: number;
  fair: Fair;
  rematch: string | null;
  ended: 'rules' | 'damaged' | 'closed' | null;
  result: Outcome | null;
  clock: ClockTerms | null;
  /** Seconds until the first clock runs out, while one runs. */
  due: number | null;
  take_back: 'information' | 'consent';
  asks: Asks | null;
  /** There is no chat here. */
  quiet: boolean;
  rated: boolean;
  /** Played elsewhere, and brought here as a record. */
  imported: boolean;
  /** The one it belongs to. */
  tournament: string | null;
  /** One screen is passed around. */
  one_screen: boolean;
  /** Whoever is to decide may ask for a hint. */
  hints: boolean;
  /** It goes on from a moment of another game. */
  branch: BranchInfo | null;
}

/** A table to which a friend asks you, and what opens it. */
export interface InvitationInfo {
  table: TableInfo;
  invite: string;
  by: Person;
  /** A chair, for you. */
  kept: boolean;
}

/** One of your friends: whether they are here, or when they were, and where you may watch them play. */
export interface FriendInfo {
  person: Person;
  here: boolean;
  /** Seconds since they were last here, to the minute. */
  away: number | null;
  /** A public game that they play now. */
  table: string | null;
  /** What is played there. */
  game: string | null;
}

/** How many others look for a quick match on these terms. */
export interface LookingInfo {
  game: string;
  seats: number;
  speed: string;
  rated: boolean;
  people: number;
}

/** What goes on in the house: your friends, public games that are played now, and who looks for others. */
export interface Around {
  friends: FriendInfo[];
  running: TableInfo[];
  looking: LookingInfo[];
}

/** How your wish for a quick match stands; without one, nothing is said. */
export interface QuickInfo {
  wish: QuickWish | null;
  /** Seconds. */
  waited: number;
  /** Who could sit down together by now, you too. */
  people: number;
  /** Seconds until bots fill up. */
  bots_in: number | null;
  /** What was found. */
  table: TableInfo | null;
}

/** One seat's clock: seconds left when this was sent (a sealed one tells none), and for how many it stands still. */
export interface ClockInfo {
  left: number | null;
  /** Each has a shape of its own. */
  state: 'waiting' | 'running' | 'held' | 'sealed' | 'out' | 'bot';
  held: number;
  /** That may still be taken, by days. */
  days_off: number;
}

/** Something that happened to a seat's clock besides turns; `by` is who gave time, `amount` how many seconds. */
export interface ClockEvent {
  at: number;
  what: 'more' | 'off' | 'lost' | 'out' | 'back';
  seat: number;
  by: number | null;
  amount: number;
}

/** How a game ended. */
export interface Result {
  ranks: number[];
  scores: number[];
  reasons: Record<string, unknown>[];
}

/** A finished game, written down. */
export interface GameRecord {
  game: string;
  version: string;
  seats: number;
  options: Record<string, string>;
  seed: string | null;
  decisions: number[][];
  names: string[];
  fair: Fair;
  result: Result;
  /** For each decision 0, or which further step of one it is. */
  steps: number[] | null;
  times: number[] | null;
  deciders: ('person' | 'bot' | 'standin' | null)[] | null;
  /** For each seat the level of its bot. */
  levels: (string | null)[] | null;
  rated: boolean;
  /** Of a branch: the game it comes from. */
  origin: BranchInfo | null;
  /** The whole deck, if it was not the printed one. */
  deck: string | null;
}

/** What is wrong in a deck: the line of its text, which row from 0 (-1: no single one), the column, and the sentence. */
export interface DeckMistake {
  line: number;
  row: number;
  column: string;
  sentence: string;
}

/** A deck without a mistake: its hash, game, form, content and titles; or every mistake. */
export interface DeckChecked {
  hash: string | null;
  mistakes: DeckMistake[];
  game: string;
  form: string;
  content: unknown;
  words: Record<string, Record<string, string>>;
}

/** A column of a deck: what may stand in it, and for which kinds of row; both also in words. */
export interface DeckColumn {
  key: string;
  sort: 'number' | 'choice' | 'id' | 'text';
  values: string[];
  kinds: string[];
  about: string;
  allowed: string;
  /** A short name of the column, in words; nothing: its key will do. */
  label: string;
  /** What its values are called, where they are called anything. */
  names: Record<string, string>;
  /** By value: what may then stand in other columns. */
  fits: Record<string, Record<string, string[]>>;
}

/** A sort of deck that a game has: a table with columns, or a sheet; and the printed one. */
export interface DeckForm {
  key: string;
  title: string;
  sheet: boolean;
  kinds: string[];
  columns: DeckColumn[];
  content: unknown;
  /** `kind.<kind>`, `count.<kind>`; of a form without kinds, `row`. */
  words: Record<string, string>;
  /** What a card is worth can be known: it can be exchanged for another. */
  worth: boolean;
}

/** A deck that was saved. */
export interface DeckOnShelf {
  hash: string;
  name: string;
  game: string;
  form: string;
  at: number;
}

/** How far a report is, and what it says by now. */
export interface ReportState {
  id: string;
  done: number;
  total: number;
  running: boolean;
  report: unknown;
}

/** How far a search is: decks tried, what it has found, or why it cannot be made. */
export interface SearchState {
  id: string;
  done: number;
  total: number;
  running: boolean;
  refused: string;
  search: unknown;
}

/** A report that is done, as a page of its own and as a table. */
export interface ReportFiles {
  html: string;
  csv: string;
}

/** What is printed on a deck's components, and their titles by language and key. */
export interface DeckContent {
  hash: string;
  game: string;
  form: string;
  content: unknown;
  words: Record<string, Record<string, string>>;
}

/** Where a record that was brought here can be looked at; whether it is new here. */
export interface Brought {
  table: string;
  new: boolean;
}

/** How strong somebody is in a game with so many seats: a best guess; nine times of ten it is off by `margin` at most. */
export interface Rating {
  game: string;
  seats: number;
  points: number;
  margin: number;
  games: number;
  /** From enough games to be on the leaderboard. */
  sure: boolean;
  /** How strong each level of bot was measured to be there. */
  bots: Record<string, number>;
}

/** Somebody's page. */
export interface Profile {
  id: string;
  name: string;
  you: boolean;
  since: number;
  finished: number;
  rated: number;
  /** Rated games in which a stand-in had to finish for them. */
  left: number;
  ratings: Rating[];
  /** Rated games for a place on a leaderboard. */
  enough: number;
  symbol: 'heart' | 'wave' | 'star' | 'leaf' | 'moon' | 'bolt' | 'flower' | 'key';
  colour: number;
}

/** Somebody's rating after one game; its table, if you may know of it. */
export interface RatingPoint {
  at: number;
  points: number;
  margin: number;
  games: number;
  table: string | null;
}

/** Somebody's rating over time; of very many games evenly some. */
export interface RatingHistory {
  game: string;
  seats: number;
  points: RatingPoint[];
}

/** A way to begin, in words; in how many games, and how many of them were won. */
export interface Opening {
  words: string;
  games: number;
  won: number;
}

/** How somebody likes to begin, from so many of their last games. */
export interface Openings {
  game: string;
  games: number;
  openings: Opening[];
}

/**
 * How often somebody came out ahead: of a person or a level of bot, in a game, or with so many seats.
 *
 * `won` of `games`, with its nine-in-ten interval; `fair` is what chance alone would give.
 */
export interface Ahead {
  person: string | null;
  name: string | null;
  symbol: 'heart' | 'wave' | 'star' | 'leaf' | 'moon' | 'bolt' | 'flower' | 'key' | null;
  colour: number | null;
  level: string | null;
  game: string | null;
  seats: number | null;
  games: number;
  won: number;
  low: number;
  high: number;
  fair: number;
}

/** How often somebody came out ahead, from so many games; below `enough` of them a share says too little. */
export interface Shares {
  counted: number;
  enough: number;
  opponents: Ahead[];
  games: Ahead[];
  seats: Ahead[];
}

/** Somebody on a leaderboard, between these places: where intervals overlap the order is not settled. */
export interface Leader {
  person: string;
  name: string;
  first: number;
  last: number;
  points: number;
  margin: number;
  games: number;
  you: boolean;
  symbol: 'heart' | 'wave' | 'star' | 'leaf' | 'moon' | 'bolt' | 'flower' | 'key';
  colour: number;
}

/** A level of bot, as it was measured in so many games among bots. */
export interface BotRating {
  level: string;
  points: number;
  margin: number;
  games: number;
}

/** Who is how strong in a game with so many seats; `fewer` have not played `enough` rated games yet. */
export interface Leaderboard {
  game: string;
  seats: number;
  people: Leader[];
  bots: BotRating[];
  enough: number;
  fewer: number;
}

/** How strong whoever sits there is; after a rated game, what it has changed. */
export interface SeatRating {
  seat: number;
  points: number;
  margin: number;
  /** Rated ones so far; null for a bot. */
  games: number | null;
  change: number | null;
  left: boolean;
}

/** A tournament in a list: how many take part, the round that is played, of how many if that is known. */
export interface TournamentInfo {
  id: string;
  name: string;
  game: string;
  kind: 'robin' | 'swiss' | 'knockout';
  seats: number;
  clock: ClockTerms | null;
  rated: boolean;
  phase: 'open' | 'playing' | 'over';
  created: number;
  /** In so many seconds it begins by itself; later: the next round. */
  begins: number | null;
  entrants: number;
  round: number;
  rounds: number | null;
  you: boolean;
  /** Where you play in it now. */
  table: string | null;
  winner: string | null;
}

/** Somebody who takes part: a person with a page of their own, or a bot of a level; from round `since` on. */
export interface EntrantInfo {
  n: number;
  name: string;
  person: string | null;
  level: string | null;
  symbol: 'heart' | 'wave' | 'star' | 'leaf' | 'moon' | 'bolt' | 'flower' | 'key';
  colour: number;
  since: number;
  /** Takes part no more. */
  gone: 'left' | 'absent' | null;
  /** A former guest, who is forgotten. */
  former: boolean;
  /** Their rating with so many seats, where it is known. */
  points: number | null;
  margin: number | null;
}

/** A table of a round: who sits where, by number; `ranks` as they count, once it is over; who is awaited, by seat. */
export interface MeetingInfo {
  table: string;
  entrants: number[];
  ranks: number[] | null;
  phase: 'open' | 'playing' | 'over';
  waiting: number[];
  /** By seat, once it is over. */
  scores: number[] | null;
  /** Seconds until the first clock runs out, while one runs. */
  due: number | null;
}

/** A round: its tables, and who has none. */
export interface RoundInfo {
  meetings: MeetingInfo[];
  free: number[];
}

/** What a round has brought somebody: `points` where it is over. */
export interface CellInfo {
  what: 'played' | 'running' | 'free' | 'missed';
  points: number;
}

/**
 * How somebody stands: points, then the mean of the opponents' points, then won less lost against whoever is level,
 * then lots.
 */
export interface StandingInfo {
  entrant: number;
  place: number;
  points: number;
  opponents: number;
  direct: number;
  by_lot: boolean;
  rounds: CellInfo[];
}

/** A tournament. `commitment` is the hash of the `seed` with which lots are drawn, which is shown when it is over. */
export interface Tournament {
  info: TournamentInfo;
  /** You have made it. */
  host: boolean;
  you: number | null;
  may_join: boolean;
  options: Record<string, string>;
  entrants: EntrantInfo[];
  standings: StandingInfo[];
  played: RoundInfo[];
  commitment: string;
  seed: string | null;
  /** In so many seconds 19 of 20 such games were over: as long as the round may take. */
  ends: number | null;
}

/** Why something was not done. */
export interface Refusal {
  key: string;
  facts: Record<string, unknown>;
  sentence: string;
}

/** How far the fast engine is. */
export interface Warmup {
  ready: boolean;
  done: number;
  total: number;
  what: string;
}

/** A decision. */
export interface Do {
  type: 'do';
  id: string;
  action: number;
  at: number;
  then?: number[];
}

/** Takes back what you have sealed. */
export interface OpenAgain {
  type: 'open_again';
  id: string;
  at: number;
}

/** Takes your decisions back to where the game stood after step `to`. */
export interface TakeBack {
  type: 'take_back';
  id: string;
  to: number;
}

/** Asks the others to be let take back what `may_take_back` refuses. */
export interface AskBack {
  type: 'ask_back';
}

/** Whether you let them; `at` is the sequence number at which they have asked. */
export interface AnswerBack {
  type: 'answer_back';
  yes: boolean;
  at: number;
}

/** Chat. */
export interface Say {
  type: 'say';
  text: string;
}

/** Something random for the shuffle. */
export interface Entropy {
  type: 'entropy';
  text: string;
}

/** Still here. */
export interface Ping {
  type: 'ping';
  at: number;
}

/** What a seat may do now; the game's own values come with it (see the game's `facts.ts`). */
export interface Choice {
  action: number;
  kind: string;
}

/**
 * A fact of the game, with its values (see the game's `facts.ts`); what this viewer may not know is null.
 *
 * `at` is when it was decided (of sealed decisions: when the screens went up), `decider` who decided for its seat.
 */
export interface GameEvent {
  n: number;
  kind: string;
  seat: number | null;
  at?: number;
  decider?: 'person' | 'bot' | 'standin' | null;
}

/** The table changed. */
export interface TableMessage {
  type: 'table';
  table: TableInfo;
}

/** The game as one viewer may see it. */
export interface Update {
  type: 'update';
  seq: number;
  view: unknown;
  choices: Choice[];
  waiting: number[];
  events: GameEvent[];
  fresh: boolean;
  result: Result | null;
  sealed: boolean;
}

/** Everybody's clocks, the same for all who look on. `low`: from so many seconds on, a player is warned. */
export interface ClocksMessage {
  type: 'clocks';
  low: number;
  /** Seconds that «give more time» gives. */
  gift: number;
  clocks: ClockInfo[];
  story: ClockEvent[];
}

/** Your decision is stored. */
export interface Done {
  type: 'done';
  id: string;
  seq: number;
}

/** Your last decision can be taken back to step `to`, or why not; none, if you have decided nothing. */
export interface MayTakeBack {
  type: 'may_take_back';
  to: number | null;
  why: Refusal | null;
  /** The others can be asked. */
  ask: boolean;
}

/** Nothing changed, and why. */
export interface RefusedMessage {
  type: 'refused';
  id: string | null;
  key: string;
  facts: Record<string, unknown>;
  sentence: string;
}

/** Somebody said something. */
export interface Said {
  type: 'said';
  seat: number | null;
  name: string;
  text: string;
  at: number;
}

/** The newest sequence number. */
export interface Pong {
  type: 'pong';
  seq: number;
}

/** The game is over: check its chance. */
export interface Revealed {
  type: 'revealed';
  fair: Fair;
}

/**
 * Some of a game's positions, from number `first` (0: the deal) on; `total` of them so far.
 *
 * When the game is over, each has everybody's chance to win as it was then, in hundredths.
 */
export interface Moments {
  first: number;
  total: number;
  moments: Update[];
  chances: number[][];
  /** Through your own eyes: the moment of your last decision. */
  own: number | null;
}

/** One step of a lesson: what it says (`title`, `text`, `other`), its paragraph, what to press and what to look at. */
export interface LessonStep {
  words: Record<string, Record<string, string>>;
  rule: string;
  press: string[];
  look: string[];
  /** There is nothing to decide. */
  reads: boolean;
}

/** A lesson: the table it is played at, and its steps. */
export interface Lesson {
  minutes: number;
  table: TableInfo;
  steps: LessonStep[];
}

/** What you would decide at a step of a lesson or in a puzzle. */
export interface Decision {
  actions: number[];
}

/** Whether that is what the lesson is about, and what happens then. */
export interface LessonAnswer {
  right: boolean;
  updates: Update[];
}

/** A puzzle: at how many seats, in which round, and how many in a hundred of each level of bots find it. */
export interface PuzzleInfo {
  id: string;
  game: string;
  seats: number;
  round: number;
  /** By level, the mildest first. */
  found: Record<string, number>;
  /** 1 to 3: how few of them find it. */
  grade: number;
}

/** A puzzle as it lies on the table. */
export interface Puzzle {
  info: PuzzleInfo;
  table: TableInfo;
  update: Update;
  /** Some to weigh, the best among them, in the order of the rules. */
  moves: PuzzleMove[];
}

/** A move of a puzzle in words; nothing of what it is worth. */
export interface PuzzleMove {
  action: number;
  /** By language. */
  words: Record<string, string>;
}

/** A move of a puzzle in words, its chance to win in hundredths, and two standard errors of that. */
export interface PuzzleOption {
  action: number;
  /** By language. */
  words: Record<string, string>;
  chance: number;
  error: number;
}

/** Whether your move is the best one; yours, and the best moves in order. */
export interface PuzzleAnswer {
  right: boolean;
  yours: PuzzleOption;
  best: PuzzleOption[];
  /** In which each move was tried. */
  guesses: number;
}

/** What tells the best move apart from yours, or from the next best: what comes of each in guesses that are played on. */
export interface PuzzleWhy {
  best: HintFact[];
  other: HintFact[];
}

/**
 * A review of a finished game, as far as it is made: `parts` of `of`; the pieces are those from part `first` on.
 *
 * `ends` has the last step of each moment that can be looked back at. Totals, moments and verdicts come with the last part.
 * `earlier`: it was judged otherwise than reviews are today; whoever asks for it has it made anew.
 */
export interface ReviewSoFar {
  state: 'none' | 'running' | 'failed' | 'done';
  parts: number;
  of: number;
  first: number;
  pieces: ReviewPiece[];
  ends: number[];
  judge: string;
  totals: ReviewTotal[];
  moments: ReviewMoment[];
  verdicts: string[];
  earlier: boolean;
}

/** A game as your own seat may see it, for a program that plays with the same rules: the record itself, redacted. */
export interface Sight {
  seq: number;
  seat: number;
  version: string;
  /** In base64. */
  record: string;
}

export type FromBrowser = Do | OpenAgain | TakeBack | AskBack | AnswerBack | Say | Entropy | Ping;

export type FromServer =
  TableMessage | Update | ClocksMessage | MayTakeBack | Done | RefusedMessage | Said | Pong | Revealed;
