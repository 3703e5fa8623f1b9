import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import type { JsonObject } from '../../src/domain/json.js';
import { natsPlugin } from '../../src/plugins/outputs/nats/plugin.js';
import { paramsOf } from '../plugins/outputs/nats/support.js';
import { numberedEvent, type Rig, type RigOptions, startRig } from '../support/faults/faultRig.js';
import { type FaultyWire, faultyWire } from '../support/faults/faultyWire.js';
import { hasNats, type NatsServer, NEEDS_NATS, startNats } from '../support/servers/natsServer.js';
import { closingRow, unroutableRow } from './oneBadEvent.js';
import { expectAccounted, faultRows, report } from './rows.js';

const USERS = (password: string, denied = '[]', more = ''): string => `
authorization {users: [
  {user: admin, password: admin}
  {user: writer, password: "${password}", permissions: {publish: {allow: ["events.>"], deny: ${denied}}, subscribe: "_INBOX.>"}}
]}
${more}`;

/** Messages before the events: a stream that overshoots its bytes drops a few of its oldest messages. */
const OLD = 50;

(hasNats ? describe : describe.skip)(`NATS under faults ${NEEDS_NATS}`, () => {
  let server: NatsServer;
  let wire: FaultyWire;
  let folder = '';
  let streams = 0;
  const rigs: Rig[] = [];

  beforeAll(async () => {
    server = await startNats(USERS('right'), { user: 'admin', pass: 'admin' });
    wire = await faultyWire(server.port);
    folder = fs.mkdtempSync(join(tmpdir(), 'spate-faults-'));
  });
  afterEach(async () => {
    for (const rig of rigs.splice(0)) {
      rig.abort();
      await rig.drain();
    }
  });
  afterAll(async () => {
    await wire.close();
    await server.remove();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** A running generator that has written some events into a stream of its own. */
  const writing = async (more: Partial<RigOptions> = {}, params: JsonObject = {}) => {
    const stream = `S${++streams}`;
    const subjects = [`events.${stream}`];
    await server.addStream(stream, { subjects });
    await server.withClient(async (client) => {
      for (let n = 0; n < OLD; n++) client.publish(subjects[0] ?? '', 'old');
      await client.flush();
    });
    const all: JsonObject = {
      ...{ servers: [`127.0.0.1:${wire.port}`], subject: `events.${stream}`, jetstream: true },
      ...{ username: 'writer', password: 'right', max_in_flight: 400, ...params },
    };
    const rig = startRig({
      folder: join(folder, stream),
      outputs: [(context) => natsPlugin.open(paramsOf(all), { ...context } as never)],
      ...more,
    });
    rigs.push(rig);
    await rig.writesOn();
    return { rig, stream, subjects };
  };

  /** Ends the run: every event is in the stream, once, or in the dead letters. */
  const finish = async (row: string, rig: Rig, stream: string): Promise<void> => {
    expect(await rig.drain()).toEqual({ _tag: 'Right', right: 'drained' });
    report(`nats x ${row}`, rig);
    expectAccounted(rig);
    const stored = await server.messagesOf(stream);
    const texts = stored.map(({ text }) => text).filter((text) => text !== 'old');
    const numbers = texts.map((text) => Number.parseInt(text, 10));
    expect(texts).toEqual(numbers.map(numberedEvent));
    expect(new Set(numbers).size).toBe(numbers.length);
    const letters = rig.letters();
    expect(letters).toHaveLength(rig.count('dead_lettered'));
    expect(new Set([...numbers, ...letters]).size).toBe(rig.produced());
    expect(numbers.length).toBeGreaterThanOrEqual(rig.count('written'));
    expect(rig.count('write_failed')).toBe(0);
  };

  const deadLetters = (rig: Rig): Promise<void> =>
    rig.until('dead letters', () => rig.count('dead_lettered') > 0);

  /** Reason of the last failed write in the log. */
  const reasonIn = (rig: Rig): string =>
    String(rig.lines.filter(({ message }) => message.startsWith('a write failed')).at(-1)?.context['reason']);

  faultRows('nats', {
    'unroutable event': unroutableRow('nats', { jetstream: false, subject: 'a.{/v}' }, (_, isBad) =>
      JSON.stringify({ v: isBad ? 'x'.repeat(5_000) : 'main' }),
    ),
    'closed on one event': closingRow('nats'),

    refused: {
      'a server that is killed gets what comes after it is back; what could not wait is in the dead letters':
        async () => {
          const { rig, stream } = await writing();
          await server.kill();
          await deadLetters(rig);
          expect(reasonIn(rig)).toContain('ECONN');
          expect(rig.count('retries')).toBeGreaterThanOrEqual(4);
          await server.start();
          await rig.writesOn();
          await finish('refused', rig, stream);
        },
      'a server that is killed twice under 50,000 events: nothing is lost, nothing is there twice':
        async () => {
          const { rig, stream } = await writing({ attempts: 1_000 }, { max_in_flight: 4_096 });
          for (const kill of [1, 2]) {
            await rig.writesOn(kill * 15_000);
            await server.kill();
            await rig.until('a retry', () => rig.count('retries') > 0);
            await server.start();
          }
          await rig.until('50,000 events', () => rig.count('written') >= 50_000);
          await finish('refused (killed twice)', rig, stream);
          expect(rig.count('dead_lettered')).toBe(0);
          expect(rig.count('written')).toBe(rig.produced());
        },
    },
    'reset mid-batch': {
      'connections that break in the middle of each batch leave no doubles': async () => {
        const { rig, stream } = await writing();
        await wire.set({ kind: 'reset', after_bytes: 20_000 });
        await rig.until('retries', () => rig.count('retries') > 5);
        await wire.set({ kind: 'reset', after_bytes: 100 });
        await deadLetters(rig);
        await wire.set({ kind: 'none' });
        await rig.writesOn();
        await finish('reset mid-batch', rig, stream);
      },
    },
    slow: {
      'a slow wire slows the producer down; nothing fails or is retried': async () => {
        const { rig, stream } = await writing({}, { ack_timeout: 100 });
        await wire.set({ kind: 'slow', bytes_per_second: 200_000 });
        const { allowed } = rig.account();
        await rig.until('a full queue', () => rig.account().mostInFlight[0] === allowed[0]);
        await rig.writesOn(3_000);
        await wire.set({ kind: 'none' });
        await rig.writesOn();
        await finish('slow', rig, stream);
        expect([rig.count('retries'), rig.count('dead_lettered')]).toEqual([0, 0]);
      },
    },
    hung: {
      'a frozen server holds the producer back; attempts end by ack_timeout, and the thawed one gets the rest':
        async () => {
          const { rig, stream } = await writing();
          server.freeze();
          try {
            await rig.isHeldBack();
            await deadLetters(rig);
            expect(JSON.stringify(rig.lines)).toMatch(/no acknowledgement within ack_timeout \(10 s\)/);
          } finally {
            server.thaw();
          }
          await rig.writesOn();
          await finish('hung (frozen)', rig, stream);
        },
      'a stop while the server is frozen accounts for everything': async () => {
        const { rig } = await writing();
        server.freeze();
        try {
          await rig.isHeldBack();
          const ended = rig.drain();
          rig.abort();
          expect(await ended).toEqual({ _tag: 'Right', right: 'drained' });
        } finally {
          server.thaw();
        }
        expectAccounted(rig);
      },
      'answers that are lost: what the server has stored is not stored twice': async () => {
        const { rig, stream } = await writing({ attempts: 2 });
        await wire.set({ kind: 'mute' });
        await deadLetters(rig);
        await wire.set({ kind: 'none' });
        await rig.writesOn();
        await finish('hung (mute)', rig, stream);
      },
    },
    'server error': {
      'a stream that is removed: retried, then dead letters; written when there is one again': async () => {
        const { rig, stream, subjects } = await writing();
        await server.changeStream(stream, { subjects: ['elsewhere'] });
        await deadLetters(rig);
        expect(reasonIn(rig)).toMatch(/no stream takes this subject.*Create a stream/);
        expect(rig.count('retries')).toBeGreaterThanOrEqual(4);
        await server.changeStream(stream, { subjects });
        await rig.writesOn();
        await finish('server error (no stream)', rig, stream);
      },
      'a stream that is full: retried, then dead letters; written when it has room': async () => {
        const { rig, stream } = await writing();
        await server.changeStream(stream, {
          discard: 'new',
          max_msgs: (await server.stateOf(stream)).messages + 10_000,
        });
        await deadLetters(rig);
        expect(reasonIn(rig)).toMatch(/maximum messages exceeded.*limits and the disk of the stream/);
        await server.changeStream(stream, { discard: 'new', max_msgs: -1 });
        await rig.writesOn();
        await finish('server error (full)', rig, stream);
      },
      'core NATS: a server that is gone fails writes; what follows is confirmed again': async () => {
        const { rig } = await writing({}, { jetstream: false });
        await server.kill();
        await deadLetters(rig);
        await server.start();
        await rig.writesOn();
        expect(await rig.drain()).toEqual({ _tag: 'Right', right: 'drained' });
        expectAccounted(rig);
      },
    },
    'auth error': {
      'a password that is changed on the server, and changed back': async () => {
        const { rig, stream } = await writing();
        server.configure(USERS('another'));
        server.reload();
        await deadLetters(rig);
        expect(reasonIn(rig)).toMatch(/refused the user.*Check `username`, `password`/);
        server.configure(USERS('right'));
        server.reload();
        await rig.writesOn();
        await finish('auth error', rig, stream);
      },
    },
    'disk full': {
      'a server without space for the stream: retried, then dead letters; written when it has some':
        async () => {
          const { rig, stream } = await writing();
          await server.changeStream(stream, {
            discard: 'new',
            max_bytes: (await server.stateOf(stream)).bytes + 1_000_000,
          });
          await deadLetters(rig);
          expect(reasonIn(rig)).toMatch(/maximum bytes exceeded.*limits and the disk of the stream/);
          expect(rig.count('retries')).toBeGreaterThanOrEqual(4);
          await server.changeStream(stream, { discard: 'new', max_bytes: -1 });
          await rig.writesOn();
          await finish('disk full', rig, stream);
        },
    },
    permission: {
      'a user who may not publish any more: refused at once, no retries': async () => {
        const { rig, stream } = await writing();
        let tries = 0;
        const deny = (): void => {
          tries += 1;
          server.configure(USERS('right', `["events.>", "try.${tries}"]`));
          server.reload();
        };
        deny();
        // The server keeps its answer for a subject that it is asked about while it sets the permissions, which happens
        // to a client that publishes all the time: it must be told again, in other words.
        const again = setInterval(deny, 5_000);
        await deadLetters(rig).finally(() => clearInterval(again));
        expect(reasonIn(rig)).toMatch(/may not publish to events\.S.*permissions of the user/);
        server.configure(USERS('right'));
        server.reload();
        await rig.writesOn();
        await finish('permission', rig, stream);
      },
    },
  });
});
