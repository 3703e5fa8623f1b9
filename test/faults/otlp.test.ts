import { otlpPlugin } from '../../src/plugins/outputs/otlp/plugin.js';
import { otlpParams } from '../plugins/outputs/otlp/support.js';
import { logFaults } from './logOutputs.js';
import { closingRow } from './oneBadEvent.js';
import { faultRows } from './rows.js';

/*
 * The server is a fake in a process of its own (test/support/servers/logPeers/otlp.mjs): no collector can run here.
 */

const { rows, controlledRow } = logFaults(
  'otlp',
  (url, context) => otlpPlugin.open(otlpParams({ url, bearer_token: 'right' }), context),
  { token: 'right' },
);

const refuse = (status: number, message: string) => ({ refuse: { status, message } });

faultRows('otlp', {
  'closed on one event': closingRow('otlp'),

  ...rows,
  'server error': {
    ...controlledRow(
      'a collector whose queue is full: retried, then dead letters, then written',
      refuse(503, 'sending queue is full'),
      {
        row: 'server error (503)',
        reason: /sending queue is full \(HTTP status 503\)/,
        retries: 'some',
      },
    ),
    ...controlledRow('a collector that fails on the data: refused at once', refuse(500, 'permanent error'), {
      row: 'server error (500)',
      reason: /permanent error \(HTTP status 500\)/,
      retries: 'none',
    }),
  },
  'auth error': controlledRow(
    'a token that is replaced on the server, and comes back',
    { token: 'another' },
    { row: 'auth error', reason: /wrong token \(HTTP status 401\).*credentials/, retries: 'none' },
  ),
  'disk full': controlledRow(
    'a collector whose storage is full: retried, then dead letters, then written',
    refuse(503, 'no space left on device'),
    { row: 'disk full', reason: /no space left on device/, retries: 'some' },
  ),
  permission: controlledRow(
    'a client that may no longer write logs',
    refuse(403, 'not allowed to write logs'),
    {
      row: 'permission',
      reason: /not allowed to write logs \(HTTP status 403\).*rights/,
      retries: 'none',
    },
  ),
});
