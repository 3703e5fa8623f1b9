import * as E from 'fp-ts/lib/Either.js';
import { createActor, SimulatedClock } from 'xstate';
import { type GeneratorInput, generatorMachine } from '../../../actors/generators/generator.js';
import { statusOf } from '../../../actors/generators/report.js';
import { DEFAULT_POLICY } from '../../../actors/generators/supervision.js';
import { failure, type Result, type SpateError } from '../../../src/domain/errors.js';
import { type GeneratorDefinition, NO_TWEAKS } from '../../../src/domain/generator.js';
import { makeStats } from '../../../src/domain/stats/stats.js';

import { definitionOf, scriptedHost } from '../../support/pipelines/scriptedHost.js';

export const LOAD_ERROR = failure('invalid', 'event: unknown key "tempalte"');
export const CRASH = failure('host_crashed', 'the thread ended');
export const BAD = failure('plugin_failed', 'no such file');

/** A reply that keeps what it was given. */
export const kept = <A>() => {
  const answers: Result<A>[] = [];
  return { answers, reply: (answer: Result<A>): void => void answers.push(answer) };
};

/** A generator machine on a simulated clock and a scripted host. */
export const makeGenerator = (more: Partial<GeneratorInput> = {}) => {
  const clock = new SimulatedClock();
  const host = scriptedHost();
  const leases: AbortController[] = [];
  const randoms: number[] = [];
  const actor = createActor(generatorMachine, {
    clock,
    input: {
      id: 'g',
      load: async () => E.right(definitionOf('g')),
      host,
      takeLease: () => {
        leases.at(-1)?.abort();
        leases.push(new AbortController());
        return (leases.at(-1) as AbortController).signal;
      },
      policy: DEFAULT_POLICY,
      drain_ms: 10_000,
      give_up_ms: 5_000,
      now: () => 1_700_000_000_000_000 + clock.now() * 1000,
      monotonicMs: () => clock.now(),
      random: () => randoms.shift() ?? 0,
      tweaks: NO_TWEAKS,
      formerError: null,
      ...more,
    },
  });
  const failures: unknown[] = [];
  actor.subscribe({ error: (thrown) => failures.push(thrown) });
  actor.start();
  const status = () => {
    const { value, context } = actor.getSnapshot();
    return statusOf(value, context);
  };
  const start = () => {
    const { answers, reply } = kept<true>();
    actor.send({ type: 'start', reply });
    return answers;
  };
  const stop = () => {
    const { answers, reply } = kept<null>();
    actor.send({ type: 'stop', reply });
    return answers;
  };
  const patch = (definition: GeneratorDefinition) => {
    const { answers, reply } = kept<null>();
    actor.send({ type: 'patch', patch: { definition, stats: makeStats(1, 1) }, reply });
    return answers;
  };
  const phase = () => status().phase;
  return { actor, clock, host, leases, randoms, failures, status, phase, start, stop, patch };
};

export const crashed = (error: SpateError = CRASH, isDisplaced = false) =>
  ({ type: 'failed', error, isDisplaced }) as const;
