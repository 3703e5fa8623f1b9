import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { ERRORS } from '../../src/domain/errors.js';
import { textBatch } from '../../src/domain/events/eventBatch.js';
import type { Output } from '../../src/plugins/kit.js';
import { registry } from '../../src/plugins/registry.js';
import {
  contextIn,
  type Destination,
  declarationTests,
  decoded,
  inFolder,
  openDescriptors,
  right,
  rowsOf,
  setUpOf,
} from './support.js';

/** Descriptors opened since; those that closed meanwhile were not ours. */
const openedSince = (before: readonly string[]): readonly string[] => {
  const known = [...before];
  return openDescriptors().filter((one) => {
    const index = known.indexOf(one);
    if (index >= 0) known.splice(index, 1);
    return index < 0;
  });
};

const EVENTS = Array.from({ length: 2_000 }, (_, i) => `event ${i}`);
const BATCHES = 3;
const never = new AbortController().signal;

interface Rig {
  readonly open: () => Promise<Output>;
  readonly destination: Destination;
}

describe.each(rowsOf('output'))('output %s', (name, spec) => {
  declarationTests('output', name, spec);

  /** Runs with a destination of its own. */
  const run = (work: (rig: Rig) => Promise<void>): Promise<void> =>
    inFolder(async (folder) => {
      const { destination: start } = await setUpOf('output', name);
      if (start === undefined)
        throw new Error(`export destination from test/plugins/outputs/${name}/conformance.ts`);
      const destination = await start(folder);
      const plugin = await registry.output(name);
      const params = decoded(spec, destination.params);
      const context = contextIn(folder);
      const open = async () =>
        right(await (destination.open?.(params as never, context) ?? plugin.open(params, context)));
      try {
        await work({ open, destination });
      } finally {
        await destination.end?.();
      }
    });

  test('opening and closing twice is harmless and leaves nothing open', () =>
    run(async ({ open }) => {
      const before = openDescriptors();
      for (let round = 0; round < 2; round++) {
        const output = await open();
        expect(await output.close()).toEqual(E.right(undefined));
        expect(await output.close()).toEqual(E.right(undefined));
        expect(await output.flush()).toEqual(E.right(undefined));
      }
      expect(openedSince(before)).toEqual([]);
    }));

  test('every event of a batch is counted and arrives, in order', () =>
    run(async ({ open, destination }) => {
      const output = await open();
      for (let batch = 0; batch < BATCHES; batch++) {
        const written = right(await output.write(textBatch(EVENTS), never));
        expect(written).toMatchObject({ written: EVENTS.length, failed: 0 });
      }
      right(await output.flush());
      right(await output.close());
      const lines = (await destination.arrived()).split('\n').filter((line) => line !== '');
      expect(lines).toEqual(Array.from({ length: BATCHES }, () => EVENTS).flat());
    }));

  test('a stop in the middle of a batch leaks nothing and tears nothing', () =>
    run(async ({ open, destination }) => {
      const before = openDescriptors();
      const output = await open();
      const ending = new AbortController();
      const writes = [0, 1, 2, 3].map(() => output.write(textBatch(EVENTS), ending.signal));
      ending.abort();
      for (const result of await Promise.all(writes)) {
        if (E.isRight(result)) expect(result.right.written + result.right.failed).toBe(EVENTS.length);
      }
      right(await output.close());
      expect(openedSince(before)).toEqual([]);
      const lines = (await destination.arrived()).split('\n');
      expect(lines.filter((line) => line !== '' && !EVENTS.includes(line))).toEqual([]);
    }));

  test('a write to a lost destination fails with a code, and the output still closes', () =>
    run(async ({ open, destination }) => {
      const before = openDescriptors();
      const output = await open();
      right(await output.write(textBatch(EVENTS), never));
      await destination.takeAway();
      const result = await output.write(textBatch(EVENTS), never);
      expect(Object.keys(ERRORS)).toContain(E.isLeft(result) ? result.left.code : 'a failed write');
      await output.close();
      expect(await output.close()).toEqual(E.right(undefined));
      expect(openedSince(before)).toEqual([]);
    }));

  test('a write after closing is refused with a reason', () =>
    run(async ({ open }) => {
      const output = await open();
      await output.close();
      const result = await output.write(textBatch(EVENTS), never);
      expect(result).toMatchObject({ left: { message: expect.stringContaining('closed') } });
    }));
});
