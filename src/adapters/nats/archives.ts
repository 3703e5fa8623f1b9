import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../domain/errors.js';
import type { ArchiveInfo, Archives } from '../../ports/cluster.js';
import { archiveContents } from './archiveContents.js';
import { type ArchiveMeta, metaOf, nameOfToken, nameToken, sha256Of, writtenMeta } from './archiveMeta.js';
import type { OperationCount } from './bucket.js';
import { type Cell, streamCells } from './cells.js';
import { conflict } from './natsErrors.js';
import type { Session } from './session.js';
import type { KeyedStream } from './streams.js';
import { watchStream } from './watch.js';

/** Attempts of a write without a precondition, while others write. */
const ATTEMPTS = 5;
/** Attempts of a read, each with another revision. */
const READ_ATTEMPTS = 50;
const NOTHING = { content: '', chunks: 0, size: 0, sha256: '', digest: '', isDeleted: true };

interface Current {
  /** Revision of the last message of the name. 0 when there is none. */
  readonly revision: number;
  readonly meta: ArchiveMeta | null;
}

/** Archives in an object store, laid out as the tools of NATS do, with compare-and-set. */
export const natsArchives = (session: Session, keyed: KeyedStream, count: OperationCount): Archives => {
  const { bucket } = keyed;
  const cells = streamCells(session, keyed);
  const contents = archiveContents(session, keyed, cells);
  const prefix = `$O.${bucket}.M.`;
  const placeOf = (name: string): string => `bucket ${bucket}, archive ${name}`;

  const current = async (name: string): Promise<Result<Current>> => {
    const found = await cells.read(placeOf(name), prefix + nameToken(name));
    if (E.isLeft(found)) return found;
    if (found.right === null) return E.right({ revision: 0, meta: null });
    return E.right({ revision: found.right.revision, meta: metaOf(found.right) });
  };
  const meets = ({ revision, meta }: Current, replaces: number | null): boolean =>
    replaces === null || (replaces === 0 ? meta === null : meta !== null && revision === replaces);

  type Meta = Parameters<typeof writtenMeta>[0];
  /** Replaces what has `name` by compare-and-set. Returns what was there, and the revision of what is there now. */
  const put = async (
    meta: Omit<Meta, 'bucket'>,
    replaces: number | null,
    attempts = ATTEMPTS,
  ): Promise<Result<{ readonly former: Current; readonly revision: number }>> => {
    const place = placeOf(meta.name);
    const former = await current(meta.name);
    if (E.isLeft(former)) return former;
    if (!meets(former.right, replaces)) return E.left(conflict(place));
    if (meta.isDeleted && former.right.meta === null) {
      return E.right({ former: former.right, revision: former.right.revision });
    }
    const written = await cells.write(place, {
      subject: prefix + nameToken(meta.name),
      data: writtenMeta({ ...meta, bucket }, new Date()),
      expects: former.right.revision,
      isMarker: meta.isDeleted,
      rollsUp: true,
    });
    if (E.isRight(written)) return E.right({ former: former.right, revision: written.right });
    if (written.left.code === 'precondition_failed') {
      return replaces === null && attempts > 1 ? put(meta, null, attempts - 1) : written;
    }
    return written;
  };

  const write: Archives['write'] = async (name, content, digest, replaces) => {
    count.write();
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
    count.read();
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
    count.read();
    const infos: ArchiveInfo[] = [];
    for (let from = 1; ; ) {
      const found = await cells.next(`bucket ${bucket}`, `${prefix}>`, from);
      if (E.isLeft(found)) return found;
      if (found.right === null) return E.right(infos);
      const meta = metaOf(found.right);
      if (meta !== null) infos.push(meta.info);
      from = found.right.revision + 1;
    }
  };

  return {
    list,
    read,
    write,
    remove: async (name, replaces) => {
      count.write();
      const done = await put({ ...NOTHING, name }, replaces);
      if (E.isLeft(done)) return done;
      const old = done.right.former.meta;
      if (old !== null) await contents.drop(old.content);
      return E.right(null);
    },
    watch: ({ onChange, onWiped, onCurrent }, signal) => {
      count.read();
      const nameOf = (subject: string): string => nameOfToken(subject.slice(prefix.length));
      const isRemoved = (cell: Cell): boolean => metaOf(cell) === null;
      return watchStream(
        { session, keyed, cells, filter: `${prefix}>`, isRemoved },
        {
          onPut: (cell) => onChange(nameOf(cell.subject), metaOf(cell)?.info ?? null),
          onRemoved: (subject, _, isWiped) =>
            isWiped ? onWiped(nameOf(subject)) : onChange(nameOf(subject), null),
          onCurrent,
        },
        signal,
      );
    },
  };
};
