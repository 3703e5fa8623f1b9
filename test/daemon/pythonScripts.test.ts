import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isSameProcess, processStart } from '../../src/adapters/processes/proc.js';
import { HAS_PYTHON, NEEDS_PYTHON } from '../plugins/events/script/python/scripts.js';
import { eventually, type Instance, makeInstance } from '../support/instance.js';

/** Scripts that are lost, and what the failure of their generator must say. */
const LOST: readonly { readonly id: string; readonly script: string; readonly reason: RegExp }[] = [
  {
    // As silent as an endless loop (`test/plugins/events/script/python/failures.test.ts`), at no cost.
    id: 'endless-sleep',
    script: 'import time\ndef produce(params):\n    time.sleep(3600)',
    reason: /busy for 10 s/,
  },
  {
    id: 'endless-pattern',
    script: "import re\ndef produce(params): return str(re.match('(a+)+b', 'a' * 200))",
    reason: /busy for 10 s/,
  },
  {
    id: 'crash',
    script: 'import ctypes\ndef produce(params): return str(ctypes.string_at(0))',
    reason: /SIGSEGV ended it/,
  },
  {
    id: 'memory',
    script: 'def produce(params):\n    all = []\n    while True: all.append(bytearray(1 << 20))',
    reason: /more memory than it may have \(128 MB, generation\.thread_memory_mb\)/,
  },
  { id: 'import', script: 'import nowhere_to_be_found', reason: /No module named 'nowhere_to_be_found'/ },
];

const COUNTER = `n = 0
def produce(params):
    global n
    n += 1
    return str(n)
`;

const config = (path: string, out: string): string => `
input:
  - linspace: {start: now, end: +120s, count: 12000}
event:
  script: {path: ${path}}
output:
  - file: {path: ../../out/${out}.log, flush_interval: 0}
`;

interface Status {
  readonly phase: string;
  readonly reason: string | null;
  readonly restarts: number;
}

/** Process ids of living Python processes that work in a folder below this one. */
const pythonsBelow = (folder: string): readonly string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return (
          readlinkSync(`/proc/${pid}/cwd`).startsWith(folder) &&
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('main.py')
        );
      } catch {
        // It ended meanwhile.
        return false;
      }
    });

/** Children of a process, also those that have ended and wait to be collected. */
const childrenOf = (parent: number | undefined): readonly string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        // State and parent follow the name of the program, which is in parentheses.
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
      } catch {
        return false;
      }
    });

(HAS_PYTHON ? describe : describe.skip)(`Python scripts in a daemon ${NEEDS_PYTHON}`, () => {
  let instance: Instance;

  beforeAll(async () => {
    const generators: Record<string, string> = {
      'steady/generator.yml': config('produce.py', 'steady'),
      'steady/produce.py': COUNTER,
    };
    for (const { id, script } of LOST) {
      generators[`${id}/generator.yml`] = config('produce.py', id);
      generators[`${id}/produce.py`] = script;
    }
    const startup = [
      '- {id: steady, path: steady/generator.yml}',
      ...LOST.map(({ id }) => `- {id: ${id}, path: ${id}/generator.yml, autostart: false}`),
    ].join('\n');
    instance = await makeInstance({ startup, generators, settings: 'thread_memory_mb: 128' });
    await instance.start();
  });

  afterAll(async () => {
    await instance.remove();
  });

  const statusOf = async (id: string): Promise<Status> =>
    (await instance.api('GET', `/generators/${id}/status`)).body as Status;

  test('a lost process fails only its own generator, with the reason, and is started again', async () => {
    for (const { id } of LOST) void instance.api('POST', `/generators/${id}/start`);
    for (const { id, reason } of LOST) {
      const status = await eventually(async () => {
        const found = await statusOf(id);
        return found.reason === null ? null : found;
      }, `failure of ${id}`);
      expect(`${id}: ${status.reason}`).toMatch(reason);
    }
    await eventually(async () => ((await statusOf('crash')).restarts > 0 ? true : null), 'a restart');
    // What cannot be loaded would fail again.
    expect(await statusOf('import')).toMatchObject({ phase: 'failed', restarts: 0 });
    expect(await statusOf('steady')).toMatchObject({ phase: 'running', restarts: 0 });
  });

  test('a stop leaves no process behind', async () => {
    for (const { id } of LOST) await instance.api('POST', `/generators/${id}/stop`);
    await eventually(
      async () => (pythonsBelow(instance.folder).length === 1 ? true : null),
      'one process, of the generator that runs',
    );
  });

  test('the events of the others have no gap and no repeat', async () => {
    await instance.api('POST', '/generators/steady/stop');
    const numbers = (await instance.file('out/steady.log')).trimEnd().split('\n').map(Number);
    expect(numbers.length).toBeGreaterThan(500);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });

  describe('in a preview', () => {
    const EVENT = '/preview/steady/event-plugin';
    const at = { timestamp: '2026-05-01T12:00:00Z', tags: ['a'] };
    const open = (text: string) =>
      instance.api('POST', `${EVENT}/drafts`, {
        event: { script: { path: 'produce.py' } },
        files: { 'produce.py': text },
      });
    const produced = () => instance.api('POST', `${EVENT}/produce`, [at]);

    test('unsaved texts make events, and failures have their reason', async () => {
      expect((await open(`def produce(params): return '+'.join(params['tags'])`)).status).toBe(201);
      expect((await produced()).body).toMatchObject({ events: ['a'], errors: [] });
      await open('def produce(params): return None');
      expect((await produced()).body).toMatchObject({
        errors: [{ message: expect.stringContaining('produce returned None') }],
      });
    });

    test('a mistake has its line, and a lost process its reason', async () => {
      const { status, body } = await open('x = 1\ndef produce(:');
      expect(status).toBe(422);
      expect(JSON.stringify(body)).toContain('syntax error at produce.py:2:13');
      await open('import os\ndef produce(params): os._exit(3)');
      const lost = await produced();
      expect(lost.status).toBe(422);
      expect(JSON.stringify(lost.body)).toContain(
        'the preview has ended: the Python process of script produce.py was lost: it ended with code 3',
      );
    });

    test('each exchange ends the process before', async () => {
      await open(COUNTER);
      await open(COUNTER);
      await eventually(async () => (pythonsBelow(instance.folder).length === 1 ? true : null), 'one process');
      await instance.api('DELETE', EVENT);
      await eventually(async () => (pythonsBelow(instance.folder).length === 0 ? true : null), 'no process');
      // None waits in the process table for the daemon to collect it.
      await eventually(
        async () => (childrenOf(instance.program().child.pid).length === 0 ? true : null),
        'no child',
      );
    });
  });

  test('kill -9 of the daemon ends the process of a script, also in a call that never ends', async () => {
    const starts = ['steady', 'endless-pattern'].map((id) => instance.api('POST', `/generators/${id}/start`));
    const pids = await eventually(async () => {
      const found = pythonsBelow(instance.folder);
      return found.length === 2 ? found : null;
    }, 'two processes');
    const processes = await Promise.all(
      pids.map(async (pid) => ({ pid: Number(pid), start: await processStart(Number(pid)) })),
    );
    await Promise.all(starts);
    await instance.kill('SIGKILL');
    await eventually(async () => {
      const alive = await Promise.all(processes.map(({ pid, start }) => isSameProcess(pid, start)));
      return alive.includes(true) ? null : true;
    }, 'their end');
  });
});
