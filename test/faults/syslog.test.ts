import { afterAll, afterEach, beforeAll, describe } from '@jest/globals';
import { utc } from '../../src/domain/time/zone.js';
import { syslogOutputPlugin } from '../../src/plugins/outputs/syslog/plugin.js';
import { paramsOf } from '../plugins/outputs/syslog/support.js';
import { hasPrograms, needs } from '../support/programs.js';
import { hasRsyslog, NEEDS_RSYSLOG } from '../support/servers/rsyslogServer.js';
import { unroutableRow } from './oneBadEvent.js';
import { faultRows } from './rows.js';
import { streamFaults } from './streams.js';

(hasRsyslog && hasPrograms('openssl') ? describe : describe.skip)(
  `syslog under faults ${NEEDS_RSYSLOG} ${needs('openssl')}`,
  () => {
    const faults = streamFaults({
      output: 'syslog',
      open: (params, context) => syslogOutputPlugin.open(paramsOf(params), { ...context, zone: utc }),
      tls: { transport: 'tls' },
      rsyslog: { template: '%msg%', counts: true },
    });
    beforeAll(faults.beforeAll);
    afterEach(faults.afterEach);
    afterAll(faults.afterAll);

    faultRows('syslog', {
      'unroutable event': unroutableRow('syslog', { max_message_bytes: 480 }, (n, isBad) =>
        isBad ? 'x'.repeat(5_000) : `event ${n}`,
      ),
      ...faults.rows,
    });
  },
);
