import type { EventBatch } from '../../../domain/events/eventBatch.js';
import type { Log } from '../../../ports/log.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { Output } from '../../kit.js';
import type { Encoder } from '../shared/encoder.js';
import { itemMaker, makeFrames } from '../shared/socket/frames.js';
import { type Payload, senderOutput } from '../shared/socket/streamOutput.js';
import type { StreamSender } from '../shared/socket/streamSender.js';
import type { tcpFields } from './spec.js';

interface TcpParts {
  readonly name: string;
  readonly params: ValueOf<typeof tcpFields>;
  readonly sender: StreamSender;
  readonly encoder: Encoder;
  readonly log: Log;
}

const NO_HEADER = Buffer.alloc(0);

export const tcpOutput = ({ name, params, sender, encoder, log }: TcpParts): Output => {
  const itemsOf = itemMaker(encoder, params.encoding);

  const counted = (batch: EventBatch): Payload => {
    const items = itemsOf(batch);
    const { bytes, count, unfit } = makeFrames(items, {
      framing: 'octet_counting',
      header: NO_HEADER,
      hasMark: false,
      max_bytes: Number.POSITIVE_INFINITY,
    });
    if (unfit.length > 0) {
      log.write('error', 'empty events dropped: octet counting has no frame for them', {
        count: unfit.length,
      });
    }
    return { bytes, count, failed: items.failed + unfit.length };
  };

  const separated = (batch: EventBatch): Payload => {
    const { bytes, count, failed } = encoder.encode(batch);
    return { bytes, count, failed };
  };

  return senderOutput(name, sender, params.framing === 'octet_counting' ? counted : separated);
};
