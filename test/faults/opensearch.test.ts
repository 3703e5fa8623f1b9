import { afterAll, afterEach, beforeAll, describe } from '@jest/globals';
import { systemClock } from '../../src/adapters/systemClock.js';
import type { JsonObject } from '../../src/domain/json.js';
import { opensearchPlugin } from '../../src/plugins/outputs/opensearch/plugin.js';
import { paramsOf } from '../plugins/outputs/opensearch/support.js';
import { type FaultyWire, faultyWire } from '../support/faults/faultyWire.js';
import { startFakeOpensearch } from '../support/servers/fakeOpensearch.js';
import type { ProgramServer } from '../support/servers/programServer.js';
import { closingRow, unroutableRow } from './oneBadEvent.js';
import { type Peer, type Run, startedRigs } from './peer.js';
import {
  balancerRow,
  frozenRow,
  killedRow,
  killedTwiceRow,
  muteRow,
  type Refusal,
  refusalRow,
  resetRow,
  slowRow,
} from './peerRows.js';
import { faultRows, type Row } from './rows.js';

/** Events of the rig are no JSON. */
const FINE = { lines: true };

/** The server keeps the events of all runs. */
interface IndexRun extends Run {
  readonly before: number;
}

describe('OpenSearch (a server that speaks its protocol) under faults', () => {
  let server: ProgramServer;
  let wire: FaultyWire;
  const start = startedRigs();

  beforeAll(async () => {
    server = await startFakeOpensearch();
    server.control(FINE);
    wire = await faultyWire(server.port);
  });
  afterEach(() => server.control(FINE));
  afterAll(async () => {
    await wire.close();
    await server.remove();
  });

  const peer: Peer<IndexRun> = {
    output: 'opensearch',
    wire: () => wire,
    server: () => server,
    writing: async (more) => {
      const before = server.arrived().length;
      const params = paramsOf({
        ...{ hosts: [`http://127.0.0.1:${wire.port}`], index: 'events' },
        ...{ username: 'writer', password: 'right' },
      });
      const open = (context: object) => opensearchPlugin.open(params, { ...context } as never);
      return { rig: await start(open, more), before };
    },
    arrived: ({ before }) => server.arrived().slice(before).trimEnd().split('\n'),
    settled: async () => {
      for (let seen = -1; seen !== server.arrived().length; ) {
        seen = server.arrived().length;
        await systemClock.sleepMs(200, new AbortController().signal);
      }
    },
  };

  /** The server refuses for a while. */
  const controlledRow = (
    title: string,
    control: JsonObject,
    refusal: Pick<Refusal<IndexRun>, 'row' | 'reason' | 'retries'>,
  ): Row =>
    refusalRow(peer, title, {
      refuse: () => server.control({ ...FINE, ...control }),
      accept: () => server.control(FINE),
      delivery: 'no doubles',
      ...refusal,
    });

  faultRows('opensearch', {
    'unroutable event': unroutableRow('opensearch', { document_id: '{/v}' }, (n, isBad) =>
      JSON.stringify({ v: isBad ? 'x'.repeat(600) : `id ${n}` }),
    ),
    'closed on one event': closingRow('opensearch'),

    // At most the requests in flight at each end of the server are there twice.
    refused: { ...killedRow(peer), ...killedTwiceRow(peer, 2 * 4_000) },
    'reset mid-batch': resetRow(peer),
    slow: slowRow(peer),
    hung: { ...frozenRow(peer), ...muteRow(peer) },
    'server error': {
      ...balancerRow(peer),
      ...controlledRow(
        'a server that is short of memory: retried, then dead letters, then written',
        { isBusy: true },
        {
          row: 'server error (429)',
          reason: /circuit_breaking_exception: .*429.*overloaded/,
          retries: 'some',
        },
      ),
    },
    'auth error': controlledRow(
      'a password that is changed on the server, and changed back',
      { password: 'another' },
      { row: 'auth error', reason: /Unauthorized.*401.*Check the credentials/, retries: 'none' },
    ),
    'disk full': controlledRow(
      'a server without space takes nothing, and goes on when there is some',
      { isFull: true },
      {
        row: 'disk full',
        reason: /cluster_block_exception: .*flood-stage.*status 429/,
        retries: 'some',
      },
    ),
    permission: controlledRow(
      'a user who may only read any more',
      { isReadOnly: true },
      {
        row: 'permission',
        reason: /security_exception: no permissions.*403.*rights of the user/,
        retries: 'none',
      },
    ),
  });
});
