import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { lokiPlugin } from '../../src/plugins/outputs/loki/plugin.js';
import { lokiParams } from '../plugins/outputs/loki/support.js';
import { controlled, type LogFaults, logRows, startLogFaults } from './logOutputs.js';
import { closingRow, unroutableRow } from './oneBadEvent.js';
import { faultRows } from './rows.js';

/*
 * The server is a fake in a process of its own (test/support/servers/logPeers/loki.mjs): Loki cannot run here.
 */

let faults: LogFaults;
const current = (): LogFaults => faults;
const usual = { tenant: 'lab' };

beforeAll(async () => {
  faults = await startLogFaults(
    'loki',
    (url, context) => lokiPlugin.open(lokiParams({ url, tenant_id: 'lab' }), context),
    usual,
  );
});
afterEach(() => faults.stopRigs());
afterAll(() => faults.remove());

const refuse = (status: number, message: string) => ({ refuse: { status, message } });

faultRows('loki', {
  'unroutable event': unroutableRow('loki', { labels: { job: '{/v}' } }, (_, isBad) =>
    JSON.stringify({ v: isBad ? 'x'.repeat(5_000) : 'main' }),
  ),
  'closed on one event': closingRow('loki'),

  ...logRows(current),
  'server error': {
    'a limit on the rate: retried, then dead letters, then written': controlled(
      current,
      'server error (429)',
      refuse(429, 'Ingestion rate limit exceeded for user lab'),
      /rate limit exceeded for user lab \(HTTP status 429\)/,
      { retries: true, usual },
    ),
    'entries that are all too old: refused at once': controlled(
      current,
      'server error (too old)',
      { oldest: String(2n ** 63n - 1n) },
      /too far behind.*\(HTTP status 400\)/,
      { retries: false, usual },
    ),
  },
  'auth error': {
    'a gateway whose password is changed, and changed back': controlled(
      current,
      'auth error',
      { always: { status: 401, body: '<html><title>401 Authorization Required</title>' } },
      /401 Authorization Required \(HTTP status 401\).*credentials/,
      { retries: false, usual },
    ),
  },
  'disk full': {
    'an ingester whose disk is full: retried, then dead letters, then written': controlled(
      current,
      'disk full',
      refuse(500, 'write /loki/wal/00000001: no space left on device'),
      /no space left on device/,
      { retries: true, usual },
    ),
  },
  permission: {
    'a tenant that may no longer write': controlled(
      current,
      'permission',
      { tenant: 'other' },
      /this tenant may not write \(HTTP status 403\).*rights/,
      { retries: false, usual },
    ),
  },
});
