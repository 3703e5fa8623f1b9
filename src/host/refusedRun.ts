import { failure, type SpateError } from '../domain/errors.js';
import type { GeneratorDefinition } from '../domain/generator.js';
import type { PipelineEvent, PipelineHandle } from './port.js';

/** Members of a scenario share a place, which the one that started first has chosen. */
export const notIsolated = ({ scenarios: [home = ''] }: GeneratorDefinition): SpateError =>
  failure(
    'wrong_state',
    `\`isolation: process\` cannot be given: other members of scenario "${home}" run on a thread of the daemon. Give all members of the scenario the same isolation, and stop them all before the next start`,
  );

/** A run that ends before it begins. */
export const refuse = (error: SpateError, listener: (event: PipelineEvent) => void): PipelineHandle => {
  let isHeard = true;
  void Promise.resolve().then(() => {
    if (isHeard) listener({ type: 'failed', error, isDisplaced: false });
  });
  return {
    patch: async () => error,
    tail: () => {},
    drain: () => {},
    giveUp: () => {},
    abort: () => {
      isHeard = false;
    },
  };
};
