import * as E from 'fp-ts/lib/Either.js';
import type { EventBatch } from '../../../../domain/events/eventBatch.js';
import type { Clock } from '../../../../ports/clock.js';
import type { Output } from '../../../kit.js';
import type { ErrorReporter } from '../requestErrors.js';
import { closedFailure } from '../streamOutput.js';
import { NOTHING } from '../written.js';
import type { Ending } from './acknowledged.js';
import type { Connection, Link } from './link.js';
import { makeOutcome, type Outcome } from './outcome.js';

/** One write over a connection. */
export interface Publication<C> {
  readonly batch: EventBatch;
  readonly link: C;
  readonly outcome: Outcome;
  readonly ending: Ending;
}

interface BrokerOutputOptions<C extends Connection> {
  readonly link: Link<C>;
  readonly name: string;
  readonly report: ErrorReporter;
  readonly clock: Clock;
  /** In seconds. */
  readonly ack_timeout: number;
  /** Gives each item its fate. `isClean`: the connection holds nothing of unknown fate. */
  readonly publish: (
    publication: Publication<C>,
  ) => Promise<{ readonly bytes: number; readonly isClean: boolean }>;
}

const ACT = 'cannot publish to';

/** An output that publishes messages over one connection. */
export const brokerOutput = <C extends Connection>(options: BrokerOutputOptions<C>): Output => {
  const { link, name, report, clock, publish } = options;
  const ack_timeout_ms = options.ack_timeout * 1_000;
  let isClosed = false;
  return {
    isBulk: true,
    isOrdered: false,
    write: async (batch, signal) => {
      if (isClosed) return E.left(closedFailure(name));
      if (batch.count === 0) return E.right(NOTHING);
      const connected = await link.get(signal);
      if (E.isLeft(connected)) return E.left(report(ACT, connected.left));
      const connection = connected.right;
      const outcome = makeOutcome(batch.count, ACT, report);
      const ending = { signal, onOver: connection.onOver, clock, ack_timeout_ms };
      const { bytes, isClean } = await publish({ batch, link: connection, outcome, ending });
      // What is left in its buffers must not pile up, nor arrive long after it was given up.
      if (!isClean) await link.drop(connection);
      return outcome.result(bytes);
    },
    flush: async () => E.right(undefined),
    close: async () => {
      if (isClosed) return E.right(undefined);
      isClosed = true;
      await link.close();
      return E.right(undefined);
    },
  };
};
