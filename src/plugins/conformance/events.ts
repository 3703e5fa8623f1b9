import { globalsView, makeOwnedGlobals } from '../../domain/globals/owned.js';
import type { JsonObject } from '../../domain/json.js';
import type { EventProducer } from '../kit.js';
import {
  type ConformanceRule,
  contextIn,
  decoded,
  forEachTry,
  mustEqual,
  mustHold,
  NOW,
  openDescriptors,
  openedSince,
  PLAIN_TEMPLATES,
  success,
  type TestSubject,
} from './rule.js';

type EventSubject = TestSubject<'event'>;

const TIMESTAMPS = 50;

/** Events of all timestamps, or up to the end of the producer. */
const run = async (producer: EventProducer): Promise<readonly string[]> => {
  const micros = Float64Array.from({ length: TIMESTAMPS }, (_, i) => NOW + i * 1_000_000);
  const events: string[] = [];
  const tags = Object.freeze(['one', 'two']);
  for (let from = 0; from < TIMESTAMPS; ) {
    const request = { micros, from, to: TIMESTAMPS, tagsOf: () => tags, isSpent: () => from % 2 === 1 };
    const { consumed, exhausted, events: made } = await producer.produce(request);
    mustHold(
      consumed <= TIMESTAMPS - from,
      `produce consumed ${consumed} of ${TIMESTAMPS - from} timestamps`,
    );
    mustHold(exhausted || consumed > 0, 'produce consumed no timestamp');
    events.push(...made.texts());
    if (exhausted) break;
    from += consumed;
  }
  return events;
};

type Make = (more?: JsonObject) => Promise<EventProducer>;

const build = async (
  { spec, load, clock }: EventSubject,
  folder: string,
  params: JsonObject,
): Promise<EventProducer> => {
  const plugin = await load();
  const globals = globalsView(makeOwnedGlobals('test', {}, 0), []);
  const context = { ...contextIn(folder, clock), templates: PLAIN_TEMPLATES, params: {}, globals };
  return success('build', await plugin.build(decoded(spec, params), context));
};

const rule = (title: string, check: (make: Make) => Promise<void>): ConformanceRule<EventSubject> => ({
  title,
  check: (subject) =>
    forEachTry(subject, (params, folder) =>
      check((more = {}) => build(subject, folder, { ...params, ...more })),
    ),
});

export const EVENT_RULES: readonly ConformanceRule<EventSubject>[] = [
  rule('the same seed gives the same events', async (make) => {
    const [one, two] = [await make(), await make()];
    const events = await run(one);
    mustHold(events.length > 0, `${TIMESTAMPS} timestamps give no event`);
    mustEqual('the events of another producer', await run(two), events);
    await Promise.all([one.close(), two.close()]);
  }),
  rule('with marks every event carries one, numbered from 1', async (make) => {
    const producer = await make({ marks: 'text' });
    const events = await run(producer);
    await producer.close();
    mustHold(events.length > 0, `${TIMESTAMPS} timestamps give no event`);
    for (const [at, event] of events.entries())
      mustHold(
        new RegExp(` spate=[0-9a-f]{8}:${at + 1}:\\d+:[0-9a-f]{8}$`).test(event),
        `event ${at + 1} has no mark with its number: ${event.slice(-60)}`,
      );
  }),
  rule('closing twice is harmless, and a stop in the middle leaves nothing open', async (make) => {
    const before = openDescriptors();
    const untouched = await make();
    const stopped = await make();
    const micros = Float64Array.of(NOW, NOW + 1, NOW + 2);
    await stopped.produce({ micros, from: 0, to: 3, tagsOf: () => [], isSpent: () => true });
    for (const producer of [untouched, stopped]) {
      await producer.close();
      await producer.close();
    }
    mustEqual('open files', openedSince(before), []);
  }),
];
