import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { hecPlugin } from '../../src/plugins/outputs/splunk_hec/plugin.js';
import { hecParams } from '../plugins/outputs/splunk_hec/support.js';
import { controlled, deadLetters, type LogFaults, logRows, reasonIn, startLogFaults } from './logOutputs.js';
import { closingRow, unroutableRow } from './oneBadEvent.js';
import { faultRows } from './rows.js';

/*
 * The server is a fake in a process of its own (test/support/servers/logPeers/splunk_hec.mjs): Splunk cannot run here.
 * All runs wait for acknowledgements of the indexers.
 */

let faults: LogFaults;
const current = (): LogFaults => faults;

beforeAll(async () => {
  faults = await startLogFaults('splunk_hec', (url, context) =>
    hecPlugin.open(
      hecParams({ url, token: 'right', acknowledge: true, ack_interval: 0.1, index: 'lab' }),
      context,
    ),
  );
});
afterEach(() => faults.stopRigs());
afterAll(() => faults.remove());

const reply = (status: number, code: number, text: string) => ({
  always: { status, body: JSON.stringify({ text, code }) },
});

faultRows('splunk_hec', {
  'unroutable event': unroutableRow('splunk_hec', { index: '{/v}' }, (_, isBad) =>
    JSON.stringify({ v: isBad ? 'A B' : 'main' }),
  ),
  'closed on one event': closingRow('splunk_hec'),

  ...logRows(current),
  'server error': {
    'an indexer that is busy is asked again, then dead letters, then written': controlled(
      current,
      'server error (busy)',
      reply(503, 9, 'Server is busy'),
      /Server is busy \(HEC code 9, HTTP status 503\)/,
      { retries: true },
    ),
    'indexers that confirm nothing: sent again after ack_timeout, then dead letters, then written':
      async () => {
        const { peer, writing, finish } = faults;
        const rig = await writing({ attempts: 2 });
        await peer.control({ ack_after_ms: 1_000_000 });
        await deadLetters(rig);
        expect(reasonIn(rig)).toMatch(/not confirmed the batch within ack_timeout \(60 s\)/);
        await peer.control({});
        await rig.writesOn();
        await finish('server error (unconfirmed)', rig, 'at least once');
      },
  },
  'auth error': {
    'a token that is replaced on the server, and comes back': async () => {
      const { peer, writing, finish } = faults;
      const rig = await writing();
      await peer.control({ token: 'another' });
      await deadLetters(rig);
      expect(reasonIn(rig)).toMatch(/Invalid token \(HEC code 4, HTTP status 403\).*Check `token`/);
      await peer.control({});
      await rig.writesOn();
      await finish('auth error', rig, 'at least once');
    },
  },
  'disk full': {
    'an indexer whose disk is full stops its queues: retried, then dead letters, then written': controlled(
      current,
      'disk full',
      reply(503, 20, 'HEC is unhealthy, queues are full, ack service unavailable'),
      /queues are full.*HEC code 20/,
      { retries: true },
    ),
  },
  permission: {
    'a token that may no longer write to the index': controlled(
      current,
      'permission',
      { indexes: ['main'] },
      /Incorrect index \(HEC code 7.*indexes that the token allows/,
      { retries: false },
    ),
  },
});
