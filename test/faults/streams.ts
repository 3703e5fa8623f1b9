import * as fs from 'node:fs';
import { expect } from '@jest/globals';
import { systemClock } from '../../src/adapters/systemClock.js';
import type { Result } from '../../src/domain/errors.js';
import type { JsonObject } from '../../src/domain/json.js';
import type { Output, PluginContext } from '../../src/plugins/kit.js';
import type { Rig, RigOptions } from '../support/faults/faultRig.js';
import {
  AUTHORITY,
  type CertificateFolder,
  certificateFolder,
  SERVER,
} from '../support/servers/certificates.js';
import { type RsyslogOptions, type RsyslogServer, startRsyslog } from '../support/servers/rsyslogServer.js';
import { startTcpSink, type TcpSink } from '../support/servers/tcpSink.js';
import { deadLetters, drained, reasonIn, startedRigs } from './peer.js';
import { expectAccounted, type Rows, report } from './rows.js';
import { SHARED_ROWS } from './sharedRows.js';

interface StreamCase {
  readonly output: 'tcp' | 'syslog';
  readonly open: (params: JsonObject, context: PluginContext) => Promise<Result<Output>>;
  /** Turns TLS on. */
  readonly tls: JsonObject;
  readonly rsyslog: RsyslogOptions;
}

/** An event of the rig anywhere in a text; a torn one does not match. */
const EVENT = /(\d+)\t\.*(\d+);/g;

/** Events in a text: how many, and their numbers. */
const eventsIn = (text: string): { readonly count: number; readonly numbers: ReadonlySet<number> } => {
  const numbers = new Set<number>();
  let count = 0;
  for (const [, first, last] of text.matchAll(EVENT)) {
    if (first !== last) continue;
    numbers.add(Number(first));
    count++;
  }
  return { count, numbers };
};

const never = new AbortController().signal;
const pause = (ms: number): Promise<void> => systemClock.sleepMs(ms, never);

/** What the tests of a stream output share: a real server, listeners with faults, and their rows. */
export const streamFaults = ({ output, open, tls, rsyslog }: StreamCase) => {
  const start = startedRigs();
  const sinks: TcpSink[] = [];
  let server: RsyslogServer;
  let certificates: CertificateFolder;

  const sinkOf = async (...given: Parameters<typeof startTcpSink>): Promise<TcpSink> => {
    const sink = await startTcpSink(...given);
    sinks.push(sink);
    return sink;
  };

  /** The window holds what a server under load has not written yet: the default of five seconds is a quarter of one here. */
  const writing = (params: JsonObject, more?: Partial<RigOptions>): Promise<Rig> =>
    start(
      (context) => open({ host: '127.0.0.1', resend_seconds: 60, ...params }, context as PluginContext),
      more,
    );

  /** Ends the run: every event has arrived or is in the dead letters; returns how many came again. */
  const finish = async (row: string, rig: Rig, arrived: () => string): Promise<number> => {
    await drained(output, row, rig);
    const letters = rig.letters();
    const missing = (): number => {
      const { numbers } = eventsIn(arrived());
      return rig.produced() - new Set([...numbers, ...letters]).size;
    };
    // The server may still read what the kernel holds.
    for (const end = Date.now() + 20_000; missing() > 0 && Date.now() < end; ) await pause(50);
    expect(`${missing()} missing`).toBe('0 missing');
    const { count, numbers } = eventsIn(arrived());
    process.stderr.write(`${output} x ${row}: ${count - numbers.size} doubles\n`);
    return count - numbers.size;
  };

  const inServer = (): string => fs.readFileSync(server.file, 'utf8');
  /** Each run has a file of its own. */
  const fresh = async (): Promise<void> => {
    await server.kill();
    fs.rmSync(server.file, { force: true });
    await server.start();
  };

  const rows: Rows = {
    refused: {
      [SHARED_ROWS.killed.title]: async () => {
        await fresh();
        const rig = await writing({ port: server.port });
        await server.kill();
        await deadLetters(rig);
        expect(reasonIn(rig)).toContain('ECONN');
        expect(rig.count('retries')).toBeGreaterThanOrEqual(4);
        await server.start();
        await rig.writesOn();
        await finish('refused', rig, inServer);
      },
      [SHARED_ROWS['killed twice'].title]: async () => {
        await fresh();
        const rig = await writing({ port: server.port }, { attempts: 1_000 });
        for (let round = 0; round < 2; round++) {
          await rig.writesOn(16_000);
          await server.kill();
          await pause(50);
          await server.start();
        }
        await rig.writesOn(18_000);
        await finish('refused (killed twice)', rig, inServer);
        expect(rig.produced()).toBeGreaterThan(50_000);
        expect(rig.count('dead_lettered')).toBe(0);
      },
    },
    'reset mid-batch': {
      'connections that break again and again lose nothing': async () => {
        const sink = await sinkOf();
        const rig = await writing({ port: sink.port });
        for (let round = 0; round < 5; round++) {
          sink.reset();
          await rig.writesOn(5_000);
        }
        expect(await finish('reset mid-batch', rig, () => sink.received().toString())).toBeGreaterThan(0);
        expect(sink.connections()).toBeGreaterThan(5);
      },
    },
    slow: {
      [SHARED_ROWS.slow.title]: async () => {
        const sink = await sinkOf();
        const rig = await writing({ port: sink.port });
        const { allowed } = rig.account();
        const before = rig.count('written');
        let isFull = false;
        while (!isFull || rig.count('written') < before + 4_000) {
          sink.pause();
          await pause(20);
          isFull ||= rig.account().mostInFlight[0] === allowed[0];
          sink.resume();
          await pause(1);
        }
        expect(await finish('slow', rig, () => sink.received().toString())).toBe(0);
        expect([rig.count('retries'), rig.count('dead_lettered')]).toEqual([0, 0]);
      },
    },
    hung: {
      [SHARED_ROWS.frozen.title]: async () => {
        await fresh();
        const rig = await writing({ port: server.port, stall_timeout: 10 }, { attempts: 2 });
        server.freeze();
        try {
          await rig.isHeldBack();
          await deadLetters(rig);
          expect(reasonIn(rig)).toContain('stall_timeout');
        } finally {
          server.thaw();
        }
        await rig.writesOn();
        await finish('hung (frozen)', rig, inServer);
      },
      [SHARED_ROWS.stopped.title]: async () => {
        await fresh();
        const rig = await writing({ port: server.port });
        server.freeze();
        try {
          await rig.isHeldBack();
          const ended = rig.drain();
          rig.abort();
          expect(await ended).toEqual({ _tag: 'Right', right: 'drained' });
        } finally {
          server.thaw();
        }
        report(`${output} x hung (stopped)`, rig);
        expectAccounted(rig);
      },
    },
    'auth error': {
      'a server that comes back with a certificate of another authority gets nothing until it has its own again':
        async () => {
          const of = (name: string) => ({
            cert: certificates.text(`${name}.pem`),
            key: certificates.text(`${name}.key`),
          });
          const first = await sinkOf(of('server'));
          const rig = await writing({ ...tls, port: first.port, ca_cert: certificates.path('ca.pem') });
          await first.close();
          const other = await sinkOf(of('stranger'), first.port);
          await deadLetters(rig);
          expect(reasonIn(rig)).toMatch(/certificate.*`ca_cert`/);
          await other.close();
          const last = await sinkOf(of('server'), first.port);
          await rig.writesOn();
          await finish('auth error', rig, () => `${first.received()}${last.received()}`);
          expect(other.received()).toHaveLength(0);
        },
    },
  };

  return {
    rows,
    beforeAll: async (): Promise<void> => {
      server = await startRsyslog(rsyslog);
      certificates = certificateFolder();
      certificates.make('ca', { by: null, extensions: AUTHORITY });
      certificates.make('server', { extensions: SERVER });
      certificates.make('stranger', { by: null, extensions: SERVER });
    },
    afterEach: async (): Promise<void> => {
      for (const sink of sinks.splice(0)) await sink.close();
    },
    afterAll: async (): Promise<void> => {
      await server.remove();
      certificates.remove();
    },
  };
};
