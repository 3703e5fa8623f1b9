import { createHash } from 'node:crypto';
import { nuid } from '@nats-io/transport-node';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../domain/errors.js';
import { isJsonObject, parsedJson } from '../../domain/json.js';
import type { ArchiveInfo, Archives } from '../../ports/cluster.js';
import { conflict } from './natsErrors.js';
import type { NatsSession } from './session.js';
import type { KeyedStream, KvEntry } from './streams.js';
import { watchStream } from './watch.js';

/** Attempts of a read, each with another revision. */
const READ_ATTEMPTS = 50;
const NOTHING = { content: '', chunks: 0, size: 0, sha256: '', digest: '', isDeleted: true };

interface Current {
  /** Revision of the last message of the name. 0 when there is none. */
  readonly revision: number;
  readonly meta: ArchiveMeta | null;
}

/** Archives in an object store, laid out as the tools of NATS do, with compare-and-set. */
export const natsArchives = (session: NatsSession, keyed: KeyedStream): Archives => {
  const { bucket } = keyed;
  const contents = archiveContents(session, keyed);
  const prefix = `$O.${bucket}.M.`;
  const placeOf = (name: string): string => `bucket ${bucket}, archive ${name}`;

  const current = async (name: string): Promise<Result<Current>> => {
    const found = await keyed.read(placeOf(name), prefix + nameToken(name));
    if (E.isLeft(found)) return found;
    if (found.right === null) return E.right({ revision: 0, meta: null });
    return E.right({ revision: found.right.revision, meta: metaOf(found.right) });
  };
  const meets = ({ revision, meta }: Current, replaces: number): boolean =>
    replaces === 0 ? meta === null : meta !== null && revision === replaces;

  /** Replaces what has `name` by compare-and-set. Returns what was there, and the revision of what is there now. */
  const put = async (
    meta: NewMeta,
    replaces: number,
  ): Promise<Result<{ readonly former: Current; readonly revision: number }>> => {
    const place = placeOf(meta.name);
    const former = await current(meta.name);
    if (E.isLeft(former)) return former;
    if (!meets(former.right, replaces)) return E.left(conflict(place));
    const written = await keyed.write(place, {
      subject: prefix + nameToken(meta.name),
      data: writtenMeta({ ...meta, bucket }, new Date()),
      expects: former.right.revision,
      isMarker: meta.isDeleted,
      rollsUp: true,
    });
    return E.map((revision: number) => ({ former: former.right, revision }))(written);
  };

  const write: Archives['write'] = async (name, content, digest, replaces) => {
    const place = placeOf(name);
    const before = await current(name);
    if (E.isLeft(before)) return before;
    if (!meets(before.right, replaces)) return E.left(conflict(place));
    const stored = await contents.store(place, content);
    if (E.isLeft(stored)) return stored;
    const meta = { name, digest, size: content.length, sha256: sha256Of(content), isDeleted: false };
    const done = await put({ ...meta, ...stored.right }, replaces);
    const info = (revision: number): ArchiveInfo => ({ name, digest, revision });
    if (E.isRight(done)) {
      const old = done.right.former.meta;
      if (old !== null) await contents.drop(old.content);
      return E.right(info(done.right.revision));
    }
    if (done.left.code === 'precondition_failed') {
      await contents.drop(stored.right.content);
      return done;
    }
    // The answer may be lost. The content stays: a reader may need it, and the sweep removes it otherwise.
    const after = await current(name);
    const isOurs = E.isRight(after) && after.right.meta?.content === stored.right.content;
    return isOurs ? E.right(info(after.right.revision)) : done;
  };

  const read: Archives['read'] = async (name) => {
    let seen = -1;
    for (let attempt = 1; ; attempt += 1) {
      const found = await current(name);
      if (E.isLeft(found)) return found;
      const { meta, revision } = found.right;
      if (meta === null) return E.right(null);
      const loaded = await contents.load(placeOf(name), meta);
      if (E.isRight(loaded)) return E.right({ info: meta.info, content: loaded.right });
      // Its content goes when another takes its place.
      if (loaded.left.code !== 'unreadable' || seen === revision || attempt === READ_ATTEMPTS) return loaded;
      seen = revision;
    }
  };

  const list: Archives['list'] = async () => {
    const found = await keyed.all(`bucket ${bucket}`, `${prefix}>`);
    return E.map((entries: readonly KvEntry[]) => entries.flatMap((entry) => metaOf(entry)?.info ?? []))(
      found,
    );
  };

  return {
    list,
    read,
    write,
    remove: async (name, replaces) => {
      const done = await put({ ...NOTHING, name }, replaces);
      if (E.isLeft(done)) return done;
      const old = done.right.former.meta;
      if (old !== null) await contents.drop(old.content);
      return E.right(null);
    },
    watch: ({ onChange, onWiped }, signal) => {
      const nameOf = (subject: string): string => nameOfToken(subject.slice(prefix.length));
      const isRemoved = (entry: KvEntry): boolean => metaOf(entry) === null;
      return watchStream(
        { session, keyed, filter: `${prefix}>`, isRemoved },
        {
          onPut: (entry) => onChange(nameOf(entry.subject), metaOf(entry)?.info ?? null),
          onRemoved: (subject, _, isWiped) =>
            isWiped ? onWiped(nameOf(subject)) : onChange(nameOf(subject), null),
        },
        signal,
      );
    },
  };
};

const CHUNK_BYTES = 128 * 1024;
/** The server sends a stored message as JSON with base64. */
const chunkBytes = (maxPayload: number): number => Math.min(CHUNK_BYTES, Math.floor(maxPayload / 2));
const CHUNKS_AT_ONCE = 8;

/** Content of archives: numbered messages of one subject each. */
const archiveContents = (session: NatsSession, keyed: KeyedStream) => {
  const { bucket, stream } = keyed;
  /** Removes content that nothing refers to. Failures are left to the sweep. */
  const drop = async (content: string): Promise<void> => {
    await session.run(bucket, () =>
      session.manager.streams.purge(stream, { filter: contentSubject(bucket, content) }),
    );
  };
  return {
    drop,
    store: async (place: string, bytes: Uint8Array) => {
      const content = nuid.next();
      const subject = contentSubject(bucket, content);
      const size = chunkBytes(session.maxPayload());
      const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => index * size);
      for (let first = 0; first < starts.length; first += CHUNKS_AT_ONCE) {
        const written = await Promise.all(
          starts
            .slice(first, first + CHUNKS_AT_ONCE)
            .map((from) =>
              keyed.write(place, { subject, data: bytes.subarray(from, from + size), expects: null }),
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
    /** Returns the error `unreadable` when content is missing or damaged. */
    load: async (
      place: string,
      { content, chunks, size, sha256 }: ArchiveMeta,
    ): Promise<Result<Uint8Array>> => {
      const parts: Uint8Array[] = [];
      const unreadable = (what: string) =>
        E.left(failure('unreadable', `${place}: ${what}. Push the directory again.`));
      let from = 1;
      for (let index = 0; index < chunks; index += 1) {
        const part = await keyed.next(place, contentSubject(bucket, content), from);
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

/** What the object store of NATS keeps of an object; its tools read it. */
interface ArchiveMeta {
  readonly info: ArchiveInfo;
  /** Last token of the subject of the content. */
  readonly content: string;
  readonly chunks: number;
  readonly size: number;
  /** As the object store writes it. */
  readonly sha256: string;
}

type NewMeta = Omit<ArchiveMeta, 'info'> & Omit<ArchiveInfo, 'revision'> & { readonly isDeleted: boolean };

export const contentSubject = (bucket: string, content: string): string => `$O.${bucket}.C.${content}`;

const sha256Of = (content: Uint8Array): string => {
  const digest = createHash('sha256').update(content).digest('base64');
  return `SHA-256=${digest.replaceAll('+', '-').replaceAll('/', '_')}`;
};

/** A name as a token of a subject: base64 with `-`, `_` and padding. */
const nameToken = (name: string): string => {
  const text = Buffer.from(name, 'utf8').toString('base64');
  return text.replaceAll('+', '-').replaceAll('/', '_');
};

const nameOfToken = (token: string): string => Buffer.from(token, 'base64url').toString('utf8');

const writtenMeta = (meta: NewMeta & { readonly bucket: string }, at: Date): Buffer =>
  Buffer.from(
    JSON.stringify({
      name: meta.name,
      bucket: meta.bucket,
      nuid: meta.content,
      size: meta.size,
      chunks: meta.chunks,
      digest: meta.sha256,
      deleted: meta.isDeleted,
      metadata: { digest: meta.digest },
      mtime: at.toISOString(),
    }),
    'utf8',
  );

/** Returns null when the archive was removed, or when the entry is not an archive. */
export const metaOf = ({ data, revision, isMarker }: KvEntry): ArchiveMeta | null => {
  if (isMarker) return null;
  const read = parsedJson(Buffer.from(data).toString('utf8'));
  if (!isJsonObject(read) || read['deleted'] === true) return null;
  const { name, nuid, size, chunks, digest, metadata } = read;
  if (typeof name !== 'string' || typeof nuid !== 'string' || typeof digest !== 'string') return null;
  if (typeof size !== 'number' || typeof chunks !== 'number') return null;
  const given = isJsonObject(metadata) ? metadata['digest'] : undefined;
  return {
    // The tools of NATS write objects without our digest.
    info: { name, digest: typeof given === 'string' ? given : digest, revision },
    content: nuid,
    chunks,
    size,
    sha256: digest,
  };
};
