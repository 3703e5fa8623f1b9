import type { Clock } from '../../../ports/clock.js';
import type { Output } from '../../kit.js';
import { brokerOutput } from '../shared/brokers/brokerOutput.js';
import type { Link } from '../shared/brokers/link.js';
import { makeWindow } from '../shared/brokers/window.js';
import type { ErrorReporter } from '../shared/requestErrors.js';
import type { NatsLink } from './connection.js';
import type { MessageMaker, NatsParams } from './messages.js';
import { publishAcknowledged, publishConfirmed } from './publish.js';

interface NatsOutputOptions {
  readonly link: Link<NatsLink>;
  readonly maker: MessageMaker;
  readonly params: NatsParams;
  readonly name: string;
  readonly report: ErrorReporter;
  readonly clock: Clock;
}

export const natsOutput = ({ maker, params, ...options }: NatsOutputOptions): Output => {
  const window = makeWindow(params.max_in_flight);
  return brokerOutput({
    ...options,
    ack_timeout: params.ack_timeout,
    publish: (publication) =>
      params.jetstream
        ? publishAcknowledged({ ...publication, maker }, window)
        : publishConfirmed({ ...publication, maker }, options.clock),
  });
};
