import { ERRORS, type ErrorCode } from '../../domain/errors.js';
import type { GeneratorPhase } from '../../domain/generator.js';
import type { Health } from '../../domain/stats/health.js';

/** Word and color of each phase. */
export const LOOKS: Readonly<Record<GeneratorPhase, { readonly word: string; readonly color: string }>> = {
  idle: { word: 'idle', color: 'gray' },
  loading: { word: 'starting', color: 'blue' },
  running: { word: 'running', color: 'teal' },
  draining: { word: 'stopping', color: 'yellow' },
  backing_off: { word: 'restarting', color: 'orange' },
  finished: { word: 'finished', color: 'indigo' },
  failed: { word: 'failed', color: 'red' },
  stopped: { word: 'stopped', color: 'gray' },
};

const UNWELL = {
  failing: { word: 'failing', color: 'red' },
  degraded: { word: 'degraded', color: 'orange' },
} as const;

/** A phase that says less than health gives way to it: `failed` and `restarting` say more. */
export const lookOfHealth = (phase: GeneratorPhase, health: Health | undefined) =>
  (phase === 'running' || phase === 'loading') && (health === 'failing' || health === 'degraded')
    ? UNWELL[health]
    : LOOKS[phase];

const isKnown = (code: string): code is ErrorCode => code in ERRORS;

/** What to do about the failure of a generator, in a sentence. */
export const remedyOf = (phase: GeneratorPhase, code: string | null): string => {
  if (phase === 'backing_off' || phase === 'loading')
    return 'Spate retries with growing pauses. It recovers by itself once the cause is gone.';
  if (code === 'bug') return 'Please report this with the log.';
  if (code === 'keyring_locked') return 'Set the keyring password, then restart the service.';
  if (code === 'bad_checkpoint') return 'Delete the checkpoint file, then start the generator.';
  if (code !== null && isKnown(code) && ERRORS[code].retryable)
    return 'Spate no longer restarts it. Fix the cause, then start the generator.';
  return 'Fix the cause, then start the generator.';
};
