/** What is being edited, kept in this browser until it is saved. */
export interface Draft {
  content: unknown;
  name: string;
}

const place = (game: string, form: string) => `ludoteca:draft:${game}:${form}`;

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
