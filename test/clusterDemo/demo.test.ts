import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn } from '../support/programs.js';
import { hasClusterNats, NEEDS_CLUSTER_NATS } from '../support/servers/natsServer.js';

const SCRIPT = join(import.meta.dirname, 'run.mjs');
const DEMO_MS = 240_000;

let temporary: string;
beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'spate-demo-test-'));
});
afterAll(() => rm(temporary, { recursive: true, force: true }));

const start = (args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
  const child = spawn(process.execPath, [SCRIPT, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: temporary, ...env },
  });
  let out = '';
  let err = '';
  const watchers = new Set<() => void>();
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    for (const look of watchers) look();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  const ended = new Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>(
    (resolve) => child.on('close', (code) => resolve({ code, out, err })),
  );
  const saw = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (out.includes(text)) resolve();
      };
      watchers.add(look);
      look();
      void ended.then(() => reject(new Error(`ended before it printed ${text}:\n${out}${err}`)));
    });
  return { child, ended, saw };
};

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const describeNats = hasClusterNats ? describe : describe.skip;

describeNats(`npm run cluster-demo ${NEEDS_CLUSTER_NATS}`, () => {
  test(
    'shows three nodes that run the shop, and leaves nothing behind',
    async () => {
      const { code, out, err } = await start(['--seconds', '0']).ended;
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toContain('+ shop-orders (');
      expect(out).toContain('cluster demo: 3 nodes, 2 of 2 tasks held');
      expect(out).toMatch(/\nscenario shop: shop-fulfilment, shop-orders +node-\d /);
      const pids = [...out.matchAll(/^node-\d {2}http:\/\/127\.0\.0\.1:\d+\/ {2}pid (\d+)$/gm)].map(
        ([, pid]) => Number(pid),
      );
      expect(pids).toHaveLength(3);
      expect(pids.filter(isRunning)).toEqual([]);
      expect(await readdir(temporary)).toEqual([]);
    },
    DEMO_MS,
  );

  test(
    'ends with Ctrl-C',
    async () => {
      const demo = start([]);
      await demo.saw('Ctrl-C stops everything.');
      demo.child.kill('SIGINT');
      expect(await demo.ended).toMatchObject({
        code: 0,
        err: '',
        out: expect.stringMatching(/\nStopping \.\.\.\n$/),
      });
      expect(await readdir(temporary)).toEqual([]);
    },
    DEMO_MS,
  );
});

describe('npm run cluster-demo', () => {
  test('says what to install where nats-server is missing or too old', async () => {
    const programs = await mkdtemp(join(tmpdir(), 'spate-demo-programs-'));
    const refused = {
      code: 1,
      err: expect.stringMatching(/nats-server 2\.10 or later.*\n.*sudo apt install nats-server/),
    };
    expect(await start([], { PATH: programs }).ended).toMatchObject(refused);
    const old = join(programs, 'nats-server');
    await writeFile(old, '#!/bin/sh\necho "nats-server: v2.9.25"\n', { mode: 0o755 });
    expect(await start([], { PATH: programs }).ended).toMatchObject(refused);
    await rm(programs, { recursive: true });
  });

  test.each([['--seconds', 'soon'], ['--nodes']])('prints its usage for %s %s', async (...args) => {
    const { code, out, err } = await start(args).ended;
    expect(code).not.toBe(0);
    expect(out + err).toMatch(/usage: npm run cluster-demo|Unknown option/);
  });
});
