import { ERRORS, type ErrorCode } from '../../domain/errors.js';
import type { GeneratorPhase } from '../../domain/generator.js';

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
