import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../domain/errors.js';
import type { EventBatch } from '../../../domain/events/eventBatch.js';
import { serialQueue } from '../../../domain/waiting.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { Missed, Output, OutputPlugin, PluginContext, Written } from '../../kit.js';
import { generatorName } from '../../shared/text/routing.js';
import { type ErrorReporter, makeErrorReporter } from '../shared/errors.js';
import { readTls, type TlsOptions } from '../shared/tls.js';
import { closedFailure, NOTHING, writtenResult } from '../shared/written.js';
import { NEEDS_ZSTD, zstd } from '../shared/zstd.js';
import { makeCluster } from './cluster.js';
import { kafkaMessageMaker, type Prepared } from './messages.js';
import { makePartitioner } from './partitioner.js';
import { makeProducer, type SendRecords, type SentRecords } from './producer.js';
import type { Compression } from './protocol/recordBatch.js';
import type { Login } from './sasl.js';
import { type kafkaFields, kafkaServerOf, kafkaSpec } from './spec.js';

export type KafkaParams = ValueOf<typeof kafkaFields>;

const TLS_FIELDS = { ca: 'ssl_cafile', cert: 'ssl_certfile', key: 'ssl_keyfile' } as const;

const tlsOf = async (params: KafkaParams, context: PluginContext): Promise<Result<TlsOptions | null>> => {
  if (!params.security_protocol.endsWith('SSL')) return E.right(null);
  const files = {
    verify: true,
    ca_cert: params.ssl_cafile,
    client_cert: params.ssl_certfile,
    client_cert_key: params.ssl_keyfile,
    server_host_name: null,
  };
  return readTls('kafka', files, context, TLS_FIELDS);
};

const loginOf = (params: KafkaParams): Login | null =>
  params.security_protocol.startsWith('SASL_')
    ? {
        mechanism: params.sasl_mechanism ?? 'PLAIN',
        username: params.sasl_plain_username ?? '',
        password: params.sasl_plain_password ?? '',
      }
    : null;

export const kafkaPlugin: OutputPlugin<typeof kafkaFields> = {
  spec: kafkaSpec,
  open: async (params, context) => {
    const { clock, log, signal } = context;
    const prepare = kafkaMessageMaker({ ...params, generator: generatorName(context) }, log);
    if (E.isLeft(prepare)) return prepare;
    const compressor = compressorOf(params.compression_type);
    if (E.isLeft(compressor)) return compressor;
    const tls = await tlsOf(params, context);
    if (E.isLeft(tls)) return tls;
    const login = loginOf(params);
    const { topic, partitioner, partition } = params;
    const name = `topic ${topic} at ${params.bootstrap_servers.join(', ')}`;
    const report = makeErrorReporter(name, login === null ? [] : [login]);
    const cluster = makeCluster({
      ...params,
      bootstrap: params.bootstrap_servers.flatMap((server) => kafkaServerOf(server) ?? []),
      client_id: params.client_id ?? 'spate',
      tls: tls.right,
      login,
      clock,
    });
    const found = await cluster.newTopic(signal);
    if (E.isLeft(found)) {
      await cluster.close();
      return E.left(report('cannot open', { ...found.left, isRetryable: true }));
    }
    if (partitioner === 'fixed' && !found.right.partitions.some(({ id }) => id === partition)) {
      await cluster.close();
      const count = found.right.partitions.length;
      return E.left(
        failure(
          'plugin_failed',
          `output kafka: topic ${topic} has ${count} partitions. Correct \`partition\`.`,
        ),
      );
    }
    if (params.linger_ms > 0) {
      log.write('warning', '`linger_ms` has no effect: set `batch.delay` of the generator');
    }
    const send = makeProducer({
      ...params,
      ...compressor.right,
      cluster,
      clock,
      isIdempotent: params.enable_idempotence,
      assign: makePartitioner({ ...params, partition: partition ?? 0 }),
    });
    return E.right(
      kafkaOutput({
        prepare: prepare.right,
        send,
        name,
        report,
        isOrdered: params.enable_idempotence,
        close: cluster.close,
      }),
    );
  },
};

interface Compressor {
  readonly compression: Compression;
  readonly compress: ((bytes: Uint8Array) => Promise<Buffer>) | null;
}

const gzip = promisify<Uint8Array, Buffer>(zlib.gzip);

/** Returns an error when this Node lacks the compression. */
const compressorOf = (type: 'gzip' | 'zstd' | 'snappy' | 'lz4' | null): Result<Compressor> => {
  if (type === 'gzip') return E.right({ compression: 'gzip', compress: gzip });
  if (type === 'zstd') {
    return zstd === null
      ? E.left(failure('plugin_failed', `output kafka: compression_type zstd ${NEEDS_ZSTD}`))
      : E.right({ compression: 'zstd', compress: zstd.compress });
  }
  return E.right({ compression: 'none', compress: null });
};

interface KafkaOutputOptions {
  readonly prepare: (batch: EventBatch) => Prepared;
  readonly send: SendRecords;
  readonly name: string;
  readonly report: ErrorReporter;
  /** Sequence numbers need one write at a time. */
  readonly isOrdered: boolean;
  readonly close: () => Promise<void>;
}

/** Items that did not arrive, at their positions in the batch. */
const missedOf = (sent: SentRecords, { positions }: Prepared, report: ErrorReporter): readonly Missed[] =>
  [...sent.missed.values()].map(({ error, items }) => ({
    items: items.map((item) => positions?.[item] ?? item).sort((a, b) => a - b),
    reason: report('cannot write to', error),
  }));

const kafkaOutput = (options: KafkaOutputOptions): Output => {
  const { prepare, send, name, report, isOrdered } = options;
  const inTurn = serialQueue();
  let isClosed = false;

  const write = async (batch: EventBatch, signal: AbortSignal): Promise<Result<Written>> => {
    if (isClosed) return E.left(closedFailure(name));
    if (batch.count === 0) return E.right(NOTHING);
    const prepared = prepare(batch);
    const sent = await send(prepared.messages, signal);
    if (E.isLeft(sent)) return E.left(report('cannot write to', sent.left));
    const { written, bytes } = sent.right;
    return writtenResult({ written, failed: prepared.failed, bytes }, missedOf(sent.right, prepared, report));
  };

  return {
    isBulk: true,
    isOrdered,
    write: (batch, signal) => (isOrdered ? inTurn(() => write(batch, signal)) : write(batch, signal)),
    flush: async () => E.right(undefined),
    close: async () => {
      isClosed = true;
      await options.close();
      return E.right(undefined);
    },
  };
};
