import { afterAll, afterEach, beforeAll, describe } from '@jest/globals';
import { tcpPlugin } from '../../src/plugins/outputs/tcp/plugin.js';
import { paramsOf } from '../plugins/outputs/tcp/support.js';
import { hasPrograms, needs } from '../support/programs.js';
import { hasRsyslog, NEEDS_RSYSLOG } from '../support/servers/rsyslogServer.js';
import { faultRows } from './rows.js';
import { streamFaults } from './streams.js';

(hasRsyslog && hasPrograms('openssl') ? describe : describe.skip)(
  `tcp under faults ${NEEDS_RSYSLOG} ${needs('openssl')}`,
  () => {
    const faults = streamFaults({
      output: 'tcp',
      open: (params, context) => tcpPlugin.open(paramsOf(params), context),
      tls: { ssl: true },
      rsyslog: {},
    });
    beforeAll(faults.beforeAll);
    afterEach(faults.afterEach);
    afterAll(faults.afterAll);

    faultRows('tcp', { ...faults.rows });
  },
);
