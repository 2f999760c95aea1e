/** What is being edited, kept in this browser until it is saved. */
export interface Draft {
  content: unknown;
  name: string;
}

const BEGINS = 'ludoteca:draft:';
const place = (game: string, form: string) => `${BEGINS}${game}:${form}`;

export function keepDraft(game: string, form: string, content: unknown, name: string): void {
  try {
    localStorage.setItem(place(game, form), JSON.stringify({ content, name }));
  } catch {
    // A browser that keeps nothing: the deck lives as long as the page.
  }
}

export function draftOf(game: string, form: string): Draft | null {
  try {
    return JSON.parse(localStorage.getItem(place(game, form)) ?? 'null') as Draft | null;
  } catch {
    return null;
  }
}

export function forgetDraft(game: string, form: string): void {
  try {
    localStorage.removeItem(place(game, form));
  } catch {
    // Then there is none.
  }
}

/** Everything that is being edited in this browser. */
export function drafts(): (Draft & { game: string; form: string })[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(BEGINS))
      .flatMap((key) => {
        const [game, form] = key.slice(BEGINS.length).split(':');
        const draft = draftOf(game!, form!);
        return draft ? [{ ...draft, game: game!, form: form! }] : [];
      });
  } catch {
    return [];
  }
}
