import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CallAnswer, ClusterLink } from '../../../src/ports/cluster.js';
import { bytes, linkTo, text } from '../../support/cluster/link.js';
import { left, right } from '../../support/either.js';
import {
  hasClusterNats,
  type NatsServer,
  NEEDS_CLUSTER_NATS,
  startNats,
} from '../../support/servers/natsServer.js';

const describeNats = hasClusterNats ? describe : describe.skip;
const TIMEOUT = 10_000;
const never = new AbortController().signal;

const hash = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

const answers = (head: Uint8Array, stream: AsyncIterable<Uint8Array> | null = null): Promise<CallAnswer> =>
  Promise.resolve({ head, stream });

/** A stream of numbers that says how far it was read and when it was returned. */
const numbers = (count: number, size = 10) => {
  const state = { produced: 0, isReturned: false };
  let tellReturned = (): void => {};
  const returned = new Promise<void>((resolve) => {
    tellReturned = resolve;
  });
  const stream: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        if (state.isReturned || state.produced === count)
          return Promise.resolve({ done: true, value: undefined });
        state.produced += 1;
        return Promise.resolve({ done: false, value: Buffer.alloc(size, `${state.produced} `) });
      },
      return: () => {
        state.isReturned = true;
        tellReturned();
        return Promise.resolve({ done: true, value: undefined });
      },
    }),
  };
  return { stream, state, returned };
};

const allOf = async (stream: AsyncIterable<Uint8Array> | null): Promise<string> => {
  let whole = '';
  for await (const part of stream ?? []) whole += text(part);
  return whole;
};

describeNats(`calls between nodes over one NATS server ${NEEDS_CLUSTER_NATS}`, () => {
  let server: NatsServer;
  let here: ClusterLink;
  let there: ClusterLink;

  beforeAll(async () => {
    server = await startNats();
    const servers = [`127.0.0.1:${server.port}`];
    [here, there] = await Promise.all([linkTo(servers), linkTo(servers)]);
  });
  afterAll(async () => {
    await Promise.all([here.close(), there.close()]);
    await server.remove();
  });

  test('a call is answered, also from the node to itself and with strange names', async () => {
    for (const node of ['b', 'node with spaces', 'é.*.>', '']) {
      there.calls.serve(node, (request) => answers(bytes(`${node}: ${text(request)}`)), never);
      // The subscription is known before a call of another connection.
      right(await there.nodes.read('x'));
      for (const link of [here, there]) {
        const { head, stream } = right(await link.calls.call(node, bytes('hello'), TIMEOUT));
        expect(text(head)).toBe(`${node}: hello`);
        expect(stream).toBeNull();
      }
    }
  });

  test('a call to a node that is not connected is unavailable at once', async () => {
    const error = left(await here.calls.call('nobody', bytes('x'), 3_600_000));
    expect(error.code).toBe('unavailable');
    expect(error.message).toMatch(/node nobody: the node is not connected/);
  });

  test('a request and a head of 10 MB arrive whole', async () => {
    const control = new AbortController();
    there.calls.serve('large', (request) => answers(Buffer.from(request).reverse()), control.signal);
    right(await there.nodes.read('x'));
    const request = randomBytes(10_000_000);
    const { head } = right(await here.calls.call('large', request, TIMEOUT));
    expect(hash(head)).toBe(hash(Buffer.from(request).reverse()));
    control.abort();
    right(await there.nodes.read('x'));
    expect(left(await here.calls.call('large', bytes(''), TIMEOUT)).code).toBe('unavailable');
  });

  test('a request over 64 MiB is refused', async () => {
    expect(left(await here.calls.call('b', Buffer.alloc(64 * 1024 * 1024 + 1), TIMEOUT)).code).toBe(
      'too_large',
    );
  });

  test('a call without an answer times out', async () => {
    there.calls.serve('slow', () => new Promise(() => {}), never);
    right(await there.nodes.read('x'));
    const error = left(await here.calls.call('slow', bytes('x'), 50));
    expect(error.code).toBe('timed_out');
    expect(error.message).toMatch(/no answer within 0\.05 s/);
  });

  test('500 calls at once are answered, each with its stream', async () => {
    there.calls.serve('many', (request) => answers(request, numbers(20).stream), never);
    right(await there.nodes.read('x'));
    const whole = await allOf(numbers(20).stream);
    await Promise.all(
      Array.from({ length: 500 }, async (_, index) => {
        const { head, stream } = right(await here.calls.call('many', bytes(String(index)), TIMEOUT));
        expect(text(head)).toBe(String(index));
        expect(await allOf(stream)).toBe(whole);
      }),
    );
  });

  test('a slow reader makes the sender wait, and gets everything', async () => {
    const { stream: source, state } = numbers(1_000, 100_000);
    there.calls.serve('streams', () => answers(bytes('head'), source), never);
    right(await there.nodes.read('x'));
    const { stream } = right(await here.calls.call('streams', bytes(''), TIMEOUT));
    const iterator = stream![Symbol.asyncIterator]();
    await iterator.next();
    // Both links have done all they could.
    for (let round = 0; round < 20; round += 1) right(await here.nodes.read('x'));
    expect(state.produced).toBeLessThan(20);
    let length = 0;
    for (let part = await iterator.next(); part.done !== true; part = await iterator.next()) {
      length += part.value.length;
    }
    expect(state.produced).toBe(1_000);
    expect(length).toBeGreaterThan(99_900_000);
  });

  test('the stream of the sender is returned when the reader stops', async () => {
    const source = numbers(Number.POSITIVE_INFINITY);
    there.calls.serve('endless', () => answers(bytes('head'), source.stream), never);
    right(await there.nodes.read('x'));
    const { stream } = right(await here.calls.call('endless', bytes(''), TIMEOUT));
    for await (const _ of stream!) break;
    await source.returned;
    expect(await allOf(stream)).toBe('');
  });

  test('the reader learns why the sender failed', async () => {
    const failing = async function* () {
      yield bytes('first');
      await Promise.resolve();
      throw new Error('the disk is gone');
    };
    there.calls.serve('failing', () => answers(bytes('head'), failing()), never);
    right(await there.nodes.read('x'));
    const { stream } = right(await here.calls.call('failing', bytes(''), TIMEOUT));
    const iterator = stream![Symbol.asyncIterator]();
    expect(text((await iterator.next()).value)).toBe('first');
    await expect(iterator.next()).rejects.toMatchObject({
      error: { code: 'unavailable', message: expect.stringContaining('the disk is gone') },
    });
    expect((await iterator.next()).done).toBe(true);
  });

  test('close ends calls, streams and serving', async () => {
    const servers = [`127.0.0.1:${server.port}`];
    const leaving = await linkTo(servers);
    const source = numbers(Number.POSITIVE_INFINITY);
    leaving.calls.serve('leaving', () => answers(bytes('head'), source.stream), never);
    leaving.calls.serve('waiting', () => new Promise(() => {}), never);
    right(await leaving.nodes.read('x'));
    const { stream } = right(await here.calls.call('leaving', bytes(''), TIMEOUT));
    const waiting = here.calls.call('waiting', bytes(''), 3_600_000);
    await leaving.close();
    await source.returned;
    await expect(allOf(stream)).rejects.toMatchObject({ error: { code: 'unavailable' } });
    expect(left(await waiting).code).toBe('unavailable');
    expect(leaving.isConnected()).toBe(false);
    expect(left(await leaving.nodes.read('x')).code).toBe('unavailable');
  });
});
