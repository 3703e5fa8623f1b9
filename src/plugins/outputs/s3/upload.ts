import * as E from 'fp-ts/lib/Either.js';
import type { PluginContext } from '../../kit.js';
import { type RequestError, retryableError } from '../shared/errors.js';
import { base64Of, bodySizeOf, cutBody, hashesOf, type Pieces } from './drafts.js';
import { elementOf, escapeXml } from './replies.js';
import { type Calls, type ObjectBody, textBody } from './requests.js';

export type Uploaded = E.Either<RequestError, void>;

/** Stores objects, whole or not at all. */
export interface Uploader {
  readonly store: (key: string, pieces: Pieces, signal: AbortSignal) => Promise<Uploaded>;
  /** Resolves when the remains of failed uploads are removed, or cannot be. */
  readonly cleaned: () => Promise<void>;
}

export interface UploadOptions {
  /** Headers of each object, such as its storage class. */
  readonly headers: Readonly<Record<string, string>>;
  readonly checksum: 'none' | 'sha256' | 'md5';
  readonly part_bytes: number;
}

/** Limit of S3. */
const MAX_PARTS = 10_000;
const ABORT_ATTEMPTS = 3;
const ABORT_PAUSE_MS = 500;

interface Part {
  readonly number: number;
  readonly etag: string;
  readonly sha256: string;
}

const SILENT = retryableError(
  'the reply has no upload or tag',
  'Check that the address is that of an S3 server.',
);

const partXml = ({ number, etag, sha256 }: Part, hasChecksum: boolean): string => {
  const checksum = hasChecksum ? `<ChecksumSHA256>${base64Of(sha256)}</ChecksumSHA256>` : '';
  return `<Part><PartNumber>${number}</PartNumber><ETag>${escapeXml(etag)}</ETag>${checksum}</Part>`;
};

export const makeUploader = (
  call: Calls,
  options: UploadOptions,
  { clock, log }: Pick<PluginContext, 'clock' | 'log'>,
): Uploader => {
  const { checksum, part_bytes } = options;
  const underWay = new Set<Promise<unknown>>();
  let hasWarned = false;

  const track = <A>(work: Promise<A>): Promise<A> => {
    const tracked: Promise<A> = work.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
    return tracked;
  };

  const bodyOf = async (
    pieces: Pieces,
  ): Promise<{ readonly body: ObjectBody; readonly headers: Readonly<Record<string, string>> }> => {
    const { sha256, md5 } = await hashesOf(pieces, checksum === 'md5', clock);
    return {
      body: { pieces, sha256 },
      headers: {
        ...(checksum === 'sha256' ? { 'x-amz-checksum-sha256': base64Of(sha256) } : {}),
        ...(md5 === null ? {} : { 'Content-MD5': md5 }),
      },
    };
  };

  const put = async (key: string, pieces: Pieces, signal: AbortSignal): Promise<Uploaded> => {
    const { body, headers } = await bodyOf(pieces);
    const sent = await call({
      method: 'PUT',
      key,
      headers: { ...options.headers, ...headers },
      body,
      signal,
    });
    return E.isLeft(sent) ? sent : E.right(undefined);
  };

  const begin = async (key: string, signal: AbortSignal): Promise<E.Either<RequestError, string>> => {
    const algorithm = checksum === 'sha256' ? { 'x-amz-checksum-algorithm': 'SHA256' } : {};
    const headers = { ...options.headers, ...algorithm };
    const begun = await call({ method: 'POST', key, query: { uploads: '' }, headers, signal });
    if (E.isLeft(begun)) return begun;
    const id = elementOf(begun.right.text, 'UploadId');
    return id === null || id === '' ? E.left(SILENT) : E.right(id);
  };

  const putPart = async (
    { key, id, number }: { readonly key: string; readonly id: string; readonly number: number },
    pieces: Pieces,
    signal: AbortSignal,
  ): Promise<E.Either<RequestError, Part>> => {
    const { body, headers } = await bodyOf(pieces);
    const query = { partNumber: String(number), uploadId: id };
    const sent = await call({ method: 'PUT', key, query, headers, body, signal });
    if (E.isLeft(sent)) return sent;
    const { etag } = sent.right.headers;
    return etag === undefined ? E.left(SILENT) : E.right({ number, etag, sha256: body.sha256 });
  };

  /** Uploads all parts and returns them in order. Returns the first failure as an error; it ends the others. */
  const putParts = async (
    key: string,
    id: string,
    pieces: Pieces,
    signal: AbortSignal,
  ): Promise<E.Either<RequestError, readonly Part[]>> => {
    const bytes = bodySizeOf(pieces);
    const size = Math.max(part_bytes, Math.ceil(bytes / MAX_PARTS));
    const ending = new AbortController();
    const end = (): void => ending.abort();
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    const failures: RequestError[] = [];
    const parts: Part[] = [];
    await Promise.all(
      Array.from({ length: Math.ceil(bytes / size) }, async (_, index) => {
        const piece = cutBody(pieces, index * size, (index + 1) * size);
        const part = await putPart({ key, id, number: index + 1 }, piece, ending.signal);
        if (E.isRight(part)) {
          parts.push(part.right);
          return;
        }
        failures.push(part.left);
        end();
      }),
    );
    signal.removeEventListener('abort', end);
    const [first] = failures;
    return first === undefined ? E.right(parts.sort((a, b) => a.number - b.number)) : E.left(first);
  };

  const complete = async (
    key: string,
    id: string,
    parts: readonly Part[],
    signal: AbortSignal,
  ): Promise<Uploaded> => {
    const list = parts.map((part) => partXml(part, checksum === 'sha256')).join('');
    const xmlns = 'http://s3.amazonaws.com/doc/2006-03-01/';
    const sent = await call({
      method: 'POST',
      key,
      query: { uploadId: id },
      headers: { 'Content-Type': 'application/xml' },
      body: textBody(`<CompleteMultipartUpload xmlns="${xmlns}">${list}</CompleteMultipartUpload>`),
      signal,
    });
    if (E.isLeft(sent)) return sent;
    // With status 200 the body says whether there is an object.
    return elementOf(sent.right.text, 'ETag') === null ? E.left(SILENT) : E.right(undefined);
  };

  /** Removes the parts of an upload that failed. */
  const abort = async (key: string, id: string): Promise<void> => {
    const { signal } = new AbortController();
    for (let attempt = 1; ; attempt++) {
      const sent = await call({ method: 'DELETE', key, query: { uploadId: id }, signal });
      if (E.isRight(sent) || ('s3_code' in sent.left && sent.left.s3_code === 'NoSuchUpload')) return;
      if (attempt < ABORT_ATTEMPTS && sent.left.isRetryable) {
        await clock.sleepMs(attempt * ABORT_PAUSE_MS, signal);
        continue;
      }
      if (hasWarned) return;
      hasWarned = true;
      log.write('warning', 'a failed multipart upload could not be aborted; its parts stay in the bucket', {
        key,
        reason: sent.left.what,
        hint: 'add a lifecycle rule that ends incomplete multipart uploads',
      });
      return;
    }
  };

  const putInParts = async (key: string, pieces: Pieces, signal: AbortSignal): Promise<Uploaded> => {
    // Not ended by the signal: without its reply, nothing could remove the upload.
    const begun = await begin(key, new AbortController().signal);
    if (E.isLeft(begun)) return begun;
    const parts = await putParts(key, begun.right, pieces, signal);
    const done = E.isLeft(parts) ? parts : await complete(key, begun.right, parts.right, signal);
    if (E.isLeft(done)) void track(abort(key, begun.right));
    return done;
  };

  return {
    store: (key, pieces, signal) =>
      bodySizeOf(pieces) > part_bytes ? track(putInParts(key, pieces, signal)) : put(key, pieces, signal),
    cleaned: async () => {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
};
