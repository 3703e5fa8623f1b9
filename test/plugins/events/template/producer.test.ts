import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { DEFAULT_TEMPLATE_LIMITS } from '../../../../src/domain/generator.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import type { RunCommand } from '../../../../src/ports/processes.js';
import { errorOf, eventsOf, only, produced, START, withProducer } from './support.js';

const one = (text: string, setting = {}) => eventsOf(only(text), 1, setting).then(([event]) => event);

const reasonsOf = (text: string, setting: Parameters<typeof withProducer>[1] = {}, count = 1) =>
  withProducer(
    only('').params,
    { ...setting, files: { 'main.jinja': text, ...setting.files } },
    ({ producer, lines }) => {
      const { failed } = produced(producer, count);
      return { failed, contexts: lines.map(({ context }) => context), lines };
    },
  );

describe('names of a template', () => {
  test("timestamp in the generator's zone, tags, params and vars", async () => {
    expect(await one('{{ timestamp }} {{ timestamp.isoformat() }}', { zone: 'Europe/Berlin' })).toBe(
      '2026-02-28 13:30:00+01:00 2026-02-28T13:30:00+01:00',
    );
    await withProducer(
      only('').params,
      { files: { 'main.jinja': '{{ tags | join(",") }} {{ tags[0] }}' } },
      ({ producer }) => {
        expect(produced(producer, 1, { tags: ['web', 'eu'] }).events).toEqual(['web,eu web']);
      },
    );
    const given = only('{{ params.a }} {{ params.get("b", 2) }} {{ vars }}', { params: { a: 1.5 } });
    expect(await eventsOf(given)).toEqual(['1.5 2 {}']);
  });

  test("modules use the event's timestamp as now", async () => {
    expect(await one('{{ module.datetime.datetime.now(module.datetime.timezone.utc) == timestamp }}')).toBe(
      'True',
    );
  });

  test('modules are a closed list', async () => {
    expect(
      await one('{{ module.json.dumps({"a": 1}) }} {{ module.hashlib.md5("x".encode()).hexdigest() }}'),
    ).toBe('{"a": 1} 9dd4e461268c8034f5c8564e155c67a6');
    expect(await one('{{ module.os is defined }}')).toBe('False');
    const { contexts } = await reasonsOf('{{ module.os.system("true") }}');
    expect(contexts[0]?.['reason']).toMatch(
      /main\.jinja:1:\d+: UndefinedError: module 'os' does not exist: templates can use rand, faker, mimesis, datetime, json, math/,
    );
  });

  test('samples, rand, faker and mimesis draw from the seed of the generator', async () => {
    const text =
      '{{ samples.s.pick().x }} {{ samples.s | random }} {{ module.rand.number.integer(1, 1000000) }} {{ module.rand.crypto.uuid4() }} ' +
      '{{ module.faker.locale.en_US.user_name() }} {{ module.faker.locale["de_DE"].city() }} {{ module.mimesis.locale["en"].person.full_name() }} ' +
      '{{ module.random.random() }} {{ range(1000) | random }}';
    const samples = { s: { type: 'items', source: [1, 2, 3, 4, 5, 6, 7].map((x) => ({ x })) } };
    const given = only(text, { samples, mode: 'any' });
    const first = await eventsOf(given, 20, { seed: 'a' });
    expect(await eventsOf(given, 20, { seed: 'a' })).toEqual(first);
    expect(new Set(first).size).toBe(20);
    expect(await eventsOf(given, 20, { seed: 'b' })).not.toEqual(first);
  });

  test('exactly one newline at the end of a file is stripped', async () => {
    expect(await one('a\nb\n')).toBe('a\nb');
    expect(await one('a\n\n')).toBe('a\n');
    expect(await one('')).toBe('');
  });

  test('an empty string is an event unless drop_empty is set', async () => {
    const text = '{{ "x" if timestamp.second % 2 else "" }}';
    expect(await eventsOf(only(text), 4)).toEqual(['', 'x', '', 'x']);
    await withProducer(
      only('', { drop_empty: true }).params,
      { files: { 'main.jinja': text } },
      ({ producer }) => {
        expect(produced(producer, 4)).toMatchObject({ events: ['x', 'x'], dropped: 2, failed: 0 });
      },
    );
  });

  test('marks number the events', async () => {
    const events = await eventsOf(only('x', { marks: 'text' }), 2);
    expect(events.map((event) => event.replace(/^x spate=[0-9a-f]{8}:(\d+):(\d+):.*$/, '$1 $2'))).toEqual([
      `1 ${START}`,
      `2 ${START + 1_000_000}`,
    ]);
  });
});

describe('an error in a template', () => {
  test('fails its timestamp, names the line, and the next timestamp renders', async () => {
    const { failed, contexts } = await reasonsOf('a\n{{ 1 // (timestamp.second % 2) }}', {}, 4);
    expect(failed).toBe(2);
    expect(contexts[0]).toMatchObject({
      reason: expect.stringMatching(/^main\.jinja:2:\d+: ZeroDivisionError: /),
      template_alias: 'main',
      source: '{{ 1 // (timestamp.second % 2) }}',
      timestamp: '2026-02-28T12:30:00+00:00',
    });
  });

  test('discards earlier events of the same timestamp', () =>
    withProducer(
      { mode: 'all', templates: [{ a: { template: 'a.jinja' } }, { b: { template: 'b.jinja' } }] },
      { files: { 'a.jinja': 'a', 'b.jinja': '{{ 1 // (timestamp.second % 2) }}' } },
      ({ producer }) =>
        expect(produced(producer, 4)).toMatchObject({ events: ['a', '1', 'a', '1'], failed: 2 }),
    ));

  test('in a macro of another file logs the call chain', async () => {
    const { contexts } = await reasonsOf('{% from "m.jinja" import m %}\n{{ m(0) }}', {
      files: { 'm.jinja': '\n{% macro m(x) %}{{ 1 / x }}{% endmacro %}' },
    });
    expect(contexts[0]).toMatchObject({
      reason: expect.stringMatching(/^m\.jinja:2:\d+: ZeroDivisionError/),
      traceback: expect.stringMatching(/^main\.jinja:2:\d+/),
    });
  });

  test('is logged a few times, then counted', async () => {
    const { failed, lines } = await reasonsOf('{{ nothing.here }}', {}, 5_000);
    expect(failed).toBe(5_000);
    expect(lines.length).toBeLessThan(50);
  });

  test.each([
    ['loop_steps', '{% for i in range(100000) %}{% endfor %}', 1_000],
    ['output_bytes', '{% for i in range(1000) %}{{ "x" * 100 }}{% endfor %}', 1_000],
    ['string_length', '{{ "x" * 5000 }}', 1_000],
    ['integer_digits', '{{ 10 ** 500 > 1 }}', 100],
    ['collection_items', '{{ range(5000) | list | length }}', 1_000],
    ['recursion_depth', '{% macro m(n) %}{{ m(n + 1) }}{% endmacro %}{{ m(0) }}', 20],
  ])('over the limit %s names it', async (name, text, value) => {
    const limits = { ...DEFAULT_TEMPLATE_LIMITS, [name]: value };
    const { failed, contexts } = await reasonsOf(text, { templates: { limits } });
    expect(failed).toBe(1);
    expect(contexts[0]?.['reason']).toContain(`limit ${name} (${value})`);
  });
});

describe('dispatch', () => {
  test('drop discards all events of the timestamp', () =>
    withProducer(
      { mode: 'all', templates: [{ a: { template: 'a.jinja' } }, { b: { template: 'b.jinja' } }] },
      {
        files: {
          'a.jinja': 'a',
          'b.jinja': 'b{% if timestamp.second == 1 %}{% do dispatch.drop() %}{% endif %}',
        },
      },
      ({ producer }) =>
        expect(produced(producer, 3)).toEqual({
          consumed: 3,
          events: ['a', 'b', 'a', 'b'],
          failed: 0,
          dropped: 1,
          exhausted: false,
        }),
    ));

  test('exhaust stops the generator and keeps earlier events', () =>
    withProducer(
      only('').params,
      { files: { 'main.jinja': 'x{% if timestamp.second == 2 %}{{ dispatch.exhaust() }}{% endif %}' } },
      ({ producer }) => {
        expect(produced(producer, 5)).toEqual({
          consumed: 2,
          events: ['x', 'x'],
          failed: 0,
          dropped: 0,
          exhausted: true,
        });
        expect(produced(producer, 1)).toEqual({
          consumed: 0,
          events: [],
          failed: 0,
          dropped: 0,
          exhausted: true,
        });
      },
    ));

  test('next picks again', async () => {
    const files = { 'a.jinja': '{% do dispatch.next() %}', 'b.jinja': 'b', 'c.jinja': 'c' };
    const templates = ['a', 'b', 'c'].map((alias) => ({ [alias]: { template: `${alias}.jinja` } }));
    expect(await eventsOf({ params: { mode: 'spin', templates }, files }, 4)).toEqual(['b', 'c', 'b', 'c']);
    const any = await eventsOf({ params: { mode: 'any', templates }, files }, 50);
    expect(new Set(any)).toEqual(new Set(['b', 'c']));
  });

  test('too many repicks are a failure', async () => {
    const { failed, contexts } = await reasonsOf(
      '{% do shared.set("n", shared.get("n", 0) + 1) %}{% if shared.n == 7 %}{{ shared.n }}{% else %}{% do dispatch.next(max_repicks=3) %}{% endif %}',
    );
    expect(failed).toBe(1);
    expect(contexts[0]).toMatchObject({ reason: expect.stringContaining('exceeded 3 repicks') });
    // Repicks count per timestamp.
    const text =
      '{% do shared.set("n", shared.get("n", 0) + 1) %}{% if shared.n % 3 == 0 %}{{ shared.n }}{% else %}{% do dispatch.next(2) %}{% endif %}';
    expect(await eventsOf(only(text), 3)).toEqual(['3', '6', '9']);
  });

  test.each(['0', '-1', '"many"', '1.5'])('next(%s) is an error', async (limit) => {
    expect((await reasonsOf(`{% do dispatch.next(${limit}) %}`)).failed).toBe(1);
  });

  test('works inside macros, includes and filters', async () => {
    const files = {
      'main.jinja': '{% from "m.jinja" import m %}{{ m() }}',
      'm.jinja': '{% macro m() %}{% filter upper %}{% include "i.jinja" %}{% endfilter %}{% endmacro %}',
      'i.jinja': '{% do dispatch.drop() %}',
    };
    await withProducer(only('').params, { files }, ({ producer }) =>
      expect(produced(producer, 2)).toMatchObject({ dropped: 2, failed: 0 }),
    );
  });
});

describe('subprocess', () => {
  const calls: unknown[] = [];
  const runCommand: RunCommand = (command, options) => {
    calls.push([command, options]);
    if (command === 'hang') return { stdout: '', stderr: '', exit_code: 137, isTimedOut: true };
    if (command === 'lost') return { problem: 'no such shell' };
    return { stdout: 'out', stderr: 'err', exit_code: 3, isTimedOut: false };
  };
  const templates = { runCommand };

  test('is off by default; the error names the settings', async () => {
    const { contexts } = await reasonsOf('{{ subprocess.run("true").stdout }}');
    expect(contexts[0]?.['reason']).toMatch(/PermissionError: subprocess is disabled: .*allow_subprocess/);
  });

  test('runs a command and returns output and exit code', async () => {
    const text =
      '{% set r = subprocess.run("cmd", cwd="/tmp", env={"A": "b"}, timeout=1.5) %}{{ r.stdout }} {{ r.stderr }} {{ r.exit_code }}';
    expect(await one(text, { templates })).toBe('out err 3');
    expect(calls.at(-1)).toEqual(['cmd', { cwd: '/tmp', env: { A: 'b' }, timeout_ms: 1_500 }]);
    await one('{{ subprocess.run("cmd").stdout }}', { templates });
    expect(calls.at(-1)).toEqual(['cmd', { cwd: null, env: null, timeout_ms: 8_000 }]);
  });

  test.each([
    ['subprocess.run("hang", timeout=2)', 'exceeded 2 seconds'],
    ['subprocess.run("lost")', 'cannot run the command: no such shell'],
    ['subprocess.run(1)', 'command as a string'],
    ['subprocess.run("x", timeout=9)', 'up to 8'],
    ['subprocess.run("x", timeout=0)', 'above 0'],
    ['subprocess.run("x", env=[1])', 'env as an object'],
    ['subprocess.run("x", env={"A": 1})', 'object of strings'],
    ['subprocess.run("x", cwd=1)', 'cwd as a string'],
  ])('%s is an error of the event', async (call, message) => {
    const { failed, contexts } = await reasonsOf(`{{ ${call} }}`, { templates });
    expect(failed).toBe(1);
    expect(contexts[0]?.['reason']).toContain(message);
  });
});

describe('errors at build', () => {
  const params = only('').params;

  test('a missing template', async () => {
    const error = await errorOf(params, { files: {} });
    expect(error.code).toBe('plugin_failed');
    expect(error.message).toMatch(/^template 'main': main\.jinja: TemplateNotFound: .* \(below \//);
  });

  test('wrong syntax, with its line and a mark', async () => {
    const error = await errorOf(params, { files: { 'main.jinja': 'a\n{% if x %}' } });
    expect(error.message).toMatch(/^template 'main': main\.jinja:2:\d+: TemplateSyntaxError: /);
    expect(error.message).toContain('{% if x %}');
  });

  test('wrong syntax in an include, and a missing include', async () => {
    const files = { 'main.jinja': '{% include "b.jinja" %}', 'b.jinja': '{{ 1 + }}' };
    expect((await errorOf(params, { files })).message).toMatch(
      /^template 'main': b\.jinja:1:\d+: TemplateSyntaxError/,
    );
    const lost = { 'main.jinja': 'x\n{% include "c.jinja" %}' };
    expect((await errorOf(params, { files: lost })).message).toMatch(
      /^template 'main': main\.jinja:2:\d+: TemplateNotFound: template "c\.jinja" does not exist/,
    );
    // These may be missing.
    const soft = '{% include "c.jinja" ignore missing %}{% include ["c.jinja", "d.jinja"] %}';
    expect(await eventsOf({ params, files: { 'main.jinja': soft, 'd.jinja': 'd' } })).toEqual(['d']);
  });

  test('an unknown filter and a missing sample', async () => {
    expect((await errorOf(params, { files: { 'main.jinja': '{{ 1 | fromjson }}' } })).message).toContain(
      "'fromjson'",
    );
    const samples = { users: { type: 'csv', source: 'users.csv' } };
    expect((await errorOf({ ...params, samples }, { files: { 'main.jinja': '' } })).message).toMatch(
      /^sample 'users'/,
    );
  });
});

describe('a checkpoint', () => {
  const text =
    '{% do shared.set("n", shared.get("n", 0) + 1) %}{% do locals.set("t", (timestamp, 2.0, {1: "a"})) %}{% do shared.set("row", samples.s.pick()) %}' +
    '{{ shared.n }} {{ shared.row }} {{ shared.row.x }} {{ locals.t }} {{ module.rand.number.integer(0, 1000000) }} ' +
    '{{ module.faker.locale.en_US.user_name() }} {{ module.mimesis.locale.en.person.full_name() }}';
  const later = `{{ shared.row.x }} {{ shared.row }} {{ locals.t }} {{ (timestamp - locals.t[0]).total_seconds() }} | ${text}`;
  const files = {
    'a.jinja': text,
    'b.jinja': `{% if locals.t %}${later}{% else %}${text}{% endif %}`,
    'c.jinja': 'c{{ shared.n }}',
  };
  const params = {
    mode: 'spin',
    marks: 'text',
    templates: [
      { a: { template: 'a.jinja' } },
      { b: { template: 'b.jinja' } },
      { c: { template: 'c.jinja' } },
    ],
    samples: { s: { type: 'items', source: [{ x: 1 }, { x: 2 }, { x: 3 }] } },
  };

  test.each(['spin', 'any', 'fsm'])(
    'lets a stream in mode %s go on as if it had not been interrupted',
    (mode) => {
      const states = params.templates.map((one, index) =>
        Object.fromEntries(
          Object.entries(one).map(([alias, item]) => [
            alias,
            {
              ...item,
              initial: index === 0,
              transitions: [{ to: ['b', 'c', 'a'][index] ?? 'a', when: { ge: { 'shared.n': 0 } } }],
            },
          ]),
        ),
      );
      const given: JsonObject = { ...params, mode, templates: mode === 'fsm' ? states : params.templates };
      return withProducer(given, { files, zone: 'Europe/Berlin' }, async ({ producer, random, again }) => {
        const whole = produced(producer, 40).events;
        const first = await again();
        if (E.isLeft(first.built)) throw new Error(first.built.left.message);
        const before = produced(first.built.right, 17).events;
        const saved = JSON.parse(JSON.stringify([first.built.right.snapshot?.(), first.random.snapshot()]));
        const second = await again();
        if (E.isLeft(second.built)) throw new Error(second.built.left.message);
        second.random.restore(saved[1]);
        await second.built.right.restore?.(saved[0]);
        const after = produced(second.built.right, 23, { from: 17 }).events;
        expect([...before, ...after]).toEqual(whole);
        expect(random.snapshot()).not.toEqual(saved[1]);
      });
    },
  );

  test('a state with a macro cannot be saved; the error has its path', () =>
    withProducer(
      only('').params,
      { files: { 'main.jinja': '{% macro m() %}{% endmacro %}{% do shared.set("a", [m]) %}' } },
      ({ producer }) => {
        produced(producer, 1);
        expect(() => producer.snapshot?.()).toThrow(/shared\.a\[0\]: cannot save a value of type Macro/);
      },
    ));

  test.each([null, 1, [], {}, { at: 'x' }, { at: null, locals: [], shared: {}, random: {} }])(
    'a state of another form is refused: %j',
    (saved) =>
      withProducer(only('x').params, { files: { 'main.jinja': 'x' } }, ({ producer }) => {
        expect(() => producer.restore?.(saved)).toThrow(/is malformed/);
      }),
  );
});

describe('state in previews', () => {
  test('reads, merges, deletes and clears', () =>
    withProducer(
      only('').params,
      {
        files: {
          'main.jinja': '{% do shared.set(1, (1, 2.0)) %}{% do locals.set("a", timestamp) %}{{ shared.b }}',
        },
      },
      ({ producer }) => {
        produced(producer, 1);
        const { memory } = producer;
        expect(memory?.shared.read()).toEqual({ 1: [1, 2] });
        expect(memory?.local('main')?.read()).toEqual({ a: '2026-02-28 12:30:00+00:00' });
        expect(memory?.local('other')).toBeUndefined();
        memory?.shared.merge({ b: { c: [null] } });
        expect(produced(producer, 1).events).toEqual(["{'c': [None]}"]);
        memory?.shared.delete('b');
        memory?.shared.delete('nothing');
        expect(memory?.shared.read()).toEqual({ 1: [1, 2] });
        memory?.local('main')?.clear();
        expect(memory?.local('main')?.read()).toEqual({});
      },
    ));
});
