import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { BusboyInstance } from '@fastify/busboy';
import * as E from 'fp-ts/lib/Either.js';
import type { Route } from '../contract/route.js';
import type { Upload } from '../domain/directory.js';
import { failure, type Result, reasonOf, type SpateError } from '../domain/errors.js';
import type { Uploads } from '../ports/files.js';

type BodyLimits = NonNullable<Route<string, unknown, never>['body']>;
type JsonLimits = Extract<BodyLimits, { kind: 'json' }>;
type UploadLimits = Extract<BodyLimits, { kind: 'upload' }>;

/** JSON bytes, or a stored file. */
export type ReceivedBody =
  | { readonly kind: 'json'; readonly mediaType: string; readonly bytes: Uint8Array }
  | { readonly kind: 'upload'; readonly mediaType: string; readonly upload: Upload };

const unsupported = (message: string): Result<never> => E.left(failure('unsupported_media_type', message));

const isEncoded = (request: IncomingMessage): boolean =>
  (request.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';

const ENCODED = unsupported('The body must be sent without Content-Encoding.');

/** Lower case; a missing one counts as the first of the route. */
const mediaTypeOf = (request: IncomingMessage, limits: JsonLimits): Result<string> => {
  if (isEncoded(request)) return ENCODED;
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').split(';');
  const mediaType = type.trim().toLowerCase();
  if (mediaType === '') return E.right(limits.mediaTypes[0] ?? '');
  if (!limits.mediaTypes.includes(mediaType))
    return unsupported(`The content type must be ${limits.mediaTypes.join(' or ')}.`);
  const charset = parameters.find((parameter) => /^\s*charset\s*=/i.test(parameter));
  return charset === undefined || /=\s*"?utf-?8"?\s*$/i.test(charset)
    ? E.right(mediaType)
    : unsupported('The charset of the body must be utf-8.');
};

const GONE = failure('unavailable', 'The client disconnected before its request was complete.');

const tooLargeFor = (limit_bytes: number): Result<never> =>
  E.left(failure('too_large', `The body exceeds the limit of ${limit_bytes} bytes.`));

/** Announced length; 0 without one. */
const announced = (request: IncomingMessage): number => Number(request.headers['content-length'] ?? 0);

/** Bytes after the limit are not kept. */
const readBytes = (request: IncomingMessage, limit_bytes: number): Promise<Result<Buffer>> =>
  new Promise((resolve) => {
    const tooLarge = tooLargeFor(limit_bytes);
    if (announced(request) > limit_bytes) return resolve(tooLarge);
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= limit_bytes) chunks.push(chunk);
      else finish(tooLarge);
    };
    const finish = (result: Result<Buffer>): void => {
      request.off('data', onData);
      resolve(result);
    };
    request.on('data', onData);
    request.once('end', () => finish(E.right(Buffer.concat(chunks))));
    request.once('error', () => finish(E.left(GONE)));
    request.once('close', () => finish(E.left(GONE)));
  });

const receiveJson = async (request: IncomingMessage, limits: JsonLimits): Promise<Result<ReceivedBody>> => {
  const mediaType = mediaTypeOf(request, limits);
  if (E.isLeft(mediaType)) return mediaType;
  return E.map((bytes: Buffer): ReceivedBody => ({ kind: 'json', mediaType: mediaType.right, bytes }))(
    await readBytes(request, limits.limit_bytes),
  );
};

const FORM_OVERHEAD_BYTES = 65_536;

const receiveRaw = async (
  request: IncomingMessage,
  limit_bytes: number,
  uploads: Uploads,
): Promise<Result<Upload>> => {
  const stored = await uploads.receive(request.iterator({ destroyOnReturn: false }), limit_bytes);
  // Drains a refused body, so that the client reads the answer.
  request.resume();
  return stored;
};

const receiveUpload = async (
  request: IncomingMessage,
  limits: UploadLimits,
  uploads: Uploads,
): Promise<Result<ReceivedBody>> => {
  if (isEncoded(request)) return ENCODED;
  const mediaType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const isForm = mediaType === 'multipart/form-data';
  if (!isForm && mediaType.startsWith('multipart/'))
    return unsupported('The content type must be multipart/form-data or the type of the file.');
  const { limit_bytes } = limits;
  if (announced(request) > limit_bytes + (isForm ? FORM_OVERHEAD_BYTES : 0)) return tooLargeFor(limit_bytes);
  const stored = isForm
    ? await receiveForm(request, limits.field, limit_bytes, uploads)
    : await receiveRaw(request, limit_bytes, uploads);
  return E.map((upload: Upload): ReceivedBody => ({ kind: 'upload', mediaType, upload }))(stored);
};

/** Receives a body; checks its media type first, its size while it comes. The caller discards a stored file. */
export const receiveBody = (
  request: IncomingMessage,
  limits: BodyLimits,
  uploads: Uploads,
): Promise<Result<ReceivedBody>> =>
  limits.kind === 'json' ? receiveJson(request, limits) : receiveUpload(request, limits, uploads);

/** Limits of the parser; a valid form has one part. */
const MAX_PARTS = 8;
const MAX_PART_HEADERS = 20;
const MAX_PART_HEADER_BYTES = 8_192;

/** Encodings that leave the bytes of a part unchanged (RFC 7578, 4.7 deprecates the others). */
const IDENTITY: ReadonlySet<string> = new Set(['7bit', '8bit', 'binary']);

const invalid = (path: readonly string[], type: string, message: string): SpateError =>
  failure('invalid', message, { issues: [{ path, type, message }] });

const malformed = (thrown: unknown): SpateError =>
  invalid([], 'bad_format', `must be valid multipart/form-data: ${reasonOf(thrown)}`);

/** An error of a part, before its content is read. */
const partFlaw = (
  wanted: string,
  field: string | undefined,
  encoding: string,
  isSecond: boolean,
): SpateError | null => {
  if (field !== wanted)
    return invalid([field ?? ''], 'unknown_key', `is not a field of this form; send only ${wanted}`);
  if (isSecond) return invalid([wanted], 'duplicate', 'is given more than once; send it once');
  return IDENTITY.has(encoding)
    ? null
    : invalid([wanted], 'not_allowed', 'must not have a content transfer encoding; send the bytes');
};

const makeParser = async (contentType: string): Promise<Result<BusboyInstance>> => {
  // Most services never receive a file.
  const {
    default: { Busboy },
  } = await import('@fastify/busboy');
  try {
    return E.right(
      new Busboy({
        headers: { 'content-type': contentType },
        // Stream a field without a file name too: as text, it would be buffered.
        isPartAFile: () => true,
        limits: { parts: MAX_PARTS, headerPairs: MAX_PART_HEADERS, headerSize: MAX_PART_HEADER_BYTES },
      }),
    );
  } catch (thrown) {
    return E.left(malformed(thrown));
  }
};

/** Resolves when the parser takes more; rejects if it throws. */
const write = (parser: BusboyInstance, chunk: Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    parser.write(chunk, () => resolve());
  });

interface Incoming {
  content: Readable | null;
  stored: Promise<Result<Upload>> | null;
}

/** Resolves with the first error of a form, or `null` at the end of a valid one. */
const watch = (
  parser: BusboyInstance,
  wanted: string,
  incoming: Incoming,
  store: (content: Readable) => Promise<Result<Upload>>,
): Promise<SpateError | null> =>
  new Promise((resolve) => {
    parser.once('finish', () => resolve(null));
    parser.on('error', (thrown) => resolve(malformed(thrown)));
    parser.once('partsLimit', () => resolve(malformed('too many parts')));
    parser.on('file', (field: string | undefined, file, _name, encoding) => {
      file.on('error', () => {});
      const flaw = partFlaw(wanted, field, encoding, incoming.stored !== null);
      if (flaw !== null) {
        file.resume();
        resolve(flaw);
        return;
      }
      incoming.content = file;
      incoming.stored = store(file);
      void incoming.stored.then((answer) => {
        if (E.isLeft(answer)) resolve(answer.left);
      });
    });
  });

/** Feeds the parser until there is a verdict; discards the rest. */
const pump = async (
  request: IncomingMessage,
  parser: BusboyInstance,
  verdict: Promise<unknown>,
): Promise<SpateError | null> => {
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      const isDecided = await Promise.race([
        write(parser, chunk as Uint8Array).then(() => false),
        verdict.then(() => true),
      ]);
      if (isDecided) return null;
    }
    parser.end();
    return null;
  } catch (thrown) {
    return request.complete ? malformed(thrown) : GONE;
  } finally {
    request.resume();
  }
};

/** Stores the only field of a form while it arrives. After an error nothing is stored. */
const receiveForm = async (
  request: IncomingMessage,
  wanted: string,
  limit_bytes: number,
  uploads: Uploads,
): Promise<Result<Upload>> => {
  const parser = await makeParser(request.headers['content-type'] ?? '');
  if (E.isLeft(parser)) return parser;
  const incoming: Incoming = { content: null, stored: null };
  const verdict = watch(parser.right, wanted, incoming, (content) => uploads.receive(content, limit_bytes));
  const pumped = pump(request, parser.right, verdict);
  const broken = pumped.then((error) => (error === null ? verdict : error));
  const refusal = await Promise.race([verdict, broken]);
  // Also ends a store in progress.
  if (refusal !== null) incoming.content?.destroy(new Error(refusal.message));
  const stored = await incoming.stored;
  if (refusal === null)
    return stored ?? E.left(invalid([wanted], 'missing', 'is required; send the content of the file'));
  if (stored !== null && E.isRight(stored)) await uploads.discard(stored.right);
  return E.left(refusal);
};
