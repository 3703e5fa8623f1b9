import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { seededRandom } from '../../src/domain/random.js';
import {
  fromJson,
  HostModule,
  makeEnvironment,
  native,
  Signal,
  TemplateObject,
  type Value,
} from '../../src/template/index.js';

/** A list that counts how often it is read. */
class Rows extends TemplateObject {
  reads = 0;
  constructor(
    readonly rows: readonly Value[],
    private readonly neverChanges: boolean,
  ) {
    super();
  }
  override get isConstant(): boolean {
    return this.neverChanges;
  }
  get typeName(): string {
    return 'Rows';
  }
  override iterator(): Iterator<Value> {
    this.reads++;
    return this.rows[Symbol.iterator]();
  }
}

const ROWS = [1, 2, 3, 4].map((number) => fromJson({ number, kind: number % 2 === 0 ? 'even' : 'odd' }));
const rendering = (text: string) => {
  const loaded = makeEnvironment({ loader: () => text, random: seededRandom(1) }).load('t');
  if (E.isLeft(loaded)) throw new Error(loaded.left.message);
  return (rows: Value): string => {
    const data = new HostModule('data', { rows });
    const made = loaded.right.render({ variables: new Map([['data', data]]) });
    return E.isRight(made) ? made.right : `${made.left.kind}: ${made.left.message}`;
  };
};

describe('a list made from a constant object for a filter that reads it', () => {
  const EVEN = "{{ (data.rows | selectattr('kind', 'equalto', 'even') | list | first).number }}";

  test('is made once while the object is the same', () => {
    const render = rendering(EVEN);
    const rows = new Rows(ROWS, true);
    expect([render(rows), render(rows), rows.reads]).toEqual(['2', '2', 1]);
    const others = new Rows(ROWS.slice(2), true);
    expect([render(others), render(rows), others.reads, rows.reads]).toEqual(['4', '2', 1, 2]);
  });

  test('is made each time from an object that may change', () => {
    const render = rendering(EVEN);
    const rows = new Rows(ROWS, false);
    expect([render(rows), render(rows), rows.reads]).toEqual(['2', '2', 2]);
  });

  test.each([
    [
      'an argument that is no literal',
      "{% set k = 'even' %}{{ data.rows | selectattr('kind', 'equalto', k) | list | length }}",
    ],
    [
      'a list that the template keeps',
      "{% set a = data.rows | selectattr('kind') | list %}{% do a.append(1) %}{{ a | length }}",
    ],
    ['a filter that draws', "{{ data.rows | map(attribute='kind') | map('random') | list | length }}"],
  ])('is made each time with %s', (_what, text) => {
    const render = rendering(text);
    const rows = new Rows(ROWS, true);
    const first = render(rows);
    expect([render(rows), rows.reads]).toEqual([first, 2]);
  });

  test('keeps no error', () => {
    const render = rendering("{{ data.rows | sort(attribute='number') | length }}");
    expect(render(new Rows([1, 'a'], true))).toMatch(/^TypeError|^UndefinedError|^2$/);
    expect(
      rendering("{{ data.rows | selectattr('number', 'nonsense') | list | length }}")(new Rows(ROWS, true)),
    ).toMatch(/nonsense/);
  });

  test('a literal dict that is only looked into is one constant', () => {
    const render = rendering(
      "{{ {'a': 1, 'b': 2}[data.rows] }}{% set d = {'a': 1} %}{% do d.update({'a': d.a + 1}) %}{{ d.a }}",
    );
    expect([render('b'), render('a'), render('c')]).toEqual(['22', '12', '2']);
  });
});

describe('a method that ends the render', () => {
  const END = new Signal('the end');
  class Ender extends HostModule {
    constructor() {
      super('host', {
        end: native('end()', () => {
          throw END;
        }),
        usual: native('usual(a=1)', (a) => a ?? null),
      });
    }
    override ending(name: string): Signal | undefined {
      return name === 'end' ? END : undefined;
    }
  }
  const attempt = (text: string, enders: ReadonlySet<string> = new Set(['host'])): unknown => {
    const files: Readonly<Record<string, string>> = {
      t: text,
      'inner.jinja': 'x{% do host.end() %}y',
      'parent.jinja': '{% block b %}{% endblock %}',
    };
    const environment = makeEnvironment({
      loader: (name) => files[name] ?? null,
      random: seededRandom(1),
      enders,
    });
    const loaded = environment.load('t');
    if (E.isLeft(loaded)) throw new Error(loaded.left.message);
    const names = {
      variables: new Map<string, Value>(),
      globals: new Map<string, Value>([['host', new Ender()]]),
    };
    const made = loaded.right.renderOrEnd(names);
    // Like the host, which treats a thrown signal and a returned one alike.
    try {
      expect(loaded.right.render(names)).toEqual(made);
    } catch (thrown) {
      if (!(thrown instanceof Signal)) throw thrown;
      expect(E.isRight(made) && made.right).toBe(thrown);
    }
    return E.isRight(made) ? made.right : made.left.message;
  };

  test.each(['a{% do host.end() %}b', '{% if true %}{% if 1 %}{% do host.end() %}{% endif %}{% endif %}b'])(
    'returns it: %s',
    (text) => {
      expect(attempt(text)).toBe(END);
    },
  );

  test.each([
    '{{ host.end() }}',
    '{% set x = host.end() %}',
    '{% set x %}a{% do host.end() %}{% endset %}',
    '{% do [host.end()] %}',
    '{% macro m() %}{% do host.end() %}{% endmacro %}{{ m() }}',
    '{% for i in [1] %}{% do host.end() %}{% endfor %}',
    "{% include 'inner.jinja' %}",
    "{% extends 'parent.jinja' %}{% block b %}{% do host.end() %}{% endblock %}",
  ])('throws it where it cannot: %s', (text) => {
    let thrown: unknown;
    try {
      const made = attempt(text);
      thrown = made;
    } catch (signal) {
      thrown = signal;
    }
    expect(thrown).toBe(END);
  });

  test('calls usual methods, and names that are variables', () => {
    expect(attempt('a{% do host.usual(2) %}b')).toBe('ab');
    expect(attempt('{% set host = [] %}{% do host.append(1) %}{{ host }}')).toBe('[1]');
    expect(attempt('{% do host.missing() %}')).toMatch(/missing/);
  });
});

describe('templates of the same text in two environments', () => {
  const TEXT = "{% include 'part' %}{{ [1, 2, 3, 4, 5, 6, 7, 8] | random }}{{ missing.name }}";
  const made = (part: string, seed: number, text = TEXT) => {
    const parts: Readonly<Record<string, string>> = { t: text, part };
    const random = seededRandom(seed);
    const loaded = makeEnvironment({ loader: (name) => parts[name] ?? null, random }).load('t');
    if (E.isLeft(loaded)) throw new Error(loaded.left.message);
    return (missing?: Value) =>
      loaded.right.render({ variables: new Map(missing === undefined ? [] : [['missing', missing]]) });
  };

  test('share no random numbers, includes or errors', () => {
    const named = fromJson({ name: '!' });
    const alone = [1, 2].map((seed) => Array.from({ length: 20 }, (_, n) => made(`${n}:`, seed)(named)));
    const pairs = Array.from({ length: 20 }, (_, n) => [made(`${n}:`, 1), made(`${n}:`, 2)] as const);
    for (const [n, [one, two]] of pairs.entries()) {
      expect(one(named)).toEqual(alone[0]?.[n]);
      expect(one()).toMatchObject({ left: { message: expect.stringContaining('missing') } });
      expect(two(named)).toEqual(alone[1]?.[n]);
    }
  });

  test('may be longer than all that is kept', () => {
    const long = 'x'.repeat(5_000_000);
    expect([made('', 1, long)(), made('', 1, `${long}{{ 1 }}`)(), made('p', 1, TEXT)(fromJson({}))]).toEqual([
      E.right(long),
      E.right(`${long}1`),
      E.right(expect.stringMatching(/^p\d$/)),
    ]);
  });
});
