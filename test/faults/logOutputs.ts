import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { Result } from '../../src/domain/errors.js';
import type { JsonObject } from '../../src/domain/json.js';
import type { Output, PluginContext } from '../../src/plugins/kit.js';
import { type FaultyWire, faultyWire } from '../support/faults/faultyWire.js';
import { type LogPeer, type PeerKind, startLogPeer } from '../support/servers/logPeers/logPeer.js';
import { type Peer, type Run, startedRigs } from './peer.js';
import {
  frozenRow,
  killedRow,
  killedTwiceRow,
  muteRow,
  type Refusal,
  refusalRow,
  resetRow,
  slowRow,
} from './peerRows.js';
import type { Row } from './rows.js';

/** The server keeps the events of all runs. */
interface LogRun extends Run {
  readonly before: number;
}

/** What an output of logs is tested with; the server is a fake that follows the format of its vendor. */
export const logFaults = (
  kind: PeerKind,
  open: (url: string, context: PluginContext) => Promise<Result<Output>>,
  usual: JsonObject = {},
) => {
  const start = startedRigs();
  let folder = '';
  let server: LogPeer;
  let wire: FaultyWire;

  beforeAll(async () => {
    folder = fs.mkdtempSync(join(tmpdir(), 'spate-faults-'));
    server = await startLogPeer(kind, folder, usual);
    wire = await faultyWire(server.port);
  });
  afterEach(() => wire.set({ kind: 'none' }));
  afterAll(async () => {
    await wire.close();
    await server.kill();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const peer: Peer<LogRun> = {
    output: kind,
    wire: () => wire,
    server: () => server,
    writing: async (more) => {
      const before = server.arrived().length;
      const url = `http://127.0.0.1:${wire.port}`;
      return { rig: await start((context) => open(url, context as PluginContext), more), before };
    },
    arrived: ({ before }) => server.arrived().slice(before),
    traits: { slow: { bytes_per_second: 400_000 } },
  };

  const control = (state: JsonObject): Promise<void> => server.control({ ...usual, ...state });

  return {
    peer,
    control,
    /** The server asks the generator for something else for a while. */
    controlledRow: (
      title: string,
      state: JsonObject,
      refusal: Pick<Refusal<LogRun>, 'row' | 'reason' | 'retries'>,
    ): Row =>
      refusalRow(peer, title, {
        refuse: () => control(state),
        accept: () => control({}),
        delivery: 'at least once',
        ...refusal,
      }),
    rows: {
      refused: { ...killedRow(peer), ...killedTwiceRow(peer) },
      'reset mid-batch': resetRow(peer),
      slow: slowRow(peer),
      hung: { ...frozenRow(peer), ...muteRow(peer) },
    },
  };
};
