/** Whether this window looks for a quick match: then the corner that tells how it stands is loaded. */
const KEY = 'ludoteca.looking';

function before(): boolean {
  try {
    return sessionStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

class Looking {
  #on = $state(before());

  get on(): boolean {
    return this.#on;
  }

  set on(on: boolean) {
    this.#on = on;
    try {
      if (on) sessionStorage.setItem(KEY, '1');
      else sessionStorage.removeItem(KEY);
    } catch {
      // Storage may be closed: it then lasts as long as the page.
    }
  }
}

export const looking = new Looking();
