import type { HttpReply } from '../shared/http/request.js';
import { statusError } from '../shared/http/statusErrors.js';
import type { RequestError } from '../shared/requestErrors.js';

/** Records that a server has not taken from a request that it accepted. */
export interface PartialSuccess {
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

export const partialSuccessOf = (reply: HttpReply): PartialSuccess =>
  isProtobuf(reply) ? inProtobuf(reply.raw) : inJson(reply.text);

/** Error of a reply that is no success: the message of its `google.rpc.Status`. */
export const otlpError = (reply: HttpReply): RequestError => {
  const message = isProtobuf(reply)
    ? fieldsOf(reply.raw)
        .find(({ field }) => field === 2)
        ?.bytes.toString('utf8')
    : parsed(reply.text)['message'];
  const text = typeof message === 'string' && message !== '' ? message : isProtobuf(reply) ? '' : reply.text;
  return statusError({ ...reply, text }, RETRYABLE.has(reply.status));
};
