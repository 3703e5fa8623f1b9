import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../domain/errors.js';
import type { Bucket, BucketEntry } from '../../ports/cluster.js';
import { conflict, valueTooLarge } from './natsErrors.js';
import type { NatsSession } from './session.js';
import { type KeyedStream, type KvEntries, type KvEntry, kvEntries, writeNew } from './streams.js';
import { watchStream } from './watch.js';

/** Counts operations. */
export interface OperationCount {
  readonly read: () => void;
  readonly write: () => void;
}

/** Room for subject and headers of a message. */
const OVERHEAD_BYTES = 1024;

const isRemoved = (entry: KvEntry): boolean => entry.isMarker;

const removeKey = async (
  entries: KvEntries,
  place: string,
  subject: string,
  replaces: number | null,
): Promise<Result<null>> => {
  const marker = { subject, data: new Uint8Array(0), isMarker: true };
  if (replaces !== null && replaces > 0) {
    const removed = await entries.write(place, { ...marker, expects: replaces });
    return E.isLeft(removed) ? removed : E.right(null);
  }
  const found = await entries.read(place, subject);
  if (E.isLeft(found)) return found;
  if (found.right === null || found.right.isMarker) return E.right(null);
  if (replaces === 0) return E.left(conflict(place));
  const removed = await entries.write(place, { ...marker, expects: null });
  return E.isLeft(removed) ? removed : E.right(null);
};

/** A bucket on a stream. */
export const natsBucket = (session: NatsSession, keyed: KeyedStream, count: OperationCount): Bucket => {
  const entries = kvEntries(session, keyed);
  const prefix = `$KV.${keyed.bucket}.`;
  const placeOf = (key: string): string => `bucket ${keyed.bucket}, key ${key}`;
  const entryOf = ({ subject, data, revision }: KvEntry): BucketEntry => ({
    key: subject.slice(prefix.length),
    value: data,
    revision,
  });
  return {
    read: async (key) => {
      count.read();
      const found = await entries.read(placeOf(key), prefix + key);
      if (E.isLeft(found)) return found;
      return E.right(found.right === null || found.right.isMarker ? null : entryOf(found.right));
    },
    write: async (key, value, replaces) => {
      count.write();
      const limit = session.maxPayload() - OVERHEAD_BYTES - prefix.length - key.length;
      if (value.length > limit) return E.left(valueTooLarge(placeOf(key), value.length, limit));
      const write = { subject: prefix + key, data: value };
      return replaces === 0
        ? writeNew(entries, placeOf(key), write)
        : entries.write(placeOf(key), { ...write, expects: replaces });
    },
    remove: (key, replaces) => {
      count.write();
      return removeKey(entries, placeOf(key), prefix + key, replaces);
    },
    watch: ({ onChange, onCurrent }, signal) => {
      count.read();
      return watchStream(
        { session, keyed, entries, filter: `${prefix}>`, isRemoved },
        {
          onPut: (entry) => onChange(entryOf(entry)),
          onRemoved: (subject, revision) =>
            onChange({ key: subject.slice(prefix.length), value: null, revision }),
          onCurrent,
        },
        signal,
      );
    },
  };
};
