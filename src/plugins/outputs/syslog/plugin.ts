import * as E from 'fp-ts/lib/Either.js';
import { hostPort } from '../../../domain/text/shown.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { Built, Output, OutputPlugin, PluginContext } from '../../kit.js';
import { ownHostname } from '../../shared/syslogHeader.js';
import { datagramOutput, openDatagramSender } from '../shared/socket/datagramSender.js';
import { openStreamSender, senderOutput } from '../shared/socket/streamOutput.js';
import { readTls } from '../shared/tls.js';
import { headerMaker, syslogMessageMaker } from './messages.js';
import { type syslogOutputFields, syslogOutputSpec } from './spec.js';

type SyslogParams = ValueOf<typeof syslogOutputFields>;

/** Registered ports: RFC 5426 (also usual for TCP) and RFC 5425. */
const PORTS = { udp: 514, tcp: 514, tls: 6514 } as const;
const NO_BYTES = Buffer.alloc(0);

const open = async (params: SyslogParams, context: PluginContext): Built<Output> => {
  const { clock, log, zone } = context;
  const { host, transport, format, on_refused } = params;
  const port = params.port ?? PORTS[transport];
  const name = `syslog output ${transport}://${hostPort({ host, port })}`;
  const parts = {
    ...params,
    hostname: params.hostname ?? ownHostname(),
    app_name: params.app_name ?? 'spate',
  };
  const payloadOf = syslogMessageMaker({
    framing: transport === 'udp' ? 'none' : params.framing,
    headerAt: headerMaker(parts, zone),
    hasMark: params.bom && format === 'rfc5424',
    max_bytes: params.max_message_bytes ?? Number.POSITIVE_INFINITY,
    now: clock.now,
  });
  if (transport === 'udp') {
    const sender = await openDatagramSender({ host, port, name, on_refused, clock, log });
    return E.isLeft(sender)
      ? sender
      : E.right(datagramOutput({ name, sender: sender.right, log, payloadOf }));
  }
  const tls = transport === 'tls' ? await readTls('syslog', params, context) : E.right(null);
  if (E.isLeft(tls)) return tls;
  const sender = await openStreamSender({
    name,
    params: { ...params, port },
    tls: tls.right,
    preamble: NO_BYTES,
    context,
  });
  return E.isLeft(sender) ? sender : E.right(senderOutput(name, sender.right, payloadOf));
};

export const syslogOutputPlugin: OutputPlugin<typeof syslogOutputFields> = { spec: syslogOutputSpec, open };
