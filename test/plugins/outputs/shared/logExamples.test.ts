import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { utc } from '../../../../src/domain/time/zone.js';
import type { PluginSpec } from '../../../../src/plugins/kit.js';
import { registry } from '../../../../src/plugins/registry.js';
import { paramsShape } from '../../../../src/plugins/shapes.js';
import { PLUGIN_SPECS } from '../../../../src/plugins/specs.js';
import { decode } from '../../../../src/schema/index.js';
import { freePort } from '../../../support/instance.js';
import { type ChildProcess, hasPrograms, needs, spawn } from '../../../support/programs.js';
import {
  AUTHORITY,
  type CertificateFolder,
  certificateFolder,
  SERVER,
} from '../../../support/servers/certificates.js';
import { type PeerKind, startLogPeer } from '../../../support/servers/logPeers/logPeer.js';
import { never, newFolder, outputContext, removeFolders } from '../support.js';

/*
 * The examples of the READMEs of splunk_hec, otlp and loki against their servers: fakes of our own that follow the
 * published formats (test/support/servers/logPeers), over TCP, and behind haproxy, which ends TLS.
 */

const hasHaproxy = hasPrograms('haproxy');
const NEEDS_HAPROXY = needs('haproxy');

const KINDS: readonly PeerKind[] = ['splunk_hec', 'otlp', 'loki'];
const EXAMPLES = KINDS.flatMap((kind) =>
  PLUGIN_SPECS.output[kind].examples.map(({ title, params }) => ({
    kind,
    title,
    params: params,
  })),
);

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(removeFolders);

/** The example with an address and secrets that exist. */
const ready = (params: JsonObject, url: string, more: JsonObject = {}): JsonObject => {
  const written = JSON.stringify(params).replaceAll(/\$\{secrets\.\w+\}/g, 'right');
  const { pathname } = new URL(String(params['url']));
  return { ...(JSON.parse(written) as JsonObject), url: url + (pathname === '/' ? '' : pathname), ...more };
};

const EVENTS = ['{"message":"one","level":"warn","timestamp":"2026-01-02T03:04:05Z"}', '{"message":"two"}'];
/** What arrives: with `body: '{/message}'` a part of the event. */
const expected = (params: JsonObject) =>
  params['body'] === '{/message}' ? ['one', 'two'] : EVENTS.map((event) => JSON.parse(event) as unknown);

const jsonOf = (line: string): unknown => (line.startsWith('{') ? JSON.parse(line) : line);

const deliver = async (kind: PeerKind, params: JsonObject) => {
  const spec: PluginSpec = PLUGIN_SPECS.output[kind];
  const decoded = decode(paramsShape(spec), params);
  if (E.isLeft(decoded)) throw new Error(JSON.stringify(decoded.left));
  const plugin = await registry.output(kind);
  const opened = await plugin.open(decoded.right as never, { ...outputContext('/').context, zone: utc });
  if (E.isLeft(opened)) throw new Error(opened.left.message);
  closers.push(opened.right.close);
  return opened.right.write(textBatch(EVENTS), never);
};

test.each(EXAMPLES)('$kind: $title', async ({ kind, params }) => {
  const peer = await startLogPeer(kind, newFolder());
  closers.push(peer.kill);
  const written = await deliver(kind, ready(params, peer.url));
  expect(written).toMatchObject({ right: { written: 2, failed: 0 } });
  expect(peer.arrived().map(jsonOf)).toEqual(expected(params));
});

(hasHaproxy && hasPrograms('openssl') ? describe : describe.skip)(
  `behind haproxy with TLS ${NEEDS_HAPROXY} ${needs('openssl')}`,
  () => {
    let certificates: CertificateFolder;
    beforeAll(() => {
      certificates = certificateFolder();
      certificates.make('ca', { by: null, extensions: AUTHORITY });
      certificates.make('server', { extensions: SERVER });
      certificates.write('both.pem', certificates.text('server.pem') + certificates.text('server.key'));
    });
    afterAll(() => certificates.remove());

    const accepts = (port: number): Promise<boolean> =>
      new Promise((resolve) => {
        const socket = connect(port, '127.0.0.1', () => {
          socket.destroy();
          resolve(true);
        });
        socket.on('error', () => resolve(false));
      });

    const startHaproxy = async (upstream: number): Promise<number> => {
      const port = await freePort();
      certificates.write(
        'haproxy.cfg',
        [
          'defaults',
          '  mode http',
          '  retries 0',
          '  timeout connect 5s',
          '  timeout client 60s',
          '  timeout server 60s',
          'frontend logs',
          `  bind 127.0.0.1:${port} ssl crt ${certificates.path('both.pem')}`,
          '  default_backend peer',
          'backend peer',
          `  server peer 127.0.0.1:${upstream}`,
          '',
        ].join('\n'),
      );
      const child: ChildProcess = spawn('haproxy', ['-db', '-f', certificates.path('haproxy.cfg')], {
        stdio: 'ignore',
      });
      closers.push(async () => {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        if (child.kill('SIGKILL')) await ended;
      });
      for (let tries = 0; tries < 500 && !(await accepts(port)); tries++) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return port;
    };

    test.each(KINDS)(
      '%s delivers, verifies the certificate, and reports a server that is away',
      async (kind) => {
        const peer = await startLogPeer(kind, newFolder());
        closers.push(peer.kill);
        const url = `https://127.0.0.1:${await startHaproxy(peer.port)}`;
        const params = { url, ...(kind === 'splunk_hec' ? { token: 'right' } : {}) };
        await expect(deliver(kind, params)).rejects.toThrow(/certificate.*`ca_cert`/);
        const trusted = { ...params, ca_cert: certificates.path('ca.pem') };
        expect(await deliver(kind, trusted)).toMatchObject({ right: { written: 2 } });
        expect(peer.arrived().map(jsonOf)).toEqual(expected({}));
        await peer.kill();
        await expect(deliver(kind, trusted)).rejects.toThrow(/503 Service Unavailable.*\(HTTP status 503\)/);
      },
    );
  },
);
