import * as E from 'fp-ts/lib/Either.js';
import type { Micros } from '../../domain/time/micros.js';
import type { EventProducer, Input, Output } from '../../plugins/kit.js';
import type { Log } from '../../ports/log.js';
import type { Destination } from '../delivery/writer.js';
import type { TrackedInput } from './trackInput.js';

/** The parts that run now: a patch exchanges them. */
export interface LiveParts {
  producer: EventProducer;
  inputs: readonly TrackedInput[];
  destinations: readonly Destination[];
  readonly track: (input: Input) => TrackedInput;
  /** The last timestamp that an event was made of. */
  last: () => Micros | null;
  /** Everything that is open, former outputs that still deliver included. */
  readonly outputs: Map<Output, Log>;
}

/** Closes an output; what it says is logged. */
export const closeOutput = async (output: Output, log: Log): Promise<void> => {
  const closed = await output.close();
  if (E.isRight(closed)) return;
  log.write('error', 'an output could not be closed', { reason: closed.left.message });
};
