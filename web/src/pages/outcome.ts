/** How a finished game ended, in a few words: «You won, 17–12», «3rd of 4, 9 points», «Anna won». */
import { list, t } from '@/state/words.svelte';
import type { TableInfo } from '@/wire';

export function outcome({ result, you, chairs }: TableInfo): string | null {
  if (!result || result.ranks.length !== chairs.length) return null;
  const { ranks, scores, won } = result;
  const n = ranks.length;
  const first = chairs.filter((chair) => ranks[chair.seat] === 1);
  const names = list(first.map((chair) => chair.name));
  if (you === null) return t('mine.result.winner', { n: first.length, names });
  const [score, rank] = [scores[you]!, ranks[you]!];
  if (n === 1) return t('mine.result.alone', { won: won === null ? 'none' : won ? 'yes' : 'no', score });
  if (n === 2) {
    const winner = first[0]!.seat;
    const who = first.length > 1 ? 'both' : winner === you ? 'you' : 'other';
    return t('mine.result.two', { who, name: names, winner: scores[winner]!, loser: scores[1 - winner]! });
  }
  if (rank === 1) return t('mine.result.won', { n: first.length, score });
  return t('mine.result.place', { rank, n, score });
}
