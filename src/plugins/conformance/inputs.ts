import { SEARCHING } from '../../domain/events/timestampBatch.js';
import type { Json, JsonObject } from '../../domain/json.js';
import type { Input } from '../kit.js';
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
  success,
  type TestSubject,
} from './rule.js';

type InputSubject = TestSubject<'input'>;

/** Takes up to `count` timestamps, at most `step` at a time. */
const take = (input: Input, count: number, step = 16): readonly number[] => {
  const taken: number[] = [];
  while (taken.length < count) {
    const out = new Float64Array(Math.min(step, count - taken.length));
    const got = input.fill(out);
    if (got === SEARCHING) continue;
    mustHold(got <= out.length, `fill returned ${got} for room for ${out.length}`);
    if (got === 0) break;
    taken.push(...out.subarray(0, got));
  }
  return taken;
};

const build = async (
  { spec, load, clock }: InputSubject,
  folder: string,
  params: JsonObject,
  skipPast = false,
): Promise<Input> => {
  const plugin = await load();
  const context = { ...contextIn(folder, clock), now: NOW, skipPast };
  return success('build', await plugin.build(decoded(spec, params), context));
};

const rule = (
  title: string,
  check: (make: (skipPast?: boolean) => Promise<Input>, subject: InputSubject) => Promise<void>,
): ConformanceRule<InputSubject> => ({
  title,
  check: (subject) =>
    forEachTry(subject, (params, folder) =>
      check((skipPast) => build(subject, folder, params, skipPast), subject),
    ),
});

export const INPUT_RULES: readonly ConformanceRule<InputSubject>[] = [
  rule(
    'timestamps are whole microseconds in ascending order, in pieces of any size',
    async (make, { setUp }) => {
      const input = await make();
      const all = take(input, 300);
      const isInteractive = setUp.isInteractive === true || input.requests !== undefined;
      mustHold(all.length > 0 === !isInteractive, `the input gives ${all.length} timestamps`);
      mustHold(all.every(Number.isSafeInteger), 'a timestamp is not whole microseconds');
      mustEqual(
        'the timestamps',
        all,
        [...all].sort((a, b) => a - b),
      );
      mustEqual('the timestamps, taken one by one', take(await make(), all.length, 1), all);
    },
  ),
  rule('the same seed gives the same timestamps', async (make) => {
    const [one, two] = [await make(), await make()];
    mustEqual('the timestamps of another input', take(two, 300), take(one, 300));
  }),
  rule('a restored input goes on with the very next timestamp', async (make) => {
    const original = await make();
    take(original, 7);
    const state = JSON.parse(JSON.stringify(original.snapshot())) as Json;
    const restored = await make();
    restored.restore(state);
    mustEqual('the timestamps after restore', take(restored, 100), take(original, 100));
  }),
  rule('an input that has ended stays ended', async (make) => {
    const input = await make();
    if (take(input, 2_000, 500).length === 2_000) return;
    for (const call of ['first', 'second'])
      mustEqual(`the ${call} fill after the end`, input.fill(new Float64Array(4)), 0);
  }),
  rule('remaining is the number of timestamps that are left, if it is told', async (make) => {
    const input = await make();
    take(input, 7);
    const told = input.remaining?.() ?? null;
    if (told === null) return;
    const left = take(input, 2_000, 500).length;
    if (left < 2_000) mustEqual('remaining after seven timestamps', told, left);
    else mustHold(told >= left, `remaining said ${told}, and 2,000 came`);
  }),
  rule('with skip_past nothing lies before the start of generation', async (make) => {
    const early = take(await make(true), 100).filter((micros) => micros < NOW);
    mustEqual('timestamps before the start', early, []);
  }),
  rule('building it twice and dropping it in the middle leaves nothing open', async (make) => {
    const before = openDescriptors();
    take(await make(), 10);
    take(await make(), 10);
    mustEqual('open files', openedSince(before), []);
  }),
];
