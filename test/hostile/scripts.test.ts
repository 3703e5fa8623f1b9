import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CLI, eventually, type Instance, makeInstance } from '../support/instance.js';
import { runFile } from '../support/programs.js';

/** A hostile script with its outcome. */
interface Hostile {
  readonly id: string;
  readonly script: string;
  readonly isolation?: 'process';
  /** Reason of the failure; `null`: the generator continues. */
  readonly reason: RegExp | null;
  readonly log?: RegExp;
}

const once = (body: string, imports = ''): string =>
  `${imports}let done = false;
export const produce = () => { if (!done) { done = true; ${body} } return 'x'; };`;

/** Limits of a thread outside of its heap and for it. A silent thread may fill both. */
const MEMORY_MB = { thread_memory_mb: 64, thread_heap_mb: 48 };
const LIMIT_MB = MEMORY_MB.thread_memory_mb + MEMORY_MB.thread_heap_mb;

/** Fills at most 3 GB without a pause, and says in a file how many MB it has filled. */
const SILENT_FILL = `import { writeFileSync } from 'node:fs';
const all = [];
export const produce = () => {
  for (let n = 1; n <= 192; n++) {
    all.push(Buffer.alloc(1 << 24).fill(1));
    writeFileSync(new URL('filled', import.meta.url), String(n * 16));
  }
  for (;;) {}
};`;

/** At most 3 GB. */
const FILL = 'for (let n = 0; n < 48; n++) all.push(Buffer.alloc(1 << 26).fill(1));';

/** Makes Spate's code on the thread send malformed messages. */
const PATCHED_MESSAGE = once("String.prototype.replace = () => ({ length: 1 }); console.log('x');");

/** Calls a method of every port that the inspector finds. */
const INSPECT = `import { Session } from 'node:inspector';
export const produce = () => {
  const session = new Session();
  session.connect();
  const ask = (method, params) => {
    let answer;
    session.post(method, params, (error, result) => { answer = error ?? result; });
    return answer;
  };
  const { result } = ask('Runtime.evaluate', { expression: 'MessagePort.prototype' });
  const { objects } = ask('Runtime.queryObjects', { prototypeObjectId: result.objectId });
  const functionDeclaration = 'function () { for (const port of this) try { port.postMessage(null); } catch {} }';
  ask('Runtime.callFunctionOn', { objectId: objects.objectId, functionDeclaration });
  return 'x';
};`;

const HOSTILE: readonly Hostile[] = [
  {
    id: 'port-by-import',
    script: once('parentPort.postMessage(null);', "import { parentPort } from 'node:worker_threads';\n"),
    reason: null,
    log: /of null \(reading 'postMessage'\)/,
  },
  {
    id: 'port-by-other-ways',
    script: once(
      `const ways = [
         createRequire(import.meta.url)('worker_threads').parentPort, (await import('worker_threads')).parentPort,
         process.getBuiltinModule?.('worker_threads').parentPort, process._getActiveHandles()[0],
       ];
       throw new Error('found ' + ways.filter((way) => typeof way?.postMessage === 'function').length);`,
      "import { createRequire } from 'node:module';\n",
    ).replace('produce = ()', 'produce = async ()'),
    reason: null,
    log: /found 0/,
  },
  {
    id: 'port-by-inspector',
    script: INSPECT,
    reason: null,
    log: /a script cannot use the inspector/,
  },
  {
    id: 'port-by-resource',
    script: `import { createHook, executionAsyncResource } from 'node:async_hooks';
let found = 0;
createHook({ before: () => { if (typeof executionAsyncResource().postMessage === 'function') found++; } }).enable();
let left = 50;
export const produce = () => { if (--left === 0) throw new Error('found ' + found); return 'x'; };`,
    reason: null,
    log: /found 0/,
  },
  { id: 'patched-message', script: PATCHED_MESSAGE, reason: /a message that Spate does not send/ },
  {
    id: 'own-thread',
    script: once(
      "new Worker('for (;;) {}', { eval: true });",
      "import { Worker } from 'node:worker_threads';\n",
    ),
    reason: null,
    log: /a script cannot start threads/,
  },
  {
    id: 'buffers-in-a-loop',
    script: SILENT_FILL,
    reason: /more memory outside of the JavaScript heap .*64 MB, generation\.thread_memory_mb/,
  },
  {
    id: 'shared-buffers-bit-by-bit',
    script: `const all = [];
export const produce = () => { if (all.length < 64) new Uint8Array(all[all.push(new SharedArrayBuffer(1 << 24)) - 1]).fill(1); return 'x'; };`,
    reason: /more memory outside of the JavaScript heap/,
  },
  {
    id: 'wasm-bit-by-bit',
    script: `const all = [];
export const produce = () => { if (all.length < 64) new Uint8Array(all[all.push(new WebAssembly.Memory({ initial: 256 })) - 1].buffer).fill(1); return 'x'; };`,
    reason: /more memory outside of the JavaScript heap/,
  },
  {
    id: 'stdout-flood',
    script: `const text = 's'.repeat(10_000) + '\\n';
export const produce = () => { for (let n = 0; n < 100; n++) process.stdout.write(text); return 'x'; };`,
    reason: null,
    log: /log lines dropped/,
  },
  {
    id: 'stderr-flood',
    script: `const text = 's'.repeat(10_000) + '\\n';
export const produce = () => { for (let n = 0; n < 100; n++) process.stderr.write(text); return 'x'; };`,
    reason: null,
    log: /log lines dropped/,
  },
  {
    id: 'warnings-flood',
    script: `const text = 'w'.repeat(10_000);
export const produce = () => { for (let n = 0; n < 100; n++) process.emitWarning(text); return 'x'; };`,
    reason: null,
    log: /log lines dropped/,
  },
  {
    id: 'huge-errors',
    script: `const text = 'e'.repeat(20_000_000); export const produce = () => { throw new Error(text); };`,
    reason: null,
    log: /\(cut: 20000000 characters\)/,
  },
  {
    id: 'huge-crash',
    script: once("setTimeout(() => { throw new Error('e'.repeat(20_000_000)); }, 5);"),
    reason: /^.{0,200}[^e]e{4096}\.\.\. \(cut: 20000000 characters\)$/,
  },
  {
    id: 'rejection',
    script: once("Promise.reject(new Error('nobody handles me'));"),
    reason: /nobody handles me/,
  },
  {
    id: 'exit-replaced',
    script: once("process.exit = () => {}; setTimeout(() => { throw new Error('still here'); }, 5);"),
    reason: /still here/,
  },
  { id: 'exit', script: once('process.exit(3);'), reason: /process\.exit\(3\)/ },
  {
    id: 'timers',
    script: once(
      "for (let n = 0; n < 1e5; n++) setTimeout(() => {}, n % 500); setTimeout(() => { throw new Error('timer'); }, 600);",
    ),
    reason: /thrown outside of produce: timer/,
  },
  {
    id: 'patched-globals',
    script: once(`for (const { prototype } of [Array, Map, Set, Promise, String])
      for (const key of Object.getOwnPropertyNames(prototype))
        if (key !== 'constructor') try { prototype[key] = () => { throw new Error('patched'); }; } catch {}
      JSON.stringify = () => 'patched'; JSON.parse = () => null; Atomics.add = () => 0; Atomics.load = () => 12345;`),
    reason: /thread was lost/,
  },
  {
    id: 'kill',
    isolation: 'process',
    script: once("process.kill(process.pid, 'SIGKILL');"),
    reason: /SIGKILL ended its process/,
  },
  {
    id: 'close-files',
    isolation: 'process',
    script: once(
      'for (let n = 0; n <= 50; n++) try { closeSync(n); } catch {}',
      "import { closeSync } from 'node:fs';\n",
    ),
    reason: /ended its process/,
  },
  {
    id: 'write-channel',
    isolation: 'process',
    script: once(
      "writeSync(3, Buffer.from([0, 0, 0, 4, ...Buffer.from('null')]));",
      "import { writeSync } from 'node:fs';\n",
    ),
    reason: /its process sent malformed data/,
  },
  {
    id: 'own-thread-in-a-process',
    isolation: 'process',
    script: once(
      `new Worker(\`const all = []; ${FILL} for (;;) {}\`, { eval: true });`,
      "import { Worker } from 'node:worker_threads';\n",
    ),
    reason: /more memory than its process may have/,
  },
  {
    id: 'patched-message-in-a-process',
    isolation: 'process',
    script: PATCHED_MESSAGE,
    reason: /a message that Spate does not send/,
  },
  { id: 'inspector-in-a-process', isolation: 'process', script: INSPECT, reason: /thread was lost/ },
  { id: 'loop', script: once('for (;;) {}'), reason: /busy for 10 s/ },
];

/** 1,000 events a second. */
const config = (id: string): string => `
input:
  - timer: {start: now, seconds: 0.1, count: 100}
event:
  script: {path: produce.mjs, marks: text}
output:
  - file: {path: ../../out/${id}.log, flush_interval: 0}
`;

const NEIGHBORS = ['neighbor-1', 'neighbor-2'];

/** Observation time of a script that must do no harm. */
const LOOK_MS = 1_200;
const PAUSE_MS = 10;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('beside hostile scripts', () => {
  let instance: Instance;
  beforeAll(async () => {
    const generators: Record<string, string> = {};
    for (const { id, script } of [...NEIGHBORS.map((id) => ({ id, script: once('') })), ...HOSTILE]) {
      generators[`${id}/generator.yml`] = config(id);
      generators[`${id}/produce.mjs`] = script;
    }
    const startup = [
      ...NEIGHBORS.map((id) => `- {id: ${id}, path: ${id}/generator.yml}`),
      ...HOSTILE.map(
        ({ id, isolation = 'thread' }) =>
          `- {id: ${id}, path: ${id}/generator.yml, autostart: false, isolation: ${isolation}}`,
      ),
    ].join('\n');
    instance = await makeInstance({
      startup,
      generators,
      settings: `thread_memory_mb: ${MEMORY_MB.thread_memory_mb}, thread_heap_mb: ${MEMORY_MB.thread_heap_mb}`,
    });
    await instance.start();
  });

  afterAll(async () => {
    await instance.remove();
  });

  const reasonNow = async (id: string): Promise<string | null> => {
    const { body } = await instance.api('GET', `/generators/${id}/status`);
    return (body as { readonly reason: string | null }).reason;
  };

  /** Asks for health until the signal ends; gives the number of answers, each of which must be 200. */
  const probe = async (signal: AbortSignal): Promise<number> => {
    let answered = 0;
    while (!signal.aborted) {
      expect((await instance.api('GET', '/health')).status).toBe(200);
      answered++;
      await pause(PAUSE_MS);
    }
    return answered;
  };

  /** Starts the generator; returns the reason of its failure, `null` if it continues. */
  const outcomeOf = async (id: string, reason: RegExp | null): Promise<string | null> => {
    await instance.api('POST', `/generators/${id}/start`);
    if (reason === null) {
      await pause(LOOK_MS);
      return reasonNow(id);
    }
    return eventually(() => reasonNow(id), `failure of ${id}`);
  };

  /**
   * What the script that fills has filled. On a virtual machine that its host gives memory page by page, the deadline of a
   * silent thread can come before its limit: less than 10 MB/s were seen.
   */
  const filledMb = (): number => {
    const path = join(instance.folder, 'generators/buffers-in-a-loop/filled');
    return existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
  };

  test.each(HOSTILE)(
    '$id: the failure names its generator only, and the API answers',
    async ({ id, script, reason, log }) => {
      const ending = new AbortController();
      const probing = probe(ending.signal);
      const outcome = await outcomeOf(id, reason).finally(() => ending.abort());
      const answered = await probing;
      await instance.api('POST', `/generators/${id}/stop`);
      if (reason === null) expect(outcome).toBeNull();
      else if (script !== SILENT_FILL || !/busy for 10 s/.test(String(outcome)))
        expect(outcome).toMatch(reason);
      else expect(filledMb()).toBeLessThanOrEqual(LIMIT_MB);
      if (log !== undefined) expect(linesOf(instance.program().stderr(), id)).toMatch(log);
      expect(answered).toBeGreaterThan(0);
    },
  );

  test('a preview that fills the memory is ended before its deadline', async () => {
    const plugin = '/preview/buffers-in-a-loop/event-plugin';
    rmSync(join(instance.folder, 'generators/buffers-in-a-loop/filled'), { force: true });
    await instance.api('POST', plugin, { script: { path: 'produce.mjs' } });
    const { body } = await instance.api('POST', `${plugin}/produce`, [
      { timestamp: '2026-05-01T10:00:00', tags: [] },
    ]);
    const answer = JSON.stringify(body);
    if (/the preview was busy for/.test(answer)) expect(filledMb()).toBeLessThanOrEqual(LIMIT_MB);
    else expect(answer).toMatch(/the preview has ended: it used more memory outside/);
  });

  test('the neighbors lose nothing at 1,000 events/s', async () => {
    for (const id of NEIGHBORS) {
      expect(await reasonNow(id)).toBeNull();
      await instance.api('POST', `/generators/${id}/stop`);
      const verified = await runFile(process.execPath, [
        CLI,
        'verify',
        join(instance.folder, 'out', `${id}.log`),
      ]);
      expect(verified.stdout).toMatch(/lost 0[\s\S]*duplicates 0[\s\S]*ok: all/);
    }
  });
});

const linesOf = (log: string, id: string): string =>
  log
    .split('\n')
    .filter((line) => line.includes(`generator_id=${id}`))
    .join('\n');
