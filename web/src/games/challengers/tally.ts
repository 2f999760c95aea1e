/** What a tournament was made of, counted from its facts: for the ceremony and the end. All of it lay open. */
import type { Battle } from './story';
import type { LostBy, Standing, View } from './types';

/** What the cards of one title did for a team. */
export interface Deeds {
  /** Flags taken, and the flag that opened a match. */
  flags: number;
  /** Power with which they came up, bonuses included. */
  power: number;
  /** Matches that ended with the flag on such a card. */
  decided: number;
}
export interface Tally extends Deeds {
  matches: number;
  won: number;
  cards: Map<string, Deeds>;
}

const none = (): Deeds => ({ flags: 0, power: 0, decided: 0 });

/** Counts for each team over all matches that are over, or going on. */
export function tally(battles: Battle[]): Map<number, Tally> {
  const teams = new Map<number, Tally>();
  const of = (team: number) =>
    teams.get(team) ?? teams.set(team, { ...none(), matches: 0, won: 0, cards: new Map() }).get(team)!;
  const add = (team: number, card: string, what: keyof Deeds, n: number) => {
    const own = of(team);
    const deeds = own.cards.get(card) ?? own.cards.set(card, none()).get(card)!;
    own[what] += n;
    deeds[what] += n;
  };
  for (const battle of battles) {
    let opened = false;
    for (const team of battle.teams) of(team).matches++;
    for (const { events, scene } of battle.frames) {
      for (const event of events) {
        const last = scene.sides[event.team]?.lineup.at(-1);
        if (event.kind === 'took_flag') {
          add(event.team, event.card, 'flags', 1);
          if (!opened) add(event.team, event.card, 'power', event.power);
          opened = true;
        } else if (event.kind === 'compared' && last) add(event.team, last.card, 'power', last.power);
        else if (event.kind === 'match_won') {
          of(event.team).won++;
          if (last) add(event.team, last.card, 'decided', 1);
        }
      }
    }
  }
  return teams;
}

/** How a match was decided: the winner's card with the flag, and the sums of the last comparison. */
export function decision(
  battle: Battle | undefined,
): { winner: number; loser: number; card: string; by: LostBy; attack: number; flag: number } | null {
  const end = battle?.frames.at(-1)?.scene;
  if (!battle || !end || end.winner === null) return null;
  const card = end.sides[end.winner]?.lineup.at(-1)?.card;
  const last = battle.frames
    .flatMap((frame) => frame.events)
    .filter((event) => event.kind === 'compared')
    .findLast((event) => event.team === end.winner);
  if (!card) return null;
  const loser = battle.teams.find((team) => team !== end.winner)!;
  return {
    winner: end.winner,
    loser,
    card,
    by: end.lostBy ?? 'power',
    attack: last?.attack ?? 0,
    flag: last?.flag ?? 0,
  };
}

/** The place of each line of the standings, as in sports: equal in everything that counts shares a place (1, 2, 3, 3, 5). */
export function places(view: View): number[] {
  const apart = (team: number) => team === view.champion || !!view.final?.teams.includes(team);
  const same = (a: Standing, b: Standing) =>
    !apart(a.team) &&
    !apart(b.team) &&
    a.low === b.low &&
    a.high === b.high &&
    a.trophies === b.trophies &&
    a.best_trophy === b.best_trophy;
  const found: number[] = [];
  view.standings.forEach((line, n, all) => found.push(n > 0 && same(line, all[n - 1]!) ? found[n - 1]! : n + 1));
  return found;
}
