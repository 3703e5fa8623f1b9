import * as E from 'fp-ts/lib/Either.js';
import { ERRORS } from '../../domain/errors.js';
import { emptyBatch, textBatch } from '../../domain/events/eventBatch.js';
import type { JsonObject } from '../../domain/json.js';
import type { Micros } from '../../domain/time/micros.js';
import { decode, decodeStored, readBack } from '../../schema/index.js';
import type { Formatter, Output, OutputSpec, PluginKind, Written } from '../kit.js';
import { paramsShape } from '../shapes.js';
import { EVENT_RULES } from './events.js';
import { INPUT_RULES } from './inputs.js';
import {
  type ConformanceRule,
  contextIn,
  decoded,
  forEachTry,
  inTestFolder,
  mustEqual,
  mustHold,
  openDescriptors,
  openedSince,
  PLAIN_TEMPLATES,
  success,
  type TestDestination,
  type TestSubject,
} from './rule.js';

/** Rules of a declaration, for every kind. */
export const DECLARATION_RULES: readonly ConformanceRule<TestSubject>[] = [
  {
    title: 'has the name of its row, a summary and an example',
    check: async ({ kind, name, spec, load }) => {
      mustEqual('the declaration', { kind: spec.kind, name: spec.name }, { kind, name });
      mustHold(
        /^[A-Z].*\.$/s.test(spec.summary),
        `the summary is no sentence with a capital letter and a period: ${JSON.stringify(spec.summary)}`,
      );
      mustHold(spec.examples.length > 0, 'the declaration has no example');
      const loaded = (await load()).spec;
      mustEqual('the loaded plugin', { kind: loaded.kind, name: loaded.name }, { kind, name });
      return null;
    },
  },
  {
    title: 'its examples decode, and read back they decode to the same',
    check: async ({ spec }) => {
      const shape = paramsShape(spec);
      for (const { params } of spec.examples) {
        const first = decoded(spec, params);
        const shown = shape.codec.encode(first as never);
        mustEqual('the encoded example', decode(shape, shown), E.right(first));
        const back = readBack(shape, params);
        mustEqual('the example read back', readBack(shape, shown), back);
        mustEqual('the example stored and read back', decodeStored(shape, back), E.right(back));
      }
      return null;
    },
  },
  {
    title: 'an unknown key and a wrong value are errors at their place',
    check: async ({ spec }) => {
      const shape = paramsShape(spec);
      const params = spec.examples[0]?.params ?? {};
      const pathsOf = (given: JsonObject): readonly unknown[] => {
        const result = decode(shape, given);
        return E.isLeft(result) ? result.left.map(({ path }) => path[0]) : [];
      };
      mustEqual('places of an unknown key', pathsOf({ ...params, no_such_option: 1 }), ['no_such_option']);
      for (const [field, { free }] of Object.entries(spec.fields)) {
        const locations = free === true ? [field] : pathsOf({ ...params, [field]: { nonsense: [] } });
        mustHold(locations.includes(field), `${field}: an object of nonsense is no error there`);
      }
      return null;
    },
  },
];

type OutputSubject = TestSubject<'output'>;

const COUNT = 2_000;
const TEXTS = Array.from({ length: COUNT }, (_, i) => `event ${i}`);
const OBJECTS = Array.from({ length: COUNT }, (_, i) => `{"event":${i}}`);
const BATCHES = 3;
const never = new AbortController().signal;

interface Rig {
  readonly open: () => Promise<Output>;
  readonly events: readonly string[];
  /** Shows what arrives. Null when that cannot be seen. */
  readonly destination: TestDestination | null;
}

const NO_DESTINATION = 'needs `destination` in the export `conformance` of the file';

/** Runs with a destination of its own, or with each of the parameters to try. */
const withRigs = async (subject: OutputSubject, work: (rig: Rig) => Promise<void>): Promise<void> => {
  const { spec, load, setUp, tries, clock } = subject;
  const plugin = await load();
  const openIn =
    (folder: string, given: JsonObject, own?: TestDestination['open']) => async (): Promise<Output> => {
      const params = decoded(spec, given);
      const context = contextIn(folder, clock);
      return success('open', await (own?.(params as never, context) ?? plugin.open(params, context)));
    };
  if (setUp.destination === undefined) {
    const { formatter = 'plain' } = spec as OutputSpec;
    const events = formatter === 'plain' ? TEXTS : OBJECTS;
    for (const params of tries)
      await inTestFolder((folder) => {
        setUp.prepare?.(folder, params);
        return work({ open: openIn(folder, params), events, destination: null });
      });
    return;
  }
  const { destination: start } = setUp;
  await inTestFolder(async (folder) => {
    const destination = await start(folder);
    try {
      await work({ open: openIn(folder, destination.params, destination.open), events: TEXTS, destination });
    } finally {
      await destination.end?.();
    }
  });
};

const rule = (title: string, check: (rig: Rig) => Promise<void>): ConformanceRule<OutputSubject> => ({
  title,
  check: async (subject) => {
    await withRigs(subject, check);
    return null;
  },
});

/** A rule about what arrives. */
const arrivalRule = (
  title: string,
  check: (rig: Rig, destination: TestDestination) => Promise<void>,
): ConformanceRule<OutputSubject> => ({
  title,
  check: async (subject) => {
    if (subject.setUp.destination === undefined) return NO_DESTINATION;
    await withRigs(subject, (rig) => check(rig, rig.destination as TestDestination));
    return null;
  },
});

const linesOf = async (destination: TestDestination): Promise<readonly string[]> =>
  (await destination.arrived()).split('\n').filter((line) => line !== '');

const countOf = ({ written, failed, missed = [] }: Written): number =>
  missed.reduce((sum, { items }) => sum + items.length, written + failed);

const OUTPUT_RULES: readonly ConformanceRule<OutputSubject>[] = [
  rule('opening and closing twice is harmless and leaves nothing open', async ({ open }) => {
    const before = openDescriptors();
    for (let round = 0; round < 2; round++) {
      const output = await open();
      success('close', await output.close());
      success('the second close', await output.close());
      success('flush after close', await output.flush());
    }
    mustEqual('open files', openedSince(before), []);
  }),
  rule('every event of a batch is counted and arrives, in order', async ({ open, events, destination }) => {
    const output = await open();
    for (let batch = 0; batch < BATCHES; batch++) {
      const { written, failed } = success('write', await output.write(textBatch(events), never));
      mustEqual('the result of write', { written, failed }, { written: events.length, failed: 0 });
    }
    success('flush', await output.flush());
    success('close', await output.close());
    if (destination === null) return;
    mustEqual(
      'what arrived',
      await linesOf(destination),
      Array.from({ length: BATCHES }, () => events).flat(),
    );
  }),
  rule(
    'a stop in the middle of a batch leaks nothing and tears nothing',
    async ({ open, events, destination }) => {
      const before = openDescriptors();
      const output = await open();
      const ending = new AbortController();
      const writes = [0, 1, 2, 3].map(() => output.write(textBatch(events), ending.signal));
      ending.abort();
      for (const result of await Promise.all(writes))
        if (E.isRight(result))
          mustEqual('items in the result of write', countOf(result.right), events.length);
      success('close', await output.close());
      mustEqual('open files', openedSince(before), []);
      if (destination === null) return;
      const known = new Set(events);
      mustEqual(
        'torn events',
        (await linesOf(destination)).filter((line) => !known.has(line)),
        [],
      );
    },
  ),
  arrivalRule(
    'a write to a lost destination fails with a code, and the output still closes',
    async ({ open, events }, destination) => {
      const before = openDescriptors();
      const output = await open();
      success('write', await output.write(textBatch(events), never));
      await destination.takeAway();
      const result = await output.write(textBatch(events), never);
      mustHold(
        E.isLeft(result) && Object.hasOwn(ERRORS, result.left.code),
        'the write has not failed with a code',
      );
      await output.close();
      success('the second close', await output.close());
      mustEqual('open files', openedSince(before), []);
    },
  ),
  rule('a write after closing is refused with a reason', async ({ open, events }) => {
    const output = await open();
    await output.close();
    const result = await output.write(textBatch(events), never);
    mustHold(
      E.isLeft(result) && result.left.message.includes('closed'),
      'a write after close has not failed with the word "closed"',
    );
  }),
];

type FormatterSubject = TestSubject<'formatter'>;

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

const FORMATTER_RULES: readonly ConformanceRule<FormatterSubject>[] = [
  {
    title: 'the same events give the same items, and every event is accounted for',
    check: (subject) =>
      forEachTry(subject, async (params, folder) => {
        const [one, two] = [await build(subject, folder, params), await build(subject, folder, params)].map(
          ({ format }) => {
            const { batch, eventsPerItem, failures } = format(textBatch(EVENTS));
            mustEqual(
              'events in items and failures',
              batch.count * eventsPerItem + failures.length,
              EVENTS.length,
            );
            return batch.texts();
          },
        );
        mustEqual('the items of another formatter', two, one);
      }),
  },
  {
    title: 'no events give no failure and nothing stays open',
    check: (subject) =>
      forEachTry(subject, async (params, folder) => {
        const before = openDescriptors();
        const { format } = await build(subject, folder, params);
        mustEqual('failures', format(emptyBatch).failures, []);
        mustEqual('open files', openedSince(before), []);
      }),
  },
];

/** Rules of behavior by kind. */
export const CONFORMANCE_RULES: { readonly [K in PluginKind]: readonly ConformanceRule<TestSubject<K>>[] } = {
  input: INPUT_RULES,
  event: EVENT_RULES,
  output: OUTPUT_RULES,
  formatter: FORMATTER_RULES,
};

/** All rules of a kind: its declaration first. */
export const rulesOf = <K extends PluginKind>(kind: K): readonly ConformanceRule<TestSubject<K>>[] => [
  ...(DECLARATION_RULES as readonly ConformanceRule<TestSubject<K>>[]),
  ...CONFORMANCE_RULES[kind],
];
