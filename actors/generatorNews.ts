import type { Log } from '../src/ports/log.js';
import type { GeneratorContext } from './generator.js';
import { levelOf } from './generatorReport.js';

const SENTENCES: Readonly<Record<string, string>> = {
  running: 'generator starts',
  draining: 'generator is draining',
  backing_off: 'generator failed and will be started again',
  finished: 'generator has finished',
  failed: 'generator failed',
  stopped: 'generator stopped',
};

/** Writes what has become of a generator, where its new phase says so. */
export const report = (log: Log, phase: string, context: GeneratorContext): void => {
  const sentence = SENTENCES[phase];
  if (sentence === undefined) return;
  const hasFailed = context.error !== null && (phase === 'failed' || phase === 'backing_off');
  log.write(
    hasFailed ? levelOf(context) : 'info',
    sentence,
    hasFailed ? { reason: context.error.message } : {},
  );
};
