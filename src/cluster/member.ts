import {
  groupedRefusals,
  type Labels,
  LEASE_FORMAT,
  MAX_REFUSED_UNITS,
  type NodeDocument,
  type Refusals,
} from './documents.js';
import { makeHeartbeat, type WriteResult } from './heartbeat.js';
import { generatorKey } from './keys.js';
import { type LeaseNote, makeLeases } from './leases.js';
import type { Order, WriteOrder } from './orders.js';
import { makePlacement, type PlacementNode, sameTexts } from './placement.js';
import type { UnitGenerator } from './units.js';
import { NO_UNITS, type UnitTable } from './unitTable.js';
import { makeUnitWork, type Situation, type UnitCounts, type UnitWork } from './unitWork.js';
import { makeWatchedNodes, type NodeNote, type NodeSight, STEADY_BEATS } from './watchedNodes.js';

export type { LeaseOrder, Order, WriteOrder } from './orders.js';

/**
 * One node of a cluster, without I/O: it takes notes of what happens, and `step` returns orders.
 *
 * A driver feeds the changes of the buckets `nodes` and `leases` in the order of their watches, calls `noteCurrent`
 * after the entries that were there, and calls `step` every lease / 5, at `deadlineMs`, and after notes. It carries out
 * each order (orders.ts) at once, in order, and reports the result of each write exactly once. All times are of one monotonic clock.
 */
export interface Member extends Pick<UnitWork, 'deathsOf'> {
  readonly noteUnits: (table: UnitTable) => void;
  /** The watches have delivered everything that was there, and the units are known. Before, nothing is ordered. */
  readonly noteCurrent: () => void;
  readonly noteNode: (node: string, note: NodeNote, revision: number, nowMs: number) => void;
  readonly noteLease: (key: string, lease: LeaseNote, nowMs: number) => void;
  /** Answer to the order `read`; `null`: the leader does not answer. */
  readonly noteRead: (key: string, read: number, lease: LeaseNote | null, nowMs: number) => void;
  readonly noteWrite: (order: WriteOrder, result: WriteResult, nowMs: number) => void;
  /** The generator or partition of a key has stopped after `stop`, and its state is saved. */
  readonly noteRest: (key: string) => void;
  /** This node cannot run a unit: it gives the unit back, and the next owner takes it. */
  readonly noteRefusal: (unit: string, reason: string) => void;
  /** The reason of a refusal is gone. */
  readonly noteAllowed: (unit: string) => void;
  /** Generators by key that others can run and this node cannot, whatever its units say, with the reason. */
  readonly noteLacking: (generators: ReadonlyMap<string, string>) => void;
  readonly noteDrain: (isWanted: boolean) => void;
  /** Gives everything back at once, then withdraws the node's document. */
  readonly leave: () => void;
  readonly step: (nowMs: number) => readonly Order[];
  /** When everything must stop unless a beat is accepted before; `null`: nothing runs by leases. */
  readonly deadlineMs: () => number | null;
  /** When generators begin to drain unless a beat is accepted before; infinite: nothing runs by leases. */
  readonly closingMs: () => number;
  readonly report: () => MemberReport;
  /** Epoch of the lease of a key that this node holds; `null`: it does not. */
  readonly epochOf: (key: string) => number | null;
  /** Node that holds a key by a valid lease. */
  readonly holderOf: (key: string) => string | null;
  /** Name of the unit of a key; `null`: of none. */
  readonly unitOf: (key: string) => string | null;
  /** Node that should hold a unit; `null`: none can. */
  readonly ownerOf: (unit: string) => string | null;
  readonly sightOf: (node: string) => NodeSight;
}

/**
 * `waiting`: for the watches, for its generators to rest, or for the end of another session of its name; `joining`: for
 * three beats; `isolated`: no beat was accepted for two thirds of a lease, generators go on (`continue`).
 */
export type Phase = 'waiting' | 'joining' | 'member' | 'draining' | 'isolated' | 'leaving' | 'gone';

export interface MemberReport extends UnitCounts {
  readonly phase: Phase;
  readonly session: string;
  /** Another live daemon has the name of this node. */
  readonly isNameTaken: boolean;
  /** Times the deadline was over. */
  readonly isolations: number;
  readonly refused: ReadonlyMap<string, string>;
}

export interface MemberOptions {
  readonly node: string;
  readonly capacity: number;
  readonly labels: Labels;
  readonly lease_ms: number;
  readonly on_isolation: 'stop' | 'continue';
  /** Units that are given back at the same time. */
  readonly moves: number;
  /** Sessions of this node whose process is dead. */
  readonly former: readonly string[];
  /** After this long a lost node is removed. */
  readonly forget_ms: number;
  /** Random text. */
  readonly newSession: () => string;
  /** For a key without a lease: above every epoch that an earlier lease of it can have had. */
  readonly firstEpoch: () => number;
}

/** After this many leases a refused unit is reconsidered. */
const RECONSIDER_LEASES = 2;

const isOpen = (refused: number): boolean => refused <= MAX_REFUSED_UNITS;

const placed = (node: string, { capacity, labels, refused }: NodeDocument): PlacementNode => ({
  node,
  capacity,
  labels,
  refused: refused.flatMap(({ units }) => units),
});

export const makeMember = (options: MemberOptions): Member => {
  const { node, lease_ms, on_isolation } = options;
  const heartbeat = makeHeartbeat(lease_ms, options.newSession);
  const watched = makeWatchedNodes(lease_ms);
  const leases = makeLeases(NO_UNITS);
  const former: ReadonlySet<string> = new Set(options.former);
  const refused = new Map<string, string>();
  let lacking: ReadonlyMap<string, string> = new Map();
  /** Units with a generator that is lacking. */
  let incomplete: ReadonlySet<string> = new Set();
  let refusals: readonly Refusals[] = [];
  /** Rises with each change of the refusals. */
  let refusalsVersion = 0;
  const work = makeUnitWork({
    ...options,
    leases,
    watched,
    isRefused: (unit) => refused.has(unit) || incomplete.has(unit),
    former,
  });
  let table = NO_UNITS;
  let placement = makePlacement(table);
  let isCurrent = false;
  let isNameTaken = false;
  let isDraining = false;
  let isIsolated = false;
  let isClosing = false;
  /** Former session of this node, at rest now, whose place this one takes: it need not be steady to take its leases. */
  let follows: string | null = null;
  let taking: Situation['taking'] = 'none';
  let isolations = 0;
  let leaving: 'no' | 'yes' | 'withdrawing' | 'gone' = 'no';
  let reconsiderMs = 0;
  let forgetMs = 0;

  const isGivingBack = (): boolean => isDraining || leaving !== 'no';

  const isSteady = (): boolean =>
    watched.isSteady(node) && watched.documentOf(node)?.session === heartbeat.session();

  const changeRefusals = (): void => {
    // A node with more takes none: the rest would only make its document too large to be read.
    refusals = groupedRefusals(new Map([...lacking, ...refused].slice(0, MAX_REFUSED_UNITS + 1)));
    refusalsVersion += 1;
  };

  const findIncomplete = (): void => {
    const isLacking = ({ id }: UnitGenerator): boolean => lacking.has(generatorKey(id));
    const found =
      lacking.size === 0 ? [] : table.units.filter(({ generators }) => generators.some(isLacking));
    incomplete = new Set(found.map(({ name }) => name));
  };

  /** Everything stops, and the node joins anew once it is at rest. */
  const endSession = (): void => {
    heartbeat.renew();
    work.setSession(heartbeat.session());
    isIsolated = false;
    follows = null;
  };

  const checkDeadline = (nowMs: number): void => {
    const deadlineMs = heartbeat.deadlineMs();
    if (deadlineMs === null) return;
    const mayContinue = on_isolation === 'continue' && leaving === 'no';
    if (nowMs >= deadlineMs && !isIsolated) isolations += 1;
    if (nowMs >= deadlineMs && !mayContinue) endSession();
    else isIsolated = nowMs >= deadlineMs;
  };

  /** Whether another live session has the name of this node. */
  const findNameTaken = (nowMs: number): boolean => {
    if (heartbeat.deadlineMs() !== null) return false;
    const { session } = watched.documentOf(node) ?? {};
    if (session === heartbeat.session() || session === heartbeat.previous()) return false;
    if (session !== undefined && former.has(session)) return false;
    const { revision, seenMs } = watched.sightOf(node);
    return revision > 0 && heartbeat.revision() > 0 && nowMs - seenMs < lease_ms;
  };

  /** A node that dies again within three beats must leave its units to the others, if there are any. */
  const followed = (): string | null => {
    const document = watched.documentOf(node);
    if (document === null) return null;
    if (!former.has(document.session) && document.session !== heartbeat.previous()) return null;
    const isAlone = [...watched.documents()].length === 1;
    return isAlone || document.beat > STEADY_BEATS ? document.session : null;
  };

  const beat = (nowMs: number, orders: Order[]): void => {
    isNameTaken = findNameTaken(nowMs);
    const isJoining = heartbeat.deadlineMs() === null;
    if (isNameTaken || (isJoining && (!work.isAtRest() || leaving !== 'no'))) return;
    const due = heartbeat.next(nowMs, `${isGivingBack()} ${refusalsVersion}`);
    if (due === null) return;
    if (isJoining) follows = followed();
    orders.push({
      type: 'beat',
      session: heartbeat.session(),
      follows,
      ...due,
      draining: isGivingBack(),
      refused: refusals,
    });
  };

  /** Steps look at the same document until the next beat. */
  const cache = new WeakMap<NodeDocument, PlacementNode>();
  const placedNode = (name: string, document: NodeDocument): PlacementNode => {
    const found = cache.get(document) ?? placed(name, document);
    cache.set(document, found);
    return found;
  };

  const candidates = (): readonly PlacementNode[] => {
    const found: PlacementNode[] = [];
    for (const [name, document] of watched.documents()) {
      // One of a version without epochs would not take what another one gave back.
      if (document.format < LEASE_FORMAT) continue;
      if (name === node || document.draining || !watched.isSteady(name)) continue;
      const other = placedNode(name, document);
      if (isOpen(other.refused.length)) found.push(other);
    }
    const names = [...refused.keys(), ...lacking.keys()];
    if (isSteady() && !isGivingBack() && isOpen(names.length))
      found.push({ node, capacity: options.capacity, labels: options.labels, refused: names });
    return found;
  };

  const reconsider = (nowMs: number, orders: Order[]): void => {
    if (refused.size === 0 || nowMs < reconsiderMs) return;
    reconsiderMs = nowMs + lease_ms * RECONSIDER_LEASES;
    for (const unit of refused.keys()) orders.push({ type: 'reconsider', unit });
  };

  /** The first steady node by name does it, by revision: a node that beats again is not removed. */
  const forget = (nowMs: number, orders: Order[]): void => {
    if (nowMs < forgetMs || isIsolated || isGivingBack() || !isSteady()) return;
    forgetMs = nowMs + lease_ms;
    const names = [...watched.documents()].map(([name]) => name);
    if (names.some((name) => name < node && watched.isSteady(name))) return;
    for (const name of names) {
      const { silentMs, revision } = watched.sightOf(name);
      if (name !== node && silentMs >= options.forget_ms)
        orders.push({ type: 'forget', node: name, replaces: revision });
    }
  };

  const withdraw = (orders: Order[]): void => {
    if (leaving !== 'yes' || !work.isEmpty()) return;
    const replaces = heartbeat.deadlineMs() === null ? 0 : heartbeat.revision();
    leaving = replaces === 0 ? 'gone' : 'withdrawing';
    if (replaces > 0) orders.push({ type: 'withdraw', session: heartbeat.session(), replaces });
  };

  const step = (nowMs: number): readonly Order[] => {
    if (!isCurrent && leaving === 'yes') leaving = 'gone';
    if (!isCurrent || leaving === 'gone' || leaving === 'withdrawing') return [];
    const orders: Order[] = [];
    checkDeadline(nowMs);
    beat(nowMs, orders);
    work.mark(placement.setNodes(candidates()), placement);
    const isLive = heartbeat.deadlineMs() !== null;
    const isReturning = follows !== null && !isSteady();
    const before = taking;
    if (!isLive || isIsolated || isGivingBack()) taking = 'none';
    else taking = isReturning ? 'former' : isSteady() ? 'owned' : 'none';
    const wasClosing = isClosing;
    isClosing = on_isolation === 'stop' && nowMs >= heartbeat.closingMs();
    if (taking !== before || isClosing !== wasClosing) work.markHeld();
    work.step(
      {
        nowMs,
        placement,
        isLive,
        canWrite: isLive && !isIsolated,
        isClosing,
        taking,
        givingBack: leaving !== 'no' ? 'all' : isDraining ? 'some' : isReturning ? 'none' : 'moved',
      },
      orders,
    );
    reconsider(nowMs, orders);
    forget(nowMs, orders);
    withdraw(orders);
    return orders;
  };

  const noteNode: Member['noteNode'] = (name, note, revision, nowMs) => {
    if (!watched.noteDocument(name, note, revision, nowMs) || name !== node) return;
    const found = note === null || note === 'unreadable' ? null : note;
    const known = heartbeat.revision();
    const isForeign =
      note === 'unreadable' ||
      (found !== null && found.session !== heartbeat.session() && found.session !== heartbeat.previous());
    const sentMs = heartbeat.noteSeen(revision, note === 'unreadable' ? { session: '', beat: 0 } : found);
    if (sentMs !== null) watched.noteOwnBeat(sentMs, nowMs);
    // Another daemon has taken the name: this one was silent for a lease.
    if (isForeign && revision > known && heartbeat.deadlineMs() !== null) endSession();
  };

  const noteWrite: Member['noteWrite'] = (order, result, nowMs) => {
    if (order.type === 'beat') heartbeat.noteResult(order.beat, order.session, result, nowMs);
    else if (order.type === 'withdraw') leaving = result.kind === 'accepted' ? 'gone' : 'yes';
    else if (order.type !== 'forget') work.noteWrite(order, result, nowMs);
  };

  const phase = (): Phase => {
    if (leaving === 'gone') return 'gone';
    if (leaving !== 'no') return 'leaving';
    if (isIsolated) return 'isolated';
    if (heartbeat.deadlineMs() === null) return 'waiting';
    if (isDraining) return 'draining';
    return isSteady() || follows !== null ? 'member' : 'joining';
  };

  work.setSession(heartbeat.session());
  return {
    noteUnits: (next) => {
      table = next;
      findIncomplete();
      leases.setTable(next);
      placement = makePlacement(next);
      work.setTable(next);
      const gone = [...refused.keys()].filter((unit) => !next.numberOfUnit.has(unit));
      for (const unit of gone) refused.delete(unit);
      if (gone.length > 0) changeRefusals();
    },
    noteCurrent: () => {
      isCurrent = true;
    },
    noteNode,
    ...{ noteLease: work.noteLease, noteRead: work.noteRead, deathsOf: work.deathsOf },
    noteWrite,
    noteRest: work.noteRest,
    noteRefusal: (unit, reason) => {
      const number = table.numberOfUnit.get(unit);
      if (number === undefined || refused.get(unit) === reason) return;
      refused.set(unit, reason);
      changeRefusals();
      work.mark([number], placement);
    },
    noteAllowed: (unit) => {
      if (refused.delete(unit)) changeRefusals();
    },
    noteLacking: (generators) => {
      if (sameTexts([...lacking].flat(), [...generators].flat())) return;
      lacking = generators;
      findIncomplete();
      changeRefusals();
      work.markHeld();
    },
    noteDrain: (isWanted) => {
      isDraining = isWanted;
      work.markHeld();
    },
    leave: () => {
      if (leaving === 'no') leaving = 'yes';
      work.markHeld();
    },
    step,
    closingMs: heartbeat.closingMs,
    deadlineMs: () => (isIsolated ? null : heartbeat.deadlineMs()),
    report: () => ({
      phase: phase(),
      session: heartbeat.session(),
      isNameTaken,
      isolations,
      refused: new Map([...lacking, ...refused]),
      ...work.counts(),
    }),
    epochOf: (key) => (heartbeat.deadlineMs() !== null && work.holds(key) ? leases.of(key).epoch : null),
    holderOf: (key) => {
      const { holder } = leases.of(key);
      if (holder === null || holder === 'unreadable') return null;
      return watched.isAlive(holder.node, holder.session) ? holder.node : null;
    },
    unitOf: (key) => {
      const number = table.numberOfKey.get(key);
      return number === undefined ? null : (table.units[table.unitOfKey[number] as number]?.name ?? null);
    },
    ownerOf: (unit) => {
      const number = table.numberOfUnit.get(unit);
      return number === undefined ? null : placement.ownerOf(number);
    },
    sightOf: watched.sightOf,
  };
};
