import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, type Instance, makeInstance } from '../support/instance.js';

/** Scripts that do what no script should, and what the failure of their generator must say. */
const HOSTILE: readonly { readonly id: string; readonly script: string; readonly reason: RegExp }[] = [
  {
    // As silent as an endless loop (`test/hostile/scripts.test.ts`), without ten seconds of a core.
    id: 'endless-wait',
    script: 'export const produce = () => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); };',
    reason: /busy for 10 s/,
  },
  {
    id: 'async-throw',
    script:
      "let armed = false; export const produce = () => { if (!armed) { armed = true; setTimeout(() => { throw new Error('thrown in a timer'); }, 20); } return 'x'; };",
    reason: /thrown in a timer/,
  },
  {
    id: 'unhandled-rejection',
    script:
      "let armed = false; export const produce = () => { if (!armed) { armed = true; Promise.reject(new Error('nobody handles me')); } return 'x'; };",
    reason: /nobody handles me/,
  },
  {
    id: 'process-exit',
    script: 'export const produce = () => { process.exit(0); };',
    reason: /process\.exit\(0\)/,
  },
  {
    id: 'heap',
    script: 'const all = []; export const produce = () => { for (;;) all.push(new Array(1000).fill({})); };',
    reason: /more memory/,
  },
];

const config = (name: string): string => `
input:
  - linspace: {start: now, end: +120s, count: 12000}
event:
  script: {path: produce.mjs}
output:
  - file: {path: ../../out/${name}.log, flush_interval: 0}
`;

const COUNTER = 'let n = 0; export const produce = () => String(++n);';
const BYSTANDERS = ['steady-script', 'steady-replay'];

interface Status {
  readonly phase: string;
  readonly reason: string | null;
  readonly restarts: number;
}

describe('scripts that break their thread', () => {
  let instance: Instance;

  beforeAll(async () => {
    const generators: Record<string, string> = {
      'steady-script/generator.yml': config('steady-script'),
      'steady-script/produce.mjs': COUNTER,
      'steady-replay/generator.yml': `
input:
  - linspace: {start: now, end: +120s, count: 12000}
event:
  replay: {path: lines.txt}
output:
  - file: {path: ../../out/steady-replay.log, flush_interval: 0}
`,
      'steady-replay/lines.txt': Array.from({ length: 12_000 }, (_, i) => `${i + 1}\n`).join(''),
    };
    for (const { id, script } of HOSTILE) {
      generators[`${id}/generator.yml`] = config(id);
      generators[`${id}/produce.mjs`] = script;
    }
    const startup = [
      ...BYSTANDERS.map((id) => `- {id: ${id}, path: ${id}/generator.yml}`),
      ...HOSTILE.map(({ id }) => `- {id: ${id}, path: ${id}/generator.yml, autostart: false}`),
    ].join('\n');
    instance = await makeInstance({ startup, generators, settings: 'thread_heap_mb: 64' });
    await instance.start();
  });

  afterAll(async () => {
    await instance.remove();
  });

  test('only their own generator fails, with the reason named, while the API answers', async () => {
    let answered = 0;
    const probe = new AbortController();
    const probing = (async () => {
      while (!probe.signal.aborted) {
        const health = await instance.api('GET', '/health');
        expect(health.status).toBe(200);
        answered++;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    for (const { id } of HOSTILE) void instance.api('POST', `/generators/${id}/start`);
    for (const { id, reason } of HOSTILE) {
      const status = await eventually(async () => {
        const { body } = await instance.api('GET', `/generators/${id}/status`);
        return (body as Status).reason === null ? null : (body as Status);
      }, `failure of ${id}`);
      expect(`${id}: ${status.reason}`).toMatch(reason);
      expect(['backing_off', 'failed', 'running', 'loading']).toContain(status.phase);
    }
    probe.abort();
    await probing;
    // One script hangs for ten seconds.
    expect(answered).toBeGreaterThan(20);
  });

  test('the events of the others have no gap and no repeat', async () => {
    for (const id of BYSTANDERS) {
      await instance.api('POST', `/generators/${id}/stop`);
      const numbers = (await instance.file(`out/${id}.log`)).trimEnd().split('\n').map(Number);
      expect(numbers.length).toBeGreaterThan(500);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    }
  });
});
