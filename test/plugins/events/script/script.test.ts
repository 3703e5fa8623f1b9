import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Built, build, type RunRequest } from './built.js';

let built: Built;
beforeAll(() => {
  built = build();
});
afterAll(() => built.remove());

/** Runs steps with one script file. */
const withScript = (
  text: string,
  steps: string,
  more: Partial<RunRequest> = {},
  path = 'produce.mjs',
): ReturnType<Built['scripts']> =>
  built.scripts({ ...more, path, files: { [path]: text, ...more.files }, steps });

const CALL = 'return call(await start());';
const START = 'return start();';

const errorOf = async (report: ReturnType<Built['scripts']>): Promise<string> =>
  ((await report).result as { error: string }).error;

describe('calling a script', () => {
  test('a string is one event, an array of strings is one event each, an empty array is none', async () => {
    const { result } = await withScript(
      `const results = ['a', ['b', 'c'], []]; export const produce = () => results.shift();`,
      'return call(await start(), 3);',
    );
    expect(result).toEqual({ consumed: 3, events: ['a', 'b', 'c'], failed: 0, dropped: 0, exhausted: false });
  });

  test('the timestamp prints ISO 8601 with the offset of the zone and can be formatted', async () => {
    const { result } = await withScript(
      `export const produce = ({ timestamp: t }) => [
        String(t), \`\${t}\`, t + '', JSON.stringify(t), String(t.epochMilliseconds), t.timeZoneId,
        t.strftime('%d/%b/%Y:%H:%M:%S %z'), t.toDate().toISOString(), String(+t === t.epochMilliseconds),
      ];`,
      CALL,
    );
    const iso = '2025-01-15T11:30:00.123456+01:00';
    expect(result).toMatchObject({
      events: [
        iso,
        iso,
        iso,
        `"${iso}"`,
        '1736937000123',
        'Europe/Berlin',
        '15/Jan/2025:11:30:00 +0100',
        '2025-01-15T10:30:00.123Z',
        'true',
      ],
    });
  });

  test('tags are a frozen array, params are frozen, globals are shared, random follows the seed', async () => {
    const { result } = await withScript(
      `export const produce = ({ tags, params, globals, random }) => {
        globals.set('seen', params.answer);
        return [tags.join('+'), String(Object.isFrozen(tags)), String(Object.isFrozen(params.deep.list)), String(random.integer(1, 6))];
      };`,
      `const first = await call(await start(), 1, { tags: ['a', 'b'] });
       const second = await call(await start(), 1, { tags: ['a', 'b'] });
       return [first.events, second.events, globals.get('seen')];`,
    );
    const [first, second, seen] = result as [string[], string[], number];
    expect(first.slice(0, 3)).toEqual(['a+b', 'true', 'true']);
    expect(second).toEqual(first);
    expect(seen).toBe(42);
  });

  test.each([
    ['null', 'null'],
    ['undefined', 'undefined'],
    ['12', 'number'],
    ['({ a: 1 })', 'Object'],
    ["Buffer.from('x')", 'Buffer'],
    ["['a', 1, null]", 'number, null'],
    ["['a', ['b']]", 'array'],
    ['new Proxy([], { get: () => { throw new Error("no") } })', 'no'],
  ])('%s is a failed event that names what came, and gives no event', async (value, named) => {
    const { result, logs } = await withScript(`export const produce = () => ${value};`, CALL);
    expect(result).toMatchObject({ consumed: 1, events: [], failed: 1 });
    expect(logs).toHaveLength(1);
    expect(logs[0]?.context['reason']).toContain(named);
    expect(logs[0]?.context['timestamp']).toBe('2025-01-15T11:30:00.123456+01:00');
  });

  test('what produce throws is a failed event with class, message and place, and no stack trace', async () => {
    const { result, logs } = await withScript(
      `import { fail } from './lib/fail.mjs';\nlet n = 0;\nexport const produce = () => n++ === 1 ? fail() : 'fine';`,
      'return call(await start(), 3);',
      {
        files: {
          'lib/fail.mjs': `class Odd extends Error {}\nexport const fail = () => {\n  throw new Odd('so it is');\n};`,
        },
      },
    );
    expect(result).toMatchObject({ consumed: 3, events: ['fine', 'fine'], failed: 1 });
    expect(logs.map(({ context }) => context['reason'])).toEqual(['Odd: so it is (lib/fail.mjs:3:9)']);
  });

  test.each(["'text'", 'null', 'Object.create(null)', '{ get message() { throw 1 } }'])(
    'throwing %s is contained',
    async (value) => {
      const { result } = await withScript(`export const produce = () => { throw ${value}; };`, CALL);
      expect(result).toMatchObject({ consumed: 1, failed: 1 });
    },
  );

  test('a script that always fails is logged a few times, then counted', async () => {
    const { result, logs } = await withScript(
      `export const produce = () => { throw new Error('no'); };`,
      `const producer = await start();
       const first = await call(producer, 1000); pass(60000);
       await call(producer, 1); await call(producer, 7); await producer.close();
       return first.failed;`,
    );
    expect(result).toBe(1000);
    expect(logs.map(({ context }) => context['suppressed'] ?? 0)).toEqual([0, 0, 0, 0, 0, 995, 7]);
  });

  test('drop() drops the timestamp and exhaust() ends the generator, as arguments and as imports', async () => {
    for (const source of [
      `let n = 0; export const produce = ({ drop, exhaust }) => { n++; return n === 2 ? drop() : n === 4 ? exhaust() : 'e' + n; };`,
      `import { drop, exhaust } from 'spate'; let n = 0; export const produce = async () => { n++; if (n === 2) throw drop(); if (n === 4) exhaust(); return 'e' + n; };`,
    ]) {
      const { result, logs } = await withScript(
        source,
        'const p = await start(); return [await call(p, 9), await call(p, 2)];',
      );
      expect(result).toEqual([
        { consumed: 3, events: ['e1', 'e3'], failed: 0, dropped: 1, exhausted: true },
        { consumed: 0, events: [], failed: 0, dropped: 0, exhausted: true },
      ]);
      expect(logs).toEqual([]);
    }
  });

  test('produce may be asynchronous, and mix both; a rejection is a failed event', async () => {
    const { result, logs } = await withScript(
      `let n = 0;
       export const produce = () => {
         n++;
         if (n === 2) return new Promise((resolve) => setImmediate(resolve, 'later'));
         if (n === 3) return Promise.reject(new TypeError('async no'));
         return 'now' + n;
       };`,
      'return call(await start(), 4);',
    );
    expect(result).toMatchObject({ consumed: 4, events: ['now1', 'later', 'now4'], failed: 1 });
    expect(logs[0]?.context['reason']).toContain('TypeError: async no');
  });

  test('a promise that stays pending is given up when the pipeline is torn down', async () => {
    const { result } = await withScript(
      `export const produce = () => new Promise(() => {});`,
      'const p = await start(); const pending = call(p, 2); controller.abort(); return pending;',
    );
    expect(result).toMatchObject({ consumed: 0, exhausted: true });
  });

  test('what is done is returned when the slice is spent, at least one timestamp', async () => {
    const { result } = await withScript(
      `export const produce = () => 'e';`,
      'const p = await start(); return [(await call(p, 9, { spentAfter: 0 })).consumed, (await call(p, 9, { spentAfter: 3 })).consumed];',
    );
    expect(result).toEqual([1, 4]);
  });

  test('console writes to the log of the plugin and not to the standard output', async () => {
    const report = await withScript(
      `console.log('at load %d', 1); export const produce = () => { console.error('bad', { a: 1 }); return 'e'; };`,
      CALL,
    );
    expect(report.logs.map(({ level, message }) => [level, message])).toEqual([
      ['info', 'at load 1'],
      ['warning', 'bad { a: 1 }'],
    ]);
    expect(report.stdout).toBe('');
  });
});

describe('loading a script', () => {
  test.each([
    [
      'CommonJS in .js beside a module package.json',
      'p.js',
      `exports.produce = () => 'e';`,
      '{"type":"module"}',
    ],
    [
      'an ES module in .js beside a commonjs package.json',
      'p.js',
      `export const produce = () => 'e';`,
      '{"type":"commonjs"}',
    ],
    ['.cjs', 'p.cjs', `module.exports = { produce: () => 'e' };`, '{}'],
    ['.mjs with top-level await', 'p.mjs', `await 0; export const produce = () => 'e';`, '{}'],
    [
      '.js with top-level await and dynamic import',
      'p.js',
      `const os = await import('node:os'); export const produce = () => os.EOL && 'e';`,
      '{}',
    ],
    ['a plain function in .js', 'p.js', `function produce() { return 'e'; }`, '{}'],
    [
      'TypeScript as ES module',
      'p.ts',
      `type A = { tags: string[] };\nexport function produce(a: A): string { return 'e' as string; }`,
      '{}',
    ],
    [
      'TypeScript as CommonJS',
      'p.ts',
      `const f = (x: number): string => 'e';\nmodule.exports = { produce: () => f(1) };`,
      '{}',
    ],
    [
      'a #! line and a byte order mark',
      'p.js',
      `\ufeff#!/usr/bin/env node\nexport const produce = () => 'e';`,
      '{}',
    ],
    ['a console of its own', 'p.mjs', `const console = 1; export const produce = () => 'e';`, '{}'],
  ])('takes %s', async (_, path, text, packageJson) => {
    const { result } = await withScript(text, CALL, { files: { 'package.json': packageJson } }, path);
    expect(result).toMatchObject({ events: ['e'], failed: 0 });
  });

  test('imports own files of every kind, packages and modules of Node, in a worker thread', async () => {
    const { result, stderr } = await withScript(
      `import { join } from 'node:path';
       import only from 'esm-only';
       import common from 'common';
       import { a } from './lib/a.mjs';
       import { b } from './lib/b.cjs';
       import data from './data.json' with { type: 'json' };
       import { c } from './lib/c.js';
       import { createRequire } from 'node:module';
       export const produce = async () => {
         const { lazy } = await import('./lib/lazy.mjs');
         return [join('x', 'y'), only, common, a(), b, String(data.n), c, lazy, import.meta.filename.slice(-11), import.meta.url.slice(0, 7)];
       };`,
      CALL,
      {
        isInWorker: true,
        files: {
          'node_modules/esm-only/package.json': '{"type":"module","exports":{"import":"./i.js"}}',
          'node_modules/esm-only/i.js': `export default 'esm-only';`,
          'node_modules/common/package.json': '{"main":"i.js"}',
          'node_modules/common/i.js': `module.exports = 'common';`,
          'lib/a.mjs': `import { back } from '../lib/cycle.mjs'; export const a = () => back(); export const name = 'a';`,
          'lib/cycle.mjs': `import { name } from './a.mjs'; export const back = () => 'cycle ' + name;`,
          'lib/b.cjs': `const deep = require('./deep'); exports.b = 'b' + deep.n + require('common') + require('node:path').sep;`,
          'lib/deep.js': 'exports.n = 1;',
          'data.json': '{"n": 7}',
          'lib/c.ts': `export const c: string = 'c';`,
          'lib/lazy.mjs': `export const lazy = 'lazy';`,
        },
      },
    );
    expect(result).toMatchObject({
      events: [
        'x/y',
        'esm-only',
        'common',
        'cycle a',
        'b1common/',
        '7',
        'c',
        'lazy',
        'produce.mjs',
        'file://',
      ],
    });
    expect(stderr).toBe('');
  });

  test.each([
    [
      'ES modules',
      'p.mjs',
      `import { count } from './n.mjs'; export const produce = () => String(count());`,
      'n.mjs',
      `let n = 0; export const count = () => ++n;`,
    ],
    [
      'CommonJS',
      'p.cjs',
      `const { count } = require('./n.cjs'); exports.produce = () => String(count());`,
      'n.cjs',
      `let n = 0; exports.count = () => ++n;`,
    ],
  ])(
    'every start is a fresh instance with what it imports: %s',
    async (_, path, text, nested, nestedText) => {
      const { result } = await withScript(
        text,
        `const a = await start(); const b = await start();
       const both = [(await call(a, 3)).events, (await call(b, 2)).events];
       write('${nested}', ${JSON.stringify(nestedText.replace('n = 0', 'n = 100'))});
       return [...both, (await call(await start(), 1)).events, (await call(a, 1)).events];`,
        { files: { [nested]: nestedText } },
        path,
      );
      expect(result).toEqual([['1', '2', '3'], ['1', '2'], ['101'], ['4']]);
    },
  );

  test('a CommonJS instance that is no longer used is freed', async () => {
    const { result } = await withScript(
      `const big = new Array(1e6).fill(1); exports.produce = () => 'e' + big.length;`,
      `for (let i = 0; i < 60; i++) { const p = await start(); await call(p); await p.close(); await new Promise(setImmediate); }
       gc(); await new Promise(setImmediate); gc();
       return process.memoryUsage().heapUsed / 8e6;`,
      { flags: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', '--expose-gc'] },
      'produce.cjs',
    );
    // Each instance holds one unit.
    expect(result).toBeLessThan(10);
  });

  test.each([
    ['p.js', 'let a = 1;\nlet b = ;', 'syntax error at p.js:2:9: Unexpected token'],
    ['p.mjs', 'export const a = 1;\n\n  let = ;', 'syntax error at p.mjs:3:'],
    ['p.ts', 'export const a: number = ;', 'syntax error at p.ts:1:26: Expression expected'],
    ['p.ts', 'enum A { X }', 'enum is not supported in strip-only mode (p.ts:1:1)'],
    [
      'p.mjs',
      `export const a = 1;\n  throw new RangeError('at load');`,
      'failed to load: RangeError: at load (p.mjs:2:9)',
    ],
    [
      'p.cjs',
      `\n  null.x;`,
      "failed to load: TypeError: Cannot read properties of null (reading 'x') (p.cjs:2:8)",
    ],
    ['p.mjs', 'export const a = 1;', 'p.mjs does not export a function named produce'],
    ['p.mjs', 'export const produce = 5;', 'exports produce as number'],
    ['p.mjs', `import './gone.mjs';`, `p.mjs imports './gone.mjs', which does not exist`],
    ['p.mjs', `import 'no-such-package';`, 'no-such-package'],
    ['p.mjs', `import { nothing } from './other.mjs';`, `does not provide an export named 'nothing'`],
    ['p.cjs', `require('./other.mjs');`, 'p.cjs requires other.mjs, which is an ES module'],
    ['p.mjs', `import './broken.json';`, 'broken.json is not valid JSON'],
  ])('%s with %j is refused in one sentence', async (path, text, expected) => {
    const error = await errorOf(
      withScript(text, START, { files: { 'other.mjs': 'export const x = 1;', 'broken.json': '{' } }, path),
    );
    expect(error).toContain(expected);
    expect(error).toMatch(/^script [^\n]*$/);
  });

  test('a missing file, a folder and another kind of file are refused', async () => {
    const files = { 'folder.js/x.txt': '', 'text.txt': '' };
    const report = await withScript(
      '',
      `return [await start('gone.js'), await start('folder.js'), await start('text.txt')];`,
      { files },
    );
    const errors = (report.result as { error: string }[]).map(({ error }) => error);
    expect(errors[0]).toContain('gone.js does not exist');
    expect(errors[1]).toContain('is not a file');
    expect(errors[2]).toContain('must end in .js');
  });

  test('a thread without the flag says which one it needs', async () => {
    const error = await errorOf(withScript(`export const produce = () => 'e';`, START, { flags: [] }));
    expect(error).toContain('--experimental-vm-modules');
  });

  test('a script that waits for ever at its top level is given up when the pipeline is torn down', async () => {
    const error = await errorOf(
      withScript(
        'await new Promise(() => {});',
        'const s = start(); setImmediate(() => controller.abort()); return s;',
      ),
    );
    expect(error).toContain('was stopped while loading');
  });
});

test('a script gets what its timestamp observes, frozen', async () => {
  const { result } = await withScript(
    `export const produce = ({ activity }) => activity === undefined ? 'no world' : activity === null ? 'none' :
      [activity.kind, activity.person.user, activity.facts.ip, Object.isFrozen(activity.person.site)].join(' ');`,
    `const activity = { kind: 'logon', person: { user: 'ada', site: { name: 'x' } }, facts: { ip: '10.0.0.1' } };
     const producer = await start();
     const given = { micros: Float64Array.of(0, 1), from: 0, to: 2, tagsOf: () => [], isSpent: () => false };
     const made = await producer.produce({ ...given, activityOf: (index) => (index === 0 ? activity : null) });
     return [...made.events.texts(), ...(await producer.produce(given)).events.texts()];`,
  );
  expect(result).toEqual(['logon ada 10.0.0.1 true', 'none', 'no world', 'no world']);
});
