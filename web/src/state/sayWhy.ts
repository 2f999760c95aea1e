/** Says why something was refused, or that it failed. */
import { Refused } from '@/api';
import type { Words } from '@/words';
import { notices } from './notices.svelte';
import { refusalText, t } from './words.svelte';

/** A refusal as a sentence; anything else as `failed` names it, or as it calls itself. */
export const reasonOf = (problem: unknown, w: Words = t, failed?: string): string =>
  problem instanceof Refused ? refusalText(problem.refusal, w) : failed ? w(failed) : String(problem);

/** Why a page has nothing to show: what the house says, or that it cannot be reached. */
export const whyEmpty = (problem: unknown, w: Words = t): string =>
  problem instanceof Refused && problem.status >= 400 && problem.status < 500
    ? reasonOf(problem, w)
    : w('unreachable.home');

/** Shows it in a notice. */
export const sayWhy = (problem: unknown, w?: Words, failed?: string): void =>
  notices.show(reasonOf(problem, w, failed), 'wrong');
