import { describe, expect, it } from 'vitest';
import en from '@games/splendor/words/en.json';
import itWords from '@games/splendor/words/it.json';
import { telling } from '@/table/telling';
import { plain, words } from '@/words';
import { EDITIONS, parseCsv } from '@/games/splendor/components';
import { neighbour } from '@/kit/walk';
import { exactGems, nextGems, offersFor, possible, roomForGems } from '@/games/splendor/offers';
import { cardLabel, describe as describe_, missingLines, shortText } from '@/games/splendor/sentences';
import type { Choice, Event, View } from '@/games/splendor/types';

const [e, i] = [words('en', en), words('it', itWords)];
const three = (action: number, one: number, two: number, third: number): Choice => ({
  action,
  kind: 'take_three',
  one,
  two,
  three: third,
});
const alike = (action: number, colour: number): Choice => ({ action, kind: 'take_alike', colour });

describe('components', () => {
  it('reads fields in quotes', () => {
    expect(parseCsv('a,b,c\n1,"x, ""y""",\n')).toEqual([{ a: '1', b: 'x, "y"', c: '' }]);
  });
  it('has both boxes', () => {
    for (const edition of Object.values(EDITIONS)) {
      expect(edition.cards.size).toBe(90);
      expect([...edition.cards.values()].every((card) => card.bonus >= 0 && card.cost.length === 5)).toBe(true);
    }
    expect(EDITIONS.marvel.places.get('L2A')).toMatchObject({
      name: "Hell's Kitchen, NYC",
      art: 'place-hell-s-kitchen-nyc',
      cost: [4, 0, 4, 0, 0],
    });
  });
});

describe('offers', () => {
  const choices = [three(0, 1, 2, 3), three(1, 1, 2, 4), alike(2, 1)];
  it('offers only what some choice continues', () => {
    expect([...nextGems(choices, [])].sort()).toEqual([0, 1, 2, 3]);
    expect([...nextGems(choices, [0])].sort()).toEqual([0, 1, 2, 3]);
    expect([...nextGems(choices, [0, 1])].sort()).toEqual([2, 3]);
    expect([...nextGems(choices, [0, 0])]).toEqual([]);
    expect(possible(choices, [2, 3])).toBe(false);
  });
  it('finds the choice that takes exactly the selection, in any order', () => {
    expect(exactGems(choices, [3, 0, 1])?.action).toBe(1);
    expect(exactGems(choices, [0, 0])?.action).toBe(2);
    expect(exactGems(choices, [0, 1])).toBeUndefined();
    expect(roomForGems(choices, [0, 1])).toBe(3);
    expect(roomForGems(choices, [0, 0])).toBe(2);
  });
  it('keeps market, hand and deck apart', () => {
    const payment = { card: 'M101', coloured: [0, 0, 0, 0, 0], jokers: 0, spare: 0 };
    const all: Choice[] = [
      { action: 5, kind: 'recruit', level: 1, slot: 2, ...payment },
      { action: 6, kind: 'recruit_hand', slot: 2, ...payment },
      { action: 7, kind: 'reserve_top', level: 1 },
      { action: 8, kind: 'reserve', level: 1, slot: 2, card: 'M101' },
    ];
    expect(offersFor(all, { at: 'market', level: 1, slot: 2, card: 'M101' })).toMatchObject({
      recruit: { action: 5 },
      reserve: { action: 8 },
    });
    expect(offersFor(all, { at: 'hand', slot: 2, card: 'M101' })).toMatchObject({ recruit: { action: 6 } });
    expect(offersFor(all, { at: 'deck', level: 1, card: null }).reserve?.action).toBe(7);
    expect(offersFor(all, { at: 'deck', level: 2, card: null }).reserve).toBeUndefined();
  });
});

describe('words', () => {
  it('says a card as people read it', () => {
    const rocket = [...EDITIONS.marvel.cards.values()].find((card) => card.name === 'Rocket')!;
    expect(cardLabel(e, EDITIONS.marvel, rocket, e('card.can'))).toBe(
      'Rocket, level 1, gives yellow, costs 1 yellow, 2 red, you can recruit it',
    );
    expect(cardLabel(i, EDITIONS.marvel, rocket)).toBe('Rocket, livello 1, dà giallo, costa 1 giallo e 2 rossi');
  });
  it('says what a card costs and what is short as two things', () => {
    const rocket = [...EDITIONS.marvel.cards.values()].find((card) => card.name === 'Rocket')!;
    const said = (t: typeof e, lacks: number[], jokers: number) => {
      const view = { edition: 'marvel', you: { jokers, lacks: { [rocket.id]: lacks } } } as unknown as View;
      return cardLabel(t, EDITIONS.marvel, rocket, t('card.short', { short: shortText(t, view, rocket.id) }));
    };
    expect(said(e, [1, 1, 0, 0, 0], 0)).toBe(
      'Rocket, level 1, gives yellow, costs 1 yellow, 2 red. You are 1 yellow, 1 red short',
    );
    expect(said(e, [1, 2, 0, 0, 0], 1)).toMatch(/ short, your S\.H\.I\.E\.L\.D\. token covers one$/);
    expect(said(i, [0, 1, 0, 0, 0], 0)).toBe(
      'Rocket, livello 1, dà giallo, costa 1 giallo e 2 rossi. Ti manca 1 rosso',
    );
  });
  it.each([
    ['held.bonus', 'red bonus', 'red bonuses', 'bonus di colore rosso', 'bonus di colore rosso'],
    ['held.gems', 'red gem', 'red gems', 'gettone di colore rosso', 'gettoni di colore rosso'],
    ['held.grey', 'S.H.I.E.L.D. token', 'S.H.I.E.L.D. tokens', 'gettone S.H.I.E.L.D.', 'gettoni S.H.I.E.L.D.'],
    ['held.gold', 'gold token', 'gold tokens', "gettone d'oro", "gettoni d'oro"],
    ['held.stars', 'Avengers symbol', 'Avengers symbols', 'simbolo Avengers', 'simboli Avengers'],
  ])('%s: one is one, beside its number', (key, one, two, uno, due) => {
    expect([1, 2].map((n) => e(key, { n, colour: e('colour.red') }))).toEqual([one, two]);
    expect([1, 2].map((n) => i(key, { n, colour: i('colour.red') }))).toEqual([uno, due]);
  });
  it('says what is missing', () => {
    expect(missingLines(e, 'marvel', { points: 7, bonuses: [4], time: false })).toEqual([
      'Missing 7 points',
      'and a purple bonus',
    ]);
    expect(missingLines(e, 'marvel', { points: 0, bonuses: [], time: true })).toEqual(['Missing the time gem']);
    expect(missingLines(i, 'base', { points: 0, bonuses: [], time: false })).toEqual(["C'è tutto"]);
  });
});

describe('the log', () => {
  const chairs = ['Ana', 'Bruno', 'Cleo'].map((name, seat) => ({
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
  const tell = (t: typeof e, event: Partial<Event>) =>
    plain(describe_(event as Event, telling(t, { edition: 'base' } as View, 2, chairs))!.parts);
  it('says who lost the Avengers tile', () => {
    expect(tell(e, { kind: 'avengers', seat: 0, from: null, stars: 3 })).toBe(
      'Ana took the Avengers tile, with 3 symbols',
    );
    expect(tell(e, { kind: 'avengers', seat: 0, from: 1, stars: 4 })).toBe(
      'Ana took the Avengers tile from Bruno, with 4 symbols',
    );
    expect(tell(e, { kind: 'avengers', seat: 0, from: 2, stars: 4 })).toBe(
      'Ana took the Avengers tile from you, with 4 symbols',
    );
    expect(tell(i, { kind: 'avengers', seat: 2, from: 1, stars: 4 })).toBe(
      'Hai preso la tessera Avengers che era di Bruno, con 4 simboli',
    );
    expect(tell(i, { kind: 'avengers', seat: 1, from: 2, stars: 5 })).toBe(
      'Bruno ha preso la tessera Avengers che era tua, con 5 simboli',
    );
  });
  it('calls a card without a name by its level and colour', () => {
    const { cards } = EDITIONS.base;
    const black = [...cards.values()].find((card) => card.bonus === 4)!;
    expect(tell(i, { kind: 'recruited', seat: 0, card: black.id, paid: [0, 0, 0, 0, 0, 0, 0] })).toBe(
      `Ana ha acquistato una carta nera di livello ${black.level} senza pagare`,
    );
    expect(tell(e, { kind: 'reserved', seat: 2, card: black.id, level: 1, grey: true })).toBe(
      `You reserved a level ${black.level} black card and took a gold token`,
    );
  });
});

describe('arrows', () => {
  const box = (left: number, top: number) => ({ box: { left, top, width: 10, height: 10 } as DOMRect });
  it('go to the nearest thing ahead', () => {
    const others = [box(0, 0), box(20, 0), box(40, 2), box(0, 30)];
    expect(neighbour(others[0]!.box, [1, 0], others)).toBe(1);
    expect(neighbour(others[0]!.box, [0, 1], others)).toBe(3);
    expect(neighbour(others[0]!.box, [-1, 0], others)).toBe(-1);
  });
});
