/** Short notices at the bottom of the page. */
import { untrack } from 'svelte';
import { plain, type Part } from '@/words';

export interface Notice {
  id: number;
  parts: Part[];
  tone: 'done' | 'wrong' | 'plain';
}

class Notices {
  list = $state.raw<Notice[]>([]);
  #next = 1;

  show(text: string | Part[], tone: Notice['tone'] = 'plain', ms = 4500): void {
    const notice = { id: this.#next++, parts: typeof text === 'string' ? [text] : text, tone };
    // Untracked: an effect that shows a notice must not wait for the next one. The same words are not said twice at a time.
    const others = untrack(() => this.list).filter((other) => plain(other.parts) !== plain(notice.parts));
    this.list = [...others.slice(-2), notice];
    setTimeout(() => this.drop(notice.id), ms);
  }

  clear(): void {
    this.list = [];
  }

  drop(id: number): void {
    this.list = this.list.filter((n) => n.id !== id);
  }
}

export const notices = new Notices();
