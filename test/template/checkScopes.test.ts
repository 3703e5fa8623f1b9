import { expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { type Random, seededRandom } from '../../src/domain/random.js';
import { makeEnvironment } from '../../src/template/index.js';
import { inspected } from './checkSupport.js';

const TEMPLATES = 800;
const NAMES = ['a', 'b', 'c', 'i', 'loop', 'm', 'caller'] as const;

/** A template with numbered reads: for the check, and instrumented to report which had a value. */
interface Built {
  text: string;
  telling: string;
  /** Number of the read by its offset. */
  readonly reads: Map<number, number>;
}

class Writer {
  readonly main: Built = { text: '', telling: '', reads: new Map() };
  private count = 0;

  constructor(private readonly random: Random) {}

  private pick<T>(items: readonly T[]): T {
    return items[this.random.integer(0, items.length - 1)] as T;
  }
  private name(): string {
    return this.pick(['a', 'b', 'c', 'i']);
  }
  private put(text: string): void {
    this.main.text += text;
    this.main.telling += text;
  }
  private read(): void {
    const name = this.pick(NAMES);
    const id = this.count++;
    this.main.reads.set(this.main.text.length + 3, id);
    this.main.text += `{{ ${name} }}`;
    this.main.telling += `<${id}:{{ ${name} is defined }}>`;
  }
  private body(depth: number): void {
    for (let left = this.random.integer(1, 4); left > 0; left--) this.statement(depth - 1);
  }
  private around(open: string, depth: number, close: string): void {
    this.put(open);
    this.body(depth);
    this.put(close);
  }

  statement(depth: number): void {
    if (depth <= 0 || this.random.integer(0, 2) === 0) {
      if (this.random.integer(0, 2) === 0) this.put(`{% set ${this.name()} = 1 %}`);
      else this.read();
      return;
    }
    const name = this.name();
    switch (this.random.integer(0, 11)) {
      case 0:
        return this.around('{% if true %}', depth, '{% endif %}');
      case 1:
        this.around('{% if false %}', depth, '{% else %}');
        return this.around('', depth, '{% endif %}');
      case 2:
      case 3:
        return this.around(`{% for ${name} in [1, 2] %}`, depth, '{% endfor %}');
      case 4:
        this.around(`{% for ${name}, c in [] %}`, depth, '{% else %}');
        return this.around('', depth, '{% endfor %}');
      case 5:
        return this.around(`{% macro m(${name}, b=1) %}`, depth, '{% endmacro %}{{ m(1) }}');
      case 6:
        return this.around(`{% with ${name} = 2 %}`, depth, '{% endwith %}');
      case 7:
        return this.around(`{% set ${name} %}`, depth, `{% endset %}{{ ${name} }}`);
      case 8:
        return this.around('{% filter upper %}', depth, '{% endfilter %}');
      case 9:
        return this.around(
          `{% macro k() %}{{ caller(1) }}{% endmacro %}{% call(${name}) k() %}`,
          depth,
          '{% endcall %}',
        );
      case 10:
        return this.around(
          `{% block x${this.count}_${this.main.text.length}${this.pick(['', ' scoped'])} %}`,
          depth,
          '{% endblock %}',
        );
      default:
        return this.around('{% autoescape false %}', depth, '{% endautoescape %}');
    }
  }
}

/** Numbers of reads with and without a value, over all iterations of a render. */
const outcomes = (telling: string): { readonly had: Set<number>; readonly lacked: Set<number> } | null => {
  const environment = makeEnvironment({ loader: () => null, random: seededRandom(1) });
  const template = environment.fromText('main', telling);
  const text = E.isLeft(template) ? template : template.right.render({ variables: new Map() });
  if (E.isLeft(text)) return null;
  const numbers = (word: RegExp): Set<number> =>
    new Set([...text.right.matchAll(word)].map((match) => Number(match[1])));
  return { had: numbers(/<(\d+):true>/gi), lacked: numbers(/<(\d+):false>/gi) };
};

test('a name with a value is never reported as unknown; most others are', () => {
  const random = seededRandom('check scopes');
  const wrong: string[] = [];
  let [rendered, reported, lacking] = [0, 0, 0];
  for (let count = 0; count < TEMPLATES; count++) {
    const writer = new Writer(random);
    for (let left = random.integer(1, 4); left > 0; left--) writer.statement(4);
    const { text, telling, reads } = writer.main;
    const real = outcomes(telling);
    if (real === null) continue;
    rendered++;
    const flagged = new Set<number>();
    for (const { location, code } of inspected(text).findings) {
      const id = reads.get((location?.column ?? 0) - 1);
      if (code !== 'unknown_name' && code !== 'name_out_of_scope') continue;
      if (id === undefined) continue;
      flagged.add(id);
      if (real.had.has(id)) wrong.push(`${text}\n  ${location?.column}`);
    }
    for (const id of real.lacked) {
      if (real.had.has(id)) continue;
      lacking++;
      if (flagged.has(id)) reported++;
    }
  }
  expect(rendered).toBeGreaterThan(TEMPLATES / 2);
  expect(wrong.sort((a, b) => a.length - b.length).slice(0, 3)).toEqual([]);
  expect(reported / lacking).toBeGreaterThan(0.8);
});
