import { expect } from '@jest/globals';
import { hecPlugin } from '../../src/plugins/outputs/splunk_hec/plugin.js';
import { hecParams } from '../plugins/outputs/splunk_hec/support.js';
import { logFaults } from './logOutputs.js';
import { closingRow, unroutableRow } from './oneBadEvent.js';
import { deadLetters, finish, reasonIn } from './peer.js';
import { faultRows } from './rows.js';

/*
 * The server is a fake in a process of its own (test/support/servers/logPeers/splunk_hec.mjs): Splunk cannot run here.
 * All runs wait for acknowledgements of the indexers.
 */

const { peer, rows, control, controlledRow } = logFaults('splunk_hec', (url, context) =>
  hecPlugin.open(
    hecParams({ url, token: 'right', acknowledge: true, ack_interval: 0.1, index: 'lab' }),
    context,
  ),
);

const reply = (status: number, code: number, text: string) => ({
  always: { status, body: JSON.stringify({ text, code }) },
});

faultRows('splunk_hec', {
  'unroutable event': unroutableRow('splunk_hec', { index: '{/v}' }, (_, isBad) =>
    JSON.stringify({ v: isBad ? 'A B' : 'main' }),
  ),
  'closed on one event': closingRow('splunk_hec'),

  ...rows,
  'server error': {
    ...controlledRow(
      'an indexer that is busy is asked again, then dead letters, then written',
      reply(503, 9, 'Server is busy'),
      {
        row: 'server error (busy)',
        reason: /Server is busy \(HEC code 9, HTTP status 503\)/,
        retries: 'some',
      },
    ),
    'indexers that confirm nothing: sent again after ack_timeout, then dead letters, then written':
      async () => {
        const run = await peer.writing({ attempts: 2 });
        await control({ ack_after_ms: 1_000_000 });
        await deadLetters(run.rig);
        expect(reasonIn(run.rig)).toMatch(/not confirmed the batch within ack_timeout \(60 s\)/);
        await control({});
        await run.rig.writesOn();
        await finish(peer, 'server error (unconfirmed)', run, 'at least once');
      },
  },
  'auth error': controlledRow(
    'a token that is replaced on the server, and comes back',
    { token: 'another' },
    { row: 'auth error', reason: /Invalid token \(HEC code 4, HTTP status 403\).*Check `token`/ },
  ),
  'disk full': controlledRow(
    'an indexer whose disk is full stops its queues: retried, then dead letters, then written',
    reply(503, 20, 'HEC is unhealthy, queues are full, ack service unavailable'),
    { row: 'disk full', reason: /queues are full.*HEC code 20/, retries: 'some' },
  ),
  permission: controlledRow(
    'a token that may no longer write to the index',
    { indexes: ['main'] },
    {
      row: 'permission',
      reason: /Incorrect index \(HEC code 7.*indexes that the token allows/,
      retries: 'none',
    },
  ),
});
