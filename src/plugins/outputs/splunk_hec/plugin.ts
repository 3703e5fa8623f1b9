import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../../domain/errors.js';
import type { OutputPlugin } from '../../kit.js';
import { generatorName } from '../../shared/text/generatorName.js';
import { type LogServer, makeLogServer } from '../shared/logServer.js';
import type { RequestError } from '../shared/requestErrors.js';
import { type Channels, makeChannels } from './channels.js';
import { type Collector, type HecParams, makeCollector } from './collector.js';
import { envelopeMaker } from './envelope.js';
import { hecOutput } from './output.js';
import { NO_DATA } from './replies.js';
import { type hecFields, hecSpec } from './spec.js';

const NO_BODY = Buffer.alloc(0);

/** Checks address, TLS and token with a request without events, and acknowledgements with a question. */
const check = async (
  server: LogServer,
  collector: Collector,
  channels: Channels,
  params: HecParams,
  signal: AbortSignal,
): Promise<Result<void>> => {
  const refuse = (error: RequestError) =>
    E.left(server.report('cannot open', { ...error, isRetryable: true }));
  const channel = channels.take();
  const sent = await collector.send(NO_BODY, channel, signal);
  if (E.isLeft(sent) && sent.left.reply?.code !== NO_DATA) return refuse(sent.left.error);
  if (params.acknowledge) {
    const asked = await collector.ask(0, channel, signal);
    if (E.isLeft(asked)) return refuse(asked.left);
  }
  channels.release(channel);
  return E.right(undefined);
};

export const hecPlugin: OutputPlugin<typeof hecFields> = {
  spec: hecSpec,
  open: async (params, context) => {
    const { clock, log, signal, zone } = context;
    const made = await makeLogServer(
      {
        output: 'splunk_hec',
        url: new URL(params.url),
        params: { ...params, username: null, password: null, bearer_token: null },
        secrets: [params.token],
      },
      context,
    );
    if (E.isLeft(made)) return made;
    const server = made.right;
    const generator = generatorName(context);
    const collector = makeCollector(server, params, { clock, generator });
    const channels = makeChannels(params.channel, clock);
    const checked = await check(server, collector, channels, params, signal);
    if (E.isLeft(checked)) {
      server.close();
      return checked;
    }
    const envelopes = envelopeMaker({ ...params, zone, generator });
    return E.right(hecOutput({ server, collector, channels, envelopes, params, clock, log }));
  },
};
