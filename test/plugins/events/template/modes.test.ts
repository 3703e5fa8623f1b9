import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/domain/json.js';
import { eventsOf, produced, refusals, START, withProducer } from './support.js';

/** Templates that print their alias. */
const named = (...aliases: readonly string[]) => ({
  files: Object.fromEntries(aliases.map((alias) => [`${alias}.jinja`, alias])),
  templates: aliases.map((alias) => ({ [alias]: { template: `${alias}.jinja` } })),
});

const share = (events: readonly string[], wanted: string): number =>
  events.filter((event) => event === wanted).length / events.length;

describe('how templates are picked', () => {
  test('all renders every template in the order of the list', async () => {
    const { files, templates } = named('a', 'b', 'c');
    expect(await eventsOf({ params: { mode: 'all', templates }, files }, 2)).toEqual([...'abcabc']);
  });

  test('any picks uniformly', async () => {
    const { files, templates } = named('a', 'b', 'c');
    const events = await eventsOf({ params: { mode: 'any', templates }, files }, 3_000);
    expect(events).toHaveLength(3_000);
    for (const alias of 'abc') expect(share(events, alias)).toBeCloseTo(1 / 3, 1);
  });

  test('chance picks one by its weight', async () => {
    const { files, templates } = named('a', 'b', 'c');
    const weights = [7, 2, 1];
    const weighted = templates.map((one, index) =>
      Object.fromEntries(
        Object.entries(one).map(([key, item]) => [key, { ...item, chance: weights[index] ?? 0 }]),
      ),
    );
    const events = await eventsOf({ params: { mode: 'chance', templates: weighted }, files }, 5_000);
    expect(share(events, 'a')).toBeCloseTo(0.7, 1);
    expect(share(events, 'b')).toBeCloseTo(0.2, 1);
    expect(share(events, 'c')).toBeCloseTo(0.1, 1);
  });

  test('spin cycles through the list', async () => {
    const { files, templates } = named('a', 'b', 'c');
    expect(await eventsOf({ params: { mode: 'spin', templates }, files }, 7)).toEqual([...'abcabca']);
  });

  test('chain renders one template per timestamp, in its order, repeats included', async () => {
    const { files, templates } = named('a', 'b');
    const params = { mode: 'chain', chain: ['b', 'b', 'a'], templates };
    expect(await eventsOf({ params, files }, 5)).toEqual([...'bbabb']);
  });

  test('spin and chain keep their position after a failure and a drop', async () => {
    const files = {
      'bad.jinja': '{{ nothing.at.all }}',
      'drop.jinja': '{% do dispatch.drop() %}',
      'a.jinja': 'a',
    };
    const templates = [
      { bad: { template: 'bad.jinja' } },
      { drop: { template: 'drop.jinja' } },
      { a: { template: 'a.jinja' } },
    ];
    await withProducer({ mode: 'spin', templates }, { files }, ({ producer }) => {
      expect(produced(producer, 5)).toEqual({
        consumed: 5,
        events: ['a'],
        failed: 2,
        dropped: 2,
        exhausted: false,
      });
    });
  });

  test('each event tells its template, whatever is picked again, dropped, empty or failed', async () => {
    const files = {
      'a.jinja': 'a{{ timestamp.second }}',
      'odd.jinja': '{% if timestamp.second % 2 == 0 %}{% do dispatch.drop() %}{% endif %}b',
      'empty.jinja': '',
      'bad.jinja': '{% if timestamp.second == 3 %}{{ nothing.at.all }}{% endif %}d',
    };
    const templates = ['a', 'odd', 'empty', 'bad'].map((alias) => ({
      [alias]: { template: `${alias}.jinja` },
    }));
    await withProducer({ mode: 'all', templates, drop_empty: true }, { files }, ({ producer }) => {
      const made = producer.produce({
        micros: Float64Array.from({ length: 40 }, (_, index) => START + index * 1_000_000),
        from: 0,
        to: 40,
        tagsOf: () => [],
        isSpent: () => false,
      });
      if (made instanceof Promise) throw new Error('templates never wait');
      const { events, templates: makers, failed, dropped } = made;
      expect([failed, dropped]).toEqual([1, 20]);
      expect(events.count).toBe(19 * 3);
      const named = [...(makers ?? [])].map((maker) => ['a', 'b', 'empty', 'd'][maker]);
      expect(events.texts().map((event) => event[0])).toEqual(named);
    });
  });

  test('a single template tells of no events', async () => {
    const { files, templates } = named('a');
    await withProducer({ mode: 'all', templates }, { files }, ({ producer }) => {
      const micros = Float64Array.of(START);
      const made = producer.produce({ micros, from: 0, to: 1, tagsOf: () => [], isSpent: () => false });
      expect(made).not.toHaveProperty('templates');
    });
  });

  test('one file has separate vars per alias', async () => {
    const files = { 'x.jinja': '{{ vars.name }}' };
    const templates = [
      { one: { template: 'x.jinja', vars: { name: 'first' } } },
      { two: { template: 'x.jinja', vars: { name: 'second' } } },
    ];
    expect(await eventsOf({ params: { mode: 'all', templates }, files })).toEqual(['first', 'second']);
  });
});

describe('the state machine', () => {
  const state = (alias: string, transitions: readonly JsonObject[], more: JsonObject = {}) => ({
    [alias]: { template: `${alias}.jinja`, transitions, ...more },
  });
  const files = {
    'login.jinja': '{% do shared.set("pages", 0) %}login',
    'browse.jinja': '{% do shared.set("pages", shared.pages + 1) %}browse {{ shared.pages }}',
    'logout.jinja': 'logout',
  };
  const templates = [
    state('login', [{ to: 'browse', when: { always: null } }], { initial: true }),
    state('browse', [{ to: 'logout', when: { ge: { 'shared.pages': 2 } } }]),
    state('logout', [{ to: 'login', when: { has_tags: 'again' } }]),
  ];

  test('starts in the initial state and follows the first transition that holds', async () => {
    expect(await eventsOf({ params: { mode: 'fsm', templates }, files }, 6)).toEqual([
      'login',
      'browse 1',
      'browse 2',
      'logout',
      'logout',
      'logout',
    ]);
  });

  test('evaluates the tags of the next timestamp', () =>
    withProducer({ mode: 'fsm', templates }, { files }, ({ producer }) => {
      produced(producer, 5);
      expect(produced(producer, 1, { tags: ['again'] }).events).toEqual(['login']);
    }));

  test('locals are those of the template rendered last', async () => {
    const parts = {
      'a.jinja': '{% do locals.set("n", locals.get("n", 0) + 1) %}a{{ locals.n }}',
      'b.jinja': 'b{{ locals.n }}',
    };
    const steps = [
      state('a', [{ to: 'b', when: { ge: { 'locals.n': 2 } } }], { initial: true }),
      state('b', [{ to: 'a', when: { defined: 'locals.n' } }]),
    ];
    const params = { mode: 'fsm', templates: steps };
    expect(await eventsOf({ params, files: parts }, 4)).toEqual(['a1', 'a2', 'bNone', 'bNone']);
  });

  test('a failed render still changes the state; an incomparable field is logged', () =>
    withProducer(
      {
        mode: 'fsm',
        templates: [
          state('login', [{ to: 'bad', when: { always: null } }], { initial: true }),
          state('bad', [
            { to: 'login', when: { gt: { 'shared.pages': 5 } } },
            { to: 'logout', when: { always: null } },
          ]),
          state('logout', []),
        ],
      },
      { files: { ...files, 'login.jinja': 'login', 'bad.jinja': '{{ 1 / 0 }}' } },
      ({ producer, lines }) => {
        expect(produced(producer, 4)).toMatchObject({ events: ['login', 'logout', 'logout'], failed: 1 });
        expect(lines.map(({ context }) => context['reason'])).toContainEqual(
          'gt: shared.pages is missing or null',
        );
      },
    ));
});

describe('invalid configs', () => {
  const base = { mode: 'all', templates: [{ a: { template: 'a.jinja' } }] };

  test.each<[string, JsonObject, string]>([
    [
      'an unknown mode',
      { ...base, mode: 'al' },
      'mode must be one of all, any, chance, spin, fsm, chain, activity',
    ],
    ['no templates', { ...base, templates: [] }, 'templates must have at least 1 item'],
    [
      'two aliases in one item',
      { ...base, templates: [{ a: { template: 'a.jinja' }, b: { template: 'b.jinja' } }] },
      'templates[0] must have exactly one key, the alias, not 2',
    ],
    [
      'the same alias twice',
      { ...base, templates: [...base.templates, ...base.templates] },
      "templates uses the alias 'a' twice",
    ],
    [
      'a template that is no .jinja',
      { ...base, templates: [{ a: { template: 'a.txt' } }] },
      'templates[0].a.template must end in .jinja',
    ],
    [
      'an absolute template',
      { ...base, templates: [{ a: { template: '/a.jinja' } }] },
      'templates[0].a.template must be relative to the folder of the generator',
    ],
    [
      'a template outside',
      { ...base, templates: [{ a: { template: '../a.jinja' } }] },
      "templates[0].a.template must not leave the folder of the generator with '..'",
    ],
    [
      'an unknown key of a template',
      { ...base, templates: [{ a: { template: 'a.jinja', wait: 1 } }] },
      "templates[0].a.wait unknown key 'wait'",
    ],
    [
      'chance in another mode',
      { ...base, templates: [{ a: { template: 'a.jinja', chance: 1 } }] },
      "templates has 'chance' at 'a', a key of mode chance, not all",
    ],
    [
      'transitions in another mode',
      {
        ...base,
        templates: [{ a: { template: 'a.jinja', transitions: [{ to: 'a', when: { always: null } }] } }],
      },
      "templates has 'transitions' at 'a', a key of mode fsm, not all",
    ],
    [
      'no chance in mode chance',
      { ...base, mode: 'chance' },
      "templates needs 'chance' at 'a', a number greater than 0",
    ],
    [
      'a chance of zero',
      { mode: 'chance', templates: [{ a: { template: 'a.jinja', chance: 0 } }] },
      'templates[0].a.chance must be greater than 0',
    ],
    ['no chain in mode chain', { ...base, mode: 'chain' }, 'chain is required in mode chain'],
    ['a chain in another mode', { ...base, chain: ['a'] }, 'chain belongs to mode chain, not all'],
    [
      'unknown aliases in the chain',
      { ...base, mode: 'chain', chain: ['a', 'b', 'c'] },
      "chain names unknown aliases: 'b', 'c'",
    ],
    [
      'no initial state',
      { ...base, mode: 'fsm' },
      'templates needs initial: true at exactly one template; it is at none',
    ],
    [
      'two initial states',
      {
        mode: 'fsm',
        templates: [
          { a: { template: 'a.jinja', initial: true } },
          { b: { template: 'b.jinja', initial: true } },
        ],
      },
      'templates needs initial: true at exactly one template; it is at a, b',
    ],
    [
      'an unknown target',
      {
        mode: 'fsm',
        templates: [
          { a: { template: 'a.jinja', initial: true, transitions: [{ to: 'b', when: { always: null } }] } },
        ],
      },
      "templates has a transition from 'a' to 'b', an unknown alias",
    ],
    [
      'an empty condition',
      {
        mode: 'fsm',
        templates: [{ a: { template: 'a.jinja', initial: true, transitions: [{ to: 'a', when: {} }] } }],
      },
      'templates[0].a.transitions[0].when must have one key',
    ],
    ['an unknown key', { ...base, sample: {} }, "sample unknown key 'sample'"],
  ])('%s', (_, params, expected) => {
    expect(refusals(params)).toEqual([expected]);
  });

  test('dotted keys of conditions, params and vars are not expanded', () => {
    expect(
      refusals({
        mode: 'fsm',
        params: { 'a.b': 1 },
        templates: [
          {
            'a.b': {
              template: 'a.jinja',
              vars: { 'c.d': 1 },
              initial: true,
              transitions: [{ to: 'a.b', when: { eq: { 'shared.x.y': 1 } } }],
            },
          },
        ],
      }),
    ).toEqual([]);
  });
});

describe('templates with tags', () => {
  const tagged = (mode: string) => ({
    files: { 'a.jinja': 'a', 'b.jinja': 'b', 'c.jinja': 'c' },
    params: {
      mode,
      templates: ['a', 'b', 'c'].map((alias) => ({
        [alias]: {
          template: `${alias}.jinja`,
          ...(mode === 'chance' ? { chance: 1 } : {}),
          ...(alias === 'a' ? {} : { tags: ['attack'] }),
        },
      })),
    },
  });

  const eventsWith = (mode: string, count: number, tags: readonly string[]) => {
    const { files, params } = tagged(mode);
    return withProducer(params, { files }, ({ producer }) => produced(producer, count, { tags }).events);
  };

  test('timestamps with a tag pick among the templates that have it', async () => {
    const events = await eventsWith('chance', 2_000, ['attack']);
    expect(share(events, 'a')).toBe(0);
    expect(share(events, 'b')).toBeCloseTo(0.5, 1);
  });

  test('mode all renders all of them', async () => {
    expect(await eventsWith('all', 2, ['attack'])).toEqual([...'bcbc']);
  });

  test('other timestamps pick as if there were no tags', async () => {
    expect(await eventsWith('spin', 4, [])).toEqual([...'abca']);
    expect(await eventsWith('spin', 4, ['other'])).toEqual([...'abca']);
  });
});
