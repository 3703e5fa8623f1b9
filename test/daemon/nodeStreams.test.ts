import { expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { followedTails } from '../../src/daemon/cluster/nodeStreams.js';
import { failure } from '../../src/domain/errors.js';
import type { EndlessBytes } from '../../src/messages/observe.js';
import { fakeClock } from '../support/clocks/fakeClock.js';
import { eventReader } from '../support/servers/eventSource.js';

const { settle } = fakeClock();

/** A stream that says what it is told. */
const spoken = (): {
  readonly stream: EndlessBytes;
  readonly say: (text: string) => void;
  readonly frame: (event: string, data: string) => void;
  end: () => void;
} => {
  const over = new AbortController();
  const texts: string[] = [];
  let wake = (): void => {};
  const frame = (event: string, data: string): void => {
    texts.push(`event: ${event}\ndata: ${data}\n\n`);
    wake();
  };
  return {
    frame,
    say: (text) => frame('event', `{"text":"${text}"}`),
    end: () => {
      over.abort();
      wake();
    },
    stream: {
      over: over.signal,
      async *[Symbol.asyncIterator]() {
        while (!over.signal.aborted) {
          for (const text of texts.splice(0)) yield new TextEncoder().encode(text);
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      },
    },
  };
};

const setUp = () => {
  const places = new Map([
    ['a', 'here'],
    ['b', 'there'],
    ['c', 'there'],
  ]);
  const opened: { node: string; ids: readonly string[]; tail: ReturnType<typeof spoken> }[] = [];
  const gone = new Set<string>();
  let look = (): void => {};
  const follow = () =>
    followedTails(['a', 'b', 'c'], {
      own: 'here',
      nodeOf: (id) => places.get(id) ?? 'here',
      isLabeled: true,
      open: async (node, ids) => {
        if (gone.has(node)) return E.left(failure('unavailable', `node "${node}" is gone`));
        const tail = spoken();
        opened.push({ node, ids, tail });
        return E.right(tail.stream);
      },
      isKnown: () => true,
      every: (run) => {
        look = run;
        return () => {
          look = () => {};
        };
      },
    });
  return { places, opened, gone, follow, look: () => look() };
};

test('tails of several nodes are one stream, and a generator that moves is followed', async () => {
  const { places, opened, follow, look } = setUp();
  const merged = await follow();
  if (E.isLeft(merged)) throw new Error(merged.left.message);
  const reader = eventReader(merged.right);
  expect(opened.map(({ node, ids }) => [node, ids])).toEqual([
    ['here', ['a']],
    ['there', ['b', 'c']],
  ]);
  look();
  await settle();
  expect(opened).toHaveLength(2);
  places.set('c', 'here');
  look();
  await settle();
  expect(opened.at(-1)).toMatchObject({ node: 'here', ids: ['c'] });
  for (const [index, { tail }] of opened.entries()) tail.say(String(index));
  await settle();
  expect(reader.events().map(({ data }) => data)).toEqual([
    '{"id":"c","node":"here"}',
    ...['0', '1', '2'].map((text) => `{"text":"${text}"}`),
  ]);
  await reader.close();
});

test('a node that is gone is asked again; a refusal of this node is the answer', async () => {
  const { opened, gone, follow, look } = setUp();
  gone.add('there');
  const merged = await follow();
  expect(E.isRight(merged)).toBe(true);
  expect(opened).toHaveLength(1);
  gone.clear();
  look();
  await settle();
  expect(opened.at(-1)).toMatchObject({ node: 'there', ids: ['b', 'c'] });
  gone.add('here');
  expect(await follow()).toMatchObject({ left: { code: 'unavailable' } });
});

test('the tail of one generator follows it, says where it is, and hides that it was removed from its former node', async () => {
  let place: string | null = 'b';
  let look = (): void => {};
  const opened: { node: string; tail: ReturnType<typeof spoken> }[] = [];
  const tail = await followedTails(['web'], {
    own: 'b',
    nodeOf: () => place,
    isLabeled: false,
    open: async (node) => {
      const found = spoken();
      opened.push({ node, tail: found });
      return E.right(found.stream);
    },
    isKnown: (id) => id === 'web',
    every: (run) => {
      look = run;
      return () => {};
    },
  });
  if (E.isLeft(tail)) throw new Error(tail.left.message);
  const reader = eventReader(tail.right);
  opened[0]?.tail.say('before');
  await settle();
  opened[0]?.tail.frame('state', '{"phase":"removed","reason":null}');
  place = null;
  look();
  await settle();
  place = 'c';
  look();
  await settle();
  opened[1]?.tail.say('after');
  await settle();
  expect(opened.map(({ node }) => node)).toEqual(['b', 'c']);
  expect(reader.events().map(({ event, data }) => [event, data])).toEqual([
    ['event', '{"text":"before"}'],
    ['moved', '{"node":"c"}'],
    ['event', '{"text":"after"}'],
  ]);
  opened[0]?.tail.say('too late');
  await settle();
  expect(reader.events()).toHaveLength(3);
  await reader.close();
});
