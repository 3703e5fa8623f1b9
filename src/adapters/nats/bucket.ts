import * as E from 'fp-ts/lib/Either.js';
import type { Bucket, BucketEntry } from '../../ports/cluster.js';
import { conflict, valueTooLarge } from './natsErrors.js';
import type { NatsSession } from './session.js';
import type { KeyedStream, KvEntry } from './streams.js';
import { watchStream } from './watch.js';

/** Room for subject and headers of a message. */
const OVERHEAD_BYTES = 1024;

const isRemoved = (entry: KvEntry): boolean => entry.isMarker;

/** A bucket on a stream. */
export const natsBucket = (session: NatsSession, keyed: KeyedStream): Bucket => {
  const prefix = `$KV.${keyed.bucket}.`;
  const placeOf = (key: string): string => `bucket ${keyed.bucket}, key ${key}`;
  const find = (key: string) => keyed.read(placeOf(key), prefix + key);
  const entryOf = ({ subject, data, revision }: KvEntry): BucketEntry => ({
    key: subject.slice(prefix.length),
    value: data,
    revision,
  });
  return {
    read: async (key) => {
      const found = await find(key);
      if (E.isLeft(found)) return found;
      return E.right(found.right === null || found.right.isMarker ? null : entryOf(found.right));
    },
    write: async (key, value, replaces) => {
      const limit = session.maxPayload() - OVERHEAD_BYTES - prefix.length - key.length;
      if (value.length > limit) return E.left(valueTooLarge(placeOf(key), value.length, limit));
      const write = { subject: prefix + key, data: value };
      if (replaces !== 0) return keyed.write(placeOf(key), { ...write, expects: replaces });
      // A write that servers refuse costs them more than a look. A marker counts as no value.
      const found = await find(key);
      if (E.isLeft(found)) return found;
      if (found.right?.isMarker === false) return E.left(conflict(placeOf(key)));
      return keyed.write(placeOf(key), { ...write, expects: found.right?.revision ?? 0 });
    },
    remove: async (key, replaces) => {
      const marker = { subject: prefix + key, data: new Uint8Array(0), isMarker: true, expects: replaces };
      return E.map(() => null)(await keyed.write(placeOf(key), marker));
    },
    watch: (onChange, signal) =>
      watchStream(
        { session, keyed, filter: `${prefix}>`, isRemoved },
        {
          onPut: (entry) => onChange(entryOf(entry)),
          onRemoved: (subject, revision) =>
            onChange({ key: subject.slice(prefix.length), value: null, revision }),
        },
        signal,
      ),
  };
};
