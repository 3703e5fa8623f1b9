import * as E from 'fp-ts/lib/Either.js';
import type { EventBatch } from '../../../domain/events/eventBatch.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { OutputPlugin } from '../../kit.js';
import { nanosNow } from '../../shared/eventTime.js';
import { compileValues } from '../../shared/text/field.js';
import { generatorName } from '../../shared/text/routing.js';
import { makeAttempts } from '../shared/attempts.js';
import { hasDocument } from '../shared/batchBytes.js';
import type { RequestError } from '../shared/errors.js';
import { type LogServer, makeLogServer } from '../shared/http/logServer.js';
import { statusError } from '../shared/http/replies.js';
import type { HttpReply } from '../shared/http/request.js';
import { closedFailure } from '../shared/written.js';
import { batchRecords, recordMaker } from './record.js';
import { jsonRequest, protobufRequest, protobufTexts } from './requests.js';
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

/** Records that a server has not taken from a request that it accepted. */
interface PartialSuccess {
  readonly rejected: number;
  readonly message: string;
}

const NONE: PartialSuccess = { rejected: 0, message: '' };
/** The statuses after which OTLP/HTTP allows a retry. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

interface WireField {
  readonly field: number;
  readonly number: number;
  readonly bytes: Buffer;
}

const NO_BYTES = Buffer.alloc(0);

/** Fields of a small message; ends at the first byte that is not protobuf. */
const fieldsOf = (bytes: Buffer): readonly WireField[] => {
  const fields: WireField[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let power = 0; power < 10 && at < bytes.length; power++) {
      const byte = bytes[at++] as number;
      value += (byte & 0x7f) * 128 ** power;
      if (byte < 0x80) return value;
    }
    return Number.NaN;
  };
  while (at < bytes.length) {
    const tag = varint();
    const wire = tag % 8;
    const field = Math.floor(tag / 8);
    const number = wire === 0 || wire === 2 ? varint() : 0;
    if (!Number.isFinite(number)) return fields;
    const length = wire === 2 ? number : wire === 1 ? 8 : wire === 5 ? 4 : 0;
    if ((wire !== 0 && length === 0 && wire !== 2) || at + length > bytes.length) return fields;
    fields.push({ field, number, bytes: wire === 2 ? bytes.subarray(at, at + length) : NO_BYTES });
    at += length;
  }
  return fields;
};

const inProtobuf = (raw: Buffer): PartialSuccess => {
  const partial = fieldsOf(raw).find(({ field }) => field === 1);
  if (partial === undefined) return NONE;
  const inner = fieldsOf(partial.bytes);
  return {
    rejected: inner.find(({ field }) => field === 1)?.number ?? 0,
    message: inner.find(({ field }) => field === 2)?.bytes.toString('utf8') ?? '',
  };
};

const parsed = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};

const inJson = (text: string): PartialSuccess => {
  const partial = parsed(text)['partialSuccess'];
  if (typeof partial !== 'object' || partial === null) return NONE;
  const { rejectedLogRecords, errorMessage } = partial as Readonly<Record<string, unknown>>;
  const rejected = Number(rejectedLogRecords ?? 0);
  return {
    rejected: Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0,
    message: typeof errorMessage === 'string' ? errorMessage : '',
  };
};

const isProtobuf = ({ headers }: HttpReply): boolean =>
  String(headers['content-type'] ?? '').startsWith('application/x-protobuf');

const partialSuccessOf = (reply: HttpReply): PartialSuccess =>
  isProtobuf(reply) ? inProtobuf(reply.raw) : inJson(reply.text);

/** Error of a reply that is no success: the message of its `google.rpc.Status`. */
const otlpError = (reply: HttpReply): RequestError => {
  const message = isProtobuf(reply)
    ? fieldsOf(reply.raw)
        .find(({ field }) => field === 2)
        ?.bytes.toString('utf8')
    : parsed(reply.text)['message'];
  const text = typeof message === 'string' && message !== '' ? message : isProtobuf(reply) ? '' : reply.text;
  return statusError({ ...reply, text }, RETRYABLE.has(reply.status));
};
