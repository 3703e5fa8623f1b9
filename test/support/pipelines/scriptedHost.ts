import * as E from 'fp-ts/lib/Either.js';
import { failure, type SpateError } from '../../../src/domain/errors.js';
import type { TailLimits, TailSample } from '../../../src/domain/events/tail.js';
import {
  DEFAULT_TEMPLATE_LIMITS,
  type GeneratorDefinition,
  type GeneratorParams,
} from '../../../src/domain/generator.js';
import type { PipelineEvent, PipelineHost, PipelineOrder } from '../../../src/host/port.js';

export interface ScriptedRun {
  readonly order: PipelineOrder;
  /** Received commands, in order: `drain`, `giveUp`, `patch`, `abort`. */
  readonly commands: string[];
  /** Its answer to patches. */
  patchError: SpateError | null;
  readonly tell: (event: PipelineEvent) => void;
  /** The last `tail`. */
  tail: {
    readonly viewers: readonly TailLimits[];
    readonly onSample: (sample: TailSample) => void;
  } | null;
}

export interface ScriptedHost extends PipelineHost {
  readonly runs: ScriptedRun[];
  readonly last: () => ScriptedRun;
  /** Number of runs neither aborted nor ended. */
  readonly alive: () => number;
}

const isEnd = ({ type }: PipelineEvent): boolean => type !== 'running';

/** A host with runs controlled by the test; `onStart` may report events at once. */
export const scriptedHost = (onStart: (run: ScriptedRun) => void = () => {}): ScriptedHost => {
  const runs: ScriptedRun[] = [];
  const alive = new Set<ScriptedRun>();
  return {
    runs,
    last: () => {
      const run = runs.at(-1);
      if (run === undefined) throw new Error('nothing was started');
      return run;
    },
    alive: () => alive.size,
    start: (order, listener) => {
      const run: ScriptedRun = {
        order,
        commands: [],
        patchError: null,
        tail: null,
        tell: (event) => {
          if (isEnd(event)) alive.delete(run);
          listener(event);
        },
      };
      runs.push(run);
      alive.add(run);
      onStart(run);
      return {
        drain: () => void run.commands.push('drain'),
        giveUp: () => void run.commands.push('giveUp'),
        patch: async () => {
          run.commands.push('patch');
          return run.patchError === null ? E.right(undefined) : E.left(run.patchError);
        },
        tail: (viewers, onSample) => {
          run.tail = { viewers, onSample };
        },
        abort: () => {
          alive.delete(run);
          run.commands.push('abort');
        },
      };
    },
  };
};

export const paramsOf = (id: string): GeneratorParams => ({
  id,
  path: `/generators/${id}/generator.yml`,
  timezone: 'UTC',
  batch: { size: 10_000, delay: 1 },
  queue: { max_timestamp_batches: 10, max_event_batches: 10 },
  keep_order: false,
  max_concurrency: 100,
  write_timeout: 10,
  retry: { attempts: 5, base_delay: 0.2, max_delay: 5 },
  template_limits: DEFAULT_TEMPLATE_LIMITS,
  checkpoint: false,
  isolation: 'thread',
  live_mode: false,
  skip_past: true,
  from: null,
  params: {},
  seed: 'test',
});

export const definitionOf = (id: string, scenarios: readonly string[] = []): GeneratorDefinition => ({
  params: paramsOf(id),
  scenarios,
  config: {},
  plugins: { inputs: ['timer'], event: 'replay', outputs: ['stdout'] },
});

/** Lets pending promises and immediates run. */
export const settle = async (turns = 20): Promise<void> => {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** For supervisors without patches. */
export const NO_PATCHES = {
  define: async () => E.left(failure('bug', 'not asked for')),
  persist: async () => E.left(failure('bug', 'not asked for')),
  assign: async () => E.left(failure('bug', 'not asked for')),
};
