import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, type Instance, makeInstance } from '../../support/instance.js';

const CONFIG = `
input: [static: {count: 1}]
event: {script: {path: produce.mjs}}
output: [file: {path: ../../out.log}]
`;

interface Hostile {
  readonly name: string;
  readonly script: string;
  /** Whether it shows while it is built, in a call, or only in the call after that. */
  readonly when: 'open' | 'produce' | 'later';
  readonly status: number;
  readonly reason: RegExp;
}

/** Scripts that do what no script should, and what their preview must answer. */
const HOSTILE: readonly Hostile[] = [
  {
    name: 'loop',
    script: 'export const produce = () => { for (;;) {} };',
    when: 'produce',
    status: 503,
    reason: /busy for 10 s/,
  },
  {
    name: 'pending',
    script: 'export const produce = () => new Promise(() => {});',
    when: 'produce',
    status: 503,
    reason: /busy for 10 s/,
  },
  {
    name: 'loading-wait',
    script:
      'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);\nexport const produce = () => "x";',
    when: 'open',
    status: 503,
    reason: /busy for 10 s/,
  },
  {
    name: 'loading-pending',
    script: 'await new Promise(() => {});\nexport const produce = () => "x";',
    when: 'open',
    status: 503,
    reason: /busy for 10 s/,
  },
  {
    name: 'heap',
    script: 'const all = []; export const produce = () => { for (;;) all.push(new Array(1000).fill({})); };',
    when: 'produce',
    status: 422,
    reason: /more memory/,
  },
  {
    name: 'exit',
    script: 'export const produce = () => { process.exit(0); };',
    when: 'produce',
    status: 422,
    reason: /process\.exit\(0\)/,
  },
  {
    name: 'timer',
    script:
      "export const produce = () => { setTimeout(() => { throw new Error('thrown in a timer'); }, 1); return 'x'; };",
    when: 'later',
    status: 422,
    reason: /thrown in a timer/,
  },
  {
    name: 'flood',
    script: "export const produce = () => 'x'.repeat(40 * 1024 * 1024);",
    when: 'produce',
    status: 413,
    reason: /32 Mi characters/,
  },
];

/** Answers of a plugin that was lost: to a call that found it still there, and to one that came after. */
const LOST = ['409 wrong_state', '400 not_ready'];
const answered = ({ status, body }: { readonly status: number; readonly body: unknown }): string =>
  `${status} ${String((body as { readonly code?: unknown } | null)?.code)}`;

const at = { timestamp: '2026-05-01T12:00:00Z', tags: [] };
const event = (name: string): string => `/preview/${name}/event-plugin`;
const script = { script: { path: 'produce.mjs' } };
const PEACEFUL = 'let n = 0; export const produce = () => String(++n);';

describe('previews of scripts that break their thread', () => {
  let instance: Instance;

  beforeAll(async () => {
    const generators: Record<string, string> = {};
    const scripts = [
      ...HOSTILE.map(({ name, script: text }) => [name, text] as const),
      ...Array.from({ length: 9 }, (_, n) => [`good${n}`, PEACEFUL] as const),
    ];
    for (const [name, text] of scripts) {
      generators[`${name}/generator.yml`] = CONFIG;
      generators[`${name}/produce.mjs`] = text;
    }
    instance = await makeInstance({ startup: '[]', generators, settings: 'thread_heap_mb: 64' });
    await instance.start();
  });

  afterAll(() => instance.remove());

  /** Posts the plugin and asks for events until one answer is no success; what it was. */
  const breakDown = async ({ name, when }: Hostile) => {
    const opened = await instance.api('POST', event(name), script);
    if (when === 'open') return opened;
    expect(opened).toEqual({ status: 201, body: null });
    return eventually(async () => {
      const answer = await instance.api('POST', `${event(name)}/produce`, [at]);
      if (when === 'later' && answer.status === 200) return null;
      return answer;
    }, `${name} breaks`);
  };

  test('each loses its own preview with the reason, while the others and the API answer', async () => {
    expect((await instance.api('POST', event('good0'), script)).status).toBe(201);
    const probe = new AbortController();
    const events: string[] = [];
    const probing = (async () => {
      while (!probe.signal.aborted) {
        expect((await instance.api('GET', '/health')).status).toBe(200);
        const { body } = await instance.api('POST', `${event('good0')}/produce`, [at]);
        events.push(...(body as { events: string[] }).events);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    // Not more at a time than there may be, with the good one.
    const outcomes = await Promise.all(
      HOSTILE.slice(0, 7).map(async (hostile) => ({ hostile, answer: await breakDown(hostile) })),
    );
    for (const hostile of HOSTILE.slice(7)) outcomes.push({ hostile, answer: await breakDown(hostile) });
    probe.abort();
    await probing;
    for (const { hostile, answer } of outcomes) {
      expect(`${hostile.name}: ${JSON.stringify(answer.body)}`).toMatch(hostile.reason);
      expect([hostile.name, answer.status]).toEqual([hostile.name, hostile.status]);
      const after = await instance.api('POST', `${event(hostile.name)}/produce`, [at]);
      // Too much text is the only one of these that does no harm to the plugin.
      if (hostile.name === 'flood') expect(after.status).toBe(413);
      else expect(LOST).toContain(answered(after));
    }
    // One preview hangs for ten seconds.
    expect(events.length).toBeGreaterThan(20);
    expect(events).toEqual(events.map((_, index) => String(index + 1)));
  });

  test('eight event plugins at most are in preview; releasing one makes room', async () => {
    for (const { name } of HOSTILE) await instance.api('DELETE', event(name));
    for (let n = 0; n < 8; n++) {
      expect((await instance.api('POST', event(`good${n}`), script)).status).toBe(201);
    }
    expect(await instance.api('POST', event('good8'), script)).toMatchObject({
      status: 429,
      body: { code: 'too_many_requests', detail: expect.stringContaining('8 event plugins') },
    });
    expect((await instance.api('POST', event('good3'), script)).status).toBe(201);
    await instance.api('DELETE', event('good0'));
    expect((await instance.api('POST', event('good8'), script)).status).toBe(201);
  });

  test('a release ends a call that hangs, at once', async () => {
    await instance.api('DELETE', event('good1'));
    await instance.api('POST', event('loop'), script);
    const hanging = instance.api('POST', `${event('loop')}/produce`, [at]);
    const released = await eventually(async () => {
      const answer = await instance.api('DELETE', event('loop'));
      return answer.status === 200 ? answer : null;
    }, 'the release');
    expect(released.body).toBeNull();
    expect(LOST).toContain(answered(await hanging));
  });

  test('the daemon stops while a preview hangs', async () => {
    await instance.api('POST', event('loop'), script);
    const hanging = instance.api('POST', `${event('loop')}/produce`, [at]).catch(() => null);
    expect(await instance.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    await hanging;
  });
});
