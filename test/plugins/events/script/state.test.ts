import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { linesOf, verified } from '../../../analysis/verify/support.js';
import { type Built, build, type RunRequest } from './built.js';

let built: Built;
beforeAll(() => {
  built = build();
});
afterAll(() => built.remove());

const withScript = (text: string, steps: string, path = 'produce.mjs', more: Partial<RunRequest> = {}) =>
  built.scripts({ ...more, path, files: { [path]: text, ...more.files }, steps });

/** Gives the events of the first call and of one in a fresh producer that was restored. */
const RESUME = `
  const first = await start();
  const before = await call(first, 3);
  const state = JSON.parse(JSON.stringify(first.snapshot()));
  const second = await start();
  await second.restore(state);
  return [before.events, (await call(second, 2)).events, state];`;

/** What snapshot or restore throws, as text. */
const THROWN = `
  const told = async (work) => { try { return await work(); } catch (thrown) { return thrown.message; } };
  const producer = await start();`;

describe('marks of a script', () => {
  test.each(['text', 'tsv', 'json'])(
    '%s: every event carries one, also several of one timestamp',
    async (marks) => {
      const { result } = await withScript(
        `let n = 0;
       export const produce = ({ drop }) => {
         n++;
         if (n % 7 === 0) return drop();
         if (n % 5 === 0) throw new Error('no');
         const event = (i) => JSON.stringify({ n, i, text: 'é\\ud800' });
         return n % 2 === 0 ? Promise.resolve(event(0)) : [event(1), event(2), event(3)];
       };`,
        `const producer = await start(undefined, { marks: '${marks}' });
       return [await call(producer, 60), producer.snapshot()];`,
      );
      const [{ events, failed, dropped }, state] = result as [
        { events: string[]; failed: number; dropped: number },
        { marks: { sequence: number } },
      ];
      expect([failed, dropped]).toEqual([11, 8]);
      const report = verified([linesOf(events)], { expected: events.length });
      expect(report).toMatchObject({ ok: true, unmarked: { count: 0 }, streams: [{ out_of_order: 0 }] });
      expect(state).toEqual({ marks: { stream: expect.any(Number), sequence: events.length } });
      const micros = events.map((event) => event.split(':').at(-2));
      // The three events of the first timestamp.
      expect(new Set(micros.slice(0, 3)).size).toBe(1);
      expect(micros[0]).toBe(String(Date.UTC(2025, 0, 15, 10, 30) * 1000 + 123_456));
    },
  );

  test('json: a call with an event that is no object is a failed event as a whole and uses no number', async () => {
    const { result, logs } = await withScript(
      `const results = ['{"a":1}', ['{"b":1}', 'no', '{"c":1}'], '{"d":1}'];
       export const produce = () => results.shift();`,
      `return call(await start(undefined, { marks: 'json' }), 3);`,
    );
    const { events, failed } = result as { events: string[]; failed: number };
    expect([events.length, failed]).toEqual([2, 1]);
    expect(verified([linesOf(events)], { expected: 2 }).ok).toBe(true);
    expect(logs).toMatchObject([
      { level: 'error', context: { reason: expect.stringContaining('not a JSON object') } },
    ]);
  });

  test('the draws of a script are the same with and without marks', async () => {
    const { result } = await withScript(
      `export const produce = ({ random }) => String(random.integer(1, 1e9));`,
      `const plain = await call(await start(), 3);
       const marked = await call(await start(undefined, { marks: 'text' }), 3);
       return [plain.events, marked.events.map((event) => event.replace(/ spate=.*/, ''))];`,
    );
    const [plain, marked] = result as [string[], string[]];
    expect(marked).toEqual(plain);
  });

  test('resumed after any call they go on as if nothing had been', async () => {
    const { result } = await withScript(
      `export const produce = () => ['{}', '{"b":2}'];`,
      `const runs = [];
       for (const boundaries of [[], [1], [1, 2, 3], [2, 5]]) {
         let producer = await start(undefined, { marks: 'json' });
         const events = [];
         for (let i = 1; i <= 6; i++) {
           events.push(...(await call(producer, 1 + (i % 3))).events);
           if (!boundaries.includes(i)) continue;
           const state = JSON.parse(JSON.stringify(producer.snapshot()));
           producer = await start(undefined, { marks: 'json' });
           await producer.restore(state);
         }
         runs.push(events);
       }
       return runs;`,
    );
    const [whole, ...others] = result as string[][];
    expect(whole).toHaveLength(24);
    for (const other of others) expect(other).toEqual(whole);
  });
});

const COUNTER = {
  module: `let n = 0;
    export const produce = () => 'e' + ++n;
    export const snapshot = () => ({ n, list: [null, true, 1.5, 'é'], skipped: undefined });
    export const restore = (state) => { n = state.n; };`,
  commonJs: `let n = 0;
    exports.produce = () => 'e' + ++n;
    exports.snapshot = () => ({ n, list: [null, true, 1.5, 'é'] });
    exports.restore = async (state) => { await null; n = state.n; };`,
  plain: `let n = 0;
    function produce() { return 'e' + ++n; }
    function snapshot() { return { n, list: [null, true, 1.5, 'é'] }; }
    function restore(state) { n = state.n; }`,
  types: `interface State { readonly n: number }
    let n: number = 0;
    export const produce = (): string => 'e' + ++n;
    export const snapshot = (): unknown => ({ n, list: [null, true, 1.5, 'é'] });
    export const restore = (state: State): void => { n = state.n; };`,
};

describe('state of a script', () => {
  test.each([
    ['an ES module', 'p.mjs', COUNTER.module],
    ['a .js of either kind', 'p.js', COUNTER.module],
    ['CommonJS', 'p.cjs', COUNTER.commonJs],
    ['plain functions', 'p.js', COUNTER.plain],
    ['TypeScript', 'p.ts', COUNTER.types],
  ])('%s gives its state away and takes it back', async (_name, path, text) => {
    const { result, logs } = await withScript(text, RESUME, path);
    expect(result).toEqual([
      ['e1', 'e2', 'e3'],
      ['e4', 'e5'],
      { script: { n: 3, list: [null, true, 1.5, 'é'] } },
    ]);
    expect(logs).toEqual([]);
  });

  test('a snapshot is a copy: what the script changes later is not in it', async () => {
    const { result } = await withScript(
      `const seen = []; export const produce = () => { seen.push(1); return 'e'; };
       export const snapshot = () => seen; export const restore = () => {};`,
      'const p = await start(); await call(p, 2); const s = p.snapshot(); await call(p, 3); return s;',
    );
    expect(result).toEqual({ script: [1, 1] });
  });

  test.each([
    ['(() => { throw new TypeError("not now"); })()', 'failed: TypeError: not now (produce.mjs:2:'],
    ['Promise.resolve(1)', 'did not return JSON: the state is Promise'],
    ['undefined', 'the state is undefined'],
    ['{ list: [1, { at: new Date() }] }', 'the state.list[1].at is Date'],
    ['{ n: NaN }', 'the state.n is NaN'],
    ['new Map()', 'the state is Map'],
    ['{ f: () => 1 }', 'the state.f is function'],
    ['{ n: 1n }', 'the state.n is bigint'],
    ['(() => { const a = {}; a.a = a; return a; })()', 'or circular'],
    ['{ get n() { throw new Error("no n"); } }', 'Error: no n'],
    ['new Array(2_000_000).fill(0)', 'more than 1000000 values'],
  ])('%s is no state: the snapshot is thrown with file and reason', async (value, reason) => {
    const { result } = await withScript(
      `export const produce = () => 'e'; export const restore = () => {};
       export const snapshot = () => (${value});`,
      `${THROWN} return [await told(() => producer.snapshot()), (await call(producer, 1)).events];`,
    );
    const [message, events] = result as [string, string[]];
    expect(message).toContain('script produce.mjs');
    expect(message).toContain(reason);
    // Events go on.
    expect(events).toEqual(['e']);
  });

  test('a snapshot may hold any JSON', async () => {
    const { result } = await withScript(
      `export const produce = () => 'e';
       const state = JSON.parse('{"__proto__": {"a": 1}, "": null, "n": -1.5e300, "deep": [[[]]], "b": false}');
       export const snapshot = () => state;
       export const restore = (given) => { globalThis.given = JSON.stringify(given); };`,
      'const p = await start(); await p.restore(JSON.parse(JSON.stringify(p.snapshot()))); return globalThis.given;',
    );
    expect(result).toBe('{"__proto__":{"a":1},"":null,"n":-1.5e+300,"deep":[[[]]],"b":false}');
  });

  test.each(['() => { throw new Error("bad state"); }', 'async () => { throw new Error("bad state"); }'])(
    'a restore that fails, %s, rejects with file and reason',
    async (restore) => {
      const { result } = await withScript(
        `export const produce = () => 'e'; export const snapshot = () => 1;
         export const restore = ${restore};`,
        `${THROWN} return told(() => producer.restore({ script: 1 }));`,
      );
      expect(result).toMatch(
        /^restore\(\) of script produce\.mjs failed: Error: bad state \(produce\.mjs:2:/,
      );
    },
  );

  test('a restore that never answers is given up when the pipeline is torn down', async () => {
    const { result } = await withScript(
      `export const produce = () => 'e'; export const snapshot = () => 1;
       export const restore = () => new Promise(() => {});`,
      `${THROWN} const pending = told(() => producer.restore({ script: 1 })); controller.abort(); return pending;`,
    );
    expect(result).toContain('the generator was stopped');
  });

  test('a state that was never saved is refused; parts that belong to nothing are left out', async () => {
    const { result, logs } = await withScript(
      `export const produce = () => 'e';`,
      `${THROWN}
       const marked = await start(undefined, { marks: 'text' });
       return [
         await told(() => marked.restore([])), await told(() => marked.restore({ marks: { stream: 'x' } })),
         await told(() => marked.restore({ script: 1 })), 'snapshot' in producer,
       ];`,
    );
    const form = expect.stringContaining('is invalid');
    expect(result).toEqual([form, form, null, false]);
    expect(logs).toMatchObject([{ level: 'warning', message: expect.stringContaining('no restore()') }]);
  });

  test('a script that had no state when the checkpoint was made starts with none', async () => {
    const { result } = await withScript(
      COUNTER.module,
      'const p = await start(); await p.restore({}); return call(p);',
    );
    expect(result).toMatchObject({ events: ['e1'] });
  });

  test.each([
    [`export const snapshot = () => 1;`, 'exports snapshot without restore'],
    [`export const restore = () => 1;`, 'exports restore without snapshot'],
    [`export const snapshot = 1, restore = () => 1;`, 'exports snapshot as number'],
    [`export const snapshot = () => 1, restore = null;`, 'exports restore as null'],
  ])('%s is refused at load', async (text, reason) => {
    const { result } = await withScript(`export const produce = () => 'e';\n${text}`, 'return start();');
    expect((result as { error: string }).error).toContain(reason);
  });

  test('a CommonJS script that exports produce may have functions of these names for itself', async () => {
    const { result } = await withScript(
      `function snapshot() { return new Map(); } exports.produce = () => 'e' + snapshot().size;`,
      'const p = await start(); return ["snapshot" in p, (await call(p)).events];',
      'p.cjs',
    );
    expect(result).toEqual([false, ['e0']]);
  });
});
