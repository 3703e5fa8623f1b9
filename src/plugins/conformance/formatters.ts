import { emptyBatch, textBatch } from '../../domain/events/eventBatch.js';
import type { JsonObject } from '../../domain/json.js';
import type { Micros } from '../../domain/time/micros.js';
import type { Formatter } from '../kit.js';
import { equals, type Rule, success } from './rule.js';
import {
  contextIn,
  decoded,
  forEachTry,
  openDescriptors,
  openedSince,
  PLAIN_TEMPLATES,
  type Subject,
} from './subject.js';

type FormatterSubject = Subject<'formatter'>;

const NOW = 1_767_225_600_000_000 as Micros;
const EVENTS = ['{"a": 1}', '[]', '"text"'];

const build = async (
  { spec, load, clock }: FormatterSubject,
  folder: string,
  params: JsonObject,
): Promise<Formatter> => {
  const plugin = await load();
  // Some formatters write the time, which must not differ between two of them.
  const still = { ...clock, now: () => NOW };
  const context = { ...contextIn(folder, still), templates: PLAIN_TEMPLATES };
  return success('build', await plugin.build(decoded(spec, params), context));
};

export const FORMATTER_RULES: readonly Rule<FormatterSubject>[] = [
  {
    title: 'the same events give the same items, and every event is accounted for',
    check: (subject) =>
      forEachTry(subject, async (params, folder) => {
        const [one, two] = [await build(subject, folder, params), await build(subject, folder, params)].map(
          ({ format }) => {
            const { batch, eventsPerItem, failures } = format(textBatch(EVENTS));
            equals(
              'events in items and failures',
              batch.count * eventsPerItem + failures.length,
              EVENTS.length,
            );
            return batch.texts();
          },
        );
        equals('the items of another formatter', two, one);
      }),
  },
  {
    title: 'no events give no failure and nothing stays open',
    check: (subject) =>
      forEachTry(subject, async (params, folder) => {
        const before = openDescriptors();
        const { format } = await build(subject, folder, params);
        equals('failures', format(emptyBatch).failures, []);
        equals('open files', openedSince(before), []);
      }),
  },
];
