import * as E from 'fp-ts/lib/Either.js';
import { ENDED } from '../src/domain/abort.js';
import { failure, type Result, reasonOf } from '../src/domain/errors.js';

import type { Clock } from '../src/ports/clock.js';

/** What `ask` needs of an actor. */
interface Target<E> {
  readonly getSnapshot: () => { readonly status: string };
  readonly send: (event: E) => void;
}

/**
 * Request and reply with an actor: resolves with its answer, or with a Left when the actor is gone
 * (events to a stopped actor vanish silently) or does not answer in time. Never rejects.
 */
export const ask = <Event, A>(
  target: Target<Event> | undefined,
  request: (reply: (answer: Result<A>) => void) => Event,
  options: { readonly clock: Clock; readonly timeout_ms: number; readonly what: string },
): Promise<Result<A>> => {
  if (target === undefined || target.getSnapshot().status !== 'active') {
    return Promise.resolve(
      E.left(
        failure('unavailable', `${options.what} cannot be done now: the service is starting or stopping`),
      ),
    );
  }
  return new Promise((resolve) => {
    const answered = new AbortController();
    const reply = (answer: Result<A>): void => {
      // A ready reason: an abort without one makes an exception with a stack.
      answered.abort(ENDED);
      resolve(answer);
    };
    try {
      target.send(request(reply));
    } catch (thrown) {
      reply(E.left(failure('bug', `${options.what}: ${reasonOf(thrown)}`)));
    }
    void options.clock.sleepMs(options.timeout_ms, answered.signal).then(() => {
      if (answered.signal.aborted) return;
      const seconds = options.timeout_ms / 1000;
      reply(E.left(failure('timed_out', `${options.what}: no answer within ${seconds} s; look at the logs`)));
    });
  });
};
