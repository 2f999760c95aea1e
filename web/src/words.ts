/**
 * Words: flat catalogues of templates, in a small part of ICU MessageFormat.
 *
 *     "{name} took {gems}"
 *     "{n, plural, =0 {nothing} one {# gem} other {# gems}}"
 *     "{who, select, you {You take} other {{name} takes}} it"
 *
 * Nesting is allowed. Apostrophes are plain letters. English and Italian share one plural rule: one is exactly 1.
 * `src/ludoteca` reads the same files with the same grammar.
 */

export type Catalogue = Record<string, string>;

/** A value that is drawn as more than text. `text` is what plain text and screen readers use. */
export interface Piece {
  as: string;
  text: string;
  [more: string]: unknown;
}
export type Value = string | number | Piece | Piece[];
export type Values = Record<string, Value>;

/** What a formatted sentence consists of: text, or a piece to be drawn. */
export type Part = string | Piece;

export interface Words {
  (key: string, values?: Values): string;
  parts: (key: string, values?: Values) => Part[];
  has: (key: string) => boolean;
  lang: 'en' | 'it';
}

// ── The grammar ──────────────────────────────────────────────

export type Node =
  | string
  | { kind: 'value'; name: string }
  | { kind: 'count' } // the # of the plural around it
  | { kind: 'plural' | 'select'; name: string; cases: Map<string, Node[]> };

export class BadTemplate extends Error {}

/** Reads a template. Throws BadTemplate with the place where it went wrong. */
export function parse(template: string): Node[] {
  let i = 0;
  const fail = (what: string): never => {
    throw new BadTemplate(`${what} at ${i} of "${template}"`);
  };
  const space = () => {
    while (i < template.length && /\s/.test(template[i]!)) i++;
  };
  const word = (): string => {
    space();
    const found = /^[=\w.-]+/.exec(template.slice(i));
    if (!found) return fail('expected a name');
    i += found[0].length;
    space();
    return found[0];
  };

  function nodes(inPlural: boolean, nested: boolean): Node[] {
    const out: Node[] = [];
    let text = '';
    const flush = () => {
      if (text) out.push(text);
      text = '';
    };
    while (i < template.length) {
      const c = template[i]!;
      if (c === '}') {
        if (!nested) fail('a brace too many');
        break;
      }
      if (c === '{') {
        flush();
        i++;
        out.push(placeholder(inPlural));
      } else if (c === '#' && inPlural) {
        flush();
        i++;
        out.push({ kind: 'count' });
      } else {
        text += c;
        i++;
      }
    }
    flush();
    return out;
  }

  function placeholder(inPlural: boolean): Node {
    const name = word();
    if (template[i] === '}') {
      i++;
      return { kind: 'value', name };
    }
    if (template[i] !== ',') fail('expected , or }');
    i++;
    const kind = word();
    if (kind !== 'plural' && kind !== 'select') return fail(`unknown kind ${kind}`);
    if (template[i] !== ',') fail('expected ,');
    i++;
    const cases = new Map<string, Node[]>();
    for (;;) {
      space();
      if (template[i] === '}') break;
      const key = word();
      if (template[i] !== '{') fail('expected {');
      i++;
      cases.set(key, nodes(inPlural || kind === 'plural', true));
      if (template[i] !== '}') fail('expected }');
      i++;
    }
    if (!cases.has('other')) fail('missing other');
    i++;
    return { kind, name, cases };
  }

  return nodes(false, false);
}

/** The names of all placeholders, with their kinds: what two languages must agree on. */
export function placeholders(template: string): Set<string> {
  const found = new Set<string>();
  const walk = (list: Node[]) => {
    for (const node of list) {
      if (typeof node === 'string' || node.kind === 'count') continue;
      found.add(node.name);
      if (node.kind === 'plural' || node.kind === 'select') for (const branch of node.cases.values()) walk(branch);
    }
  };
  walk(parse(template));
  return found;
}

const parsed = new Map<string, Node[]>();

/** A template with its values filled in. A missing value shows its name in braces. */
export function format(template: string, values: Values = {}): Part[] {
  let tree = parsed.get(template);
  if (!tree) parsed.set(template, (tree = parse(template)));
  const out: Part[] = [];
  const text = (s: string) => {
    const last = out.length - 1;
    if (typeof out[last] === 'string') out[last] += s;
    else if (s) out.push(s);
  };
  const walk = (list: Node[], count: number) => {
    for (const node of list) {
      if (typeof node === 'string') text(node);
      else if (node.kind === 'count') text(String(count));
      else {
        const value = values[node.name];
        if (node.kind === 'value') {
          if (value === undefined) text(`{${node.name}}`);
          else if (typeof value === 'string' || typeof value === 'number') text(String(value));
          else if (Array.isArray(value)) out.push(...value);
          else out.push(value);
        } else if (node.kind === 'plural') {
          const n = Number(value);
          const branch =
            node.cases.get(`=${n}`) ?? (n === 1 ? node.cases.get('one') : undefined) ?? node.cases.get('other')!;
          walk(branch, n);
        } else {
          const key = typeof value === 'object' && !Array.isArray(value) ? value.text : String(value);
          walk(node.cases.get(key) ?? node.cases.get('other')!, count);
        }
      }
    }
  };
  walk(tree, 0);
  return out;
}

/** Parts as plain text; neighbouring pieces are read as a list. */
export function plain(parts: Part[]): string {
  let out = '';
  parts.forEach((part, i) => {
    if (typeof part === 'string') out += part;
    else out += (i > 0 && typeof parts[i - 1] !== 'string' ? ', ' : '') + part.text;
  });
  return out;
}

/** Words over several catalogues, the first that has the key wins. A missing key shows itself. */
export function words(lang: 'en' | 'it', ...catalogues: Catalogue[]): Words {
  const find = (key: string) => catalogues.find((c) => key in c)?.[key];
  const parts = (key: string, values?: Values) => format(find(key) ?? key, values);
  const t = ((key: string, values?: Values) => plain(parts(key, values))) as Words;
  t.parts = parts;
  t.has = (key) => find(key) !== undefined;
  t.lang = lang;
  return t;
}
