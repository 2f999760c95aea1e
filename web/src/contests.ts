/** What the page asks of the server about tournaments, and how their numbers are written. */
import { ask } from './api';
import { named } from './former';
import type { CellInfo, MakeTournament, Tournament, TournamentInfo } from './wire';

const one = (id: string) => `/api/tournaments/${encodeURIComponent(id)}`;

async function told(asked: Promise<Tournament>): Promise<Tournament> {
  const found = await asked;
  return { ...found, entrants: found.entrants.map((who) => (who.former ? { ...who, name: named(who.name) } : who)) };
}

export const contests = {
  all: () => ask<TournamentInfo[]>('GET', '/api/tournaments'),
  one: (id: string) => told(ask<Tournament>('GET', one(id))),
  make: (wish: MakeTournament) => told(ask<Tournament>('POST', '/api/tournaments', wish)),
  join: (id: string) => told(ask<Tournament>('POST', `${one(id)}/join`)),
  leave: (id: string) => told(ask<Tournament>('POST', `${one(id)}/leave`)),
  bot: (id: string, level: string) => told(ask<Tournament>('POST', `${one(id)}/bot`, { level })),
  begin: (id: string) => told(ask<Tournament>('POST', `${one(id)}/begin`)),
  cancel: (id: string) => told(ask<Tournament>('POST', `${one(id)}/cancel`)),
};

/** What a round was to somebody; who is out of a knock-out has missed nothing. */
export const roundWas = (cell: CellInfo, kind: TournamentInfo['kind']): string =>
  cell.what === 'missed' && kind === 'knockout' ? 'out' : cell.what;

const PARTS: [number, string][] = [
  [1 / 2, '½'],
  [1 / 3, '⅓'],
  [2 / 3, '⅔'],
  [1 / 4, '¼'],
  [3 / 4, '¾'],
];

/** Points as players write them: 1½. */
export function score(points: number, lang: string): string {
  const whole = Math.floor(points + 1e-9);
  const rest = points - whole;
  if (rest < 1e-6) return String(whole);
  const part = PARTS.find(([value]) => Math.abs(value - rest) < 1e-6);
  if (part) return `${whole || ''}${part[1]}`;
  return new Intl.NumberFormat(lang, { maximumFractionDigits: 2 }).format(points);
}

/** A short time in words: "40 s", "5 min", "3 h". */
export function soon(seconds: number, lang: string): string {
  const [value, unit] =
    seconds < 90
      ? [Math.ceil(seconds), 'second']
      : seconds < 5400
        ? [Math.round(seconds / 60), 'minute']
        : seconds < 36 * 3600
          ? [Math.round(seconds / 3600), 'hour']
          : [Math.round(seconds / 86400), 'day'];
  return new Intl.NumberFormat(lang, { style: 'unit', unit: unit as string, unitDisplay: 'short' }).format(
    value as number,
  );
}
