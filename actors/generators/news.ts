import { abandonedBy } from '../../src/domain/stats/stats.js';
import type { Log } from '../../src/ports/log.js';
import type { GeneratorContext } from './generator.js';
import { levelOf } from './report.js';

const SENTENCES: Readonly<Record<string, string>> = {
  running: 'generator starts',
  draining: 'generator is draining',
  backing_off: 'generator failed and will be started again',
  finished: 'generator has finished',
  failed: 'generator failed',
  stopped: 'generator stopped',
};

/** Phases of a run: its counters are final in the phase after them. */
const RUNNING: ReadonlySet<string> = new Set(['running', 'draining']);

/** Writes what has become of a generator, where its new phase says so. */
export const report = (log: Log, former: string, phase: string, context: GeneratorContext): void => {
  const sentence = SENTENCES[phase];
  if (sentence === undefined) return;
  const abandoned = context.stats === null ? 0 : abandonedBy(context.stats);
  if (abandoned > 0 && RUNNING.has(former)) {
    const hint = 'the run ended before an output took them: look for a stalled reader or a slow destination';
    log.write('error', 'events were abandoned', { count: abandoned, hint });
  }
  const hasFailed = context.error !== null && (phase === 'failed' || phase === 'backing_off');
  log.write(
    hasFailed ? levelOf(context) : 'info',
    sentence,
    hasFailed ? { reason: context.error.message } : {},
  );
};
