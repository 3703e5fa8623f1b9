/** Composition root of a pipeline thread: runs jobs of the main thread, owns globals of scenarios, and beats. */
import { setMaxListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import { budgetedLog, THREAD_BUDGET } from './adapters/logs/budgetedLog.js';
import { hideControls, ownStreams, stepBack } from './adapters/ownThread.js';
import { runCommand } from './adapters/processes/programs.js';
import { pythonProcesses } from './adapters/processes/pythonProcess.js';
import { systemClock } from './adapters/systemClock.js';
import { collectWhenIdle, memoryKb } from './adapters/threadMemory.js';
import {
  failure,
  type Result,
  reasonOf,
  type SpateError,
  thrownError,
  withShortage,
} from './domain/errors.js';
import { logNamesOf } from './domain/partitions.js';
import { pacer } from './domain/waiting.js';
import { globalsOwner } from './host/globalsOwner.js';
import {
  BEAT,
  type FromWorker,
  OUTSIDE_KB,
  READS,
  REPORTS,
  RESIDENT_KB,
  type RunJob,
  type ThreadData,
  type ToWorker,
} from './host/protocol.js';
import { makeTap, type Tap } from './pipeline/produce.js';
import { DRAIN, type PipelineEnd } from './pipeline/run.js';
import { loadNamed, registry } from './plugins/registry.js';
import { shareReadSlots } from './plugins/shared/inputFile.js';
import { loadOnDemand } from './plugins/thirdParty/onDemand.js';
import type { Log } from './ports/log.js';
import { once } from './schema/index.js';
import { atWork } from './worker/atWork.js';
import { makePermit } from './worker/bounds.js';
import { mainThreadCheckpoint } from './worker/checkpoint.js';
import { runJob } from './worker/job.js';
import type { PatchJob } from './worker/patch.js';

/** Interval of the heartbeat; the main thread terminates a thread after ten silent seconds. */
const BEAT_EVERY_MS = 200;

const port = parentPort;
if (port === null) throw new Error('src/worker.ts runs in a worker thread only');
const {
  heartbeat,
  reads,
  memory,
  memory_mb,
  stepsBack,
  allow_subprocess,
  isIsolated,
  likely_plugins,
  plugins,
} = workerData as ThreadData;
hideControls({ isIsolated });
shareReadSlots({ all: reads, own: heartbeat.subarray(READS) });
if (stepsBack) stepBack();
// Bound before a script can replace the method, which all ports share.
const send = port.postMessage.bind(port);
const post = (message: FromWorker, transfer: readonly ArrayBuffer[] = []): void => send(message, transfer);

const logWith = (context: Parameters<Log['with']>[0]): Log => ({
  write: (level, message, more) => post({ type: 'log', level, message, context: { ...context, ...more } }),
  with: (more) => logWith({ ...context, ...more }),
});
/** One budget for all lines of the thread. */
const log = budgetedLog(logWith({}), systemClock, THREAD_BUDGET);

/** Bound before a script can replace them. */
const { add, store } = Atomics;
const beat = (): void => {
  add(heartbeat, BEAT, 1);
  const { outside_kb, resident_kb } = memoryKb();
  store(memory, OUTSIDE_KB, outside_kb);
  store(memory, RESIDENT_KB, resident_kb);
  add(memory, REPORTS, 1);
};
setInterval(beat, BEAT_EVERY_MS);
collectWhenIdle();

const work = atWork(heartbeat);
const paced = pacer(systemClock);

const allowedCommands = allow_subprocess ? runCommand : null;

/** Beside this file in `src` and in `dist/src`. */
const PYTHON_FILE = new URL('./plugins/events/script/python/child/main.py', import.meta.url);
const python = pythonProcesses(PYTHON_FILE, memory_mb);

const thirdParty = loadOnDemand(plugins, systemClock);

/** Previews need the declarations of all plugins; most threads have none. */
const previews = once(async () => {
  const { previewRunner } = await import('./worker/preview/preview.js');
  return previewRunner({
    registry,
    prepare: thirdParty.forConfig,
    log: budgetedLog(log, systemClock),
    post,
    runCommand: allowedCommands,
    python,
  });
});

const owner = globalsOwner({ post, clock: systemClock, log, signal: new AbortController().signal });

const permit = makePermit(systemClock);

interface Running {
  readonly checkpoint: ReturnType<typeof mainThreadCheckpoint>;
  readonly draining: AbortController;
  readonly ending: AbortController;
  /** Aborted with the run: another run of the generator may have begun. */
  readonly disowned: AbortController;
  patch: PatchJob | null;
  readonly tap: Tap;
  readonly log: Log;
}
const running = new Map<number, Running>();

/** Output of scripts goes to the log of the current run; between calls to that of the only run. */
ownStreams((level, text, source) => {
  const only = running.size === 1 ? [...running.values()][0] : undefined;
  const printing = running.get(work.current() ?? 0) ?? only;
  (printing?.log ?? log).write(level, text, { source });
});

/**
 * Makes V8 optimize functions after three times the usual work. Code that runs per event still gets there at once; code
 * per batch does not, and saves the compiler thread 0.4 of 2.7 s of CPU time in a replay of 2 GB. Call it after loading:
 * Node's own modules have cached code for the default flags only.
 */
const optimizeLate = (): void => {
  // Later versions have no such flag, and complain on standard error.
  if (process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=400000');
};

/** Accepts a run. Each starts in its own turn of the event loop: the thread beats while thousands start. */
const begin = (job: RunJob): void => {
  const known: Running = {
    checkpoint: mainThreadCheckpoint(job, post),
    draining: new AbortController(),
    ending: new AbortController(),
    disowned: new AbortController(),
    patch: null,
    tap: makeTap(),
    log: budgetedLog(log.with(logNamesOf(job.definition.params, job.tweaks)), systemClock),
  };
  permit.extend(job.permit_ms);
  // Every write in flight listens, and Node warns of a leak above ten.
  setMaxListeners(0, known.ending.signal);
  running.set(job.run, known);
  void paced(() => {
    work.begin(job.run, job.runs_user_code);
    return work.within(job.run, () => start(job, known));
  });
};

const start = async (job: RunJob, known: Running): Promise<void> => {
  const { run, definition } = job;
  const { draining, ending, disowned, tap } = known;
  const ready = await thirdParty.forConfig(definition.config);
  const runIt = (): Promise<Result<PipelineEnd>> =>
    runJob(job, {
      registry,
      draining,
      signal: ending.signal,
      disowned: disowned.signal,
      globals: owner.viewOf(definition.scenarios),
      log: known.log,
      work: (call) => work.within(run, call),
      runCommand: allowedCommands,
      python,
      tap,
      checkpointOnMain: known.checkpoint.slot,
      permit,
      onRunning: (apply) => {
        optimizeLate();
        work.isBuilt(run);
        known.patch = apply;
        post({ type: 'running', run });
      },
    });
  let ended: Result<PipelineEnd>;
  if (draining.signal.aborted) ended = E.right('drained');
  else if (ready !== null && E.isLeft(ready)) ended = ready;
  else {
    ended = await work
      .within(run, runIt)
      .catch((thrown: unknown) => E.left(thrownError('the pipeline threw', thrown)));
  }
  ending.abort();
  running.delete(run);
  work.end(run);
  if (E.isLeft(ended)) fail(run, withShortage(ended.left));
  else post({ type: 'ended', run, end: ended.right });
};

/** A module that could not be opened stays failed on its thread: the generator goes on on another one. */
const LOST_MODULE = /open '[^']+\.[cm]?js'/;

const fail = (run: number, error: SpateError): void => {
  if (error.code === 'exhausted' && LOST_MODULE.test(error.message)) crash(error.message, run);
  else post({ type: 'failed', run, error });
};

const onRunning = (run: number, act: (known: Running) => void): void => {
  const known = running.get(run);
  if (known !== undefined) work.within(run, () => act(known));
};

const patch = async (
  { run, request, definition, stats }: Extract<ToWorker, { type: 'patch' }>,
  { patch: apply }: Running,
): Promise<void> => {
  const ready = await thirdParty.forConfig(definition.config);
  const patchIt = async (): Promise<Result<unknown>> => {
    if (apply === null) return E.left(failure('wrong_state', 'the generator does not run yet'));
    if (ready !== null && E.isLeft(ready)) return ready;
    return apply(definition, stats).catch((thrown: unknown) => E.left(thrownError('patching threw', thrown)));
  };
  const patched = await patchIt();
  post({ type: 'patched', run, request, error: E.isLeft(patched) ? patched.left : null });
};

const tail = async ({ run, viewers }: Extract<ToWorker, { type: 'tail' }>): Promise<void> => {
  // Lazy: most threads have no viewers.
  const { sampler } = await import('./pipeline/sampler.js');
  const found = running.get(run);
  if (found === undefined) return;
  found.tap.take = sampler(viewers, systemClock.monotonicMs, (sample) =>
    post({ type: 'tailed', run, sample }),
  );
};

const giveUp = ({ draining, ending }: Running): void => {
  draining.abort(DRAIN);
  ending.abort();
};

const onMessage = (message: ToWorker): void => {
  switch (message.type) {
    case 'start':
      return begin(message.job);
    case 'drain':
      return onRunning(message.run, ({ draining }) => draining.abort(DRAIN));
    case 'give_up':
      return onRunning(message.run, giveUp);
    case 'abort':
      return onRunning(message.run, (known) => {
        known.disowned.abort();
        giveUp(known);
      });
    case 'patch':
      return onRunning(message.run, (known) => void patch(message, known));
    case 'tail':
      return void tail(message);
    case 'permit':
      return permit.extend(message.until_ms);
    case 'checkpoint.answer':
      return running.get(message.run)?.checkpoint.onAnswer(message);
    case 'preview':
      void previews().then((run) => run(message.job));
      return;
    case 'owner.host':
    case 'owner.release':
    case 'owner.replica':
    case 'globals.change':
    case 'globals.read':
      return owner.handle(message);
  }
};
port.on('message', onMessage);
// The heartbeat timer keeps the thread alive, so the port need not show among its active resources.
port.unref();

/** An error that no generator caught, for example in a timer of a script, leaves unknown state: the thread ends. */
const crash = (reason: string, run: number | null): void => {
  post({ type: 'crashing', reason, run });
  // After the next turn of the event loop, which sends the message.
  setImmediate(() => process.exit(1));
};
process.on('uncaughtException', (thrown) =>
  crash(`an error thrown outside of produce: ${reasonOf(thrown)}`, work.current()),
);
process.on('unhandledRejection', (thrown) =>
  crash(`an unhandled promise rejection: ${reasonOf(thrown)}`, work.current()),
);

post({ type: 'ready' });
loadNamed(likely_plugins);
