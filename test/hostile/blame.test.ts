import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, type Instance, makeInstance } from '../support/instance.js';

const config = (event: string): string => `
input: [timer: {seconds: 0.1, count: 1}]
event: {${event}}
output: [file: {path: out.log, flush_interval: 0}]
`;

/** Stops a thread as an endless loop does, and leaves the core to others. */
const WAIT = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)';

/** Scripts of one scenario, so of one thread. Each hangs or breaks in a place where no call of it is on the stack. */
const CULPRITS: Readonly<Record<string, { readonly script: string; readonly reason: RegExp }>> = {
  continuation: {
    script:
      'let n = 0; export const produce = async () => { await null; if (++n === 5) for (;;) {} return "x"; };',
    reason: /busy for 10 s/,
  },
  timer: {
    script: `let n = 0; export const produce = () => { if (++n === 5) setTimeout(() => { ${WAIT}; }, 1); return "x"; };`,
    reason: /busy for 10 s/,
  },
  loading: {
    script: `await new Promise((r) => setTimeout(r, 50)); ${WAIT}; export const produce = () => "x";`,
    reason: /busy for 10 s/,
  },
  rejection: {
    script:
      'let n = 0; export const produce = () => { if (++n === 5) void (async () => { await null; throw new TypeError(); })(); return "x"; };',
    reason: /unhandled promise rejection/,
  },
  thrower: {
    script:
      'let n = 0; export const produce = async () => { if (++n === 5) setTimeout(() => { throw "no stack"; }, 1); return "x"; };',
    reason: /no stack/,
  },
  exit: {
    script:
      'let n = 0; export const produce = async () => { await null; if (++n === 5) process.exit(3); return "x"; };',
    reason: /process\.exit\(3\)/,
  },
};
const MATE = 'export const produce = async () => { await null; return "x"; };';
const POOL_MATES = ['pool-0', 'pool-1', 'pool-2', 'pool-3', 'pool-4', 'pool-5'];

interface Status {
  readonly phase: string;
  readonly reason: string | null;
  readonly error_code: string | null;
  readonly restarts: number;
}

describe('a generator that brings its thread down', () => {
  let instance: Instance;
  const names = Object.keys(CULPRITS);

  beforeAll(async () => {
    const generators: Record<string, string> = {
      'pool/generator.yml': config('replay: {path: lines.txt, repeat: true}'),
      'pool/lines.txt': 'a\nb\n',
      'backtracker/generator.yml': config(
        String.raw`replay: {path: lines.txt, repeat: true, timestamp_pattern: '(a+)+(?P<timestamp>\d{1,40})$', timestamp_format: '%s'}`,
      ),
      'backtracker/lines.txt': `${'a'.repeat(40)}!\n`,
      'mate/generator.yml': config('script: {path: produce.mjs}'),
      'mate/produce.mjs': MATE,
      'template/generator.yml': config('template: {mode: all, templates: [{t: {template: t.jinja}}]}'),
      'template/t.jinja': 'x',
    };
    for (const [name, { script }] of Object.entries(CULPRITS)) {
      generators[`${name}/generator.yml`] = config('script: {path: produce.mjs}');
      generators[`${name}/produce.mjs`] = script;
    }
    const startup = [
      ...POOL_MATES.map((id) => `- {id: ${id}, path: pool/generator.yml}`),
      '- {id: backtracker, path: backtracker/generator.yml}',
      ...names.flatMap((name) => [
        `- {id: ${name}-mate, path: mate/generator.yml, scenarios: [${name}]}`,
        `- {id: ${name}-template, path: template/generator.yml, scenarios: [${name}]}`,
        `- {id: ${name}, path: ${name}/generator.yml, scenarios: [${name}]}`,
      ]),
    ].join('\n');
    instance = await makeInstance({ startup, generators });
    await instance.start();
  });
  afterAll(() => instance.remove());

  const statusOf = async (id: string): Promise<Status> =>
    (await instance.api('GET', `/generators/${id}/status`)).body as Status;
  const charged = (id: string): Promise<Status> =>
    eventually(async () => {
      const status = await statusOf(id);
      return status.restarts > 0 && status.reason !== null ? status : null;
    }, `a charge of ${id}`);

  test.each(names)('is named, and its scenario mates are not charged: %s', async (name) => {
    const status = await charged(name);
    expect(status.reason).toMatch(CULPRITS[name]?.reason ?? /never/);
    for (const mate of [`${name}-mate`, `${name}-template`]) {
      const { restarts, reason, error_code, phase } = await statusOf(mate);
      expect(restarts).toBe(0);
      expect(phase).not.toBe('failed');
      if (error_code !== null)
        expect([error_code, reason]).toEqual(['displaced', expect.stringContaining(`"${name}"`)]);
    }
  });

  test('is alone on its thread when it is a replay whose pattern may backtrack without end', async () => {
    expect((await charged('backtracker')).error_code).toBe('host_stalled');
    for (const id of POOL_MATES)
      expect(await statusOf(id)).toMatchObject({ phase: 'running', restarts: 0, reason: null });
  });
});
