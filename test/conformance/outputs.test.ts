import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../src/domain/json.js';
import type { Output } from '../../src/plugins/kit.js';
import { registry } from '../../src/plugins/registry.js';
import { startHttpSink, stopHttpSinks } from '../support/httpSink.js';
import { contextIn, declarationTests, decoded, inFolder, openDescriptors, right, rowsOf } from './support.js';

/** Descriptors that were not open before; those that closed meanwhile belonged to somebody else. */
const openedSince = (before: readonly string[]): readonly string[] => {
  const known = [...before];
  return openDescriptors().filter((one) => {
    const index = known.indexOf(one);
    if (index >= 0) known.splice(index, 1);
    return index < 0;
  });
};

interface SetUp {
  readonly params: JsonObject;
  readonly events: readonly string[];
  /** Starts the destination, which keeps what arrives in the folder; gives the parameters that lead to it. */
  readonly serve?: (folder: string) => Promise<JsonObject>;
  /** What arrived, where a test can look at it. */
  readonly arrived: (folder: string) => string;
}

const LINES = Array.from({ length: 2_000 }, (_, i) => `event ${i}`);

/** What each output needs. A destination outside runs as a program of its own: its sockets are not ours. */
const SET_UPS: Readonly<Record<string, SetUp>> = {
  // The streams of the test run: empty events, so that nothing is seen of them.
  stdout: {
    params: { stream: 'stderr', separator: '' },
    events: ['', '', ''],
    arrived: () => '',
  },
  file: {
    params: { path: 'made/out.log' },
    events: LINES,
    arrived: (folder) => fs.readFileSync(join(folder, 'made/out.log'), 'utf8'),
  },
  clickhouse: {
    params: { host: '127.0.0.1', table: 'events', footer: '\n' },
    events: LINES,
    serve: startHttpSink,
    arrived: (folder) => fs.readFileSync(join(folder, 'arrived'), 'utf8'),
  },
};

describe.each(rowsOf('output'))('output %s', (name, spec) => {
  declarationTests('output', name, spec);

  const setUp = SET_UPS[name];
  test('has a row in the table of this suite', () => expect(setUp).toBeDefined());
  if (setUp === undefined) return;

  /** Runs with a folder, in which the destination keeps what arrives. */
  const run = (work: (folder: string, open: () => Promise<Output>) => Promise<void>): Promise<void> =>
    inFolder(async (folder) => {
      const more = setUp.serve === undefined ? {} : await setUp.serve(folder);
      const plugin = await registry.output(name);
      const params = decoded(spec, { ...setUp.params, ...more });
      await work(folder, async () => right(await plugin.open(params, contextIn(folder))));
    });

  afterEach(stopHttpSinks);

  test('opening and closing twice is harmless and leaves nothing open', () =>
    run(async (_, open) => {
      const before = openDescriptors();
      for (let round = 0; round < 2; round++) {
        const output = await open();
        expect(await output.close()).toEqual(E.right(undefined));
        expect(await output.close()).toEqual(E.right(undefined));
        expect(await output.flush()).toEqual(E.right(undefined));
      }
      expect(openedSince(before)).toEqual([]);
    }));

  test('every event of a batch is accounted for, and the same batches arrive the same', async () => {
    const arrived: string[] = [];
    for (let round = 0; round < 2; round++) {
      await run(async (folder, open) => {
        const output = await open();
        for (let batch = 0; batch < 3; batch++) {
          const written = right(await output.write(textBatch(setUp.events), new AbortController().signal));
          expect(written.written + written.failed).toBe(setUp.events.length);
          expect(written.failed).toBe(0);
        }
        right(await output.flush());
        right(await output.close());
        arrived.push(setUp.arrived(folder));
      });
    }
    expect(arrived[0]).toBe(arrived[1]);
  });

  test('a stop in the middle of a batch leaks nothing and tears nothing', () =>
    run(async (folder, open) => {
      const before = openDescriptors();
      const output = await open();
      const ending = new AbortController();
      const writes = [0, 1, 2, 3].map(() => output.write(textBatch(setUp.events), ending.signal));
      ending.abort();
      for (const result of await Promise.all(writes)) {
        if (E.isRight(result)) expect(result.right.written + result.right.failed).toBe(setUp.events.length);
      }
      right(await output.close());
      expect(openedSince(before)).toEqual([]);
      const text = setUp.arrived(folder);
      expect(text.split('\n').every((line) => line === '' || setUp.events.includes(line))).toBe(true);
    }));

  test('a write after closing is refused with a reason', () =>
    run(async (_, open) => {
      const output = await open();
      await output.close();
      const result = await output.write(textBatch(setUp.events), new AbortController().signal);
      expect(result).toMatchObject({ left: { message: expect.stringContaining('closed') } });
    }));
});
