import * as E from 'fp-ts/lib/Either.js';
import { hostPort } from '../../../domain/text/hostPort.js';
import type { OutputPlugin } from '../../kit.js';
import { makeEncoder } from '../shared/encoder.js';
import { openStreamSender } from '../shared/socket/openStreamSender.js';
import { readTls } from '../shared/tls/files.js';
import { tcpOutput } from './output.js';
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
