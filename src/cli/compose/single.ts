import * as E from 'fp-ts/lib/Either.js';
import { createActor } from 'xstate';
import { askActors } from '../../../actors/ask.js';
import { generatorsLogic } from '../../../actors/generators/generators.js';
import { systemClock } from '../../adapters/systemClock.js';
import { generatorsInput, NO_MEMBERSHIP, NO_MONITORING } from '../../daemon/generators.js';
import { noAdmission, noMove } from '../../daemon/registration.js';
import { keepSecrets } from '../../daemon/secrets.js';
import { openState } from '../../daemon/stateFolder.js';
import { openThreads } from '../../daemon/threads.js';
import { failure, type Result, reasonOf, type SpateError } from '../../domain/errors.js';
import type { GeneratorDefinition, GeneratorParams, RunTweaks } from '../../domain/generator.js';
import { registrationsOf } from '../../domain/partitions.js';
import type { GlobalsOwners } from '../../host/globalsOwner.js';
import { SINGLE_HEAP_MB, SINGLE_MEMORY_MB } from '../../host/singleThread.js';
import type { GeneratorStats } from '../../messages/generators.js';
import type { KeyringAccess } from '../../ports/keyring.js';

import type { Log } from '../../ports/log.js';

/** What the runs of a host have in common. */
interface HostOptions {
  /** Number of pipelines that share the schedule of a run, each on a thread. Undefined for 1. */
  readonly partitions?: number;
  readonly allow_subprocess: boolean;
  readonly log: Log;
  /** Folder for dead letters and the checkpoint. Null to keep nothing. */
  readonly state: string | null;
  readonly keyring: KeyringAccess;
}

interface RunOptions {
  readonly params: GeneratorParams;
  readonly tweaks: RunTweaks;
  /** Changes the config once it is loaded. Returns an error when it cannot be changed. */
  readonly change?: (definition: GeneratorDefinition) => Result<GeneratorDefinition>;
}

export type SingleOptions = HostOptions & RunOptions;

export interface SingleRun {
  readonly ended: Promise<{ readonly error: SpateError | null; readonly stats: GeneratorStats | null }>;
  /** Current counters; `null` before the run starts. */
  readonly stats: () => Promise<GeneratorStats | null>;
  readonly stop: () => void;
}

const THREADS = {
  max_pool_threads: 1,
  max_script_threads: 1,
  thread_heap_mb: SINGLE_HEAP_MB,
  thread_memory_mb: SINGLE_MEMORY_MB,
};

const singleThreads = (allow_subprocess: boolean, signal: AbortSignal, count = 1) => {
  const limits = { ...THREADS, max_pool_threads: count, max_script_threads: count, allow_subprocess };
  return { limits, threads: openThreads({ limits, stepsBack: false, signal }) };
};

/** A single run has no scenario; its globals are its own. */
const NO_SCENARIOS: GlobalsOwners = {
  lend: async (name) => E.left(failure('not_found', `there is no scenario "${name}" in a single run`)),
  giveBack: async () => {},
  noteChange: () => {},
  subscribe: async () => {},
  unsubscribe: () => {},
};

const NO_PATCHES = async () => E.left(failure('wrong_state', 'a single run cannot be patched'));

const NO_CHECKS = async () =>
  E.left(failure('wrong_state', 'the outputs of a single run are checked by `spate check`'));

/** Runs one generator without settings, server or startup list, under the supervisor of the daemon. */
export const runSingle = (options: SingleOptions): SingleRun => {
  const host = openSingleHost(options);
  const run = host.run(options);
  return { ...run, ended: run.ended.finally(host.close) };
};

export interface SingleHost {
  /** The run before has ended. */
  readonly run: (options: RunOptions) => SingleRun;
  readonly close: () => void;
}

/** Runs generators one after the other. What the threads have compiled and computed serves the next run too. */
export const openSingleHost = (options: HostOptions): SingleHost => {
  const threads = new AbortController();
  const secrets = keepSecrets(options.keyring, options.log);
  let change: RunOptions['change'];
  const input = generatorsInput({
    secrets,
    owners: NO_SCENARIOS,
    persist: NO_PATCHES,
    ...singleThreads(options.allow_subprocess, threads.signal, options.partitions),
    state: options.state,
    signal: threads.signal,
    shownPath: (path) => path,
    node: null,
    members: NO_MEMBERSHIP,
    connect: NO_CHECKS,
    admit: noAdmission,
    move: noMove,
    monitoring: NO_MONITORING,
  });
  const supervisor = createActor(generatorsLogic, {
    systemId: 'generators',
    input: {
      ...input,
      load: async (params, scenarios) => E.flatMap(change ?? E.right)(await input.load(params, scenarios)),
      // At a terminal the first failure counts, not five restarts.
      policy: { ...input.policy, max_restarts: 0 },
    },
  });
  supervisor.subscribe({
    error: (thrown) => secrets.log.write('critical', 'the supervisor failed', { reason: reasonOf(thrown) }),
  });
  supervisor.start();

  const run = (one: RunOptions): SingleRun => {
    change = one.change;
    const { id } = one.params;
    const partitions = options.partitions ?? 1;
    const entry = { ...one.params, autostart: true, scenarios: [], runs_on: {}, partitions };
    const registrations = registrationsOf(entry, one.tweaks);
    const ids = registrations.map(({ params }) => params.id);
    const ask = askActors(
      (actor) => supervisor.system.get(actor),
      systemClock,
      (asked) => (asked === id && ids.length > 1 ? ids : []),
    );
    const stats = async (): Promise<GeneratorStats | null> => {
      const answer = await ask('generators.stats', { id });
      return E.isRight(answer) ? answer.right : null;
    };
    /** Resolves at the end of a pipeline. The others end with the first that fails. */
    const endOf = async (each: string): Promise<SpateError | null> => {
      const end = E.toUnion(await ask('generators.end', { id: each }));
      if (end !== null) void ask('generators.stop', { id });
      return end;
    };
    const runIt = async () => {
      const { state } = options;
      const lock = state === null ? null : await openState(state, id, secrets.log, null);
      if (lock !== null && E.isLeft(lock)) {
        secrets.log.write('error', 'the run cannot begin', { reason: lock.left.message });
        return { error: lock.left, stats: null };
      }
      for (const registration of registrations) await ask('generators.add', { registration });
      const ending = Promise.all(ids.map((each) => endOf(each)));
      void ask('generators.start', { id });
      const errors = await ending;
      const last = await stats();
      for (const each of ids) await ask('generators.abandon', { id: each });
      await lock?.right.release();
      return { error: errors.find((error) => error !== null) ?? null, stats: last };
    };
    return { ended: runIt(), stats, stop: () => void ask('generators.stop', { id }) };
  };

  const close = (): void => {
    threads.abort();
    supervisor.stop();
  };
  return { run, close };
};
