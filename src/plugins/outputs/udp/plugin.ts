import * as E from 'fp-ts/lib/Either.js';
import { hostPort } from '../../../domain/text/shown.js';
import type { OutputPlugin } from '../../kit.js';
import { makeEncoder } from '../shared/encoder.js';
import { datagramOutput, openDatagramSender } from '../shared/socket/datagramSender.js';
import { itemMaker } from '../shared/socket/frames.js';
import { type udpFields, udpSpec } from './spec.js';

export const udpPlugin: OutputPlugin<typeof udpFields> = {
  spec: udpSpec,
  open: async ({ host, port, on_refused, encoding, separator }, { clock, log }) => {
    const encoder = makeEncoder(encoding, separator, log);
    if (E.isLeft(encoder)) return encoder;
    const name = `udp output ${hostPort({ host, port })}`;
    const sender = await openDatagramSender({ host, port, name, on_refused, clock, log });
    if (E.isLeft(sender)) return sender;
    const payloadOf = itemMaker(encoder.right, encoding);
    return E.right(datagramOutput({ name, sender: sender.right, log, payloadOf }));
  },
};
