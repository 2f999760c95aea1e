/** A table to learn at: like any other, but each decision is answered at once by the server, and nothing is stored. */
import { api, Refused } from '@/api';
import { TableSocket, type SocketOptions } from '@/socket.svelte';
import type { Lesson, Puzzle, PuzzleAnswer, TableInfo, Update } from '@/wire';

/** Somebody decided otherwise than the lesson wants, or has answered: the board keeps what it shows, and nobody is told off. */
const asItWas = () => new Refused({ key: 'closed', facts: {}, sentence: '' });

abstract class PracticeTable extends TableSocket {
  override readonly practice = true;
  override readonly home: string = '/learn';

  constructor(table: TableInfo, you: string, options: SocketOptions = {}) {
    super(table.id, null, options);
    const chairs = table.chairs.map((chair) => (chair.seat === table.you ? { ...chair, name: you } : chair));
    this.table = { ...table, chairs };
    this.status = 'open';
  }

  protected abstract decide(actions: number[]): Promise<void>;

  override async do(action: number, then: number[] = []): Promise<void> {
    if (this.busy) throw asItWas();
    this.busy = true;
    try {
      await this.decide([action, ...then]);
    } finally {
      this.busy = false;
    }
  }
}

export class LessonTable extends PracticeTable {
  /** The step that is learnt now; as many as there are: the lesson is over. */
  step = $state(0);
  /** The number of the last decision that is to be seen before the coach speaks again. */
  #until = $state(0);

  constructor(
    readonly lesson: Lesson,
    you: string,
    name: string,
    options: SocketOptions,
    /** Called when something else was decided than the lesson wants. */
    readonly otherwise: () => void,
  ) {
    super({ ...lesson.table, name }, you, options);
  }

  get game(): string {
    return this.table!.game;
  }

  /** Everything that was decided has been seen. */
  get seen(): boolean {
    return this.update !== null && this.update.seq >= this.#until;
  }

  /** Goes to the beginning of a step. */
  async open(step: number): Promise<void> {
    const update = await api.lessonStep(this.game, step);
    this.#until = update.seq;
    this.step = step;
    this.receive({ ...update, type: 'update' });
  }

  protected async decide(actions: number[]): Promise<void> {
    const answer = await api.lessonDecide(this.game, this.step, actions);
    if (!answer.right) {
      this.otherwise();
      throw asItWas();
    }
    this.#until = answer.updates.at(-1)?.seq ?? this.#until;
    this.step++;
    for (const update of answer.updates) this.receive({ ...update, type: 'update' } as { type: 'update' } & Update);
  }
}

export class PuzzleTable extends PracticeTable {
  override readonly home = '/puzzles';
  answer = $state.raw<PuzzleAnswer | null>(null);

  constructor(
    readonly puzzle: Puzzle,
    you: string,
    /** Stands where other tables have their name. */
    name: string,
  ) {
    super({ ...puzzle.table, name }, you);
    this.receive({ ...puzzle.update, type: 'update' });
  }

  /** A move as the page offers it. */
  readonly offered = (action: number) => this.puzzle.update.choices.find((choice) => choice.action === action);

  protected async decide(actions: number[]): Promise<void> {
    this.answer = await api.puzzleAnswer(this.puzzle.info.id, actions);
    throw asItWas(); // the position stays on the table, to be looked at
  }
}
