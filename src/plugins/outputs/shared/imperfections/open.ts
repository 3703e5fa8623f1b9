import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../../../domain/errors.js';
import { drawKey } from '../../../../domain/random/hashedDraw.js';
import type { Fields, ValueOf } from '../../../../schema/shape.js';
import type { Imperfections, Output, OutputPlugin, PluginContext } from '../../../kit.js';
import type { fileFields } from '../../file/spec.js';
import type { ImperfectionsParams } from './shape.js';

interface OpenOptions {
  /** Number and name of the output, for labels. */
  readonly output: string;
  readonly plugins: (name: string) => Promise<OutputPlugin<Fields>>;
  /** Of the output. */
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
  rotate_compression: 'none',
  encoding: 'utf_8',
  separator: '\n',
});

/** Left: the file of the ground truth cannot be opened. */
export const openImperfections = async (
  { dropped, doubled, truncated, malformed, late, out_of_order, ground_truth }: ImperfectionsParams,
  { output, plugins, context }: OpenOptions,
): Promise<Result<Imperfections>> => {
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
      },
      key: drawKey(context.random.fork('imperfections')),
      output,
      truth: opened,
    }),
  )(truth);
};
