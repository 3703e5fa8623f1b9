import { expect, test } from '@jest/globals';
import type { FromWorker } from '../../src/host/protocol.js';
import { makeHeartbeat, makeMemoryReport } from '../../src/host/protocol.js';
import { spawnThread } from '../../src/host/thread.js';
import type { PortEvents } from '../../src/host/workerPort.js';

/** A thread over a fake port. */
const rig = (hasUserCode = true, onMessage: (message: FromWorker) => void = () => {}) => {
  const heard: string[] = [];
  let events: PortEvents | null = null;
  const heartbeat = makeHeartbeat();
  const thread = spawnThread({
    name: 'generator:a',
    heap_mb: 64,
    hasUserCode,
    memory: null,
    open: (_, given) => {
      events = given;
      return {
        heartbeat,
        memory: makeMemoryReport(),
        post: () => {},
        terminate: () => void heard.push('terminated'),
      };
    },
    onMessage: (message) => {
      heard.push(message.type);
      onMessage(message);
    },
    onDeath: ({ reason, culprit }) => void heard.push(`died of ${culprit}: ${reason}`),
  });
  return { thread, heard, heartbeat, port: events as unknown as PortEvents };
};

test.each<[string, unknown]>([
  ['null', null],
  ['a text', 'running'],
  ['an unknown type', { type: 'other' }],
  ['a field of the wrong kind', { type: 'running', run: 'all' }],
  ['a run that it was not given', { type: 'running', run: 5 }],
])('%s ends the thread, and nothing more of it is read', (_, message) => {
  const { heard, heartbeat, port } = rig();
  heartbeat[1] = 7;
  port.onMessage(message);
  port.onMessage({ type: 'ready' });
  port.onExit('it is over');
  expect(heard).toEqual([
    'terminated',
    expect.stringMatching(/^died of 7: .*a message that Spate does not send/),
  ]);
});

test('a message that makes the host throw terminates its thread, not the host', () => {
  const { heard, port } = rig(true, () => {
    throw new Error('unexpected');
  });
  port.onMessage({ type: 'ready' });
  port.onExit('it is over');
  expect(heard).toEqual([
    'ready',
    'terminated',
    'died of null: its message "ready" could not be handled: unexpected',
  ]);
});

test('a flood of messages terminates a thread with user code; each check resets the count', () => {
  const flood = ({ port }: ReturnType<typeof rig>): void => {
    for (let n = 0; n < 60_000; n++) port.onMessage({ type: 'ready' });
  };
  const [looked, pool, hostile] = [rig(), rig(false), rig()];
  flood(looked);
  looked.thread.beats();
  flood(looked);
  for (let times = 0; times < 2; times++) for (const made of [pool, hostile]) flood(made);
  expect(looked.heard).not.toContain('terminated');
  expect(pool.heard).not.toContain('terminated');
  expect(hostile.heard.at(-1)).toBe('terminated');
  hostile.port.onExit('it is over');
  expect(hostile.heard.at(-1)).toMatch(/flooded the main thread with messages/);
});

test('an unexpected end has the first reported reason', () => {
  const { heard, port } = rig();
  port.onError('the first reason');
  port.onExit('it is over');
  expect(heard).toEqual(['died of null: the first reason']);
  const other = rig();
  other.thread.terminate();
  other.port.onExit('it is over');
  expect(other.heard).toEqual(['terminated']);
});
