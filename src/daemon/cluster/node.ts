import { sep } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { AskActor } from '../../../actors/ask.js';
import { type ClusterMessage, clusterLogic } from '../../../actors/cluster.js';
import { globalsInCluster } from '../../../actors/scenarios/store.js';
import { workingCopies } from '../../adapters/directories/workingCopies.js';
import { drawSeed } from '../../adapters/entropy.js';
import { folderSessions } from '../../adapters/files/folderSessions.js';
import { connectCluster } from '../../adapters/nats/link.js';
import { machineMs, systemClock } from '../../adapters/systemClock.js';
import type { NodeDocument, NodeLoad } from '../../cluster/documents.js';
import { generatorKey, LIST_KEY, scenarioKey } from '../../cluster/keys.js';
import { makeMember } from '../../cluster/member.js';
import { differences, eventSettings, whyDifferent } from '../../cluster/refusals.js';
import { tasksOf, taskTable } from '../../cluster/tasks.js';
import type { ClusterFile } from '../../config/cluster.js';
import { formerEntries } from '../../config/startup/entry.js';
import { jsonEqual } from '../../config/values.js';
import type { Result } from '../../domain/errors.js';
import {
  type GenerationParams,
  NO_TWEAKS,
  type Registration,
  type StartupEntry,
  type StartupList,
} from '../../domain/generator.js';
import { checkGeneratorId } from '../../domain/identifiers.js';
import type { Json } from '../../domain/json.js';
import { generatorIdOf, registrationsOf } from '../../domain/partitions.js';
import type { BoardRow } from '../../domain/stats/board.js';
import { utcText } from '../../domain/time/iso.js';
import type { BucketChange } from '../../ports/cluster.js';
import type { Log } from '../../ports/log.js';
import { basesInCluster } from './bases.js';
import { fencedValues, nodePermit } from './fences.js';
import { nodeHoldings } from './holdings.js';
import { quarantine } from './quarantine.js';
import { sharedDirectories } from './sharedDirectories.js';
import { startupInCluster } from './startupFile.js';
import { type ClusterView, deniedTexts, emptyView, noteParsed, wantedIn } from './view.js';

export interface JoinOptions {
  /** Absolute path of `cluster.yml`. */
  readonly clusterFile: string;
  readonly generators_dir: string;
  /** State folder, null when its lock is not held. */
  readonly lockedState: string | null;
  readonly version: string;
  /** Defaults of startup entries now; a reload changes them. */
  readonly generation: () => GenerationParams;
  /** Address of the API. Null when there is none, or none yet. */
  readonly url: () => string | null;
  /** Generators that are registered here. */
  readonly rows: () => ReadonlyMap<string, BoardRow>;
  /** Reads the config of a generator as its start does. */
  readonly define: (registration: Registration) => Promise<Result<unknown>>;
  /** Asks the actors of this node; called once the root actor runs. */
  readonly ask: AskActor;
  readonly send: (message: ClusterMessage) => void;
  readonly log: Log;
  readonly signal: AbortSignal;
}

interface NodeOptions extends Omit<JoinOptions, 'clusterFile'> {
  readonly file: ClusterFile;
  /** Load of this node since the last call. */
  readonly load: () => NodeLoad;
}

/** A lost node leaves the list after a day. */
const FORGET_MS = 86_400_000;

const isoNow = (): string => utcText(systemClock.now());

const sessionsIn = (folder: string | null, log: Log) =>
  folder === null
    ? { former: [], draw: drawSeed }
    : folderSessions(folder, drawSeed, (reason) =>
        log.write('warning', 'the session of this node cannot be saved: a restart waits for a lease', {
          reason,
        }),
      );

/** Joins a cluster as one of its nodes. Returns an error when it cannot reach the cluster or read its state. */
export const openNode = async (options: NodeOptions) => {
  const { file, log, ask, signal } = options;
  const linked = await connectCluster({ ...file, clock: systemClock, log });
  if (E.isLeft(linked)) return linked;
  const link = linked.right;
  const view = emptyView(file.node);
  const lease_ms = file.lease * 1_000;
  const sessions = sessionsIn(options.lockedState, log);
  const member = makeMember({
    node: file.node,
    capacity: file.capacity,
    labels: file.labels,
    lease_ms,
    on_isolation: file.on_isolation,
    moves: file.moves,
    forget_ms: FORGET_MS,
    former: sessions.former,
    newSession: sessions.draw,
    // After a wipe of the servers epochs go on above those that the checkpoints know.
    firstEpoch: () => Math.round(systemClock.now() / 1_000),
  });
  const startup = startupInCluster(link.startup);
  const wanted = wantedIn(link.startup, view);
  const permit = nodePermit();
  const changed = (): void => options.send({ type: 'cluster.changed' });

  const holdings = nodeHoldings({
    view,
    ask,
    member,
    registrationOf: (id) => {
      const entry = view.entries.get(generatorIdOf(id));
      const all = entry === undefined ? [] : registrationsOf(entry, NO_TWEAKS);
      return all.find(({ params }) => params.id === id) ?? null;
    },
    define: options.define,
    onRefused: (task, reason) => {
      log.write('warning', 'this node cannot run a generator and gives it to another one', { task, reason });
      member.noteRefusal(task, reason);
      changed();
    },
    log,
  });

  /** Generators by key that this node must leave to others, with the reason. */
  const lacking = { entries: new Map<string, string>(), settings: new Map<string, string>() };
  let since = 0;
  const own = () => ({ since, generation: eventSettings(options.generation()), capacity: file.capacity });

  /** What was compared last. */
  let compared: { readonly found: string; readonly entries: ClusterView['entries'] } | null = null;

  /** A node whose settings differ must not get what they would change. */
  const compareSettings = (): void => {
    const others = [...view.nodes].filter(([name]) => name !== file.node && !member.sightOf(name).isLost);
    const differing = differences(own(), others);
    const found = JSON.stringify(differing);
    if (compared?.found === found && compared.entries === view.entries) return;
    const isNew = differing.length > 0 && compared?.found !== found;
    compared = { found, entries: view.entries };
    lacking.settings = new Map(
      [...view.entries.values()].flatMap((entry) => {
        const reason = whyDifferent(differing, entry);
        return reason === null ? [] : [[generatorKey(entry.id), reason]];
      }),
    );
    member.noteLacking(new Map([...lacking.settings, ...lacking.entries]));
    const reason = [...new Set(lacking.settings.values())].join('; ');
    if (isNew && reason !== '')
      log.write('warning', 'this node leaves generators to others', {
        generators: lacking.settings.size,
        reason,
      });
  };

  /** The place in the order of nodes is kept over a restart that changes no setting. */
  const noteOwn = (document: NodeDocument, revision: number): void => {
    if (since > 0) return;
    const isOwn = document.session === member.report().session;
    const isFormer = sessions.former.includes(document.session);
    if (isFormer && jsonEqual(document.generation, own().generation)) since = document.since;
    else if (isOwn) since = revision;
  };

  /** A node that never saw the valid entry must not get the generator: the others go on with the former one. */
  const noteRejected = ({ rejected }: StartupList, known: ReadonlySet<string>): void => {
    const isLacking = (id: string | null): id is string =>
      id !== null && checkGeneratorId(id) === null && !known.has(id);
    const ids = new Set(rejected.map(({ id }) => id).filter(isLacking));
    const reason = 'its startup entry is invalid, and this node has no former one';
    lacking.entries = new Map([...ids].map((id) => [generatorKey(id), reason]));
    for (const id of ids)
      log.write('warning', 'this node cannot run a generator and leaves it to others', {
        generator_id: id,
        reason,
      });
  };

  /** Every entry of the list, checkpoints on: another node goes on where this one stopped. */
  const takeEntries = async (list: StartupList): Promise<void> => {
    const former = view.entries;
    const entries = [...list.entries, ...formerEntries([...former.values()], list)];
    view.entries = new Map(entries.map((entry) => [entry.id, entry]));
    view.tasks = tasksOf(entries);
    member.noteTasks(taskTable(view.tasks));
    noteRejected(list, new Set(view.entries.keys()));
    compareSettings();
    changed();
    const isOther = ({ id }: StartupEntry): boolean =>
      former.has(id) &&
      !lacking.settings.has(generatorKey(id)) &&
      !jsonEqual(former.get(id) as unknown as Json, view.entries.get(id) as unknown as Json);
    await Promise.all(entries.filter(isOther).map(({ id }) => holdings.reload(id)));
  };

  const readList = async (): Promise<void> => {
    const list = await ask('startup.list', null);
    if (E.isRight(list)) return takeEntries(list.right);
    log.write('error', 'the startup list of the cluster cannot be used', { reason: list.left.message });
  };

  const directories = sharedDirectories({
    archives: link.configs,
    copies: workingCopies(options.generators_dir),
    isConnected: link.isConnected,
    log,
    onChanged: (name) => {
      const folder = `${options.generators_dir}${sep}${name}${sep}`;
      for (const { id, path } of view.entries.values()) if (path.startsWith(folder)) void holdings.reload(id);
    },
  });

  let isStarted = false;
  const onStartup = (change: BucketChange): void => {
    wanted.note(change);
    member.noteDrain(view.drained.has(file.node));
    if (change.key === LIST_KEY) {
      const noted = startup.note(change.value, change.revision);
      if (isStarted) void noted.then(readList);
    }
    if (isStarted) changed();
  };

  const followed = await link.startup.watch(onStartup, signal);
  const copied = E.isLeft(followed) ? followed : await directories.follow(signal);
  if (E.isLeft(copied)) {
    await link.close();
    return copied;
  }

  const checkpoints = fencedValues(link.checkpoints, member.epochOf, drawSeed());
  const globals = fencedValues(link.globals, member.epochOf);
  let noteReady = (): void => {};
  const ready = new Promise<void>((resolve) => {
    noteReady = resolve;
  });
  let wasNameTaken = false;
  const logic = clusterLogic({
    ready,
    node: file.node,
    lease_ms,
    member,
    link,
    holdings,
    describe: () => ({
      ...own(),
      version: options.version,
      api: options.url(),
      load: options.load(),
      labels: file.labels,
      local: [...options.rows().keys()].filter((id) => !view.entries.has(generatorIdOf(id))),
      problems: deniedTexts(link),
    }),
    monotonicMs: machineMs,
    clock: systemClock,
    isoNow,
    log,
    onNode: (name, parsed, revision) => {
      if (name === file.node && parsed?.kind === 'valid') noteOwn(parsed.document, revision);
      noteParsed(name, parsed, view.nodes, view.unreadable.nodes);
    },
    onLease: (key, parsed) => {
      noteParsed(key, parsed, view.leases, view.unreadable.leases);
      const { node, epoch } = parsed?.kind === 'valid' ? parsed.document : { node: '', epoch: Infinity };
      if (node !== null && node !== file.node) checkpoints.forget(key, epoch);
    },
    onStep: () => {
      permit.set(member.deadlineMs());
      checkpoints.hurry(machineMs() >= member.closingMs());
      compareSettings();
      const { isNameTaken } = member.report();
      if (isNameTaken && !wasNameTaken)
        log.write('warning', 'another daemon has the name of this node, which waits', { node: file.node });
      wasNameTaken = isNameTaken;
    },
  });

  return E.right({
    link,
    view,
    member,
    wanted,
    directories,
    logic,
    files: startup.files,
    /** Takes the list for the first time; from then on changes of the list are applied. */
    start: async (): Promise<void> => {
      isStarted = true;
      await readList();
      noteReady();
    },
    keeping: {
      ...quarantine({ view, member, wanted, ask, log }),
      bases: basesInCluster(link.checkpoints, { now: systemClock.now, drawSeed }),
      checkpoints: {
        read: (id: string) => checkpoints.claim(generatorKey(id)),
        write: (id: string, text: string) => checkpoints.write(generatorKey(id), text),
      },
      permit: file.on_isolation === 'stop' ? permit : null,
    },
    globals: globalsInCluster({
      claim: (name) => globals.claim(scenarioKey(name)),
      write: (name, text) => globals.write(scenarioKey(name), text),
    }),
  });
};

export type ClusterNode = Extract<Awaited<ReturnType<typeof openNode>>, E.Right<unknown>>['right'];
