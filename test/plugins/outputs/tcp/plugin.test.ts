import { afterEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../../../src/adapters/systemClock.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import { freePort } from '../../../support/instance.js';
import { startTcpSink, type TcpSink } from '../../../support/servers/tcpSink.js';
import { never, numbered } from '../support.js';
import { closeAll, onClose, openOutput, tryOpen } from './support.js';

afterEach(closeAll);

const sinkOf = async (port = 0): Promise<TcpSink> => {
  const sink = await startTcpSink(null, port);
  onClose(sink.close);
  return sink;
};

const until = async (holds: () => boolean): Promise<void> => {
  for (const end = Date.now() + 30_000; !holds(); ) {
    if (Date.now() > end) throw new Error('never happened');
    await systemClock.sleepMs(2, never);
  }
};

const WRITTEN = { _tag: 'Right', right: { written: 3, failed: 0 } };
const THREE = textBatch(['a', 'é', 'c']);

describe('the bytes of tcp', () => {
  test('the separator follows each event; bytes are counted', async () => {
    const sink = await sinkOf();
    const { output } = await openOutput({ port: sink.port, separator: '\r\n' });
    expect(await output.write(THREE, never)).toEqual(E.right({ written: 3, failed: 0, bytes: 10 }));
    await output.close();
    expect(sink.received().toString()).toBe('a\r\né\r\nc\r\n');
  });

  test('octet counting; an empty event counts as failed', async () => {
    const sink = await sinkOf();
    const { output, lines } = await openOutput({ port: sink.port, framing: 'octet_counting' });
    expect(await output.write(textBatch(['a\nb', '', 'é']), never)).toMatchObject({
      right: { written: 2, failed: 1 },
    });
    await output.close();
    expect(sink.received().toString()).toBe('3 a\nb2 é');
    expect(lines).toMatchObject([{ level: 'error', message: expect.stringContaining('octet counting') }]);
  });

  test('an event without a code in the encoding is dropped alone', async () => {
    const sink = await sinkOf();
    const { output } = await openOutput({ port: sink.port, encoding: 'ascii' });
    expect(await output.write(THREE, never)).toMatchObject({ right: { written: 2, failed: 1, bytes: 4 } });
    await output.close();
    expect(sink.received().toString()).toBe('a\nc\n');
  });

  test('a byte order mark comes first on each connection', async () => {
    const sink = await sinkOf();
    const { output } = await openOutput({ port: sink.port, encoding: 'utf_16', resend_seconds: 0 });
    await output.write(textBatch(['a']), never);
    await until(() => sink.received().length === 6);
    sink.end();
    await systemClock.sleepMs(20, never);
    await output.write(textBatch(['b']), never);
    await output.close();
    expect(sink.parts().map((part) => part.toString('utf16le'))).toEqual(['\ufeffa\n', '\ufeffb\n']);
  });

  test('a large batch arrives whole', async () => {
    const sink = await sinkOf();
    const { output } = await openOutput({ port: sink.port });
    const texts = numbered(20_000, 200);
    expect(await output.write(textBatch(texts), never)).toMatchObject({ right: { written: 20_000 } });
    await output.close();
    expect(sink.received().toString()).toBe(`${texts.join('\n')}\n`);
  });
});

describe('the connection of tcp', () => {
  test('a destination that is not there fails the start and says where', async () => {
    const port = await freePort();
    expect((await tryOpen({ port })).result).toMatchObject({
      left: {
        code: 'output_failed',
        message: expect.stringMatching(new RegExp(`127.0.0.1:${port}.*refused`)),
      },
    });
  });

  test('an unknown name fails the start', async () => {
    const { result } = await tryOpen({ host: 'no-such-host.invalid', port: 9 });
    expect(result).toMatchObject({
      left: { message: expect.stringMatching(/no-such-host.invalid:9.*Check `host`/) },
    });
  });

  test.each<[string, (sink: TcpSink) => void]>([
    ['ends', (sink) => sink.end()],
    ['resets', (sink) => sink.reset()],
  ])('a destination that %s the connection gets the last batch again, then the next', async (_, breakIt) => {
    const sink = await sinkOf();
    const { output, lines } = await openOutput({ port: sink.port });
    expect(await output.write(textBatch(['1']), never)).toMatchObject({ right: { bytes: 2 } });
    await until(() => sink.received().length === 2);
    breakIt(sink);
    await systemClock.sleepMs(20, never);
    expect(await output.write(textBatch(['2']), never)).toMatchObject({ right: { written: 1, bytes: 4 } });
    await output.close();
    expect(sink.parts().map(String)).toEqual(['1\n', '1\n2\n']);
    expect(lines).toMatchObject([
      { level: 'warning', message: expect.stringMatching(/connected again.*doubled/), context: { bytes: 2 } },
    ]);
  });

  test('with resend_seconds 0 nothing is sent twice', async () => {
    const sink = await sinkOf();
    const { output } = await openOutput({ port: sink.port, resend_seconds: 0 });
    await output.write(textBatch(['1']), never);
    await until(() => sink.received().length === 2);
    sink.reset();
    await systemClock.sleepMs(20, never);
    await output.write(textBatch(['2']), never);
    await output.close();
    expect(sink.parts().map(String)).toEqual(['1\n', '2\n']);
  });

  test('a destination that is gone fails the write; when it is back, it gets everything', async () => {
    const first = await sinkOf();
    const { output } = await openOutput({ port: first.port });
    await output.write(textBatch(['1']), never);
    await first.close();
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(await output.write(textBatch(['2']), never)).toMatchObject({
        left: { code: 'output_failed', message: expect.stringContaining('refused (ECONNREFUSED)') },
      });
    }
    const second = await sinkOf(first.port);
    expect(await output.write(textBatch(['2']), never)).toMatchObject({ right: { written: 1 } });
    await output.close();
    expect(second.received().toString()).toBe('1\n2\n');
  });

  test('a connection that breaks before the end is opened again to deliver the last batch', async () => {
    const sink = await sinkOf();
    const { output } = await openOutput({ port: sink.port });
    await output.write(textBatch(['1']), never);
    await until(() => sink.received().length === 2);
    sink.reset();
    await systemClock.sleepMs(20, never);
    await output.close();
    expect(sink.parts().map(String)).toEqual(['1\n', '1\n']);
  });

  test('a destination that is gone at the end gets the last batch when it is back', async () => {
    const first = await sinkOf();
    const { output } = await openOutput({ port: first.port });
    await output.write(textBatch(['1']), never);
    await first.close();
    const closed = output.close();
    await systemClock.sleepMs(300, never);
    const second = await sinkOf(first.port);
    await closed;
    expect(second.received().toString()).toBe('1\n');
  });

  test('one that does not come back holds the stop for five seconds; the log says what may be lost', async () => {
    const sink = await sinkOf();
    const { output, lines } = await openOutput({ port: sink.port });
    await output.write(THREE, never);
    await sink.close();
    const start = performance.now();
    await output.close();
    expect(performance.now() - start).toBeLessThan(30_000);
    expect(lines.at(-1)).toMatchObject({
      level: 'error',
      message: expect.stringContaining('the last events may be lost'),
      context: { bytes: 7 },
    });
  });

  test('a slow reader is back-pressure; one that stands still fails after stall_timeout', async () => {
    const sink = await sinkOf();
    const { output } = await openOutput({ port: sink.port, stall_timeout: 0.3, resend_seconds: 0 });
    expect(output.isPacedByReader).toBe(true);
    sink.pause();
    const large = textBatch(numbered(60_000, 1_000));
    expect(await output.write(large, never)).toMatchObject({
      left: {
        code: 'output_failed',
        message: expect.stringContaining('no byte within stall_timeout (0.3 s)'),
      },
    });
    sink.resume();
    expect(await output.write(THREE, never)).toMatchObject(WRITTEN);
  });

  test('the signal ends a write that waits; the output goes on with a new connection', async () => {
    const sink = await sinkOf();
    const { output } = await openOutput({ port: sink.port, resend_seconds: 0 });
    sink.pause();
    const ending = new AbortController();
    const write = output.write(textBatch(numbered(60_000, 1_000)), ending.signal);
    await systemClock.sleepMs(50, never);
    ending.abort();
    expect(await write).toMatchObject({ left: { message: expect.stringContaining('the attempt ended') } });
    sink.resume();
    expect(await output.write(THREE, never)).toMatchObject(WRITTEN);
    await output.close();
    expect(sink.parts().at(-1)?.toString()).toBe('a\né\nc\n');
  });

  test('a destination that does not read at the end holds the stop for two seconds at most', async () => {
    const sink = await sinkOf();
    const { output, lines } = await openOutput({ port: sink.port });
    sink.pause();
    await output.write(THREE, never);
    const start = performance.now();
    await output.close();
    expect(performance.now() - start).toBeLessThan(4_000);
    expect(lines.at(-1)?.message).toContain('the last events may be lost');
  });
});
