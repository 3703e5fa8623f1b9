import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe } from '@jest/globals';
import type { JsonObject } from '../../src/domain/json.js';
import { httpOutputPlugin } from '../../src/plugins/outputs/http/plugin.js';
import { paramsOf } from '../plugins/outputs/http/support.js';
import { type FaultyWire, faultyWire } from '../support/faults/faultyWire.js';
import { startCollector } from '../support/servers/collector.js';
import type { ProgramServer } from '../support/servers/programServer.js';
import { closingRow } from './oneBadEvent.js';
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

/** The collector keeps the events of each run apart. */
interface CollectedRun extends Run {
  readonly number: number;
}

describe('HTTP under faults', () => {
  let collector: ProgramServer;
  let wire: FaultyWire;
  let runs = 0;
  const start = startedRigs();

  beforeAll(async () => {
    collector = await startCollector();
    wire = await faultyWire(collector.port);
  });
  afterEach(() => collector.control({}));
  afterAll(async () => {
    await wire.close();
    await collector.remove();
  });

  const peer: Peer<CollectedRun> = {
    output: 'http',
    wire: () => wire,
    server: () => collector,
    writing: async (more) => {
      const number = ++runs;
      const params = paramsOf({
        ...{ url: `http://127.0.0.1:${wire.port}/events?run=${number}`, batching: 'joined' },
        ...{ username: 'writer', password: 'right' },
      });
      const open = (context: object) => httpOutputPlugin.open(params, { ...context } as never);
      return { rig: await start(open, more), number };
    },
    arrived: ({ number }) =>
      readFileSync(join(collector.folder, `arrived-${number}`), 'utf8')
        .trimEnd()
        .split('\n'),
  };

  /** The collector refuses for a while. */
  const controlledRow = (
    title: string,
    control: JsonObject,
    refusal: Pick<Refusal<CollectedRun>, 'row' | 'reason' | 'retries'>,
  ): Row =>
    refusalRow(peer, title, {
      refuse: () => collector.control(control),
      accept: () => collector.control({}),
      delivery: 'no doubles',
      ...refusal,
    });

  faultRows('http', {
    'closed on one event': closingRow('http'),

    // At most the requests in flight at each end of the server are there twice.
    refused: { ...killedRow(peer), ...killedTwiceRow(peer, 2 * 4_000) },
    'reset mid-batch': resetRow(peer),
    slow: slowRow(peer),
    hung: { ...frozenRow(peer), ...muteRow(peer) },
    'server error': {
      ...balancerRow(peer),
      ...refusalRow(peer, 'a body that is too large: rejected at once, no retries', {
        row: 'server error (413)',
        refuse: () => wire.set({ kind: 'answer', status: 413, body: 'too large' }),
        accept: () => wire.set({ kind: 'none' }),
        reason: /too large \(HTTP status 413\).*smaller batches/,
        retries: 'none',
        delivery: 'at least once',
      }),
    },
    'auth error': controlledRow(
      'a password that is changed on the server, and changed back',
      { password: 'another' },
      { row: 'auth error', reason: /wrong password.*401.*Check the credentials/, retries: 'none' },
    ),
    'disk full': controlledRow(
      'a server without space takes nothing, and goes on when there is some',
      { isFull: true },
      { row: 'disk full', reason: /no space left on device.*507.*Free space/, retries: 'some' },
    ),
    permission: controlledRow(
      'a user who may only read any more',
      { isReadOnly: true },
      { row: 'permission', reason: /may only read.*403.*rights of the user/, retries: 'none' },
    ),
  });
});
