import * as E from 'fp-ts/lib/Either.js';
import type { EventBatch } from '../../../domain/events/eventBatch.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { OutputPlugin } from '../../kit.js';
import { nanosNow } from '../../shared/eventTime.js';
import { generatorName } from '../../shared/text/generatorName.js';
import { compileValues } from '../../shared/text/values.js';
import { makeAttempts } from '../shared/attempts.js';
import { hasDocument } from '../shared/documents.js';
import { type LogServer, makeLogServer } from '../shared/logServer.js';
import { closedFailure } from '../shared/streamOutput.js';
import { batchRecords } from './batchRecords.js';
import { jsonRequest } from './jsonRequest.js';
import { protobufRequest, protobufTexts } from './protobufRequest.js';
import { recordMaker } from './record.js';
import { otlpError, partialSuccessOf } from './replies.js';
import { type otlpFields, otlpSpec } from './spec.js';

export type OtlpParams = ValueOf<typeof otlpFields>;

const NO_RECORDS = { protobuf: Buffer.alloc(0), json: Buffer.from('{}') };
const TYPES = { protobuf: 'application/x-protobuf', json: 'application/json' };

const addressOf = (written: string): URL => {
  const url = new URL(written);
  if (url.pathname === '/') url.pathname = '/v1/logs';
  return url;
};

const poster = (server: LogServer, { url, encoding }: OtlpParams) => {
  const address = addressOf(url);
  const headers = { 'Content-Type': TYPES[encoding] };
  return async (body: Buffer, signal: AbortSignal) => {
    const reply = await server.post({ url: address, headers, body, signal });
    if (E.isLeft(reply)) return reply;
    const { status } = reply.right;
    return status >= 200 && status < 300 ? reply : E.left(otlpError(reply.right));
  };
};

export const otlpPlugin: OutputPlugin<typeof otlpFields> = {
  spec: otlpSpec,
  open: async (params, context) => {
    const { clock, log, signal: opening, zone } = context;
    const made = await makeLogServer({ output: 'otlp', url: addressOf(params.url), params }, context);
    if (E.isLeft(made)) return made;
    const server = made.right;
    const post = poster(server, params);
    const checked = await post(NO_RECORDS[params.encoding], opening);
    if (E.isLeft(checked)) {
      server.close();
      return E.left(server.report('cannot open', { ...checked.left, isRetryable: true }));
    }
    const generator = generatorName(context);
    const maker = recordMaker({ ...params, zone, generator });
    const recordsOf = batchRecords(maker, log);
    const resource = Object.fromEntries(
      compileValues(params.resource, { generator }).map(({ name, value }) => [name, value(undefined)]),
    );
    const isJson = params.encoding === 'json';
    const encode = (isJson ? jsonRequest : protobufRequest)({ ...params, resource });
    const encodeTexts = isJson || !maker.isUniform ? null : protobufTexts({ ...params, resource });
    const isOfTexts = (batch: EventBatch): boolean => params.content === 'text' || !hasDocument(batch);
    /** The records do not live during the request: garbage that does costs most. */
    const encodeBatch = (batch: EventBatch): { readonly body: Buffer; readonly count: number } => {
      const now = nanosNow(clock);
      const shared = encodeTexts === null || !isOfTexts(batch) ? null : maker.recordOf('', now);
      if (encodeTexts !== null && shared !== null) {
        return { body: encodeTexts(batch, shared), count: batch.count };
      }
      const records = recordsOf(batch.texts(), now);
      return { body: encode(records), count: records.length };
    };
    const attempts = makeAttempts();
    return E.right({
      isBulk: true,
      isOrdered: false,
      write: (batch, signal) =>
        attempts.run(signal, async (ending) => {
          if (attempts.isClosed()) return E.left(closedFailure(params.url));
          const { body, count } = encodeBatch(batch);
          const unmade = batch.count - count;
          if (count === 0) return E.right({ written: 0, failed: unmade, bytes: 0 });
          const reply = await post(body, ending);
          if (E.isLeft(reply)) return E.left(server.report('cannot send to', reply.left));
          const { rejected, message } = partialSuccessOf(reply.right);
          const refused = Math.min(rejected, count);
          if (refused > 0 || message !== '') {
            log.write('warning', 'the collector did not take all records', {
              count: refused,
              reason: message,
            });
          }
          return E.right({
            written: count - refused,
            failed: unmade + refused,
            bytes: reply.right.sent_bytes,
          });
        }),
      flush: async () => E.right(undefined),
      close: async () => {
        attempts.close();
        server.close();
        return E.right(undefined);
      },
    });
  },
};
