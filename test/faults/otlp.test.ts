import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { otlpPlugin } from '../../src/plugins/outputs/otlp/plugin.js';
import { otlpParams } from '../plugins/outputs/otlp/support.js';
import { controlled, type LogFaults, logRows, startLogFaults } from './logOutputs.js';
import { closingRow } from './oneBadEvent.js';
import { faultRows } from './rows.js';

/*
 * The server is a fake in a process of its own (test/support/servers/logPeers/otlp.mjs): no collector can run here.
 */

let faults: LogFaults;
const current = (): LogFaults => faults;
const usual = { token: 'right' };

beforeAll(async () => {
  faults = await startLogFaults(
    'otlp',
    (url, context) => otlpPlugin.open(otlpParams({ url, bearer_token: 'right' }), context),
    usual,
  );
});
afterEach(() => faults.stopRigs());
afterAll(() => faults.remove());

const refuse = (status: number, message: string) => ({ refuse: { status, message } });

faultRows('otlp', {
  'closed on one event': closingRow('otlp'),

  ...logRows(current),
  'server error': {
    'a collector whose queue is full: retried, then dead letters, then written': controlled(
      current,
      'server error (503)',
      refuse(503, 'sending queue is full'),
      /sending queue is full \(HTTP status 503\)/,
      { retries: true, usual },
    ),
    'a collector that fails on the data: refused at once': controlled(
      current,
      'server error (500)',
      refuse(500, 'permanent error'),
      /permanent error \(HTTP status 500\)/,
      { retries: false, usual },
    ),
  },
  'auth error': {
    'a token that is replaced on the server, and comes back': controlled(
      current,
      'auth error',
      { token: 'another' },
      /wrong token \(HTTP status 401\).*credentials/,
      { retries: false, usual },
    ),
  },
  'disk full': {
    'a collector whose storage is full: retried, then dead letters, then written': controlled(
      current,
      'disk full',
      refuse(503, 'no space left on device'),
      /no space left on device/,
      { retries: true, usual },
    ),
  },
  permission: {
    'a client that may no longer write logs': controlled(
      current,
      'permission',
      refuse(403, 'not allowed to write logs'),
      /not allowed to write logs \(HTTP status 403\).*rights/,
      { retries: false, usual },
    ),
  },
});
