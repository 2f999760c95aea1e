/** Whose words you do not want to read: kept by name, in this browser. */
const KEY = 'ludoteca.muted';
const MOST = 100;

function stored(): string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(found) ? found.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}

class Muted {
  names = $state.raw<string[]>(stored());

  has = (name: string): boolean => this.names.includes(name);

  toggle(name: string): void {
    this.names = this.has(name) ? this.names.filter((other) => other !== name) : [...this.names, name].slice(-MOST);
    try {
      localStorage.setItem(KEY, JSON.stringify(this.names));
    } catch {
      // Storage may be closed: it then lasts as long as the page.
    }
  }
}

export const muted = new Muted();
