import { describe, expect, test } from '@jest/globals';
import { emptyBatch, textBatch } from '../../src/domain/events/eventBatch.js';
import { registry } from '../../src/plugins/registry.js';
import { fakeClock } from '../support/clocks/fakeClock.js';
import { PLAIN_TEMPLATES } from '../support/templates/templates.js';
import {
  contextIn,
  declarationTests,
  decoded,
  inFolder,
  NOW,
  openDescriptors,
  right,
  rowsOf,
  setUpOf,
} from './support.js';

const EVENTS = ['{"a": 1}', '[]', '"text"'];

describe.each(rowsOf('formatter'))('formatter %s', (name, spec) => {
  declarationTests('formatter', name, spec);

  const build = async (folder: string, index: number) => {
    const params = spec.examples[index]?.params ?? {};
    (await setUpOf('formatter', name)).prepare?.(folder, params);
    const plugin = await registry.formatter(name);
    return right(
      await plugin.build(decoded(spec, params), {
        ...contextIn(folder),
        clock: fakeClock(NOW),
        templates: PLAIN_TEMPLATES,
      }),
    );
  };

  test('the same events give the same items, and every event is accounted for', () =>
    inFolder(async (folder) => {
      for (const index of spec.examples.keys()) {
        const results = [await build(folder, index), await build(folder, index)].map(({ format }) => {
          const { batch, eventsPerItem, failures } = format(textBatch(EVENTS));
          expect(batch.count * eventsPerItem + failures.length).toBe(EVENTS.length);
          return batch.texts();
        });
        expect(results[0]).toEqual(results[1]);
      }
    }));

  test('no events give no failure and nothing stays open', () =>
    inFolder(async (folder) => {
      const before = openDescriptors();
      const { format } = await build(folder, 0);
      expect(format(emptyBatch).failures).toEqual([]);
      expect(openDescriptors()).toEqual(before);
    }));
});
