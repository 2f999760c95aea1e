/** The sentence of an event: what it says is declared in the game's `facts.ts`; here it is put in words. */
import type { GameEvent, Part, Telling, Value, Values } from './board';

type Plain = string | number | boolean | null;
type Sayer<Given, View, Event> = (value: Given, how: Telling<View>, event: Event) => Value;

/** How each type of value is said. Names, numbers, flags and seats say themselves; lists and all else need a sayer. */
export type Sayers<Said, View, Event> = {
  [T in keyof Said as Said[T] extends Plain ? never : T]: Sayer<Said[T], View, Event>;
} & { [T in keyof Said as Said[T] extends Plain ? T : never]?: Sayer<Said[T], View, Event> };

/** What a game's sentences say: the `SENTENCES` of its `facts.ts`. */
interface Sentences {
  /** Which value is the one who does it: `who` and `name` in every sentence. */
  doer: string;
  /** Types whose words are in the catalogues: `<words>.<value>`. */
  words: Readonly<Record<string, string>>;
  /** For each kind the values by name: a type, or "a type of another value". */
  events: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Makes the sentences of a game's events. */
export function sentences<Said, View, Event extends GameEvent>(
  declared: Sentences,
  sayers: Sayers<Said, View, Event>,
): (event: Event, how: Telling<View>) => Part[] {
  const special = sayers as Record<string, Sayer<unknown, View, Event> | undefined>;

  function say(type: string, value: unknown, how: Telling<View>, event: Event): Value {
    const sayer = special[type];
    if (sayer) return sayer(value, how, event);
    if (value === null || value === undefined) return 'none';
    if (declared.words[type]) return how.t(`${declared.words[type]}.${value as string}`);
    if (type === 'seat') return how.player(value as number);
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
    return value as string | number;
  }

  return (event, how) => {
    const given = event as unknown as Record<string, unknown>;
    const doer = given[declared.doer] as number | null;
    const values: Values = { who: 'other', name: '' };
    if (doer !== null) Object.assign(values, { who: how.who(doer), name: say(declared.doer, doer, how, event) });
    for (const [name, declaration] of Object.entries(declared.events[event.kind] ?? {})) {
      const [type, source] = declaration.split(' of ') as [string, string?];
      values[name] = say(type, given[source ?? name], how, event);
    }
    return how.t.parts(`event.${event.kind}`, values);
  };
}
