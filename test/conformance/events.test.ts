import { describe, expect, test } from '@jest/globals';
import { globalsView, makeCell } from '../../src/domain/globals/cell.js';
import type { JsonObject } from '../../src/domain/json.js';
import type { EventProducer } from '../../src/plugins/kit.js';
import { registry } from '../../src/plugins/registry.js';
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

/** Tested on built code: jest does not let user modules be imported natively. */
const BEHAVIOUR_TESTED_ELSEWHERE: ReadonlySet<string> = new Set(['script']);

const TIMESTAMPS = 50;

/** Events of all timestamps, or up to the end of the producer. */
const run = async (producer: EventProducer): Promise<readonly string[]> => {
  const micros = Float64Array.from({ length: TIMESTAMPS }, (_, i) => NOW + i * 1_000_000);
  const events: string[] = [];
  const tags = Object.freeze(['one', 'two']);
  for (let from = 0; from < TIMESTAMPS; ) {
    const request = { micros, from, to: TIMESTAMPS, tagsOf: () => tags, isSpent: () => from % 2 === 1 };
    const produced = await producer.produce(request);
    expect(produced.consumed).toBeLessThanOrEqual(TIMESTAMPS - from);
    if (!produced.exhausted) expect(produced.consumed).toBeGreaterThan(0);
    events.push(...produced.events.texts());
    if (produced.exhausted) break;
    from += produced.consumed;
  }
  return events;
};

describe.each(rowsOf('event'))('event %s', (name, spec) => {
  declarationTests('event', name, spec);
  if (BEHAVIOUR_TESTED_ELSEWHERE.has(name)) return;

  const build = async (folder: string, index: number, more: JsonObject = {}): Promise<EventProducer> => {
    const params = { ...spec.examples[index]?.params, ...more };
    (await setUpOf('event', name)).prepare?.(folder, params);
    const plugin = await registry.event(name);
    const globals = globalsView(makeCell('test', {}, 0), []);
    const context = { ...contextIn(folder), templates: PLAIN_TEMPLATES, params: {}, globals };
    return right(await plugin.build(decoded(spec, params), context));
  };

  const each = (work: (index: number, folder: string) => Promise<void>): Promise<void> =>
    inFolder(async (folder) => {
      for (const index of spec.examples.keys()) await work(index, folder);
    });

  test('the same seed gives the same events', () =>
    each(async (index, folder) => {
      const [one, two] = [await build(folder, index), await build(folder, index)];
      const events = await run(one);
      expect(events.length).toBeGreaterThan(0);
      expect(await run(two)).toEqual(events);
      await Promise.all([one.close(), two.close()]);
    }));

  test('with marks every event carries one, numbered from 1', () =>
    each(async (index, folder) => {
      const producer = await build(folder, index, { marks: 'text' });
      const events = await run(producer);
      await producer.close();
      expect(events.length).toBeGreaterThan(0);
      for (const [at, event] of events.entries()) {
        expect(event).toMatch(new RegExp(` spate=[0-9a-f]{8}:${at + 1}:\\d+:[0-9a-f]{8}$`));
      }
    }));

  test('closing twice is harmless, and a stop in the middle leaves nothing open', () =>
    each(async (index, folder) => {
      const before = openDescriptors();
      const untouched = await build(folder, index);
      const stopped = await build(folder, index);
      const micros = Float64Array.of(NOW, NOW + 1, NOW + 2);
      await stopped.produce({ micros, from: 0, to: 3, tagsOf: () => [], isSpent: () => true });
      for (const producer of [untouched, stopped]) {
        await producer.close();
        await producer.close();
      }
      expect(openDescriptors()).toEqual(before);
    }));
});
