/** The reveal on its way: which scene is on, and what the rest of the table may show meanwhile. There is one table a page. */
import { lastOf, type Scene } from './story';
import type { View } from './types';

/** A story with more scenes to come than this is not watched to its end when a new one begins. */
const MOST_BEHIND = 30;

class Stage {
  scenes = $state.raw<Scene[]>([]);
  at = $state(0);
  open = $state(false);
  /** Goes on only when asked to. */
  paused = $state(false);
  /** The scene has been seen as far as its effect: the table may show it. */
  settled = $state(false);

  get scene(): Scene | null {
    return this.open ? (this.scenes[this.at] ?? null) : null;
  }
  /** The table as it is told so far; null: as it is. */
  get view(): View | null {
    const scene = this.scene;
    return scene ? (this.settled ? scene.after : scene.before) : null;
  }
  /** The number of the last fact told; null: everything is. */
  get until(): number | null {
    const scene = this.scene;
    if (!scene) return null;
    return this.settled ? lastOf(scene) : Math.min(...scene.events.map((event) => event.n)) - 1;
  }
  get last(): boolean {
    return this.at >= this.scenes.length - 1;
  }

  /** A new story; one that is still going on is carried on. */
  tell(scenes: Scene[], play: boolean): void {
    if (!scenes.length) return;
    if (this.open && play && this.scenes.length - this.at < MOST_BEHIND) {
      this.scenes = [...this.scenes, ...scenes];
      return;
    }
    this.scenes = scenes;
    this.#go(0);
    this.open = play;
    this.paused = false;
  }

  next(): void {
    if (this.last) this.end();
    else this.#go(this.at + 1);
  }

  back(): void {
    if (this.at > 0) this.#go(this.at - 1);
    this.paused = true;
  }

  end(): void {
    this.open = false;
    this.paused = false;
  }

  /** Once more, from the beginning. */
  replay(paused: boolean): void {
    if (!this.scenes.length) return;
    this.#go(0);
    this.open = true;
    this.paused = paused;
  }

  clear(): void {
    this.end();
    this.scenes = [];
  }

  #go(at: number): void {
    this.at = at;
    this.settled = false;
  }
}

export const stage = new Stage();
