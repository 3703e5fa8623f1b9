import type { IncomingMessage } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type SpateError } from '../domain/errors.js';

/** What a route takes as its body. */
export interface BodyLimits {
  readonly mediaTypes: readonly string[];
  readonly limit_bytes: number;
}

export interface ReceivedBody {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

const unsupported = (message: string): E.Either<SpateError, never> =>
  E.left(failure('unsupported_media_type', message));

/** Media type of the request, lower case; a missing one counts as the first that the route takes. */
const mediaTypeOf = (request: IncomingMessage, limits: BodyLimits): E.Either<SpateError, string> => {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    return unsupported('The body must be sent without Content-Encoding.');
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

const GONE = failure('unavailable', 'The client went away before its request was complete.');

/** Reads everything up to the limit; what comes after the limit is not kept. */
const readBytes = (request: IncomingMessage, limit_bytes: number): Promise<E.Either<SpateError, Buffer>> =>
  new Promise((resolve) => {
    const tooLarge = E.left(
      failure('too_large', `The body is larger than ${limit_bytes} bytes, the limit here.`),
    );
    if (Number(request.headers['content-length'] ?? 0) > limit_bytes) return resolve(tooLarge);
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= limit_bytes) chunks.push(chunk);
      else finish(tooLarge);
    };
    const finish = (result: E.Either<SpateError, Buffer>): void => {
      request.off('data', onData);
      resolve(result);
    };
    request.on('data', onData);
    request.once('end', () => finish(E.right(Buffer.concat(chunks))));
    request.once('error', () => finish(E.left(GONE)));
    request.once('close', () => finish(E.left(GONE)));
  });

/** Receives the body of a request: its media type is looked at first, its size while it comes. */
export const receiveBody = async (
  request: IncomingMessage,
  limits: BodyLimits,
): Promise<E.Either<SpateError, ReceivedBody>> => {
  const mediaType = mediaTypeOf(request, limits);
  if (E.isLeft(mediaType)) return mediaType;
  return E.map((bytes: Buffer): ReceivedBody => ({ mediaType: mediaType.right, bytes }))(
    await readBytes(request, limits.limit_bytes),
  );
};
