import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../domain/errors.js';
import { contentSubject } from './archiveContents.js';
import { metaOf } from './archiveMeta.js';
import { type Cell, streamCells } from './cells.js';
import { unavailable } from './natsErrors.js';
import { openReader } from './reader.js';
import type { Session } from './session.js';
import type { KeyedStream } from './streams.js';

const SWEEP_MS = 3_600_000;
const LISTING_LIMIT_MS = 60_000;

/** Cells of a stream at this moment, without their values. */
const listed = (
  session: Session,
  { stream, bucket }: KeyedStream,
  filter: string,
): Promise<Result<readonly Cell[]>> =>
  new Promise((resolve) => {
    const cells: Cell[] = [];
    const place = `sweep of bucket ${bucket}`;
    const limit = new AbortController();
    let stop = (): void => {};
    const finish = (result: Result<readonly Cell[]>): void => {
      limit.abort();
      stop();
      resolve(result);
    };
    const giveUp = (): void => finish(E.left(unavailable(place, 'it was cut off', 'The next one goes on.')));
    const listener = {
      onCell: (cell: Cell) => void cells.push(cell),
      onCurrent: () => finish(E.right(cells)),
      onLost: giveUp,
    };
    void session.clock.sleepMs(LISTING_LIMIT_MS, limit.signal).then(giveUp);
    void openReader(
      session,
      { stream, filter, headersOnly: true, last: Number.POSITIVE_INFINITY, place },
      listener,
    ).then((reader) => {
      if (E.isLeft(reader)) finish(reader);
      else if (limit.signal.aborted) reader.right();
      else stop = reader.right;
    });
  });

/** Removes what two sweeps in a row found. */
interface Sweep {
  /** Does one round. After an error, the rest waits for the next round. */
  readonly round: () => Promise<Result<null>>;
}

/**
 * Removes markers of removed keys. They must outlive the moment, since watchers learn of removals from them; one that a
 * sweep has found before is at least `SWEEP_MS` old by the clock of this node.
 */
const markerSweep = (session: Session, keyed: KeyedStream, filter: string): Sweep => {
  let before: ReadonlySet<number> = new Set();
  return {
    round: async () => {
      const found = await listed(session, keyed, filter);
      if (E.isLeft(found)) return found;
      const markers = found.right.filter(({ isMarker }) => isMarker).map(({ revision }) => revision);
      const due = markers.filter((revision) => before.has(revision));
      before = new Set(markers);
      for (const revision of due) {
        // By revision: a value that took its place stays.
        await session.run(keyed.bucket, () =>
          session.manager.streams.deleteMessage(keyed.stream, revision, false),
        );
      }
      return E.right(null);
    },
  };
};

/** Removes contents that no archive refers to: writers left them that were cut off. */
const contentSweep = (session: Session, keyed: KeyedStream): Sweep => {
  const prefix = contentSubject(keyed.bucket, '');
  const cells = streamCells(session, keyed);
  let before: ReadonlySet<string> = new Set();
  return {
    round: async () => {
      const info = await session.run(keyed.bucket, () =>
        session.manager.streams.info(keyed.stream, { subjects_filter: `${prefix}>` }),
      );
      if (E.isLeft(info)) return info;
      const used = new Set<string | undefined>();
      for (let from = 1; ; ) {
        const cell = await cells.next(keyed.bucket, `$O.${keyed.bucket}.M.>`, from);
        if (E.isLeft(cell)) return cell;
        if (cell.right === null) break;
        used.add(metaOf(cell.right)?.content);
        from = cell.right.revision + 1;
      }
      const contents = Object.keys(info.right.state.subjects ?? {}).map((one) => one.slice(prefix.length));
      const loose = contents.filter((content) => !used.has(content));
      const due = loose.filter((content) => before.has(content));
      before = new Set(loose);
      for (const content of due) {
        await session.run(keyed.bucket, () =>
          session.manager.streams.purge(keyed.stream, { filter: prefix + content }),
        );
      }
      return E.right(null);
    },
  };
};

/** Sweeps all streams each hour, until the link closes. */
export const startSweep = async (
  session: Session,
  values: readonly KeyedStream[],
  objects: KeyedStream,
): Promise<void> => {
  const sweeps = [
    ...values.map((keyed) => markerSweep(session, keyed, `$KV.${keyed.bucket}.>`)),
    markerSweep(session, objects, `$O.${objects.bucket}.M.>`),
    contentSweep(session, objects),
  ];
  for (;;) {
    // Nodes that start at once sweep at different times.
    await session.clock.sleepMs(SWEEP_MS * (0.75 + session.random() / 2), session.closing);
    for (const { round } of sweeps) {
      if (session.closing.aborted) return;
      const done = await round();
      if (E.isLeft(done)) session.log.write('debug', done.left.message);
    }
  }
};
