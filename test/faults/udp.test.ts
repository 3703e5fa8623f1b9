import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import type { JsonObject } from '../../src/domain/json.js';
import type { PluginContext } from '../../src/plugins/kit.js';
import { udpPlugin } from '../../src/plugins/outputs/udp/plugin.js';
import { paramsOf } from '../plugins/outputs/udp/support.js';
import { type Rig, type RigOptions, startRig } from '../support/faults/faultRig.js';
import {
  hasRsyslog,
  NEEDS_RSYSLOG,
  type RsyslogServer,
  startRsyslog,
} from '../support/servers/rsyslogServer.js';
import { unroutableRow } from './oneBadEvent.js';
import { expectAccounted, faultRows, report } from './rows.js';

const WHOLE = /^(\d+)\t\.*\1;$/;

(hasRsyslog ? describe : describe.skip)(`udp under faults ${NEEDS_RSYSLOG}`, () => {
  let server: RsyslogServer;
  let folder = '';
  const rigs: Rig[] = [];

  beforeAll(async () => {
    server = await startRsyslog();
    folder = fs.mkdtempSync(join(tmpdir(), 'spate-faults-'));
  });
  afterEach(async () => {
    for (const rig of rigs.splice(0)) {
      rig.abort();
      await rig.drain();
    }
  });
  afterAll(async () => {
    await server.remove();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const writing = async (params: JsonObject = {}, more: Partial<RigOptions> = {}): Promise<Rig> => {
    const rig = startRig({
      folder: join(folder, String(rigs.length + Math.random())),
      outputs: [
        (context) => udpPlugin.open(paramsOf({ port: server.port, ...params }), context as PluginContext),
      ],
      ...more,
    });
    rigs.push(rig);
    await rig.writesOn();
    return rig;
  };

  const finish = async (row: string, rig: Rig): Promise<void> => {
    expect(await rig.drain()).toEqual({ _tag: 'Right', right: 'drained' });
    report(`udp x ${row}`, rig);
    expectAccounted(rig);
    expect(rig.letters()).toHaveLength(rig.count('dead_lettered'));
    expect(server.lines().filter((line) => !WHOLE.test(line))).toEqual([]);
  };

  faultRows('udp', {
    'unroutable event': unroutableRow('udp', {}, (n, isBad) => (isBad ? 'x'.repeat(70_000) : `event ${n}`)),

    refused: {
      'a receiver that goes and comes back: refusals are retried, then dead letters, then sent again':
        async () => {
          const rig = await writing();
          await server.kill();
          await rig.until('dead letters', () => rig.count('dead_lettered') > 0);
          expect(rig.count('retries')).toBeGreaterThanOrEqual(4);
          expect(JSON.stringify(rig.lines)).toContain('nothing listens there (ECONNREFUSED)');
          const before = server.lines().length;
          await server.start();
          await rig.writesOn(5_000);
          await rig.until('events in the file', () => server.lines().length > before);
          await finish('refused', rig);
        },
      'with on_refused: ignore each refusal counts as a failed event, and nothing is retried': async () => {
        const rig = await writing({ on_refused: 'ignore' });
        await server.kill();
        await rig.until('failed events', () => rig.count('write_failed') > 1_000);
        await server.start();
        await rig.writesOn(5_000);
        await finish('refused (ignored)', rig);
        expect([rig.count('retries'), rig.count('dead_lettered')]).toEqual([0, 0]);
        expect(JSON.stringify(rig.lines)).toContain('refused datagrams');
      },
    },
    hung: {
      'a frozen receiver: nothing fails, the loss is not seen': async () => {
        const rig = await writing();
        server.freeze();
        try {
          await rig.writesOn(50_000);
        } finally {
          server.thaw();
        }
        await finish('hung', rig);
        expect(rig.count('written')).toBe(rig.produced());
      },
    },
  });
});
