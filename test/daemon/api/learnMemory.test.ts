import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MAX_FIELD_NAMES, MAX_FIELDS } from '../../../src/analysis/learn/limits.js';
import { MAX_LEARNED_BYTES } from '../../../src/contract/body.js';
import { eventually, type Instance, makeInstance } from '../../support/instance.js';

const MB = 1024 * 1024;
/** Of a small container, for the daemon and the process that learns. */
const CONTAINER_MB = 512;

const kernelText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

const memoryOf = (pid: number, field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(kernelText(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;

const childrenOf = (pid: number): readonly number[] =>
  kernelText(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);

/**
 * A control group whose processes together get what is left of the container. Null where none may be made: then only
 * the peaks of the processes are looked at.
 */
const containerOf = (pid: number): { readonly remove: () => void } | null => {
  const left = String(Math.floor(CONTAINER_MB * MB - memoryOf(pid, 'VmRSS') * MB));
  for (const [root, limit] of [
    ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'],
    ['/sys/fs/cgroup', 'memory.max'],
  ] as const) {
    const group = join(root, `spate-test-${pid}`);
    try {
      mkdirSync(group);
      writeFileSync(join(group, limit), left);
      writeFileSync(join(group, 'cgroup.procs'), String(pid));
      return { remove: () => rmdirSync(group) };
    } catch {
      try {
        rmdirSync(group);
      } catch {
        // It was not made.
      }
    }
  }
  return null;
};

/** Lines up to the largest log that is accepted. */
const largest = (line: (at: number) => string, header = ''): string => {
  const lines = [header];
  for (let [at, size] = [0, header.length]; ; at++) {
    const next = `${line(at)}\n`;
    size += next.length;
    if (size > MAX_LEARNED_BYTES - 1_000) return lines.join('');
    lines.push(next);
  }
};

const time = (at: number): string => new Date(Date.UTC(2026, 2, 1) + at * 137).toISOString();
const hex = (at: number): string => ((at * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0');
const cells = (count: number, name: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => name(at)).join(',');

const LOGS: readonly (readonly [string, () => string])[] = [
  [
    'syslog',
    () => {
      const line = (at: number): string =>
        `${time(at)} host-${at % 40} sshd[${1000 + (at % 9000)}]: Accepted password for user${at % 300} from 10.${at % 7}.${at % 200}.${(at * 7) % 250} port ${1024 + (at % 60_000)} session ${hex(at)}`;
      return largest(line);
    },
  ],
  [
    'lines of which no two are alike',
    () => largest((at) => `${hex(at)} ${hex(at + 1e6)} ${hex(at + 2e6)} ${hex(at + 3e6)}`),
  ],
  [
    'CSV with as many columns as are allowed',
    () =>
      largest(
        (at) => cells(MAX_FIELDS, (column) => String((at * column) % 977)),
        `${cells(MAX_FIELDS, (at) => `c${at}`)}\n`,
      ),
  ],
  [
    'JSON with as many keys as are allowed',
    () => largest((at) => JSON.stringify({ at: time(at), [`key${at % (MAX_FIELD_NAMES - 1)}`]: hex(at) })),
  ],
];

let instance: Instance;
let container: ReturnType<typeof containerOf> = null;
const daemon = (): number => instance.program().child.pid as number;

beforeAll(async () => {
  instance = await makeInstance({ startup: '[]\n', generators: { 'g/generator.yml': '' } });
  await writeFile(join(instance.folder, 'generators', '.spate-0123456789abcdef.tmp'), 'a private log');
  await instance.start();
  container = containerOf(daemon());
});
afterAll(async () => {
  await instance.remove();
  container?.remove();
});

interface Learnt {
  readonly status: number;
  readonly body: string;
}

/** Sends a log; `leave` ends the connection. */
const learn = (log: string): { readonly answer: Promise<Learnt>; readonly leave: () => void } => {
  const sent = request(`${instance.url}/preview/learn?seed=1`, { method: 'POST', agent: false });
  const answer = new Promise<Learnt>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
  });
  sent.end(log);
  return { answer, leave: () => void sent.destroy() };
};

describe('learning in a container of 512 MB', () => {
  test.each(LOGS)('%s: the largest log is learned or refused, and the daemon lives', async (_, logOf) => {
    const { answer } = learn(logOf());
    let [peak, score] = [0, ''];
    const looking = setInterval(() => {
      for (const pid of childrenOf(daemon())) {
        peak = Math.max(peak, memoryOf(pid, 'VmHWM'));
        if (kernelText(`/proc/${pid}/cmdline`).includes('isolate'))
          score = kernelText(`/proc/${pid}/oom_score_adj`).trim();
      }
    }, 20);
    const { status, body } = await answer.finally(() => clearInterval(looking));
    // A busy machine may need more than the 90 seconds: that is a refusal, too.
    const isRefused = /send fewer lines/.test(body);
    expect([status, isRefused]).toEqual(isRefused ? [expect.any(Number), true] : [200, false]);
    expect(await instance.api('GET', '/health')).toMatchObject({ status: 200 });
    expect(instance.program().child.exitCode).toBeNull();
    // It ran in a process of its own, which the kernel would end first.
    expect([peak > 0, score]).toEqual([true, '1000']);
    expect(peak + memoryOf(daemon(), 'VmHWM')).toBeLessThan(CONTAINER_MB);
  });

  test.each([
    [
      'CSV with 5,000 columns',
      () => largest((at) => cells(5_000, () => String(at % 10)), `${cells(5_000, (at) => `c${at}`)}\n`),
      `a record has 5000 fields, and learning takes at most ${MAX_FIELDS}: remove columns`,
    ],
    [
      'JSON with keys of its own in each line',
      () =>
        largest((at) =>
          JSON.stringify(Object.fromEntries(Array.from({ length: 8 }, (_, key) => [`k${at}_${key}`, at]))),
        ),
      `the log has more than ${MAX_FIELD_NAMES} different fields`,
    ],
  ])('%s is refused by the bound that it exceeds', async (_, logOf, message) => {
    const { status, body } = await learn(logOf()).answer;
    expect([status, body]).toEqual([413, expect.stringContaining(message)]);
  });

  test('a client that leaves frees its place for others, at once', async () => {
    const slow = LOGS.map(([, logOf]) => logOf())[0] as string;
    const gone = learn(slow);
    const left = expect(gone.answer).rejects.toThrow();
    const process = await eventually(
      async () => childrenOf(daemon()).find((pid) => memoryOf(pid, 'VmRSS') > 30) ?? null,
      'learning begins',
    );
    const waiting = learn(slow);
    const waitingLeft = expect(waiting.answer).rejects.toThrow();
    const next = learn('2026-01-01T00:00:00Z a 1\n2026-01-01T00:00:01Z a 2\n');
    waiting.leave();
    gone.leave();
    await Promise.all([left, waitingLeft]);
    expect((await next.answer).status).toBe(200);
    expect(childrenOf(daemon())).not.toContain(process);
  });

  test('uploads are for the owner only, and none is left over', async () => {
    const folder = join(instance.folder, 'generators');
    const { answer, leave } = learn((LOGS[0] as (typeof LOGS)[number])[1]());
    const left = expect(answer).rejects.toThrow();
    const file = await eventually(
      async () => (await readdir(folder)).find((name) => name.startsWith('.spate-')) ?? null,
      'an upload',
    );
    expect(file).not.toBe('.spate-0123456789abcdef.tmp');
    expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
    leave();
    await left;
    await eventually(
      async () => ((await readdir(folder)).some((name) => name.startsWith('.spate-')) ? null : true),
      'its removal',
    );
  });

  test('a file that is put in place has the usual mode', async () => {
    await fetch(`${instance.url}/generator-configs/g/file/a.txt`, { method: 'POST', body: 'x' });
    const { mode } = await stat(join(instance.folder, 'generators', 'g', 'a.txt'));
    expect(mode & 0o777).toBe(0o666 & ~process.umask());
  });
});
