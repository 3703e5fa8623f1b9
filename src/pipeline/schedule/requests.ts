import { from, merge, type Observable } from 'rxjs';
import { makeTimestampBatch, REQUESTED } from '../../domain/events/timestampBatch.js';
import type { Input, InputRequests } from '../../plugins/kit.js';
import type { Clock } from '../../ports/clock.js';
import type { Slice } from './schedule.js';

/** Returns the requests of the inputs that wait for them. */
export const requestsOf = (inputs: readonly Input[]): readonly InputRequests[] =>
  inputs.flatMap(({ requests }) => requests ?? []);

interface RequestOptions {
  readonly inputs: readonly Input[];
  readonly clock: Clock;
  /** Timestamps per batch. */
  readonly size: number;
  /** Accept no more requests; pending ones are finished. */
  readonly draining: AbortSignal;
}

/** Timestamps of inputs that wait for requests: one request at a time of each input, due at once. */
export const requested = ({ inputs, clock, size, draining }: RequestOptions): Observable<Slice> => {
  async function* slicesOf(requests: InputRequests, number: number): AsyncGenerator<Slice> {
    for (let count = await requests.next(); count !== null; count = await requests.next()) {
      const now = clock.now();
      const batch = makeTimestampBatch(Math.min(count, size));
      batch.epoch = REQUESTED;
      batch.micros.fill(now);
      batch.inputs.fill(number);
      for (let left = count; left > 0; left -= batch.length) {
        batch.length = Math.min(left, size);
        batch.used = 0;
        let release = (): void => {};
        const released = new Promise<void>((resolve) => {
          release = resolve;
        });
        yield { batch, from: 0, to: batch.length, release };
        await released;
      }
    }
  }
  const streams = inputs.flatMap(({ requests }, number) => {
    if (requests === undefined) return [];
    if (draining.aborted) requests.stop();
    draining.addEventListener('abort', requests.stop, { once: true });
    return [from(slicesOf(requests, number))];
  });
  return merge(...streams);
};
