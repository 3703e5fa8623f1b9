import type { StoredMsg } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../domain/errors.js';
import { conflict, unavailable } from './natsErrors.js';
import type { Session } from './session.js';
import type { KeyedStream } from './streams.js';

/** The last message of a subject. */
export interface Cell {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly revision: number;
  readonly isMarker: boolean;
  /** Revision that its writer replaced, `null`: whatever was there. */
  readonly replaced: number | null;
}

const REPLACED = 'Spate-Replaced';
const OPERATION = 'KV-Operation';

const headersOf = ({ isMarker: removes, rollsUp, expects }: Write) => {
  if (removes !== true && rollsUp !== true && expects === null) return {};
  const made = headers();
  if (removes === true) made.set(OPERATION, 'DEL');
  if (rollsUp === true) made.set('Nats-Rollup', 'sub');
  if (expects !== null) made.set(REPLACED, String(expects));
  return { headers: made };
};

const replacedOf = (text: string | undefined): number | null => (text ? Number(text) : null);

/** Whether a message with these headers is a marker. */
export const isMarker = (found: { readonly get: (name: string) => string } | undefined): boolean => {
  const operation = found?.get(OPERATION) ?? '';
  return operation === 'DEL' || operation === 'PURGE';
};

const cellOf = (message: StoredMsg | null): Cell | null =>
  message === null
    ? null
    : {
        subject: message.subject,
        data: message.data,
        revision: message.seq,
        isMarker: isMarker(message.header),
        replaced: replacedOf(message.header.get(REPLACED)),
      };

interface Write {
  readonly subject: string;
  readonly data: Uint8Array;
  /** Revision of the last message of the subject, `0`: none, `null`: whatever is there. */
  readonly expects: number | null;
  readonly isMarker?: boolean;
  /** Whether it replaces all messages of the subject. Buckets do so without. */
  readonly rollsUp?: boolean;
}

/** Last messages of the subjects of a stream, changed by compare-and-set. Reads are answered by its leader. */
export interface Cells {
  readonly read: (place: string, subject: string) => Promise<Result<Cell | null>>;
  /** The first message from `from` on whose subject matches, wildcards allowed. */
  readonly next: (place: string, subject: string, from: number) => Promise<Result<Cell | null>>;
  /** Right: the revision. Left: `precondition_failed`, `too_large`, `unavailable`. */
  readonly write: (place: string, write: Write) => Promise<Result<number>>;
}

const barrierOf = ({ barrier }: KeyedStream): Write => ({
  subject: barrier,
  data: new Uint8Array(0),
  expects: null,
  isMarker: true,
  rollsUp: true,
});

/**
 * Whether a write by compare-and-set holds. Servers check the revision when a message arrives (2.9 does), not when the
 * copies agree on it: of several writes at once, all are acknowledged, and the last one stays. After a barrier all of
 * them are there.
 */
const verdict = (place: string, revision: number, last: Cell | null): Result<number> => {
  if (last?.revision === revision || last?.replaced === revision) return E.right(revision);
  // Someone replaced the same revision as this write, or an older one.
  if (last !== null && last.replaced !== null && last.replaced < revision) return E.left(conflict(place));
  if (last !== null && last.replaced === null) return E.right(revision);
  return E.left(unavailable(place, 'it was changed several times meanwhile', 'Read it again.'));
};

/** Waits until all that was written before has reached the stream. Calls at the same time share a barrier. */
const settler = (publish: () => Promise<Result<number>>): (() => Promise<Result<number>>) => {
  let running: Promise<Result<number>> | null = null;
  let next: Promise<Result<number>> | null = null;
  const start = (): Promise<Result<number>> => {
    next = null;
    const begun = publish();
    running = begun;
    void begun.then(() => {
      if (running === begun) running = null;
    });
    return begun;
  };
  return () => {
    // The one that runs may be ahead of the write.
    next ??= running === null ? start() : running.then(start);
    const mine = next;
    if (running === mine) next = null;
    return mine;
  };
};

export const streamCells = (session: Session, keyed: KeyedStream): Cells => {
  const { quick, js } = session;
  const { stream } = keyed;
  const attempt = async <A>(
    place: string,
    isRead: boolean,
    operation: () => Promise<A>,
  ): Promise<Result<A>> => {
    const ready = await keyed.ensure();
    if (E.isLeft(ready)) return ready;
    const done = await session.insist(place, isRead, operation);
    // Someone may have removed the stream.
    if (E.isLeft(done) && done.left.code === 'unavailable' && session.isConnected()) keyed.forget();
    return done;
  };
  const get = async (place: string, query: { last_by_subj: string }): Promise<Result<Cell | null>> => {
    const found = await attempt(place, true, () => quick.streams.getMessage(stream, query));
    return E.isLeft(found) ? found : E.right(cellOf(found.right));
  };
  const publish = (place: string, write: Write): Promise<Result<number>> =>
    attempt(place, false, async () => {
      const { subject, data, expects } = write;
      const acknowledged = await js.publish(subject, data, {
        ...(expects === null ? {} : { expect: { lastSubjectSequence: expects } }),
        ...headersOf(write),
      });
      return acknowledged.seq;
    });
  const settle = settler(() => publish(`bucket ${keyed.bucket}`, barrierOf(keyed)));
  const read: Cells['read'] = (place, subject) => get(place, { last_by_subj: subject });
  return {
    read,
    // The types of the client lack this query.
    next: (place, subject, from) =>
      get(place, { seq: from, next_by_subj: subject } as unknown as { last_by_subj: string }),
    write: async (place, write) => {
      const written = await publish(place, write);
      if (E.isLeft(written) || write.expects === null || !keyed.isReplicated()) return written;
      const settled = await settle();
      if (E.isLeft(settled)) return settled;
      const last = await read(place, write.subject);
      return E.isLeft(last) ? last : verdict(place, written.right, last.right);
    },
  };
};

/**
 * Writes where there must be no value. A marker counts as none. Left: `precondition_failed` for a value, `unavailable`.
 */
export const writeNew = async (
  cells: Cells,
  place: string,
  write: Omit<Write, 'expects'>,
  attempts = 3,
): Promise<Result<number>> => {
  const written = await cells.write(place, { ...write, expects: 0 });
  if (E.isRight(written) || written.left.code !== 'precondition_failed') return written;
  const found = await cells.read(place, write.subject);
  if (E.isLeft(found)) return found;
  if (found.right !== null) {
    if (!found.right.isMarker) return E.left(conflict(place));
    const over = await cells.write(place, { ...write, expects: found.right.revision });
    if (E.isRight(over) || over.left.code !== 'precondition_failed') return over;
  }
  return attempts > 1 ? writeNew(cells, place, write, attempts - 1) : E.left(conflict(place));
};
