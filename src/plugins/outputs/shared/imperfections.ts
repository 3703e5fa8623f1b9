import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../domain/errors.js';
import { type DrawKey, drawKey } from '../../../domain/random.js';
import { parseIso } from '../../../domain/time/iso.js';
import { compileSkew, type Skew } from '../../../imperfections/skew.js';
import { clockError } from '../../../imperfections/times.js';
import type { Fields, ValueOf } from '../../../schema/shape.js';
import type { Imperfections, Output, OutputPlugin, PluginContext } from '../../kit.js';
import { useLinearEngine } from '../../shared/linearEngine.js';
import type { fileFields } from '../file/spec.js';
import type { ClockParams, ImperfectionsParams } from './imperfectionsShape.js';

interface OpenOptions {
  /** Number and name of the output, for labels. */
  readonly output: string;
  readonly plugins: (name: string) => Promise<OutputPlugin<Fields>>;
  /** Context of the output. */
  readonly context: PluginContext;
}

/** The ground truth is written by the output `file`, with its defaults. */
const fileParams = (path: string): ValueOf<typeof fileFields> => ({
  path,
  flush_interval: 1,
  cleanup_interval: 10,
  file_mode: 640,
  write_mode: 'append',
  fsync_interval: null,
  rotate_size: null,
  rotate_every: null,
  rotate_keep: null,
  rotate_keep_size: null,
  rotate_compression: 'none',
  encoding: 'utf_8',
  separator: '\n',
});

const skewOf = (
  { timestamp_pattern, timestamp_format, offset, drift, since, steps }: ClockParams,
  key: DrawKey,
  { zone }: PluginContext,
): Result<Skew> => {
  useLinearEngine();
  const choices = { offset, drift, since: since === null ? null : parseIso(since, zone), steps };
  const errorAt = clockError(choices, key);
  return E.mapLeft((problem: string) => failure('plugin_failed', `imperfections.clock: ${problem}`))(
    compileSkew({ timestamp_pattern, timestamp_format, zone, errorAt }),
  );
};

/** Returns an error when the clock is invalid, or the file of the ground truth cannot be opened. */
export const openImperfections = async (
  params: ImperfectionsParams,
  { output, plugins, context }: OpenOptions,
): Promise<Result<Imperfections>> => {
  const { dropped, doubled, truncated, malformed, late, out_of_order, clock, silent, ground_truth } = params;
  const key = drawKey(context.random.fork('imperfections'));
  const skew: Result<Skew | null> = clock === null ? E.right(null) : skewOf(clock, key, context);
  if (E.isLeft(skew)) return skew;
  const truth: Result<Output | null> =
    ground_truth === null
      ? E.right(null)
      : await (await plugins('file')).open(fileParams(ground_truth), context);
  return E.map(
    (opened: Output | null): Imperfections => ({
      choices: {
        dropped: dropped?.share ?? 0,
        doubled: doubled?.share ?? 0,
        truncated: truncated?.share ?? 0,
        malformed: malformed?.share ?? 0,
        kinds: malformed?.kinds ?? ['control_bytes'],
        late: late === null ? null : { ...late, deviation: late.deviation ?? late.mean / 2 },
        out_of_order,
        skewed: clock?.share ?? 0,
        silent,
      },
      key,
      skew: skew.right,
      output,
      truth: opened,
    }),
  )(truth);
};
