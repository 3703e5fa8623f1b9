import * as E from 'fp-ts/lib/Either.js';
import type { Clock } from '../../../ports/clock.js';
import type { Output } from '../../kit.js';
import type { Link } from '../shared/brokers/link.js';
import { makeOutcome } from '../shared/brokers/outcome.js';
import { makeWindow } from '../shared/brokers/window.js';
import type { ErrorReporter } from '../shared/requestErrors.js';
import { closedFailure } from '../shared/streamOutput.js';
import { NOTHING } from '../shared/written.js';
import type { NatsLink } from './connection.js';
import type { MessageMaker, NatsParams } from './messages.js';
import { publishAcknowledged, publishConfirmed } from './publish.js';

const ACT = 'cannot publish to';

export const natsOutput = ({
  link,
  maker,
  params,
  name,
  report,
  clock,
}: {
  readonly link: Link<NatsLink>;
  readonly maker: MessageMaker;
  readonly params: NatsParams;
  readonly name: string;
  readonly report: ErrorReporter;
  readonly clock: Clock;
}): Output => {
  const window = makeWindow(params.max_in_flight);
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
      const ending = {
        signal,
        onOver: connection.onOver,
        clock,
        ack_timeout_ms: params.ack_timeout * 1_000,
      };
      const publishing = { batch, link: connection, maker, outcome, ending };
      const { bytes, isClean } = params.jetstream
        ? await publishAcknowledged(publishing, window)
        : await publishConfirmed(publishing, clock);
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
