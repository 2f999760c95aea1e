/** A deck being edited: its rows, what is printed, and every step back. Knows no rule: the server says what is wrong. */
import type { DeckRow } from '@/games/board';
import type { DeckColumn, DeckForm, DeckMistake } from '@/wire';
import { rowName } from './counting';

export interface Place {
  /** Which row, from 0, of all rows. */
  row: number;
  column: string;
}

const MOST_STEPS = 200;

export class Sheet {
  readonly form: DeckForm;
  readonly printed: DeckRow[];
  rows = $state.raw<DeckRow[]>([]);
  mistakes = $state.raw<DeckMistake[]>([]);
  #before = $state.raw<DeckRow[][]>([]);
  #after = $state.raw<DeckRow[][]>([]);
  readonly #byName: Map<string, DeckRow>;

  constructor(form: DeckForm, rows: DeckRow[] | null) {
    this.form = form;
    this.printed = form.content as DeckRow[];
    this.rows = rows ?? this.printed;
    this.#byName = new Map(this.printed.map((row) => [this.nameOf(row), row]));
  }

  get canUndo(): boolean {
    return this.#before.length > 0;
  }
  get canRedo(): boolean {
    return this.#after.length > 0;
  }

  /** The columns that rows of a kind have. */
  columns(kind: string): DeckColumn[] {
    return this.form.columns.filter((one) => one.key !== 'kind' && (!one.kinds.length || one.kinds.includes(kind)));
  }

  /** By what a row is known: its id; without one its kind, and what stands in the first two columns that only its kind has. */
  nameOf(row: DeckRow): string {
    const kind = row['kind'] ?? '';
    const own = this.form.columns.filter((one) => one.kinds.includes(kind)).slice(0, 2);
    return row['id'] ?? [kind, ...own.map((one) => row[one.key] ?? '')].join(' ');
  }

  /** The printed row of the same id; none for a new one. */
  was(row: DeckRow): DeckRow | undefined {
    return this.#byName.get(this.nameOf(row));
  }

  isChanged(row: DeckRow, column: string): boolean {
    return (this.was(row)?.[column] ?? '') !== (row[column] ?? '');
  }

  /** Some cell of it differs, or it is new. */
  isTouched(row: DeckRow): boolean {
    return Object.keys(row).some((column) => this.isChanged(row, column));
  }

  get changed(): number {
    let cells = 0;
    for (const row of this.rows) for (const column of Object.keys(row)) cells += Number(this.isChanged(row, column));
    return cells;
  }

  /** The rows that differ, with the cells in which they do. */
  get changes(): { row: number; name: string; cells: { column: string; was: string; now: string }[] }[] {
    return [...this.rows.entries()].flatMap(([row, now]) => {
      const was = this.was(now);
      const cells = Object.keys(now)
        .filter((column) => this.isChanged(now, column))
        .map((column) => ({ column, was: was?.[column] ?? '', now: now[column] ?? '' }));
      return cells.length ? [{ row, name: rowName(this.form, now), cells: was ? cells : [] }] : [];
    });
  }

  /** A row as it is printed; a new one goes. */
  putBack(row: number): void {
    const was = this.was(this.rows[row]!);
    this.#step(was ? this.rows.with(row, was) : this.rows.filter((_, n) => n !== row));
  }

  /** Printed rows that are gone. */
  get missing(): number {
    const there = new Set(this.rows.map((row) => this.nameOf(row)));
    return this.printed.filter((row) => !there.has(this.nameOf(row))).length;
  }

  wrong(row: number, column: string): DeckMistake | undefined {
    return this.mistakes.find((one) => one.row === row && one.column === column);
  }

  #step(rows: DeckRow[]): void {
    this.#before = [...this.#before, this.rows].slice(-MOST_STEPS);
    this.#after = [];
    this.rows = rows;
  }

  /** Writes cells, all of them one step. */
  write(cells: (Place & { text: string })[]): void {
    const rows = [...this.rows];
    for (const { row, column, text } of cells) rows[row] = { ...rows[row], [column]: text.trim() };
    if (cells.some(({ row, column, text }) => (this.rows[row]?.[column] ?? '') !== text.trim())) this.#step(rows);
  }

  /** A row like that one, below it, with an id of its own. */
  add(after: number): void {
    const like = this.rows[after]!;
    const ids = new Set(this.rows.map((row) => row['id']));
    let number = 2;
    while (ids.has(`${like['id']}-${number}`)) number++;
    const added = like['id'] === undefined ? { ...like } : { ...like, id: `${like['id']}-${number}` };
    this.#step([...this.rows.slice(0, after + 1), added, ...this.rows.slice(after + 1)]);
  }

  remove(row: number): void {
    this.#step(this.rows.filter((_, n) => n !== row));
  }

  /** Other rows altogether, as from a file: one step. */
  bring(rows: DeckRow[]): void {
    this.#step(rows);
  }

  reset(): void {
    this.bring(this.printed);
  }

  undo(): void {
    const rows = this.#before.at(-1);
    if (!rows) return;
    this.#after = [this.rows, ...this.#after];
    this.#before = this.#before.slice(0, -1);
    this.rows = rows;
  }

  redo(): void {
    const [rows, ...rest] = this.#after;
    if (!rows) return;
    this.#before = [...this.#before, this.rows];
    this.#after = rest;
    this.rows = rows;
  }
}
