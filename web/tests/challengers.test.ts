import { describe, expect, test } from 'vitest';
import { Book, seatsNeeded, total } from '@/games/challengers/story';
import type { Event } from '@/games/challengers/types';

/** Facts as the server tells them, numbered. */
function told(...facts: Record<string, unknown>[]): Book {
  const book = new Book();
  facts.forEach((fact, n) => book.read({ n: n + 1, seat: fact['team'], ...fact } as unknown as Event));
  return book;
}
const began = { kind: 'match_began', team: 0, rival: 1, park: 'green', tossed: true, decks: [6, 7] };
const revealed = (team: number, card: string, base: number, opening = false) => ({ kind: 'revealed', team, card, base, opening });
const bonus = (team: number, card: string, amount: number, why: string) => ({ kind: 'bonus', team, card, amount, why });
const compared = (team: number, attack: number, flag: number) => ({ kind: 'compared', team, attack, flag });
const took = (team: number, card: string, power: number) => ({ kind: 'took_flag', team, card, power });
const benched = (team: number, card: string, place: number) => ({ kind: 'benched', team, card, place, count: 1 });
const opening = [began, revealed(0, 'city-dog-p', 3, true), took(0, 'city-dog-p', 3)];

describe('a match as a story', () => {
  test('a card that comes up and is compared is one frame, with its bonuses and their sum', () => {
    const [battle] = told(...opening, revealed(1, 'film-studio-gangster-a', 2), bonus(1, 'film-studio-gangster-a', 2, 'attacking'), compared(1, 4, 3)).battles;
    expect(battle!.frames.map((frame) => frame.kind)).toEqual(['begin', 'reveal', 'capture', 'reveal']);
    const { scene } = battle!.frames.at(-1)!;
    expect(scene.sides[1]!.lineup[0]).toMatchObject({ base: 2, power: 4 });
    expect([scene.attack, total(scene.sides[1]!.lineup), scene.flag, scene.sides[1]!.pile]).toEqual([4, 4, 3, 6]);
  });

  test('the flag changes hands, then the beaten cards sit down', () => {
    const [battle] = told(...opening, revealed(1, 'city-champion-p', 4), compared(1, 4, 3), took(1, 'city-champion-p', 4), benched(0, 'city-dog-p', 1)).battles;
    const [capture, bench] = battle!.frames.slice(-2);
    expect(capture!.scene).toMatchObject({ holder: 1, attacker: 0, beaten: 0, flag: 4 });
    expect(bench!.scene.beaten).toBeNull();
    expect(bench!.scene.sides[0]!.bench[0]!.cards).toEqual(['city-dog-p']);
  });

  test('a card that a Cowboy benches comes from the deck, not from the park', () => {
    const cowboy = 'film-studio-cowboy-b';
    const [battle] = told(...opening, revealed(1, cowboy, 3), compared(1, 3, 3), took(1, cowboy, 3), benched(0, 'city-talent-p', 1), benched(0, 'city-dog-p', 2)).battles;
    const side = battle!.frames.at(-1)!.scene.sides[0]!;
    expect([side.pile, side.lineup.length, side.bench.filter(Boolean).length]).toEqual([4, 0, 2]);
  });

  test('help ends when the helper leaves the bench', () => {
    const vendor = 'funfair-vendor-a';
    const book = told(
      ...opening, revealed(1, 'city-champion-p', 4), compared(1, 4, 3), took(1, 'city-champion-p', 4), benched(0, vendor, 1),
      revealed(0, 'funfair-pony-a', 3), bonus(0, vendor, 1, 'bench'), compared(0, 4, 5), { kind: 'exhausted', team: 0, card: vendor, from: 'bench', cause: 'haunted-house-butler-a' },
    );
    expect(book.battles[0]!.frames.at(-1)!.scene.sides[0]!.lineup.at(-1)!.power).toBe(3);
  });

  test('cards of one name need one seat', () => {
    const [battle] = told(...opening, revealed(1, 'city-talent-p', 2), compared(1, 2, 3), revealed(1, 'city-talent-a', 2), compared(1, 4, 3)).battles;
    expect(seatsNeeded(battle!.frames.at(-1)!.scene.sides[1]!)).toEqual({ names: ['city-talent-a'], free: 6 });
  });
});
