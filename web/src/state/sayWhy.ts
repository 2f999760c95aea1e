/** Says why something was refused, or that it failed. */
import { Refused } from '@/api';
import type { Words } from '@/words';
import { notices } from './notices.svelte';
import { refusalText, t } from './words.svelte';

/** A refusal as a sentence; anything else as `failed` names it, or as it calls itself. */
export const reasonOf = (problem: unknown, w: Words = t, failed?: string): string =>
  problem instanceof Refused ? refusalText(problem.refusal, w) : failed ? w(failed) : String(problem);

/** Shows it in a notice. */
export const sayWhy = (problem: unknown, w?: Words, failed?: string): void =>
  notices.show(reasonOf(problem, w, failed), 'wrong');
