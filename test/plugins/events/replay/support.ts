import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { globalsView, makeOwnedGlobals } from '../../../../src/domain/globals/owned.js';
import { seededRandom } from '../../../../src/domain/random.js';
import { utc } from '../../../../src/domain/time/zone.js';
import { replayPlugin } from '../../../../src/plugins/events/replay/plugin.js';
import type { EventContext, EventProducer, Produced } from '../../../../src/plugins/kit.js';
import { decode, record } from '../../../../src/schema/index.js';
import { fakeClock } from '../../../support/clocks/fakeClock.js';
import { memoryLog } from '../../../support/logs.js';
import { PLAIN_TEMPLATES } from '../../../support/templates/templates.js';

/** Folder of the files that are replayed; removed after the tests of the file. */
export const directory = mkdtempSync(join(tmpdir(), 'spate-replay-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

let files = 0;
export const fileWith = async (content: string | Buffer): Promise<string> => {
  const path = `log ${++files}`;
  await writeFile(join(directory, path), content);
  return path;
};

export const shape = record(replayPlugin.spec.fields);

export const build = async (params: Record<string, unknown>, more: Partial<EventContext> = {}) => {
  const decoded = decode(shape, params);
  if (E.isLeft(decoded)) throw new Error(JSON.stringify(decoded.left));
  const { log, lines } = memoryLog();
  const context: EventContext = {
    directory,
    zone: utc,
    clock: fakeClock(),
    templates: PLAIN_TEMPLATES,
    random: seededRandom(1),
    log,
    signal: new AbortController().signal,
    params: {},
    globals: globalsView(makeOwnedGlobals('home', {}, 0), []),
    ...more,
  };
  return { built: await replayPlugin.build(decoded.right, context), lines };
};

const open: EventProducer[] = [];
afterEach(() => Promise.all(open.splice(0).map((producer) => producer.close())));

export const start = async (params: Record<string, unknown>, more: Partial<EventContext> = {}) => {
  const { built, lines } = await build(params, more);
  if (E.isLeft(built)) throw new Error(built.left.message);
  open.push(built.right);
  return { producer: built.right, lines };
};

/** Timestamp number `i` of all requests: `i` seconds after the epoch. */
export const micros = Float64Array.from({ length: 20_000 }, (_, i) => i * 1_000_000);

export const ask = (producer: EventProducer, from: number, to: number, isSpent = () => false) =>
  producer.produce({ micros, from, to, tagsOf: () => [], isSpent });

export interface Drained {
  readonly events: readonly string[];
  readonly failed: number;
  readonly consumed: number;
  readonly exhausted: boolean;
}

/** Asks for up to `count` timestamps, `step` at a time, and gives the memory of each batch back; checks that bytes and texts agree. */
export const drain = async (producer: EventProducer, count = 20_000, step = count): Promise<Drained> => {
  const events: string[] = [];
  let failed = 0;
  let consumed = 0;
  let exhausted = false;
  while (consumed < count && !exhausted) {
    const produced: Produced = await ask(producer, consumed, Math.min(count, consumed + step));
    const texts = produced.events.texts();
    expect(Buffer.from(produced.events.bytes('\n')).toString()).toBe(
      texts.map((text) => `${text}\n`).join(''),
    );
    expect(produced.events.count + produced.failed).toBe(produced.consumed);
    events.push(...texts);
    produced.events.release?.();
    failed += produced.failed;
    consumed += produced.consumed;
    exhausted = produced.exhausted;
  }
  return { events, failed, consumed, exhausted };
};
