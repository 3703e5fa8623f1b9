import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '../../../../src/adapters/systemClock.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import { utc } from '../../../../src/domain/time/zone.js';
import { registry } from '../../../../src/plugins/registry.js';
import { PLUGIN_SPECS } from '../../../../src/plugins/specs.js';
import { decoded } from '../../../conformance/support.js';
import { hasPrograms, needs } from '../../../support/programs.js';
import {
  AUTHORITY,
  type CertificateFolder,
  certificateFolder,
  SERVER,
} from '../../../support/servers/certificates.js';
import {
  hasRsyslogTls,
  NEEDS_RSYSLOG_TLS,
  type RsyslogServer,
  startRsyslog,
} from '../../../support/servers/rsyslogServer.js';
import { never, opened, outputContext } from '../support.js';
import { closeAll, onClose } from '../tcp/support.js';

afterEach(closeAll);

const EXAMPLES = (['tcp', 'udp', 'syslog'] as const).flatMap((name) =>
  PLUGIN_SPECS.output[name].examples.map(({ title, params }) => ({
    name,
    title,
    params: params,
  })),
);

/** The examples of the READMEs, with host, port and authority of the test. */
(hasRsyslogTls && hasPrograms('openssl') ? describe : describe.skip)(
  `examples against rsyslogd ${NEEDS_RSYSLOG_TLS} ${needs('openssl')}`,
  () => {
    let certificates: CertificateFolder;
    const servers: { plain?: RsyslogServer; tls?: RsyslogServer } = {};

    beforeAll(async () => {
      certificates = certificateFolder();
      certificates.make('ca', { by: null, extensions: AUTHORITY });
      certificates.make('server', { extensions: SERVER });
      const { path } = certificates;
      servers.plain = await startRsyslog({ counts: true });
      servers.tls = await startRsyslog({
        counts: true,
        tls: { ca: path('ca.pem'), cert: path('server.pem'), key: path('server.key') },
      });
    });
    afterAll(async () => {
      for (const server of Object.values(servers)) await server.remove();
      certificates.remove();
    });

    test.each(EXAMPLES)('$name: $title', async ({ name, params }) => {
      const isTls = params['ca_cert'] !== undefined;
      const server = isTls ? servers.tls : servers.plain;
      if (server === undefined) throw new Error('did not start');
      const plugin = await registry.output(name);
      const given = decoded(PLUGIN_SPECS.output[name], { ...params, host: '127.0.0.1', port: server.port });
      const context = { ...outputContext(certificates.path('.')).context, zone: utc };
      const output = await opened(plugin.open(given as never, context));
      onClose(output.close);
      const before = server.lines().length;
      expect(await output.write(textBatch(['one event', 'another']), never)).toMatchObject({
        right: { written: 2, failed: 0 },
      });
      await output.close();
      for (const end = Date.now() + 30_000; server.lines().length < before + 2 && Date.now() < end; ) {
        await systemClock.sleepMs(5, never);
      }
      const [first, second, ...more] = server.lines().slice(before);
      expect([first?.endsWith('one event'), second?.endsWith('another'), more]).toEqual([true, true, []]);
    });
  },
);
