import { afterEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../../../src/adapters/systemClock.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { outputShape } from '../../../../src/plugins/generatorShape.js';
import { udpPlugin } from '../../../../src/plugins/outputs/udp/plugin.js';
import { decode, readBack } from '../../../../src/schema/index.js';
import { hasRsyslog, NEEDS_RSYSLOG, startRsyslog } from '../../../support/servers/rsyslogServer.js';
import { startUdpSink, type UdpSink } from '../../../support/servers/udpSink.js';
import { never, opened, outputContext } from '../support.js';
import { closeAll, onClose } from '../tcp/support.js';
import { paramsOf } from './support.js';

afterEach(closeAll);

const start = async (params: JsonObject = {}) => {
  const sink = await startUdpSink();
  onClose(sink.close);
  const { context, lines } = outputContext('/');
  const output = await opened(udpPlugin.open(paramsOf({ port: sink.port, ...params }), context));
  onClose(output.close);
  return { sink, output, lines };
};

const textsIn = async (sink: UdpSink, count: number): Promise<readonly string[]> => {
  for (const end = Date.now() + 30_000; sink.received().length < count && Date.now() < end; ) {
    await systemClock.sleepMs(2, never);
  }
  return sink.received().map(String);
};

describe('the datagrams of udp', () => {
  test.each<[string, JsonObject, readonly string[], number]>([
    ['a line end by default', {}, ['a\n', 'é\n', '\n'], 6],
    ['another separator', { separator: '||' }, ['a||', 'é||', '||'], 9],
    ['no separator', { separator: '' }, ['a', 'é', ''], 3],
  ])('one for each event, with %s', async (_, params, expected, bytes) => {
    const { sink, output } = await start(params);
    expect(await output.write(textBatch(['a', 'é', '']), never)).toEqual(
      E.right({ written: 3, failed: 0, bytes }),
    );
    expect(await textsIn(sink, 3)).toEqual(expected);
  });

  test('an event without a code in the encoding is dropped alone', async () => {
    const { sink, output } = await start({ encoding: 'ascii' });
    expect(await output.write(textBatch(['a', 'é', 'c']), never)).toMatchObject({
      right: { written: 2, failed: 1 },
    });
    expect(await textsIn(sink, 2)).toEqual(['a\n', 'c\n']);
  });

  test('65,507 bytes are sent, 65,508 are unroutable alone', async () => {
    const { sink, output } = await start({ separator: '' });
    const texts = ['first', 'x'.repeat(65_508), 'y'.repeat(65_507)];
    expect(await output.write(textBatch(texts), never)).toMatchObject({
      right: {
        ...{ written: 2, failed: 0, bytes: 65_512 },
        missed: [
          { items: [1], reason: { code: 'unroutable', message: expect.stringContaining('65507 bytes') } },
        ],
      },
    });
    expect((await textsIn(sink, 2)).map(({ length }) => length)).toEqual([5, 65_507]);
  });

  test('refusals fail the batch for a retry, at the latest with the next turn', async () => {
    const { sink, output } = await start();
    await sink.close();
    for (const texts of [['a'], ['a', 'b', 'c']]) {
      expect(await output.write(textBatch(texts), never)).toMatchObject({
        left: { code: 'output_failed', message: expect.stringContaining('nothing listens there') },
      });
    }
  });

  test('with on_refused: ignore they count as failed and are logged', async () => {
    const { sink, output, lines } = await start({ on_refused: 'ignore' });
    await sink.close();
    const result = await output.write(textBatch(['a', 'b', 'c']), never);
    if (E.isLeft(result)) throw new Error(result.left.message);
    expect(result.right.failed).toBeGreaterThan(0);
    expect(result.right.written + result.right.failed).toBe(3);
    expect(lines).toMatchObject([{ level: 'warning', context: { count: result.right.failed } }]);
  });

  test('an unknown name fails the start', async () => {
    const { context } = outputContext('/');
    expect(await udpPlugin.open(paramsOf({ host: 'no-such-host.invalid', port: 9 }), context)).toMatchObject({
      left: { code: 'output_failed', message: expect.stringContaining('Check `host`') },
    });
  });

  test('the signal stops between datagrams; the rest count as failed', async () => {
    const { output } = await start();
    const ending = new AbortController();
    ending.abort();
    expect(await output.write(textBatch(['a', 'b']), ending.signal)).toMatchObject({
      right: { written: 0, failed: 2, stopped: { count: 2, reason: { code: 'timed_out' } } },
    });
  });
});

test('the smallest config reads back with the defaults', () => {
  expect(readBack(outputShape, { udp: { host: 'h', port: 9 } })).toMatchObject({
    udp: {
      formatter: { format: 'plain' },
      ...{ host: 'h', port: 9, on_refused: 'retry', encoding: 'utf_8', separator: '\n' },
    },
  });
  expect(E.isLeft(decode(outputShape, { udp: { host: 'h', port: 70_000 } }))).toBe(true);
});

(hasRsyslog ? test : test.skip)(
  `10,000 events reach rsyslogd, paced by its receive buffer ${NEEDS_RSYSLOG}`,
  async () => {
    const server = await startRsyslog();
    onClose(server.remove);
    const { context } = outputContext('/');
    const output = await opened(udpPlugin.open(paramsOf({ port: server.port }), context));
    onClose(output.close);
    const events = Array.from({ length: 10_000 }, (_, index) => `<13>event ${index}`);
    for (let from = 0; from < events.length; from += 100) {
      const before = from;
      await output.write(textBatch(events.slice(before, before + 100)), never);
      for (const end = Date.now() + 30_000; server.lines().length < before + 100 && Date.now() < end; ) {
        await systemClock.sleepMs(1, never);
      }
    }
    expect(server.lines()).toEqual(events);
  },
);
