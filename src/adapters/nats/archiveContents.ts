import { nuid } from '@nats-io/transport-node';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../domain/errors.js';
import { type ArchiveMeta, sha256Of } from './archiveMeta.js';
import type { Cells } from './cells.js';
import type { Session } from './session.js';
import type { KeyedStream } from './streams.js';

const CHUNK_BYTES = 128 * 1024;
/** The server sends a stored message as JSON with base64. */
const chunkBytes = (maxPayload: number): number => Math.min(CHUNK_BYTES, Math.floor(maxPayload / 2));
const CHUNKS_AT_ONCE = 8;

interface StoredContent {
  readonly content: string;
  readonly chunks: number;
}

/** Content of archives: numbered messages of one subject each. */
export interface ArchiveContents {
  readonly store: (place: string, bytes: Uint8Array) => Promise<Result<StoredContent>>;
  /** Returns the error `unreadable` when content is missing or damaged. */
  readonly load: (place: string, meta: ArchiveMeta) => Promise<Result<Uint8Array>>;
  /** Removes content that nothing refers to. Failures are left to the sweep. */
  readonly drop: (content: string) => Promise<void>;
}

export const contentSubject = (bucket: string, content: string): string => `$O.${bucket}.C.${content}`;

export const archiveContents = (session: Session, keyed: KeyedStream, cells: Cells): ArchiveContents => {
  const { bucket, stream } = keyed;
  const drop = async (content: string): Promise<void> => {
    await session.run(bucket, () =>
      session.manager.streams.purge(stream, { filter: contentSubject(bucket, content) }),
    );
  };
  return {
    drop,
    store: async (place, bytes) => {
      const content = nuid.next();
      const subject = contentSubject(bucket, content);
      const size = chunkBytes(session.maxPayload());
      const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => index * size);
      for (let first = 0; first < starts.length; first += CHUNKS_AT_ONCE) {
        const written = await Promise.all(
          starts
            .slice(first, first + CHUNKS_AT_ONCE)
            .map((from) =>
              cells.write(place, { subject, data: bytes.subarray(from, from + size), expects: null }),
            ),
        );
        const failed = written.find(E.isLeft);
        if (failed !== undefined) {
          await drop(content);
          return failed;
        }
      }
      return E.right({ content, chunks: starts.length });
    },
    load: async (place, { content, chunks, size, sha256 }) => {
      const parts: Uint8Array[] = [];
      const unreadable = (what: string) =>
        E.left(failure('unreadable', `${place}: ${what}. Push the directory again.`));
      let from = 1;
      for (let index = 0; index < chunks; index += 1) {
        const part = await cells.next(place, contentSubject(bucket, content), from);
        if (E.isLeft(part)) return part;
        if (part.right === null) return unreadable(`part ${index + 1} of ${chunks} is missing`);
        from = part.right.revision + 1;
        parts.push(part.right.data);
      }
      const whole = Buffer.concat(parts);
      if (whole.length !== size || sha256Of(whole) !== sha256) return unreadable('the content is damaged');
      return E.right(whole);
    },
  };
};
