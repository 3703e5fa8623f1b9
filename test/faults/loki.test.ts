import { lokiPlugin } from '../../src/plugins/outputs/loki/plugin.js';
import { lokiParams } from '../plugins/outputs/loki/support.js';
import { logFaults } from './logOutputs.js';
import { closingRow, unroutableRow } from './oneBadEvent.js';
import { faultRows } from './rows.js';

/*
 * The server is a fake in a process of its own (test/support/servers/logPeers/loki.mjs): Loki cannot run here.
 */

const { rows, controlledRow } = logFaults(
  'loki',
  (url, context) => lokiPlugin.open(lokiParams({ url, tenant_id: 'lab' }), context),
  { tenant: 'lab' },
);

const refuse = (status: number, message: string) => ({ refuse: { status, message } });

faultRows('loki', {
  'unroutable event': unroutableRow('loki', { labels: { job: '{/v}' } }, (_, isBad) =>
    JSON.stringify({ v: isBad ? 'x'.repeat(5_000) : 'main' }),
  ),
  'closed on one event': closingRow('loki'),

  ...rows,
  'server error': {
    ...controlledRow(
      'a limit on the rate: retried, then dead letters, then written',
      refuse(429, 'Ingestion rate limit exceeded for user lab'),
      {
        row: 'server error (429)',
        reason: /rate limit exceeded for user lab \(HTTP status 429\)/,
        retries: 'some',
      },
    ),
    ...controlledRow(
      'entries that are all too old: refused at once',
      { oldest: String(2n ** 63n - 1n) },
      { row: 'server error (too old)', reason: /too far behind.*\(HTTP status 400\)/, retries: 'none' },
    ),
  },
  'auth error': controlledRow(
    'a gateway whose password is changed, and changed back',
    { always: { status: 401, body: '<html><title>401 Authorization Required</title>' } },
    {
      row: 'auth error',
      reason: /401 Authorization Required \(HTTP status 401\).*credentials/,
      retries: 'none',
    },
  ),
  'disk full': controlledRow(
    'an ingester whose disk is full: retried, then dead letters, then written',
    refuse(500, 'write /loki/wal/00000001: no space left on device'),
    { row: 'disk full', reason: /no space left on device/, retries: 'some' },
  ),
  permission: controlledRow(
    'a tenant that may no longer write',
    { tenant: 'other' },
    {
      row: 'permission',
      reason: /this tenant may not write \(HTTP status 403\).*rights/,
      retries: 'none',
    },
  ),
});
