/** One press at a time: while something is done nothing else begins, and a refusal is told. */
export class Pressing {
  busy = $state(false);

  constructor(private readonly told: (problem: unknown) => void) {}

  async do(what: () => Promise<void>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      await what();
    } catch (problem) {
      this.told(problem);
    } finally {
      this.busy = false;
    }
  }
}
