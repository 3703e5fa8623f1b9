import * as E from 'fp-ts/lib/Either.js';
import { fromCallback } from 'xstate';
import {
  LEASE_FORMAT,
  type LeaseDocument,
  type NodeDocument,
  type ParsedDocument,
  parseLease,
  parseNode,
  printClusterDocument,
} from '../src/cluster/documents.js';
import { decodeToken, encodeToken } from '../src/cluster/keys.js';
import type { LeaseNote } from '../src/cluster/leaseWrites.js';
import type { ClusterMember, LeaseOrder, Order, WriteOrder } from '../src/cluster/member.js';
import type { Found, WriteResult } from '../src/cluster/orders.js';
import { BEATS_PER_LEASE } from '../src/cluster/watchedNodes.js';
import { type Result, reasonOf } from '../src/domain/errors.js';
import type { Clock } from '../src/ports/clock.js';
import type { Bucket, BucketChange, ClusterLink } from '../src/ports/cluster.js';
import type { Log } from '../src/ports/log.js';

/** What a node tells the others about itself. */
export type NodeDescription = Pick<
  NodeDocument,
  'version' | 'api' | 'capacity' | 'labels' | 'since' | 'generation' | 'load' | 'local' | 'problems'
>;

/** Generators and scenarios of this node, by lease key. All functions are total. */
export interface Holdings {
  /** A generator may run. */
  readonly run: (key: string) => void;
  /** Resolves when it is at rest and its state is saved. `isLost`: others may run it soon, so nothing is delivered first. */
  readonly stop: (key: string, isLost: boolean) => Promise<void>;
  /** A key was taken. */
  readonly taken: (key: string) => Promise<void>;
  /** A key is about to be given back. */
  readonly released: (key: string) => Promise<void>;
  /** Returns why this node cannot run a task, or null when it can. */
  readonly whyNot: (task: string) => Promise<string | null>;
}

export interface ClusterInput {
  readonly node: string;
  readonly lease_ms: number;
  readonly member: ClusterMember;
  readonly link: Pick<ClusterLink, 'nodes' | 'leases'>;
  readonly holdings: Holdings;
  /** Resolves when the member knows its tasks. */
  readonly ready: Promise<void>;
  readonly describe: () => NodeDescription;
  /** Milliseconds of the clock of the member. */
  readonly monotonicMs: () => number;
  readonly clock: Pick<Clock, 'now' | 'sleepMs' | 'yieldTurn'>;
  /** For people: the wall clock as ISO 8601. */
  readonly isoNow: () => string;
  readonly log: Log;
  /** Nodes and leases as the watches saw them. Null when they are gone. */
  readonly onNode: (node: string, document: ParsedDocument<NodeDocument> | null, revision: number) => void;
  readonly onLease: (key: string, lease: ParsedDocument<LeaseDocument> | null) => void;
  /** Called after each step. */
  readonly onStep: () => void;
}

export type ClusterMessage =
  /** The tasks changed, an order of people arrived, or a task is refused. */
  | { readonly type: 'cluster.changed' }
  /** Gives everything back and leaves; answered when it is done. */
  | { readonly type: 'cluster.leave'; readonly reply: () => void };

/** Longest wait for a cluster that does not answer when a node leaves. */
const LEAVE_MS = 30_000;
/** Pause before a watch that could not begin is tried again. */
const WATCH_AGAIN_MS = 1_000;

/** What a watch or the leader has of a key. */
const parsedOf = <A>(
  value: Uint8Array | null | undefined,
  parse: (bytes: Uint8Array) => ParsedDocument<A>,
): ParsedDocument<A> | null => (value === null || value === undefined ? null : parse(value));

/** A document for the member: `null` for a removed one. */
const noteOf = <A>(parsed: ParsedDocument<A> | null): A | 'unreadable' | null =>
  parsed === null || parsed.kind === 'valid' ? (parsed?.document ?? null) : 'unreadable';

const leaseNote = (document: LeaseDocument | 'unreadable' | null, revision: number): LeaseNote => {
  if (document === null || document === 'unreadable')
    return { revision, holder: document, epoch: 0, deaths: 0 };
  const { node, session, epoch, deaths } = document;
  return { revision, holder: node === null || session === null ? null : { node, session }, epoch, deaths };
};

/** What a step of the actor is made of. */
interface Drive extends ClusterInput {
  /** Steps soon. */
  readonly wake: () => void;
  readonly ending: AbortSignal;
}

/** Returns the lease of a key as the leader has it, or null when it does not answer. */
const readLease = async ({ link }: Drive, key: string): Promise<LeaseNote | null> => {
  const read = await link.leases.read(key);
  if (E.isLeft(read)) return null;
  return leaseNote(noteOf(parsedOf(read.right?.value, parseLease)), read.right?.revision ?? 0);
};

const writeLease = (
  { link, node, isoNow }: Drive,
  { key, session, epoch, deaths, replaces }: LeaseOrder,
  isHeld: boolean,
): Promise<Result<number>> => {
  const holder = isHeld ? { node, session } : { node: null, session: null };
  const document = printClusterDocument({ format: LEASE_FORMAT, ...holder, epoch, deaths, since: isoNow() });
  return link.leases.write(key, document, replaces);
};

const write = async (drive: Drive, order: WriteOrder): Promise<Result<number | null>> => {
  const { link, node, holdings } = drive;
  switch (order.type) {
    case 'beat': {
      const { type: _, replaces, ...told } = order;
      const document = { ...drive.describe(), format: LEASE_FORMAT, ...told };
      return link.nodes.write(encodeToken(node), printClusterDocument(document), replaces);
    }
    case 'withdraw':
      return link.nodes.remove(encodeToken(node), order.replaces);
    case 'forget':
      return link.nodes.remove(encodeToken(order.node), order.replaces);
    case 'acquire':
      return writeLease(drive, order, true);
    case 'release':
      await holdings.released(order.key);
      return writeLease(drive, order, false);
  }
};

/** Returns what the leader has in place of the document of this node, or null when it does not answer. */
const foundBeat = async ({ link, node }: Drive): Promise<Found | null> => {
  const read = await link.nodes.read(encodeToken(node));
  if (E.isLeft(read)) return null;
  const document = noteOf(parsedOf(read.right?.value, parseNode));
  const session = document === 'unreadable' ? '' : (document?.session ?? null);
  return { revision: read.right?.revision ?? 0, session };
};

const resultOf = async (drive: Drive, order: WriteOrder): Promise<WriteResult> => {
  const written = await write(drive, order);
  if (E.isRight(written)) return { kind: 'accepted', revision: written.right ?? 0 };
  if (written.left.code !== 'precondition_failed') return { kind: 'unknown' };
  return { kind: 'refused', found: order.type === 'beat' ? await foundBeat(drive) : null };
};

const carryOut = async (drive: Drive, order: Order): Promise<void> => {
  const { member, holdings, wake } = drive;
  switch (order.type) {
    case 'run':
      return holdings.run(order.key);
    case 'stop':
      await holdings.stop(order.key, order.isLost);
      member.noteRest(order.key);
      return wake();
    case 'reconsider': {
      const reason = await holdings.whyNot(order.task);
      if (reason === null) member.noteAllowed(order.task);
      else member.noteRefusal(order.task, reason);
      return wake();
    }
    case 'read':
      member.noteRead(order.key, order.read, await readLease(drive, order.key), drive.monotonicMs());
      return wake();
    default: {
      const result = await resultOf(drive, order);
      member.noteWrite(order, result, drive.monotonicMs());
      if (result.kind === 'accepted' && order.type === 'forget')
        drive.log.write('info', 'a node that was lost for long is removed from the cluster', {
          node: order.node,
        });
      if (result.kind === 'accepted' && order.type === 'acquire') await holdings.taken(order.key);
      return wake();
    }
  }
};

const onNode = ({ member, wake, ...drive }: Drive, { key, value, revision }: BucketChange): void => {
  const node = decodeToken(key);
  if (node === null) return;
  const parsed = parsedOf(value, parseNode);
  member.noteNode(node, noteOf(parsed), revision, drive.monotonicMs());
  drive.onNode(node, parsed, revision);
  wake();
};

const onLease = (drive: Drive, { key, value, revision }: BucketChange): void => {
  const parsed = parsedOf(value, parseLease);
  drive.member.noteLease(key, leaseNote(noteOf(parsed), revision), drive.monotonicMs());
  drive.onLease(key, parsed);
  drive.wake();
};

/** Resolves when the entries that were there have been seen, or at the end. */
const follow = async (
  { log, clock, ending }: Drive,
  bucket: Bucket,
  onChange: (change: BucketChange) => void,
): Promise<void> => {
  while (!ending.aborted) {
    const begun = await bucket.watch(onChange, ending);
    if (E.isRight(begun)) return;
    log.write('warning', 'the cluster cannot be watched; trying again', { reason: begun.left.message });
    await clock.sleepMs(WATCH_AGAIN_MS, ending);
  }
};

/** Drives the member of one node: feeds it what the watches see, and carries out its orders. */
export const clusterLogic = (input: ClusterInput) =>
  fromCallback<ClusterMessage>(({ receive }) => {
    const { member, link, log, clock } = input;
    const end = new AbortController();
    const ending = end.signal;
    let isPending = false;
    /** Ends the current wait of the timer. */
    let waiting = new AbortController();
    const leaving: (() => void)[] = [];
    const answerLeaving = (): void => {
      for (const reply of leaving.splice(0)) reply();
    };

    const wake = (): void => {
      if (isPending || ending.aborted) return;
      isPending = true;
      void clock.yieldTurn().then(step);
    };
    const drive: Drive = { ...input, wake, ending };

    let steppedMs = Number.NEGATIVE_INFINITY;
    const step = (): void => {
      isPending = false;
      if (ending.aborted) return;
      steppedMs = input.monotonicMs();
      for (const order of member.step(steppedMs))
        void carryOut(drive, order).catch((thrown: unknown) =>
          log.write('critical', 'an order of the cluster failed', {
            order: order.type,
            reason: reasonOf(thrown),
          }),
        );
      input.onStep();
      waiting.abort();
      if (member.report().phase === 'gone') answerLeaving();
    };

    /** Steps at each beat, when generators must drain, and at the deadline. */
    const tick = async (): Promise<void> => {
      while (!ending.aborted) {
        const beat_ms = input.lease_ms / BEATS_PER_LEASE;
        const deadline = member.deadlineMs();
        const nowMs = input.monotonicMs();
        const left = deadline === null ? beat_ms : Math.max(0, deadline - nowMs);
        const closingMs = member.closingMs();
        // It may have passed since the last step, which woke this timer.
        const closing = closingMs > steppedMs ? Math.max(0, closingMs - nowMs) + 1 : beat_ms;
        waiting = new AbortController();
        await clock.sleepMs(Math.min(beat_ms, left + 1, closing), AbortSignal.any([waiting.signal, ending]));
        if (!waiting.signal.aborted) step();
      }
    };

    receive((message) => {
      if (message.type === 'cluster.changed') return wake();
      leaving.push(message.reply);
      member.leave();
      wake();
      // A cluster that does not answer must not hold up the end: the leases run out.
      void clock.sleepMs(LEAVE_MS, ending).then(answerLeaving);
    });

    void Promise.all([
      input.ready,
      follow(drive, link.nodes, (change) => onNode(drive, change)),
      follow(drive, link.leases, (change) => onLease(drive, change)),
    ]).then(() => {
      member.noteCurrent();
      wake();
      return tick();
    });
    return () => end.abort();
  });
