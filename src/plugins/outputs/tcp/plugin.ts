import * as E from 'fp-ts/lib/Either.js';
import type { EventBatch } from '../../../domain/events/eventBatch.js';
import { hostPort } from '../../../domain/text/shown.js';
import type { Log } from '../../../ports/log.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { Output, OutputPlugin } from '../../kit.js';
import { type Encoder, makeEncoder } from '../shared/encoder.js';
import { itemMaker, makeFrames } from '../shared/socket/frames.js';
import { openStreamSender, type Payload, senderOutput } from '../shared/socket/streamOutput.js';
import type { StreamSender } from '../shared/socket/streamSender.js';
import { readTls } from '../shared/tls.js';
import { type tcpFields, tcpSpec } from './spec.js';

export const tcpPlugin: OutputPlugin<typeof tcpFields> = {
  spec: tcpSpec,
  open: async (params, context) => {
    const encoder = makeEncoder(params.encoding, params.separator, context.log);
    if (E.isLeft(encoder)) return encoder;
    const tls = params.ssl ? await readTls('tcp', params, context) : E.right(null);
    if (E.isLeft(tls)) return tls;
    const isCounted = params.framing === 'octet_counting';
    const name = `tcp output ${hostPort(params)}`;
    const preamble = isCounted ? Buffer.alloc(0) : encoder.right.preamble;
    const sender = await openStreamSender({ name, params, tls: tls.right, preamble, context });
    if (E.isLeft(sender)) return sender;
    return E.right(
      tcpOutput({ name, params, sender: sender.right, encoder: encoder.right, log: context.log }),
    );
  },
};

interface TcpParts {
  readonly name: string;
  readonly params: ValueOf<typeof tcpFields>;
  readonly sender: StreamSender;
  readonly encoder: Encoder;
  readonly log: Log;
}

const NO_HEADER = Buffer.alloc(0);

const tcpOutput = ({ name, params, sender, encoder, log }: TcpParts): Output => {
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
