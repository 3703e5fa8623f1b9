import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, type Instance, makeInstance } from '../support/instance.js';

/** A minute before the start at 1,000 events per second, one each millisecond. */
const PAST = 60_000;
const LIVE = 1_500;
/** What the slow target takes for each batch, so that a kill meets the past. */
const SLOW_MS = 20;
const BATCH = 500;

const SCRIPT = "export const produce = ({timestamp, globals}) => globals.increment('n') + ' ' + timestamp;\n";
const configOf = (port: number): string => `
input: [rate: {events_per_second: 1000}]
event: {script: {path: produce.mjs}}
output:
  - file: {path: ../../out.log}
  - http:
      url: http://127.0.0.1:${port}/
      batching: joined
      concurrency: 1
      formatter: {format: plain}
`;

type Line = readonly [ordinal: number, time: number];

const linesOf = (text: string): readonly Line[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line): Line => {
      const [ordinal = '', time = ''] = line.split(' ');
      return [Number(ordinal), Date.parse(time)];
    });

/** Every ordinal is there, each with one time, a millisecond after the one before. */
const expectSeamless = (lines: readonly Line[], least: number): void => {
  const times = new Map(lines);
  const last = Math.max(...times.keys());
  expect(last).toBeGreaterThanOrEqual(least);
  expect(times.size).toBe(last);
  const begin = times.get(1) ?? Number.NaN;
  // Times of the rate may be rounded to either millisecond.
  const wrong = lines.filter(([ordinal, time]) => Math.abs(time - begin - (ordinal - 1)) > 1);
  expect(wrong.slice(0, 3)).toEqual([]);
};

describe('a generator that begins a minute ago', () => {
  let instance: Instance;
  let target: Server;
  const bodies: string[] = [];

  const begin = async (more: string): Promise<void> => {
    bodies.length = 0;
    target = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        bodies.push(Buffer.concat(parts).toString());
        void sleep(SLOW_MS).then(() => response.writeHead(200).end());
      });
    });
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    instance = await makeInstance({
      startup: `- {id: g, path: g/generator.yml, from: -60s, keep_order: true, batch: {size: ${BATCH}}${more}}`,
      generators: {
        'g/generator.yml': configOf((target.address() as AddressInfo).port),
        'g/produce.mjs': SCRIPT,
      },
    });
    await instance.start();
  };
  const file = async (): Promise<readonly Line[]> =>
    linesOf(await readFile(join(instance.folder, 'out.log'), 'utf8').catch(() => ''));
  const last = async (): Promise<number> => (await file()).at(-1)?.[0] ?? 0;
  const reached = (ordinal: number): Promise<true> =>
    eventually(async () => ((await last()) >= ordinal ? true : null), `event ${ordinal}`);

  beforeEach(() => {
    bodies.length = 0;
  });
  afterEach(async () => {
    await instance.remove();
    target.closeAllConnections();
    await new Promise((resolve) => target.close(resolve));
  });

  test('goes from the past to the present without a gap or a double, to a fast and a slow target', async () => {
    await begin('');
    await reached(PAST + LIVE);
    expect((await instance.kill('SIGTERM')).code).toBe(0);
    const lines = await file();
    expect(lines.map(([ordinal]) => ordinal)).toEqual(lines.map((_, index) => index + 1));
    expectSeamless(lines, PAST + LIVE);
    expect(linesOf(bodies.join('\n'))).toEqual(lines);
  });

  test('and with kill -9 on the way: nothing is missing, and its state goes on', async () => {
    await begin(', checkpoint: true');
    await reached(PAST / 3);
    await instance.kill('SIGKILL');
    expect(await last()).toBeLessThan(PAST);
    await instance.start();
    await reached(PAST + LIVE);
    await instance.kill('SIGKILL');
    const killed = await last();
    await instance.start();
    await reached(killed + LIVE);
    expect((await instance.kill('SIGTERM')).code).toBe(0);
    const lines = await file();
    expectSeamless(lines, PAST + LIVE);
    expectSeamless(linesOf(bodies.join('\n')), PAST + LIVE);
  });
});
