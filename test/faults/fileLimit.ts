import { expect } from '@jest/globals';
import { eventually, makeInstance } from '../support/instance.js';
import { execFileSync, hasPrograms, needs } from '../support/programs.js';

const CONFIG = `
input: [linspace: {start: now, end: +600s, count: 600000}]
event: {script: {path: produce.mjs}}
output: [file: {path: ../../out.log}]
`;
const SCRIPT = "let n = 0; export const produce = () => `${++n} ${'.'.repeat(200)} end`;";
const LIMIT = 262_144;

interface Stats {
  readonly event: { readonly produced: number };
  readonly output: readonly {
    readonly written: number;
    readonly write_failed: number;
    readonly format_failed: number;
    readonly dead_lettered: number;
    readonly retries: number;
  }[];
}

const NOTHING = { produced: 0, written: 0, write_failed: 0, format_failed: 0, dead_lettered: 0, retries: 0 };

export const hasPrlimit = hasPrograms('prlimit');
export const NEEDS_PRLIMIT = needs('prlimit');

/** Sets the soft limit of file sizes of a process: writes beyond fail with EFBIG. */
export const limitFiles = (pid: number, bytes: number | 'unlimited'): void => {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
};

/** The real program under `ulimit -f`, which is then lifted: the same run continues without torn or lost events. */
export const daemonUnderFileLimit = async (): Promise<void> => {
  const instance = await makeInstance({
    startup: '- {id: g, path: g/generator.yml}',
    generators: { 'g/generator.yml': CONFIG, 'g/produce.mjs': SCRIPT },
  });
  const output = async () => {
    const { status, body } = await instance.api('GET', '/generators/g/stats');
    // Not running yet.
    if (status !== 200) return NOTHING;
    const { event, output: outputs } = body as Stats;
    return { ...(outputs[0] ?? NOTHING), produced: event.produced };
  };
  try {
    await instance.start();
    const pid = instance.program().child.pid ?? 0;
    limitFiles(pid, LIMIT);
    const given = async (): Promise<number> => (await output()).dead_lettered + (await output()).write_failed;
    await eventually(async () => ((await given()) > 0 ? true : null), 'a write that failed for good');
    const { written } = await output();
    limitFiles(pid, 'unlimited');
    await eventually(
      async () => ((await output()).written > written ? true : null),
      'events after the limit',
    );
    await instance.api('POST', '/generators/g/stop');
    const end = await output();
    process.stderr.write(`file x disk full (RLIMIT_FSIZE): ${JSON.stringify(end)}\n`);
    expect(end.written + end.dead_lettered + end.write_failed + end.format_failed).toBe(end.produced);
    expect(end.retries).toBeGreaterThanOrEqual(4);
    const { body } = await instance.api('GET', '/generators/g/status');
    expect(body).toMatchObject({ phase: 'stopped', restarts: 0 });
    const lines = (await instance.file('out.log')).split('\n').slice(0, -1);
    expect(lines.filter((line) => !/^\d+ \.{200} end$/.test(line))).toEqual([]);
    expect(lines).toHaveLength(end.written);
  } finally {
    await instance.remove();
  }
};
