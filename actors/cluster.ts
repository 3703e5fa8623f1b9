import * as E from 'fp-ts/lib/Either.js';
import { fromCallback } from 'xstate';
import {
  DOCUMENT_FORMAT,
  type LeaseDocument,
  type NodeDocument,
  type Parsed,
  parseLease,
  parseNode,
  printDocument,
} from '../src/cluster/documents.js';
import { makeDoubts } from '../src/cluster/doubts.js';
import { decodeToken, encodeToken } from '../src/cluster/keys.js';
import type { Member, Order, WriteOrder } from '../src/cluster/member.js';
import { BEATS_PER_LEASE } from '../src/cluster/watchedNodes.js';
import { type Result, reasonOf } from '../src/domain/errors.js';
import type { Clock } from '../src/ports/clock.js';
import type { BucketChange, ClusterLink } from '../src/ports/cluster.js';
import type { Log } from '../src/ports/log.js';

/** What a node tells the others about itself. */
export type NodeDescription = Pick<
  NodeDocument,
  'version' | 'api' | 'capacity' | 'labels' | 'load' | 'local' | 'problems'
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
  /** Why this node cannot run a unit; `null`: it can. */
  readonly whyNot: (unit: string) => Promise<string | null>;
}

export interface ClusterInput {
  readonly node: string;
  readonly lease_ms: number;
  readonly member: Member;
  readonly link: Pick<ClusterLink, 'nodes' | 'leases'>;
  readonly holdings: Holdings;
  /** Resolves when the member knows its units. */
  readonly ready: Promise<void>;
  readonly describe: () => NodeDescription;
  /** Milliseconds of the clock of the member. */
  readonly monotonicMs: () => number;
  readonly clock: Pick<Clock, 'now' | 'sleepMs' | 'yieldTurn'>;
  /** For people: the wall clock as ISO 8601. */
  readonly isoNow: () => string;
  readonly log: Log;
  /** Nodes and leases as the watches saw them; null when they are gone. */
  readonly onNode: (node: string, document: Parsed<NodeDocument> | null) => void;
  readonly onLease: (key: string, lease: Parsed<LeaseDocument> | null) => void;
  /** Called after each step. */
  readonly onStep: () => void;
}

export type ClusterMessage =
  /** The units changed, an order of people arrived, or a unit is refused. */
  | { readonly type: 'cluster.changed' }
  /** Gives everything back and leaves; answered when it is done. */
  | { readonly type: 'cluster.leave'; readonly reply: () => void };

/** Longest wait for a cluster that does not answer when a node leaves. */
const LEAVE_MS = 30_000;
/** Pause before a watch that could not begin is tried again. */
const WATCH_AGAIN_MS = 1_000;

const resultOf = (written: Result<number | null>): Parameters<Member['noteWrite']>[1] => {
  if (E.isRight(written)) return { kind: 'accepted', revision: written.right ?? 0 };
  return { kind: written.left.code === 'precondition_failed' ? 'refused' : 'unknown' };
};

/** A document for the member: null for a removed one. */
const noteOf = <A>(parsed: Parsed<A> | null): A | 'unreadable' | null =>
  parsed === null || parsed.kind === 'valid' ? (parsed?.document ?? null) : 'unreadable';

/** Drives the member of one node: feeds it what the watches see, and carries out its orders. */
export const clusterLogic = (input: ClusterInput) =>
  fromCallback<ClusterMessage>(({ receive }) => {
    const { member, link, holdings, log, clock } = input;
    const ending = new AbortController();
    const isOver = (): boolean => ending.signal.aborted;
    const doubts = makeDoubts(input.lease_ms);
    let isPending = false;
    /** Ends the current wait of the timer. */
    let waiting = new AbortController();
    const leaving: (() => void)[] = [];

    const wake = (): void => {
      if (isPending || isOver()) return;
      isPending = true;
      void clock.yieldTurn().then(step);
    };

    const lease = (session: string): Uint8Array =>
      printDocument({ format: DOCUMENT_FORMAT, node: input.node, session, since: input.isoNow() });

    const write = async (order: WriteOrder): Promise<Result<number | null>> => {
      switch (order.type) {
        case 'beat': {
          const { session, beat, draining, refused } = order;
          const document = { ...input.describe(), format: DOCUMENT_FORMAT, session, beat, draining, refused };
          return link.nodes.write(encodeToken(input.node), printDocument(document), order.replaces);
        }
        case 'withdraw':
          return link.nodes.remove(encodeToken(input.node), order.replaces);
        case 'forget':
          return link.nodes.remove(encodeToken(order.node), order.replaces);
        case 'acquire':
          return link.leases.write(order.key, lease(order.session), order.replaces);
        case 'release':
          await holdings.released(order.key);
          return link.leases.remove(order.key, order.replaces);
      }
    };

    const carryOutWrite = async (order: WriteOrder): Promise<void> => {
      const result = resultOf(await write(order));
      const nowMs = input.monotonicMs();
      member.noteWrite(order, result, nowMs);
      if (result.kind === 'accepted' && order.type === 'forget')
        log.write('info', 'a node that was lost for long is removed from the cluster', { node: order.node });
      if (result.kind === 'accepted' && order.type === 'release')
        doubts.noteAccepted(order.key, 'release', order.replaces, nowMs);
      if (result.kind === 'accepted' && order.type === 'acquire') {
        doubts.noteAccepted(order.key, 'acquire', result.revision, nowMs);
        await holdings.taken(order.key);
      }
      wake();
    };

    const carryOut = async (order: Order): Promise<void> => {
      switch (order.type) {
        case 'run':
          return holdings.run(order.key);
        case 'stop':
          await holdings.stop(order.key, order.isLost);
          member.noteRest(order.key);
          return wake();
        case 'reconsider': {
          const reason = await holdings.whyNot(order.unit);
          if (reason === null) member.noteAllowed(order.unit);
          else member.noteRefusal(order.unit, reason);
          return wake();
        }
        default:
          return carryOutWrite(order);
      }
    };

    /** Only while beats are accepted: a watch that stands still is no proof. */
    const settleDoubts = (): void => {
      if (member.report().phase !== 'member' && member.report().phase !== 'draining') return;
      for (const { key, lease } of doubts.due(input.monotonicMs())) {
        log.write('warning', 'the NATS servers have lost a lease write that they acknowledged', {
          lease: key,
        });
        member.correctLease(key, lease, input.monotonicMs());
      }
    };

    const step = (): void => {
      isPending = false;
      if (isOver()) return;
      settleDoubts();
      for (const order of member.step(input.monotonicMs()))
        void carryOut(order).catch((thrown: unknown) =>
          log.write('critical', 'an order of the cluster failed', {
            order: order.type,
            reason: reasonOf(thrown),
          }),
        );
      input.onStep();
      waiting.abort();
      if (member.report().phase === 'gone') for (const reply of leaving.splice(0)) reply();
    };

    /** Steps at each beat and at the deadline. */
    const tick = async (): Promise<void> => {
      while (!isOver()) {
        const beat_ms = input.lease_ms / BEATS_PER_LEASE;
        const deadline = member.deadlineMs();
        const left = deadline === null ? beat_ms : Math.max(0, deadline - input.monotonicMs());
        waiting = new AbortController();
        await clock.sleepMs(Math.min(beat_ms, left + 1), AbortSignal.any([waiting.signal, ending.signal]));
        if (!waiting.signal.aborted) step();
      }
    };

    const onNode = (change: BucketChange): void => {
      const node = decodeToken(change.key);
      if (node === null) return;
      const parsed = change.value === null ? null : parseNode(change.value);
      member.noteNode(node, noteOf(parsed), change.revision, input.monotonicMs());
      input.onNode(node, parsed);
      wake();
    };

    const onLease = (change: BucketChange): void => {
      const parsed = change.value === null ? null : parseLease(change.value);
      const { key, revision } = change;
      const note = { revision, holder: noteOf(parsed) };
      if (doubts.noteWatched(key, note)) member.correctLease(key, note, input.monotonicMs());
      else member.noteLease(key, note, input.monotonicMs());
      input.onLease(key, parsed);
      wake();
    };

    /** Resolves when the entries that were there have been seen. */
    const follow = (bucket: ClusterLink['nodes'], onChange: (change: BucketChange) => void): Promise<void> =>
      new Promise((resolve) => {
        const begin = async (): Promise<void> => {
          const begun = await bucket.watch({ onChange, onCurrent: resolve }, ending.signal);
          if (E.isRight(begun) || isOver()) return;
          log.write('warning', 'the cluster cannot be watched; trying again', { reason: begun.left.message });
          await clock.sleepMs(WATCH_AGAIN_MS, ending.signal);
          if (!isOver()) await begin();
        };
        void begin();
      });

    receive((message) => {
      if (message.type === 'cluster.changed') return wake();
      leaving.push(message.reply);
      member.leave();
      wake();
      // A cluster that does not answer must not hold up the end: the leases run out.
      void clock.sleepMs(LEAVE_MS, ending.signal).then(() => {
        for (const reply of leaving.splice(0)) reply();
      });
    });

    void Promise.all([input.ready, follow(link.nodes, onNode), follow(link.leases, onLease)]).then(() => {
      member.noteCurrent();
      wake();
      return tick();
    });
    return () => ending.abort();
  });
