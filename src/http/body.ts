import type { IncomingMessage } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import type { Route } from '../contract/route.js';
import type { Upload } from '../domain/directory.js';
import { failure, type Result } from '../domain/errors.js';
import type { Uploads } from '../ports/files.js';
import { receiveForm } from './multipart.js';

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
