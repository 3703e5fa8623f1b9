import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../domain/errors.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { OutputPlugin, PluginContext } from '../../kit.js';
import { generatorName } from '../../shared/text/generatorName.js';
import { makeErrorReporter } from '../shared/requestErrors.js';
import { readTls, type TlsOptions } from '../shared/tls/files.js';
import { makeCluster } from './cluster.js';
import { compressorOf } from './compression.js';
import { messageMaker } from './messages.js';
import { kafkaOutput } from './output.js';
import { makePartitioner } from './partitioner.js';
import { makeProducer } from './producer.js';
import type { Login } from './sasl.js';
import { serverOf } from './servers.js';
import { type kafkaFields, kafkaSpec } from './spec.js';

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
    const prepare = messageMaker({ ...params, generator: generatorName(context) }, log);
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
      bootstrap: params.bootstrap_servers.flatMap((server) => serverOf(server) ?? []),
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
