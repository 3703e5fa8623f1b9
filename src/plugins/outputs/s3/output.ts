import * as E from 'fp-ts/lib/Either.js';
import { failure } from '../../../domain/errors.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { Output, PluginContext } from '../../kit.js';
import type { HttpClient } from '../shared/http/request.js';
import type { ErrorReporter } from '../shared/requestErrors.js';
import { closedFailure } from '../shared/streamOutput.js';
import { NOTHING } from '../shared/written.js';
import { makeDrafts } from './drafts.js';
import type { s3Fields } from './spec.js';
import type { Uploader } from './upload.js';

export type S3Params = ValueOf<typeof s3Fields>;

const BYTES_PER_MB = 1_000_000;
const MS_PER_SECOND = 1_000;

/** Time on close for uploads to end, and then for failed ones to be aborted. */
const CLOSE_GRACE_MS = 3_000;

interface S3OutputOptions {
  readonly client: HttpClient;
  readonly uploader: Uploader;
  readonly newKey: (now: number) => string;
  readonly report: ErrorReporter;
  readonly name: string;
  readonly params: S3Params;
  readonly context: Pick<PluginContext, 'clock'>;
}

export const s3Output = (options: S3OutputOptions): Output => {
  const { client, uploader, newKey, report, name, params, context } = options;
  const { clock } = context;
  let isClosed = false;

  const drafts = makeDrafts({
    store: async (key, pieces, signal) => {
      const stored = await uploader.store(key, pieces, signal);
      return E.isLeft(stored) ? E.left(report('cannot write to', stored.left)) : stored;
    },
    newKey,
    separator: params.separator,
    isCompressed: params.compression === 'gzip',
    roll_bytes: params.roll_size * BYTES_PER_MB,
    roll_ms: params.roll_interval * MS_PER_SECOND,
    clock,
    stopped: () =>
      failure('output_failed', `cannot write to ${name}: the attempt ended before the object was stored`),
  });

  const within = async (work: Promise<unknown>): Promise<void> => {
    const over = new AbortController();
    await Promise.race([work, clock.sleepMs(CLOSE_GRACE_MS, over.signal)]);
    over.abort();
  };

  return {
    // An object costs more than its events.
    isBulk: true,
    isOrdered: false,
    // A write waits until its object is complete.
    isPacedByReader: true,
    onBackPressure: drafts.onBackPressure,
    write: async (batch, signal) => {
      if (isClosed) return E.left(closedFailure(name));
      return batch.count === 0 ? E.right(NOTHING) : drafts.write(batch, signal);
    },
    flush: async () => {
      if (!isClosed) await drafts.flush();
      return E.right(undefined);
    },
    close: async () => {
      if (isClosed) return E.right(undefined);
      isClosed = true;
      await within(drafts.flush());
      drafts.end();
      await within(uploader.cleaned());
      client.close();
      return E.right(undefined);
    },
  };
};
