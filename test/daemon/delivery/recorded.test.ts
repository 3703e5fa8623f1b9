import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { partitionId } from '../../../src/domain/partitions.js';
import { eventually, type Instance, makeInstance } from '../../support/instance.js';

const RECORDS = 3_000;
/** Milliseconds between two records. */
const STEP = 2;

/** Every third record of the recording; each is two lines. */
const logOf = (file: number): string =>
  Array.from({ length: RECORDS }, (_, n) => n)
    .filter((n) => n % 3 === file)
    .map(
      (n) =>
        `${new Date(Date.UTC(2020, 1, 1) + n * STEP).toISOString()} number ${n}\n  of 10.0.0.${n % 250}\n`,
    )
    .join('');

const CONFIG = String.raw`
input:
  - recorded:
      path: logs/*.log
      timestamp_pattern: '^(?P<timestamp>\S+)'
      timestamp_format: iso8601
      record_start: '^\d{4}-'
event:
  replay: {from: recorded, remap: {key: a long key, names: [{as: host, list: [number]}]}}
output: [file: {path: ../../out.log}]
`;

describe('a recording with checkpoint: true', () => {
  let instance: Instance;
  afterEach(async () => {
    await instance.remove();
  });

  /** Number and time of each event, in milliseconds. */
  const events = async (): Promise<readonly { readonly n: number; readonly at: number }[]> => {
    const text = await readFile(join(instance.folder, 'out.log'), 'utf8').catch(() => '');
    return [...text.matchAll(/^(\S+) host-[\da-f]{8} (\d+)\n {2}of 10\.\d+\.\d+\.\d+$/gm)].map(
      ([, at = '', n]) => ({
        n: Number(n),
        at: Date.parse(at),
      }),
    );
  };

  test.each([1, 2])(
    'in %d partitions has each record with its time, after kill -9 too',
    async (partitions) => {
      instance = await makeInstance({
        startup: `- {id: g, path: g/generator.yml, skip_past: false, checkpoint: true, partitions: ${partitions}}`,
        generators: {
          'g/generator.yml': CONFIG,
          'g/logs/a.log': logOf(0),
          'g/logs/b.log': logOf(1),
          'g/logs/c.log': logOf(2),
        },
      });
      await instance.start();
      await eventually(
        async () => ((await events()).length > RECORDS / 4 ? true : null),
        'a quarter of the events',
      );
      const saved = `state/checkpoints/${partitions === 1 ? 'g' : partitionId('g', 0)}.json`;
      await eventually(
        async () => (/"last":\d/.test(await instance.file(saved).catch(() => '')) ? true : null),
        'a position that is saved',
      );
      await instance.kill('SIGKILL');
      const before = await events();
      await instance.start();
      const ended = async (): Promise<true | null> => {
        const { body } = await instance.api('GET', '/generators/g/status');
        return (body as { phase: string }).phase === 'finished' ? true : null;
      };
      await eventually(ended, 'the end');
      const all = await events();
      const numbers = new Set(all.map(({ n }) => n));
      expect([...numbers].sort((a, b) => a - b)).toEqual(Array.from({ length: RECORDS }, (_, n) => n));
      // What comes twice was made after the last save before the kill.
      expect(all.length - RECORDS).toBeLessThanOrEqual(before.length);
      const first = Math.min(...all.map(({ at }) => at));
      expect(all.filter(({ n, at }) => at - first !== n * STEP)).toEqual([]);
      const ownOrder = before.map(({ n }) => n).filter((n) => n % partitions === 0);
      expect(ownOrder).toEqual([...ownOrder].sort((a, b) => a - b));
    },
  );
});
