import type { JsonObject } from '../../src/domain/json.js';
import { utc } from '../../src/domain/time/zone.js';
import type { PluginContext } from '../../src/plugins/kit.js';
import { syslogOutputPlugin } from '../../src/plugins/outputs/syslog/plugin.js';
import { tcpPlugin } from '../../src/plugins/outputs/tcp/plugin.js';
import { udpPlugin } from '../../src/plugins/outputs/udp/plugin.js';
import * as syslog from '../plugins/outputs/syslog/support.js';
import * as tcp from '../plugins/outputs/tcp/support.js';
import * as udp from '../plugins/outputs/udp/support.js';
import type { RigOptions } from '../support/faults/faultRig.js';
import { AUTHORITY, certificateFolder, SERVER } from '../support/servers/certificates.js';
import { startTcpSink, type TcpSink } from '../support/servers/tcpSink.js';
import { startUdpSink, type UdpSink } from '../support/servers/udpSink.js';

type Open = RigOptions['outputs'][number];

interface Stricken {
  readonly open: Open;
  readonly strike: () => void;
}

const openers = {
  tcp: (params: JsonObject, context: PluginContext) => tcpPlugin.open(tcp.paramsOf(params), context),
  syslog: (params: JsonObject, context: PluginContext) =>
    syslogOutputPlugin.open(syslog.paramsOf(params), { ...context, zone: utc }),
};
const TLS = { tcp: { ssl: true }, syslog: { transport: 'tls' } };

/** Ends of listeners, for `afterAll`. */
const ends: (() => Promise<void>)[] = [];
export const endSockets = async (): Promise<void> => {
  for (const end of ends.splice(0)) await end();
};

/** The faults of an output over a connection in their simplest form. */
export const streamStrikes = (output: 'tcp' | 'syslog') => {
  const struckBy = (act: (sink: TcpSink) => unknown) => (): Stricken => {
    let sink: TcpSink | null = null;
    return {
      open: async (context) => {
        sink = await startTcpSink();
        ends.push(sink.close);
        return openers[output]({ port: sink.port }, context as PluginContext);
      },
      strike: () => sink !== null && void act(sink),
    };
  };
  return {
    refused: struckBy((sink) => sink.close()),
    'reset mid-batch': struckBy((sink) => sink.reset()),
    slow: struckBy((sink) => {
      sink.pause();
      setTimeout(sink.resume, 100);
    }),
    hung: struckBy((sink) => sink.pause()),
    // The one that comes back has another certificate.
    'auth error': (): Stricken => {
      const made = certificateFolder();
      const of = (name: string) => ({ cert: made.text(`${name}.pem`), key: made.text(`${name}.key`) });
      let sink: TcpSink | null = null;
      return {
        open: async (context) => {
          made.make('ca', { by: null, extensions: AUTHORITY });
          made.make('server', { extensions: SERVER });
          made.make('stranger', { by: null, extensions: SERVER });
          sink = await startTcpSink(of('server'));
          ends.push(sink.close, async () => made.remove());
          const params = { ...TLS[output], port: sink.port, ca_cert: made.path('ca.pem') };
          return openers[output](params, context as PluginContext);
        },
        strike: () => {
          const old = sink;
          void old?.close().then(async () => {
            ends.push((await startTcpSink(of('stranger'), old.port)).close);
          });
        },
      };
    },
  };
};

export const datagramStrikes = () => {
  const struckBy = (act: (sink: UdpSink) => unknown) => (): Stricken => {
    let sink: UdpSink | null = null;
    return {
      open: async (context) => {
        sink = await startUdpSink();
        ends.push(sink.close);
        return udpPlugin.open(udp.paramsOf({ port: sink.port }), context as PluginContext);
      },
      strike: () => sink !== null && void act(sink),
    };
  };
  return { refused: struckBy((sink) => sink.close()), hung: struckBy(() => {}) };
};
