import { describe, expect, test } from 'vitest';
import en from '@games/challengers/words/en.json';
import it from '@games/challengers/words/it.json';
import rules from '@games/challengers/docs/en.md?raw';
import type { GameBoard, Telling } from '@/games/board';
import { sprite } from '@/games/challengers/art';
import { CARDS, paragraphOf } from '@/games/challengers/components';
import { redrawing } from '@/games/challengers/play';
import { decided, ranking } from '@/games/challengers/sentences';
import { Book, pileOf, seatsNeeded, total } from '@/games/challengers/story';
import { decision, places, tally } from '@/games/challengers/tally';
import type { Event, Props, View } from '@/games/challengers/types';
import { ranking as everybody, winners } from '@/table/ranking';
import { telling } from '@/table/telling';
import { plain, words } from '@/words';

/** Facts as the server tells them, numbered. */
function told(...facts: Record<string, unknown>[]): Book {
  const book = new Book();
  facts.forEach((fact, n) => book.read({ n: n + 1, seat: fact['team'], ...fact } as unknown as Event));
  return book;
}
const began = { kind: 'match_began', team: 0, rival: 1, park: 'green', tossed: true, decks: [6, 7] };
const revealed = (team: number, card: string, base: number, opening = false) => ({
  kind: 'revealed',
  team,
  card,
  base,
  opening,
});
const bonus = (team: number, card: string, amount: number, why: string) => ({ kind: 'bonus', team, card, amount, why });
const compared = (team: number, attack: number, flag: number) => ({ kind: 'compared', team, attack, flag });
const took = (team: number, card: string, power: number) => ({ kind: 'took_flag', team, card, power });
const benched = (team: number, card: string, place: number) => ({ kind: 'benched', team, card, place, count: 1 });
const opening = [began, revealed(0, 'city-dog-p', 3, true), took(0, 'city-dog-p', 3)];

describe('a match as a story', () => {
  test('a card that comes up and is compared is one frame, with its bonuses and their sum', () => {
    const [battle] = told(
      ...opening,
      revealed(1, 'film-studio-gangster-a', 2),
      bonus(1, 'film-studio-gangster-a', 2, 'attacking'),
      compared(1, 4, 3),
    ).battles;
    expect(battle!.frames.map((frame) => frame.kind)).toEqual(['begin', 'reveal', 'capture', 'reveal']);
    const { scene } = battle!.frames.at(-1)!;
    expect(scene.sides[1]!.lineup[0]).toMatchObject({ base: 2, power: 4 });
    expect([scene.attack, total(scene.sides[1]!.lineup), scene.flag, scene.sides[1]!.pile]).toEqual([4, 4, 3, 6]);
  });

  test('the flag changes hands, then the beaten cards sit down', () => {
    const [battle] = told(
      ...opening,
      revealed(1, 'city-champion-p', 4),
      compared(1, 4, 3),
      took(1, 'city-champion-p', 4),
      benched(0, 'city-dog-p', 1),
    ).battles;
    const [capture, bench] = battle!.frames.slice(-2);
    expect(capture!.scene).toMatchObject({ holder: 1, attacker: 0, beaten: 0, flag: 4 });
    expect(bench!.scene.beaten).toBeNull();
    expect(bench!.scene.sides[0]!.bench[0]!.cards).toEqual(['city-dog-p']);
  });

  test('a card that a Cowboy benches comes from the deck, not from the park', () => {
    const cowboy = 'film-studio-cowboy-b';
    const [battle] = told(
      ...opening,
      revealed(1, cowboy, 3),
      compared(1, 3, 3),
      took(1, cowboy, 3),
      benched(0, 'city-talent-p', 1),
      benched(0, 'city-dog-p', 2),
    ).battles;
    const side = battle!.frames.at(-1)!.scene.sides[0]!;
    expect([side.pile, side.lineup.length, side.bench.filter(Boolean).length]).toEqual([4, 0, 2]);
  });

  test('help ends when the helper leaves the bench', () => {
    const vendor = 'funfair-vendor-a';
    const book = told(
      ...opening,
      revealed(1, 'city-champion-p', 4),
      compared(1, 4, 3),
      took(1, 'city-champion-p', 4),
      benched(0, vendor, 1),
      revealed(0, 'funfair-pony-a', 3),
      bonus(0, vendor, 1, 'bench'),
      compared(0, 4, 5),
      { kind: 'exhausted', team: 0, card: vendor, from: 'bench', cause: 'haunted-house-butler-a' },
    );
    expect(book.battles[0]!.frames.at(-1)!.scene.sides[0]!.lineup.at(-1)!.power).toBe(3);
  });

  test('cards of one name need one seat', () => {
    const [battle] = told(
      ...opening,
      revealed(1, 'city-talent-p', 2),
      compared(1, 2, 3),
      revealed(1, 'city-talent-a', 2),
      compared(1, 4, 3),
    ).battles;
    expect(seatsNeeded(battle!.frames.at(-1)!.scene.sides[1]!)).toEqual({ names: ['city-talent-a'], free: 6 });
  });
});

// ── Told at the end ──────────────────────────────────────────

const duck = 'funfair-rubber-duck-b';
const won = (team: number, loser: number, lost_by: string) => ({
  kind: 'match_won',
  team,
  loser,
  lost_by,
  park: 'green',
});
const attacked = [
  revealed(1, 'funfair-juggler-a', 2),
  compared(1, 2, 3),
  revealed(1, duck, 5),
  bonus(1, 'funfair-vendor-a', 1, 'bench'),
  compared(1, 8, 8),
  took(1, duck, 5),
];

describe('what a tournament was made of', () => {
  const { battles } = told(...opening, ...attacked, won(1, 0, 'seats'));
  test('flags, power and matches are counted for teams and their cards', () => {
    const all = tally(battles);
    expect(all.get(0)).toMatchObject({ matches: 1, won: 0, flags: 1, power: 3, decided: 0 });
    expect(all.get(1)).toMatchObject({ matches: 1, won: 1, flags: 1, power: 8, decided: 1 });
    expect(all.get(1)!.cards.get(duck)).toEqual({ flags: 1, power: 6, decided: 1 });
  });

  test('the last match says which card decided it, and how close it was', () => {
    expect(decision(battles[0])).toEqual({ winner: 1, loser: 0, card: duck, by: 'seats', attack: 8, flag: 8 });
    expect(decision(told(...opening).battles[0])).toBeNull();
    expect(plain(decided(battles[0], how(2))!)).toBe(
      'Rubber Duck took the last flag, with a tie: 8 against 8, and no seat was left for your cards.',
    );
  });

  const line = (team: number, low: number, high = low, trophies = 1) => ({
    team,
    low,
    high,
    trophies,
    best_trophy: trophies,
  });
  test('equal in everything shares a place, but not in the final', () => {
    const standings = [line(2, 20), line(0, 30), line(1, 9), line(3, 9), line(4, 9, 9, 0), line(5, 2)];
    expect(places({ standings, champion: 2, final: { teams: [0, 2] } } as unknown as View)).toEqual([1, 2, 3, 3, 5, 6]);
    const even = [line(0, 9), line(1, 9), line(2, 3)];
    expect(places({ standings: even, champion: 0, final: { teams: [0, 1] } } as unknown as View)).toEqual([1, 2, 3]);
    expect(places({ standings: even, champion: null, final: null } as unknown as View)).toEqual([1, 1, 3]);
  });
});

const chairs = (n: number) =>
  ['Ada', 'Bruno'].slice(0, n).map((name, seat) => ({
    seat,
    name,
    kind: 'person' as const,
    level: null,
    online: true,
    standin: false,
    former: false,
    ready: false,
    person: null,
    sign: null,
    host: false,
  }));
const how = (seats: number, view: unknown = {}) => telling(words('en', en), view, 0, chairs(seats)) as Telling<View>;

describe('alone against the Robot', () => {
  const result = {
    ranks: [1],
    scores: [4],
    reasons: [
      {
        place: 2,
        fans: 1,
        trophies: [{ round: 1, park: 'green', fans: 3 }],
        champion: false,
        finalist: false,
        how: 'lead',
      },
    ],
  };
  const view = (champion: number) => ({
    robot: { team: 1 },
    champion,
    over: 'lead',
    teams: [{}, { trophies: [], fans: 15 }],
    standings: [line(0, 4), line(1, 15)],
  });
  const line = (team: number, low: number) => ({ team, low });
  test('it has a place of its own, before or behind the player', () => {
    const lost = ranking(result, how(1, view(1)))!;
    expect(lost.map((one) => [one.rank, one.seat, one.name, one.score])).toEqual([
      [1, null, 'Robot', 15],
      [2, 0, 'Ada', 4],
    ]);
    expect(lost.map((one) => plain(one.reasons[0]!))).toEqual(['Eleven fans ahead', 'Beaten by the Robot']);
    expect(ranking(result, how(1, view(0)))!.map((one) => one.seat)).toEqual([0, null]);
  });

  test('in company it has none', () => {
    const two = { ...result, ranks: [1, 2], scores: [4, 2] };
    expect(ranking(two, how(2, view(0)))).toBeNull();
    expect(winners(everybody({} as GameBoard, two, how(2))).map((one) => one.name)).toEqual(['Ada']);
  });
});

// ── Cards ────────────────────────────────────────────────────

describe('every card', () => {
  test('has an emblem of its own', () => {
    const drawn = new Map(
      [...sprite.matchAll(/<symbol id="challenger-([^"]+)"[^>]*>(.*?)<\/symbol>/gs)].map((found) => [
        found[1]!,
        found[2]!,
      ]),
    );
    const titles = new Set([...CARDS.values()].map((it) => it.slug));
    expect([...titles].filter((slug) => !drawn.has(slug))).toEqual([]);
    expect(new Set([...titles].map((slug) => drawn.get(slug))).size).toBe(titles.size);
  });

  test('is found in the rules by its paragraph', () => {
    for (const it of CARDS.values()) {
      if (it.effect || it.power === null) expect(rules).toContain(`**§${paragraphOf(it.id)}** *${it.name}* (`);
    }
  });

  test('that lies in no other place is in the pile', () => {
    const [battle] = told(...opening, revealed(1, duck, 5), compared(1, 5, 3), took(1, duck, 5)).battles;
    const side = { ...battle!.frames.at(-1)!.scene.sides[1]!, known: [{ place: 1, card: 'city-dog-p' }] };
    const deck = [
      { card: duck, count: 2 },
      { card: 'city-dog-p', count: 1 },
      { card: 'city-newcomer-p', count: 3 },
    ];
    expect(pileOf(deck, side)).toEqual({
      known: side.known,
      rest: [
        { card: 'city-newcomer-p', count: 3 },
        { card: duck, count: 1 },
      ],
      unseen: 1,
    });
    expect(pileOf(deck, { ...side, pile: 4 }).rest).toEqual([]);
  });
});

// ── The action line ──────────────────────────────────────────

describe('the redraw', () => {
  const asked = (left: number, ...kinds: string[]) =>
    ({
      me: 0,
      view: { teams: [{ level: 'A' }], stacks: [{ level: 'A', left }] },
      choices: kinds.map((kind, action) => ({ action, kind })),
    }) as unknown as Props;

  test('is there, was used, or has no card left', () => {
    expect(redrawing(asked(3, 'pick', 'mark'))).toBe('yes');
    expect(redrawing(asked(3, 'pick'))).toBe('used');
    expect(redrawing(asked(0, 'pick'))).toBe('none');
  });

  test.each([
    ['en', en, 'Level A: you may keep 1. The deck has no card left for a redraw.'],
    ['it', it, 'Livello A: puoi tenerne 1. Nel mazzo non restano carte da ripescare.'],
  ] as const)('says so (%s)', (language, catalogue, sentence) => {
    const t = words(language, catalogue);
    expect(t('line.draft.hint', { level: 'A', n: 1, redraw: redrawing(asked(0, 'pick')) })).toBe(sentence);
    expect(
      new Set(['yes', 'used', 'none'].map((redraw) => t('line.draft.hint', { level: 'A', n: 1, redraw }))).size,
    ).toBe(3);
  });
});
