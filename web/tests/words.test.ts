import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  BadTemplate,
  format,
  parse,
  placeholders,
  plain,
  words,
  type Catalogue,
  type Node,
  type Values,
} from '@/words';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): Catalogue => JSON.parse(readFileSync(path, 'utf8')) as Catalogue;
const say = (template: string, values = {}) => plain(format(template, values));

describe('templates', () => {
  test('a value stands where its name stood', () => {
    expect(say('{name} took {n}', { name: 'Ada', n: 3 })).toBe('Ada took 3');
  });
  test('plural: exact numbers before one and other', () => {
    const gems = '{n, plural, =0 {nothing} one {# gem} other {# gems}}';
    expect([0, 1, 2].map((n) => say(gems, { n }))).toEqual(['nothing', '1 gem', '2 gems']);
  });
  test('select, with a value nested in a case', () => {
    const takes = '{who, select, you {You take} other {{name} takes}} it';
    expect(say(takes, { who: 'you', name: 'Ada' })).toBe('You take it');
    expect(say(takes, { who: 'other', name: 'Ada' })).toBe('Ada takes it');
  });
  test('plural inside select keeps its own number', () => {
    const both = '{who, select, you {You have {n, plural, one {# card} other {# cards}}} other {{name}: #}}';
    expect(say(both, { who: 'you', n: 2 })).toBe('You have 2 cards');
    expect(say(both, { who: 'other', name: 'Ada' })).toBe('Ada: #');
  });
  test('apostrophes are plain letters', () => {
    expect(say("L'ultima {x} dell’asta", { x: 'carta' })).toBe("L'ultima carta dell’asta");
  });
  test('pieces stay pieces, and are read as a list', () => {
    const red = { as: 'gem', text: 'reality', colour: 'red' };
    const blue = { as: 'gem', text: 'space', colour: 'blue' };
    const parts = format('{name} took {gems}.', { name: 'Ada', gems: [red, blue] });
    expect(parts).toEqual(['Ada took ', red, blue, '.']);
    expect(plain(parts)).toBe('Ada took reality, space.');
  });
  test('a missing value or key shows itself', () => {
    expect(say('{who} waits')).toBe('{who} waits');
    expect(words('en', {})('no.such.key')).toBe('no.such.key');
  });
  test.each(['{', '{a', '{a, plural, one {x}}', '}', '{a, list, other {x}}', '{n, plural, other x}'])(
    '%s is refused',
    (bad) => {
      expect(() => parse(bad)).toThrow(BadTemplate);
    },
  );
});

// ── The catalogues themselves ────────────────────────────────

const games = join(root, 'src/ludoteca/games');
/** Words that are loaded with their pages. */
const APART = readdirSync(join(root, 'src/ludoteca/words'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);
const folders = [
  join(root, 'src/ludoteca/words'),
  ...APART.map((name) => join(root, 'src/ludoteca/words', name)),
  ...readdirSync(games, { withFileTypes: true })
    .filter((d) => d.isDirectory())
    .map((d) => join(games, d.name, 'words'))
    .filter((d) => existsSync(join(d, 'en.json'))),
  join(root, 'examples/pig/ludoteca_pig/words'),
];

describe.each(folders.map((f) => [f.slice(root.length), f]))('%s', (_, folder) => {
  const en = read(join(folder, 'en.json'));
  const it = read(join(folder, 'it.json'));
  test('English and Italian say the same things', () => {
    expect(Object.keys(it).sort()).toEqual(Object.keys(en).sort());
  });
  test('with the same values', () => {
    for (const key of Object.keys(en)) {
      expect([key, ...placeholders(it[key] ?? '')].sort(), key).toEqual([key, ...placeholders(en[key]!)].sort());
    }
  });
});

// ── Every word that is used exists ───────────────────────────

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.(svelte|ts)$/.test(entry.name) ? [path] : [];
  });
}

const src = join(root, 'web/src');
test('every key used with t("…") is in a catalogue', () => {
  const table = read(join(root, 'src/ludoteca/words/en.json'));
  const apart = APART.map(
    (name) => [name === 'you' ? 'your' : name, read(join(root, `src/ludoteca/words/${name}/en.json`))] as const,
  );
  const missing: string[] = [];
  for (const path of sources(src)) {
    const game = /\/games\/([^/]+)\//.exec(path)?.[1];
    const about =
      apart.find(([name]) => readFileSync(path, 'utf8').includes(`from '@/state/${name}_words.svelte'`))?.[1] ?? {};
    const own =
      game && existsSync(join(games, game, 'words/en.json')) ? read(join(games, game, 'words/en.json')) : about;
    for (const [, key] of readFileSync(path, 'utf8').matchAll(/(?<![\w.])t(?:\.parts)?\(\s*'([^'$]+)'/g)) {
      if (key && !(key in table) && !(key in own)) missing.push(`${path.slice(root.length)}: ${key}`);
    }
  }
  expect(missing).toEqual([]);
});

// ── Every message, with every number ─────────────────────────

/** What a template can be asked with: each plural's numbers, each select's cases. */
function variables(template: string): { numbers: Set<string>; selections: Map<string, Set<string>> } {
  const numbers = new Set<string>();
  const selections = new Map<string, Set<string>>();
  const walk = (list: Node[]) => {
    for (const node of list) {
      if (typeof node === 'string' || node.kind === 'count' || node.kind === 'value') continue;
      if (node.kind === 'plural') numbers.add(node.name);
      else {
        const cases = selections.get(node.name) ?? new Set<string>();
        for (const key of node.cases.keys()) cases.add(key);
        selections.set(node.name, cases);
      }
      for (const branch of node.cases.values()) walk(branch);
    }
  };
  walk(parse(template));
  return { numbers, selections };
}

const product = (lists: (readonly (string | number)[])[]): (string | number)[][] =>
  lists.reduce<(string | number)[][]>((all, list) => all.flatMap((head) => list.map((one) => [...head, one])), [[]]);

/** 0, 1 and numbers that no other placeholder of the sentence has, so that each number in it says whose it is. */
function readings(template: string): Values[] {
  const { numbers, selections } = variables(template);
  const names = [...numbers, ...selections.keys()];
  const lists = [
    ...[...numbers].map((_, i) => [0, 1, 23 + 10 * i, 24 + 10 * i]),
    ...[...selections.values()].map((cases) => [...cases]),
  ];
  const others = [...placeholders(template)].filter((name) => !names.includes(name));
  const rest = Object.fromEntries(others.map((name) => [name, `<${name}>`]));
  return product(lists).map((row) => ({ ...rest, ...Object.fromEntries(names.map((name, i) => [name, row[i]!])) }));
}

/** The big numbers a sentence shows, in order of size. */
const shown = (sentence: string) => (sentence.match(/\d{2,}/g) ?? []).map(Number).sort((a, b) => a - b);

/** What reads wrong: a brace, a bare #, or one number in the place of another (it then stands there twice). */
const problems = (key: string, template: string): string[] =>
  readings(template).flatMap((values) => {
    const sentence = say(template, values);
    const numbers = shown(sentence);
    const told = Object.values(values); // a number of the sentence's own, as in an example, may stand there twice
    const twice = numbers.filter((n, i) => numbers.indexOf(n) !== i && told.includes(n));
    const found = [
      ...(/[{}#]/.test(sentence) ? ['shows a brace or a #'] : []),
      ...twice.map((n) => `shows ${Object.keys(values).find((name) => values[name] === n)} twice`),
    ];
    return found.map((what) => `${key} ${what} with ${JSON.stringify(values)}: ${sentence}`);
  });

// ── A number, and what it counts ─────────────────────────────

const catalogues = folders.flatMap((folder) => ['en', 'it'].map((lang) => read(join(folder, `${lang}.json`))));
const all = catalogues.flatMap((catalogue) => Object.values(catalogue));
/** Names that stand for numbers somewhere, and nouns that have another form for one. */
const numberNames = new Set(all.flatMap((text) => [...text.matchAll(/\{(\w+), plural/g)].map(([, name]) => name!)));
const pluralNouns = new Set(
  all.flatMap((text) =>
    [...text.matchAll(/one \{# (\p{L}+)[^{}]*\} other \{# (\p{L}+)/gu)].flatMap(([, one, other]) =>
      one === other ? [] : [other!],
    ),
  ),
);
/** Numbers that are never one. */
const NEVER_ONE: Record<string, string> = {
  'line.draft': 'one has a case of its own in each',
  'event.reordered': 'one card needs no order',
  'ask.reorder': 'one card needs no order',
  'standings.lead': 'eleven fans',
  'gems.over': 'more than ten tokens',
  'event.assembled': 'at least fifteen points',
  'head.goal': 'the printed track has eleven entries',
  'reason.closed': 'the printed track has eleven entries',
  'event.bonus': 'the printed bonus is more than one point',
};
/** `{n} cards`: right for every number but one. «3 of 10 cards» and «1 to 3 cards» are always right. */
const uncounted = (key: string, template: string): string[] =>
  key in NEVER_ONE
    ? []
    : [...template.matchAll(/(?<!\b(?:of|su|di) )\{(\w+)\} (\p{L}+)/gu)]
        .filter(([, name, noun]) => numberNames.has(name!) && pluralNouns.has(noun!))
        .map(([found]) => `${key}: ${found}`);

test('a number before a noun without a form for one is found', () => {
  expect(pluralNouns.has('cards') && pluralNouns.has('carte') && pluralNouns.has('fans')).toBe(true);
  expect(uncounted('left', '{n} cards left')).not.toEqual([]);
  expect(uncounted('left', 'restano {left} carte')).not.toEqual([]);
  expect(uncounted('left', '{n, plural, one {# card} other {# cards}} left, {n} of {of} cards')).toEqual([]);
});
test.each(['en', 'it'])('%s counts one thing as one', (lang) => {
  const wrong = folders.flatMap((folder) =>
    Object.entries(read(join(folder, `${lang}.json`))).flatMap(([key, text]) => uncounted(key, text)),
  );
  expect(wrong).toEqual([]);
});

/** The plurals that have a # inside while another plural stands around them: whose number it is, is easily mistaken. */
const innerCounts = (nodes: Node[], plurals: string[] = []): string[] =>
  nodes.flatMap((node) => {
    if (typeof node === 'string' || node.kind === 'value') return [];
    if (node.kind === 'count') return plurals.slice(1).slice(-1);
    const around = node.kind === 'plural' ? [...plurals, node.name] : plurals;
    return [...node.cases.values()].flatMap((branch) => innerCounts(branch, around));
  });

test('a # in an inner plural is found, also below a select', () => {
  const inner = '{n, plural, other {{who, select, other {{of, plural, other {Keep # of {of}}}}}}}';
  expect(innerCounts(parse(inner))).toEqual(['of']);
  expect(innerCounts(parse(inner.replace('#', '{n}')))).toEqual([]);
});

test('the house, where dice are rolled too, speaks of no deal', () => {
  for (const lang of ['en', 'it']) {
    const told = Object.entries(read(join(root, 'src/ludoteca/words', `${lang}.json`)));
    expect(
      told.filter(([, text]) => /\bdeal(s|t|ing)?\b|(dare|distribuire|distribuisc\w*) le carte/i.test(text)),
    ).toEqual([]);
  }
});

test('what is written on the track of Loot are entries, not scores', () => {
  const [en, it] = (['en', 'it'] as const).map((lang) => words(lang, read(join(games, 'loot/words', `${lang}.json`))));
  const values = { n: 11, bonus: 5 };
  expect(en!('rank.scores', values)).toBe('11 entries');
  expect(en!('rank.scores', { n: 1 })).toBe('1 entry');
  expect(it!('rank.scores', values)).toBe('11 caselle');
  expect(it!('rank.scores', { n: 1 })).toBe('1 casella');
  for (const key of ['head.goal', 'reason.closed', 'reason.scores']) {
    expect(en!(key, values), key).toMatch(/\b11 entries\b/);
    expect(it!(key, values), key).toMatch(/\b11 caselle\b/);
  }
});

test('the number in an inner plural is the inner one: the mistake is found', () => {
  expect(problems('keep', '{n, plural, other {{of, plural, other {Keep # of {of}}}}}')).not.toEqual([]);
  expect(problems('keep', '{n, plural, other {{of, plural, other {Keep {n} of {of}}}}}')).toEqual([]);
});

describe.each(folders.map((f) => [f.slice(root.length), f]))('%s with every number', (_, folder) => {
  const en = read(join(folder, 'en.json'));
  const it = read(join(folder, 'it.json'));
  test.each([
    ['English', en],
    ['Italian', it],
  ])('%s shows each number once, and no brace', (_, catalogue) => {
    expect(Object.entries(catalogue).flatMap(([key, text]) => innerCounts(parse(text)).map(() => key))).toEqual([]);
    expect(Object.entries(catalogue).flatMap(([key, template]) => problems(key, template))).toEqual([]);
  });
  test('both languages show the same numbers', () => {
    for (const [key, template] of Object.entries(en)) {
      for (const values of readings(template)) {
        expect(shown(say(it[key]!, values)), `${key} ${JSON.stringify(values)}`).toEqual(shown(say(template, values)));
      }
    }
  });
});
