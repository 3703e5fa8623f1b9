import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, type Instance, makeInstance } from '../../support/instance.js';

const CONFIG = `
input: [static: {count: 20}]
event: {script: {path: produce.mjs}}
output:
  - file: {path: /dev/full}
  - file: {path: ../../out/good.log}
`;

interface Output {
  readonly written: number;
  readonly write_failed: number;
  readonly format_failed: number;
  readonly dead_lettered: number;
  readonly retries: number;
}

describe('an output on a full disk', () => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await makeInstance({
      startup: '- {id: full, path: full/generator.yml}',
      generators: {
        'full/generator.yml': CONFIG,
        'full/produce.mjs': 'let n = 0; export const produce = () => `event ${++n}`;',
      },
    });
    await instance.start();
  });
  afterAll(async () => {
    await instance.remove();
  });

  test('loses nothing: the events are in the dead letters, the counters add up, the other output is complete', async () => {
    await eventually(async () => {
      const { body } = await instance.api('GET', '/generators/full/status');
      return (body as { phase: string }).phase === 'finished' ? true : null;
    }, 'the end of the generator');
    const { body } = await instance.api('GET', '/generators/full/stats');
    const { event, output } = body as { event: { produced: number }; output: readonly [Output, Output] };
    expect(event.produced).toBe(20);
    for (const { written, write_failed, format_failed, dead_lettered } of output) {
      expect(written + write_failed + format_failed + dead_lettered).toBe(20);
    }
    expect(output[0]).toMatchObject({ written: 0, write_failed: 0, dead_lettered: 20, retries: 4 });
    expect(output[1]).toMatchObject({ written: 20, retries: 0 });
    const folder = join(instance.folder, 'state', 'dead-letters', 'full', '1-file');
    const [name = ''] = await readdir(folder);
    const letters = (await readFile(join(folder, name), 'utf8')).trimEnd().split('\n');
    const events = letters.map((line) => (JSON.parse(line) as { event: string }).event);
    expect(events).toEqual(Array.from({ length: 20 }, (_, i) => `event ${i + 1}`));
  });
});
