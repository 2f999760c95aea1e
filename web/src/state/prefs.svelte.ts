/** How this person likes the room: kept in the browser, read everywhere, reactive. */
import type { Prefs } from '@/games/board';

export type Theme = 'system' | 'light' | 'dark';
export type Lang = 'en' | 'it';
export type Speed = 'off' | 'fast' | 'normal' | 'slow';

const KEY = 'ludoteca.prefs';
const FACTOR: Record<Speed, number> = { off: 0, fast: 0.5, normal: 1, slow: 2 };

function stored(): Partial<Record<string, unknown>> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, unknown>;
  } catch {
    return {};
  }
}

function oneOf<T extends string>(value: unknown, allowed: readonly T[], fallback: T): T {
  return allowed.includes(value as T) ? (value as T) : fallback;
}

class Preferences implements Prefs {
  theme = $state<Theme>('system');
  lang = $state<Lang>('en');
  speed = $state<Speed>('normal');
  /** Sounds wait for the first press in any case. */
  sound = $state(true);
  /** 0 to 1. */
  volume = $state(0.6);
  /** What can only be one thing is played for you. */
  forced = $state(true);
  confirm = $state(false);
  keys = $state(true);
  /** The system asks for no motion. */
  still = $state(false);

  constructor() {
    const was = stored();
    const guess: Lang = typeof navigator !== 'undefined' && /^it\b/i.test(navigator.language) ? 'it' : 'en';
    this.theme = oneOf(was['theme'], ['system', 'light', 'dark'], 'system');
    this.lang = oneOf(was['lang'], ['en', 'it'], guess);
    this.speed = oneOf(was['speed'], ['off', 'fast', 'normal', 'slow'], 'normal');
    this.sound = was['sound'] !== false;
    const volume = was['volume'];
    if (typeof volume === 'number' && volume >= 0 && volume <= 1) this.volume = volume;
    this.forced = was['forced'] !== false;
    this.confirm = was['confirm'] === true;
    this.keys = was['keys'] !== false;
    if (typeof matchMedia !== 'undefined') {
      const query = matchMedia('(prefers-reduced-motion: reduce)');
      this.still = query.matches;
      query.addEventListener('change', () => (this.still = query.matches));
    }
  }

  get motion(): number {
    return this.still ? 0 : FACTOR[this.speed];
  }

  /** Keeps the page and the storage in step. Called once, from the root component's effect. */
  settle(): void {
    const root = document.documentElement;
    if (this.theme === 'system') delete root.dataset['theme'];
    else root.dataset['theme'] = this.theme;
    root.lang = this.lang;
    root.dataset['motion'] = this.speed;
    const { theme, lang, speed, sound, volume, confirm, forced, keys } = this;
    try {
      localStorage.setItem(KEY, JSON.stringify({ theme, lang, speed, sound, volume, confirm, forced, keys }));
    } catch {
      // Storage may be full or closed: the choice then lasts as long as the page.
    }
  }

  /** The header's button: to the other of day and night, whatever is showing now. */
  flipTheme(): void {
    this.theme = this.dark ? 'light' : 'dark';
  }

  get dark(): boolean {
    return this.theme === 'dark' || (this.theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  }
}

export const prefs = new Preferences();
