import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { SequencedBatch } from '../produce.js';
import type { Path } from './gather.js';

/** Time between two warnings about events that a best-effort output had no room for. */
const WARN_EVERY_MS = 10_000;

/** Sends what the path has room for and never waits; `onLost` gets the rest. */
export const withoutWaiting = (
  path: Path,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  onLost: (batch: SequencedBatch) => void,
): Path['accept'] => {
  let quietUntilMs = 0;
  return async (batch) => {
    if (path.hasRoom(batch)) {
      void path.accept(batch);
      return;
    }
    if (clock.monotonicMs() >= quietUntilMs) {
      quietUntilMs = clock.monotonicMs() + WARN_EVERY_MS;
      log.write('warning', 'a best-effort output falls behind; events are lost', {
        hint: 'look for a slow or stalled output; queue.max_event_batches is reached',
      });
    }
    onLost(batch);
  };
};
