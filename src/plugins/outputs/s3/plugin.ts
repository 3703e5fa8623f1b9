import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../domain/errors.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { Output, OutputPlugin, PluginContext } from '../../kit.js';
import { LIMITS, limitBreach } from '../../shared/text/limits.js';
import type { ErrorReporter } from '../shared/errors.js';
import { openHttp } from '../shared/http/open.js';
import type { HttpClient } from '../shared/http/request.js';
import { closedFailure, NOTHING } from '../shared/written.js';
import { bucketAddress, keyMaker } from './address.js';
import { makeDrafts } from './drafts.js';
import { type Calls, makeCalls } from './requests.js';
import { type s3Fields, s3Spec } from './spec.js';
import { makeUploader, type Uploader } from './upload.js';

export type S3Params = ValueOf<typeof s3Fields>;

const BYTES_PER_MIB = 1024 * 1024;
const RUN_DIGITS = 12;

/** Checks address, credentials, region and bucket; returns the number that the server gave the request. */
const check = async (
  call: Calls,
  report: ErrorReporter,
  { signal, log }: Pick<PluginContext, 'signal' | 'log'>,
): Promise<Result<string>> => {
  const query = { 'list-type': '2', 'max-keys': '1' };
  const listed = await call({ method: 'GET', key: null, query, signal });
  if (E.isRight(listed)) return E.right(String(listed.right.headers['x-amz-request-id'] ?? ''));
  const error = listed.left;
  if ('s3_code' in error && error.s3_code === 'AccessDenied') {
    log.write(
      'info',
      'the S3 user may not list the bucket; whether it may write shows with the first object',
    );
    return E.right('');
  }
  return E.left(report('cannot open', { ...error, isRetryable: true }));
};

let opened = 0;

/** Differs for each output of each generator, thread, process and machine. */
const newRun = ({ clock, random, directory }: PluginContext, request: string): string => {
  opened++;
  const seed = [clock.now(), clock.monotonicMs(), opened, directory, random.next(), request].join(' ');
  return createHash('sha256').update(seed).digest('hex').slice(0, RUN_DIGITS);
};

/** Headers of each object; those of the config win. */
const objectHeaders = (params: S3Params): Readonly<Record<string, string>> => {
  const { compression, storage_class, sse, sse_kms_key_id, headers } = params;
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  return {
    ...(compression === 'gzip' && !hasType ? { 'Content-Type': 'application/gzip' } : {}),
    ...(storage_class === null ? {} : { 'x-amz-storage-class': storage_class }),
    ...(sse === null ? {} : { 'x-amz-server-side-encryption': sse }),
    ...(sse_kms_key_id === null ? {} : { 'x-amz-server-side-encryption-aws-kms-key-id': sse_kms_key_id }),
    ...headers,
  };
};

export const s3Plugin: OutputPlugin<typeof s3Fields> = {
  spec: s3Spec,
  open: async (params, context) => {
    const { bucket, key, concurrency, secret_access_key, session_token, compression } = params;
    const address = bucketAddress(params);
    const name = `bucket ${bucket} at ${address.origin.origin}`;
    const connection = await openHttp(
      's3',
      { ...params, headers: {}, username: null, password: null, bearer_token: null },
      {
        url: address.origin,
        name,
        field: 'endpoint',
        max_connections: concurrency,
        secrets: [secret_access_key, session_token ?? ''],
      },
      context,
    );
    if (E.isLeft(connection)) return connection;
    const { client, report } = connection.right;
    const keyParts = { template: key, generator: basename(context.directory), zone: context.zone };
    const isCompressed = compression === 'gzip';
    const sample = keyMaker({ ...keyParts, isCompressed, run: 'x'.repeat(RUN_DIGITS) })(context.clock.now());
    const problem = limitBreach(LIMITS['s3.key'], sample);
    if (problem !== null) {
      client.close();
      return E.left(failure('plugin_failed', `output s3: ${problem}. Shorten \`key\`.`));
    }
    const call = makeCalls({ ...params, client, address, credentials: params }, context);
    const checked = await check(call, report, context);
    if (E.isLeft(checked)) {
      client.close();
      return checked;
    }
    const newKey = keyMaker({ ...keyParts, isCompressed, run: newRun(context, checked.right) });
    const uploader = makeUploader(
      call,
      {
        headers: objectHeaders(params),
        checksum: params.checksum,
        part_bytes: params.part_size * BYTES_PER_MIB,
      },
      context,
    );
    return E.right(s3Output({ client, uploader, newKey, report, name, params, context }));
  },
};

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

const s3Output = (options: S3OutputOptions): Output => {
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
