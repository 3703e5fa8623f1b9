import { availableParallelism } from 'node:os';
import * as E from 'fp-ts/lib/Either.js';
import type { AskActor } from '../../actors/ask.js';
import {
  type Bases,
  type GeneratorsInput,
  generatorsLogic,
  type Members,
} from '../../actors/generators/generators.js';
import { DEFAULT_POLICY } from '../../actors/generators/supervision.js';
import type { PreviewInput } from '../../actors/preview/preview.js';
import type { ScenariosInput } from '../../actors/scenarios/scenarios.js';
import { type GlobalsStore, globalsFiles } from '../../actors/scenarios/store.js';
import { drawSeed, uniform } from '../adapters/entropy.js';
import { nodeFiles } from '../adapters/files/files.js';
import { privateFiles } from '../adapters/files/privateFiles.js';
import { systemClock } from '../adapters/systemClock.js';
import { loadGenerator, patchDefinition } from '../config/generator/config.js';
import { invalid } from '../config/report.js';
import { formerEntries } from '../config/startup/entry.js';
import { failure, type Result } from '../domain/errors.js';
import type { GeneratorDefinition, StartupList } from '../domain/generator.js';
import type { JsonObject } from '../domain/json.js';
import { type Partition, type PartitionBase, partitionOf } from '../domain/partitions.js';
import type { CheckedOutput } from '../domain/preview.js';
import type { GeneratorRow } from '../domain/stats/board.js';
import { type HealthReport, NO_HEALTH } from '../domain/stats/health.js';
import type { Micros } from '../domain/time/micros.js';
import type { GlobalsOwners } from '../host/globalsOwner.js';
import type { PipelineHost } from '../host/port.js';
import { type PreviewHost, previewHost } from '../host/previewHost.js';
import type { Threads } from '../host/thread.js';
import { type WorkerHostOptions, workerHost } from '../host/workerHost.js';
import { installed } from '../plugins/installed.js';
import { runsApart } from '../plugins/runsApart.js';
import type { GeneratorDirectories } from '../ports/files.js';
import type { Log } from '../ports/log.js';
import type { CurrentSettings } from './reload.js';
import { maskingHost, type SecretKeeping } from './secrets.js';
import { configReader } from './texts.js';
import type { ThreadLimits } from './threads.js';

/** Deadline of draining. */
const DRAIN_MS = 10_000;
/** Deadline of moving the rest to the dead letters; a write in flight has one second of it. */
const GIVE_UP_MS = 5_000;

/** Scenarios as hosts see them. */
export const globalsOwners = (ask: AskActor): GlobalsOwners => ({
  lend: (name, link) => ask('globals_owner.lend', { name, link }),
  giveBack: async (name, last) => void (await ask('globals_owner.give_back', { name, last })),
  noteChange: (name, state) => void ask('globals_owner.note_change', { name, state }),
  subscribe: async (name, link) => void (await ask('globals_owner.subscribe', { name, link })),
  unsubscribe: (name, link) => void ask('globals_owner.unsubscribe', { name, link }),
});

/** What a node of a cluster keeps elsewhere. */
export type NodeKeeping = Pick<WorkerHostOptions, 'checkpoints' | 'permit'> &
  Pick<GeneratorsInput, 'bases'> & {
    /** Takes the state of a generator; returns the one to show. */
    readonly noted: (id: string, row: GeneratorRow | null) => GeneratorRow | null;
    /** Nodes died while they ran it: its code gets a process of its own. */
    readonly isSuspect: (id: string) => boolean;
  };

/** Returns why a generator cannot take part in an incident of the service, or null when it can. */
const whyUnfit = ({ params: { live_mode, partition } }: GeneratorDefinition): string | null => {
  if (!live_mode) return 'is not live: incidents of the service happen in real time';
  return partition === undefined ? null : 'has partitions, whose inputs cannot be exchanged while it runs';
};

/** For a daemon and for a single run. */
export const generatorsInput = (options: {
  readonly secrets: SecretKeeping;
  readonly owners: GlobalsOwners;
  readonly limits: ThreadLimits;
  readonly threads: Threads;
  /** Folder of dead letters and checkpoints. Null for none. */
  readonly state: string | null;
  /** What a node of a cluster keeps. Null without a cluster: checkpoints are files, and outputs may always write. */
  readonly node: NodeKeeping | null;
  readonly members: Members;
  readonly connect: GeneratorsInput['connect'];
  readonly admit: GeneratorsInput['admit'];
  readonly move: GeneratorsInput['move'];
  /** Writes sections to the config file at this path. */
  readonly persist: (path: string, sections: JsonObject) => Promise<Result<null>>;
  readonly signal: AbortSignal;
  readonly shownPath: (path: string) => string;
  readonly monitoring: Monitoring;
}): GeneratorsInput => ({
  host: maskingHost(
    options.monitoring.host(
      workerHost({
        threads: options.threads,
        clock: systemClock,
        log: options.secrets.log,
        owners: options.monitoring.owners(options.owners),
        poolSize: options.limits.max_pool_threads ?? availableParallelism(),
        maxGroupThreads: options.limits.max_script_threads,
        runsApart: ({ config }) => runsApart(config, options.limits.allow_subprocess),
        state: options.state,
        checkpoints: options.node?.checkpoints ?? null,
        permit: options.node?.permit ?? null,
        signal: options.signal,
      }),
    ),
    options.secrets.known,
  ),
  load: async (params, scenarios) => {
    const { keyring, known } = options.secrets;
    const shape = installed().shapes.generator;
    const context = { files: nodeFiles, secrets: keyring, shape, reader: configReader };
    const loaded = await loadGenerator(context, params, scenarios);
    if (E.isLeft(loaded)) return E.left(known.hideError(loaded.left));
    const definition = loaded.right;
    // Members of a scenario share a thread or a process.
    const canHarm = scenarios.length > 0 || runsApart(definition.config, options.limits.allow_subprocess);
    if (!canHarm || options.node?.isSuspect(params.id) !== true) return loaded;
    return E.right({ ...definition, params: { ...definition.params, isolation: 'process' } });
  },
  patching: {
    define: async (definition, sections) => {
      const { keyring, known } = options.secrets;
      const context = { files: nodeFiles, secrets: keyring, shape: installed().shapes.generator };
      return E.mapLeft(known.hideError)(await patchDefinition(context, definition, sections));
    },
    persist: options.persist,
    assign: async (definition, { member, run }) => {
      const { name } = run.incident;
      const unfit = whyUnfit(definition);
      if (unfit !== null)
        return E.left(failure('wrong_state', `generator "${definition.params.id}" ${unfit}`));
      // Lazy: most services run no incident.
      const { memberDefinition } = await import('../config/incidents/member.js');
      return E.mapLeft(options.secrets.known.hideError)(
        memberDefinition(definition, {
          member,
          run,
          shape: installed().shapes.generator,
          refusal: (issues) => invalid(`incident ${name}`, issues),
        }),
      );
    },
  },
  members: options.members,
  bases: options.node?.bases ?? basesInMemory({ now: systemClock.now, drawSeed }),
  connect: options.connect,
  admit: options.admit,
  move: options.move,
  policy: DEFAULT_POLICY,
  drain_ms: DRAIN_MS,
  give_up_ms: GIVE_UP_MS,
  clock: systemClock,
  random: uniform,
  log: options.secrets.log,
  shownPath: options.shownPath,
  watch: (id, row) => options.monitoring.watch(id, options.node === null ? row : options.node.noted(id, row)),
  healthOf: options.monitoring.healthOf,
});

export { generatorsLogic };

/** Hooks of monitoring. */
export interface Monitoring {
  readonly host: (host: PipelineHost) => PipelineHost;
  readonly owners: (owners: GlobalsOwners) => GlobalsOwners;
  readonly watch: (id: string, row: GeneratorRow | null) => void;
  readonly healthOf: (id: string) => HealthReport;
}

/** Without monitoring. */
export const NO_MONITORING: Monitoring = {
  host: (host) => host,
  owners: (owners) => owners,
  watch: () => {},
  healthOf: () => NO_HEALTH,
};

interface Known extends Pick<PartitionBase, 'now' | 'seed'> {
  readonly count: number;
  /** Partitions that have started on it. */
  readonly used: Set<number>;
  readonly active: Set<number>;
}

/**
 * Bases in memory. A partition that starts joins the base of the others; it draws a new one when none of them is active
 * and it has used the last one.
 */
export const basesInMemory = (given: {
  readonly now: () => Micros;
  readonly drawSeed: () => string;
}): Bases => {
  const known = new Map<string, Known>();

  const baseOf = (id: string, { index, count }: Partition): Known => {
    const last = known.get(id);
    if (last?.count === count && (last.active.size > 0 || !last.used.has(index))) return last;
    const base: Known = {
      now: given.now(),
      seed: given.drawSeed(),
      count,
      used: new Set(),
      active: new Set(),
    };
    known.set(id, base);
    return base;
  };

  return {
    of: async (id, partition) => {
      const base = baseOf(partitionOf(id)?.id ?? id, partition);
      const rejoins = base.used.has(partition.index);
      base.used.add(partition.index);
      base.active.add(partition.index);
      return E.right({ now: base.now, seed: base.seed, rejoins });
    },
    left: (id) => {
      const part = partitionOf(id);
      if (part !== null) known.get(part.id)?.active.delete(part.index);
    },
  };
};

/** Members of scenarios, by the startup list and by running generators. */
interface Membership extends Members {
  readonly noteEntries: (list: Pick<StartupList, 'entries' | 'rejected'>) => void;
  /** Scenarios named in the list or joined by a running generator. */
  readonly names: () => ReadonlySet<string>;
  /** Running generators with the scenarios they joined. */
  readonly running: () => ReadonlyMap<string, readonly string[]>;
}

/** A generator outside the list joins nothing. */
export const membership = (): Membership => {
  let listed: ReadonlyMap<string, readonly string[]> = new Map();
  const running = new Map<string, readonly string[]>();
  /** Read by each request about globals, so it is computed once per change. */
  let names: ReadonlySet<string> | null = null;
  return {
    noteEntries: (list) => {
      const former = [...listed].map(([id, scenarios]) => ({ id, scenarios }));
      const entries = [...list.entries, ...formerEntries(former, list)];
      listed = new Map(entries.map(({ id, scenarios }) => [id, scenarios]));
      names = null;
    },
    atStart: (id) => listed.get(id) ?? [],
    joined: (id, scenarios) => {
      running.set(id, scenarios);
      names = null;
    },
    left: (id) => {
      if (running.delete(id)) names = null;
    },
    names: () => {
      names ??= new Set([...listed.values(), ...running.values()].flat());
      return names;
    },
    running: () => running,
  };
};

/** A single run keeps the scenarios of its registration. */
export const NO_MEMBERSHIP: Members = {
  atStart: (_id, registered) => registered,
  joined: () => {},
  left: () => {},
};

export const scenariosInput = (given: {
  readonly members: Pick<Membership, 'names'>;
  /** Globals in the cluster. Null when the service runs alone. */
  readonly store: GlobalsStore | null;
  /** Folder of the state. */
  readonly state: string;
  readonly log: Log;
  readonly ask: AskActor;
}): ScenariosInput => ({
  names: given.members.names,
  store: given.store ?? globalsFiles(privateFiles, `${given.state}/globals`),
  renameMembers: (name, to) => given.ask('startup.rename_scenario', { name, to }),
  log: given.log,
  now: systemClock.now,
});

/** Longest time for one output to open; a task of a preview thread has 10 s. */
const CONNECT_MS = 5_000;
/** Generators whose outputs are checked at a time, each on a thread of its own. */
const MAX_CHECKS = 4;

const CHECKED = failure('wrong_state', 'the outputs are checked');

/** Each check has a thread of its own, as a preview has: a plugin may hang. */
export const outputChecks = (host: PreviewHost): GeneratorsInput['connect'] => {
  let checks = 0;
  return async (definition) => {
    if (checks >= MAX_CHECKS)
      return E.left(
        failure('too_many_requests', `the outputs of ${MAX_CHECKS} generators are being checked: try again`),
      );
    checks++;
    const thread = host(`check:${definition.params.id}`);
    try {
      return E.map(
        (chunks: readonly Uint8Array[]) =>
          JSON.parse(Buffer.concat(chunks).toString('utf8')) as readonly CheckedOutput[],
      )(await thread.run({ kind: 'connect', definition, timeout_ms: CONNECT_MS }));
    } finally {
      thread.end(CHECKED);
      checks--;
    }
  };
};

export const previewsInput = (given: {
  readonly current: Pick<CurrentSettings, 'settings'>;
  readonly directories: GeneratorDirectories;
  readonly log: Log;
  readonly threads: Threads;
  readonly signal: AbortSignal;
}): PreviewInput => ({
  directories: given.directories,
  host: previewHost({
    threads: given.threads,
    isolation: () => given.current.settings.generation.isolation,
    clock: systemClock,
    log: given.log,
    signal: given.signal,
  }),
  timezone: () => given.current.settings.generation.timezone,
  template_limits: () => given.current.settings.generation.template_limits,
  clock: systemClock,
  log: given.log,
});
