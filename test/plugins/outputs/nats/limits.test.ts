import * as net from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createInbox } from '@nats-io/transport-node';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { hasNats, type NatsServer, NEEDS_NATS, startNats } from '../../../support/servers/natsServer.js';
import { never } from '../support.js';
import { closeAll, openOutput } from './support.js';

(hasNats ? describe : describe.skip)(`the line of a message and a real server ${NEEDS_NATS}`, () => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await startNats();
    await server.addStream('LONG', { subjects: ['long.>'] });
  });
  afterEach(closeAll);
  afterAll(() => server.remove());

  const FITS = { right: { written: 1, failed: 0 } };
  const LONGER = {
    left: { code: 'unroutable', message: expect.stringContaining('longer than 4096 bytes') },
  };

  /** Bytes of the longest subject that arrives; one byte more is refused before it is sent. */
  const longest = async (params: JsonObject): Promise<number> => {
    const output = await openOutput({
      servers: [`127.0.0.1:${server.port}`],
      subject: 'long.{/v}',
      ...params,
    });
    const write = (bytes: number) =>
      output.write(textBatch([JSON.stringify({ v: 'x'.repeat(bytes - 'long.'.length) })]), never);
    let [low, high] = [3_000, 4_200];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      const result = await write(middle);
      if (result._tag === 'Right') low = middle;
      else high = middle;
    }
    expect(await write(low)).toMatchObject(FITS);
    expect(await write(low + 1)).toMatchObject(LONGER);
    return low;
  };

  /** What the server answers to a subject of this length: it takes the message, or ends the connection. */
  const answerTo = (subject_bytes: number): Promise<string> =>
    new Promise((resolve) => {
      const socket = net.connect(server.port, '127.0.0.1');
      let said = '';
      socket.on('data', (part) => {
        said += part.toString('latin1');
        if (said.includes('PONG')) socket.destroy();
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(said.includes('PONG') ? 'taken' : said.replace(/^INFO.*\r\n/, '')));
      socket.write(`CONNECT {"verbose":false}\r\nPUB ${'x'.repeat(subject_bytes)} 0\r\n\r\nPING\r\n`);
    });

  test('the server takes a subject, a space and a size of 4,096 bytes, and no more', async () => {
    expect(await answerTo(4_094)).toBe('taken');
    expect(await answerTo(4_095)).toContain('maximum control line');
  });

  test('of a line without headers, with a reply subject, and with headers', async () => {
    // A space and the four digits of the payload: `{"v":"..."}`.
    expect(await longest({})).toBe(4_096 - 5);
    // Two sizes, those of headers and of both.
    expect(await longest({ headers: { a: 'b' } })).toBe(4_096 - ' 20 4099'.length);
    const output = await openOutput({
      ...{ servers: [`127.0.0.1:${server.port}`], subject: 'long.{/v}', jetstream: true, msg_id: 'none' },
    });
    const write = (bytes: number) =>
      output.write(textBatch([JSON.stringify({ v: 'x'.repeat(bytes) })]), never);
    // A subject of the inbox, whose last part is the number of the message.
    const reply = `${createInbox()}.0`.length;
    const most = 4_096 - 'long.'.length - 5 - 1 - reply;
    expect(await write(most)).toMatchObject(FITS);
    expect(await write(most + 1)).toMatchObject(LONGER);
  });

  test('a header that makes the message too large counts like its payload', async () => {
    const output = await openOutput({
      ...{ servers: [`127.0.0.1:${server.port}`], subject: 'large', headers: { of: '{/h}' } },
    });
    const large = JSON.stringify({ h: 'x'.repeat(600_000) });
    expect(await output.write(textBatch(['{"h":"a"}', large, '{"h":"b"}']), never)).toMatchObject({
      right: {
        written: 2,
        missed: [
          { items: [1], reason: { code: 'unroutable', message: expect.stringContaining('max_payload') } },
        ],
      },
    });
    expect(await output.write(textBatch(['{"h":"c"}']), never)).toMatchObject(FITS);
  });
});
