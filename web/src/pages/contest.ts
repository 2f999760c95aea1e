/** How a tournament stands, in a few words. */
import { soon } from '@/contests';
import { t } from '@/state/contests_words.svelte';
import type { TournamentInfo } from '@/wire';

export function stateOf(one: TournamentInfo): string {
  if (one.phase === 'over') return one.winner ? t('contest.winner', { name: one.winner }) : t('contest.off');
  if (one.phase === 'playing') return t('contest.round_of', { n: one.round, rounds: one.rounds ?? 0 });
  return one.begins === null
    ? t('contest.waits', { host: 'no' })
    : t('contest.begins', { time: soon(one.begins, t.lang) });
}
