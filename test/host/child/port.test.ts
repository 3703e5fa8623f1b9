import { expect, test } from '@jest/globals';
import { makeStats, readStat } from '../../../src/domain/stats/stats.js';
import {
  decodeToChild,
  encodeFromChild,
  type FromChild,
  type ToChild,
} from '../../../src/host/childMessages.js';
import { childPort } from '../../../src/host/childPort.js';
import type { RunJob } from '../../../src/host/protocol.js';
import type { IsolatedEvents } from '../../../src/ports/processes.js';
import { definitionOf } from '../../support/pipelines/scriptedHost.js';

const MB = 1024 * 1024;

/** A port over a fake child. */
const rig = () => {
  const sent: ToChild[] = [];
  const heard: unknown[] = [];
  let child: IsolatedEvents | null = null;
  const port = childPort(
    {
      start: (events) => {
        child = events;
        return {
          send: (frame) => void sent.push(decodeToChild(frame)),
          kill: () => void heard.push('killed'),
        };
      },
      heap_mb: 100,
      memory_mb: 200,
      stepsBack: true,
      allow_subprocess: false,
      plugins: [],
    },
    'process:generator:a',
    {
      onMessage: (value) => void heard.push(value),
      onError: (reason) => void heard.push(`error: ${reason}`),
      onExit: (reason) => void heard.push(`exit: ${reason}`),
    },
  );
  const events = child as unknown as IsolatedEvents;
  const say = (message: FromChild): void => events.onFrame(encodeFromChild(message));
  const pulse = (more: Partial<Extract<FromChild, { type: 'pulse' }>> = {}): void =>
    say({ type: 'pulse', heartbeat: [1, 0], resident_bytes: MB, counters: [], ...more });
  return { port, sent, heard, events, say, pulse };
};

const job = (run: number, stats: SharedArrayBuffer): RunJob =>
  ({ run, definition: definitionOf('a'), stats, tweaks: {}, dead_letters: null, checkpoint: null }) as never;

test('opens the thread with its limits, and sends what is posted with marks for shared counters', () => {
  const { port, sent } = rig();
  const stats = makeStats(1, 1);
  port.post({ type: 'start', job: job(5, stats.buffer) });
  expect(sent[0]).toMatchObject({ type: 'open', options: { name: 'process:generator:a', heap_mb: 100 } });
  expect(sent[1]).toMatchObject({
    type: 'message',
    message: { type: 'start', job: { run: 5, stats: { number: 1, bytes: stats.buffer.byteLength } } },
  });
});

test('copies counters and beats of the child into memory that the daemon reads', () => {
  const { port, pulse, heard } = rig();
  const [own, theirs] = [makeStats(1, 1), makeStats(1, 1)];
  port.post({ type: 'start', job: job(5, own.buffer) });
  theirs.slots[0] = 42;
  pulse({ heartbeat: [9, 5], counters: [[1, Buffer.from(theirs.buffer).toString('base64')]] });
  expect([...port.heartbeat.slice(0, 2)]).toEqual([9, 5]);
  expect(readStat(own, 'produced')).toBe(42);
  expect(heard).toEqual([]);
});

test('forgets counters with their run: a late copy changes nothing', () => {
  const { port, say, pulse, heard } = rig();
  const [own, theirs] = [makeStats(1, 1), makeStats(1, 1)];
  port.post({ type: 'start', job: job(5, own.buffer) });
  const ended = { type: 'ended', run: 5, end: 'completed' };
  say({ type: 'message', message: ended });
  theirs.slots[0] = 42;
  pulse({ counters: [[1, Buffer.from(theirs.buffer).toString('base64')]] });
  expect(readStat(own, 'produced')).toBe(0);
  expect(heard).toEqual([ended]);
});

test.each<[string, (made: ReturnType<typeof rig>) => void]>([
  ['bytes that are no JSON', ({ events }) => events.onFrame(Buffer.from('{'))],
  ['JSON that is no message', ({ events }) => events.onFrame(Buffer.from('null'))],
  ['a pulse without its fields', ({ events }) => events.onFrame(Buffer.from('{"type":"pulse"}'))],
  [
    'counters of another size',
    ({ port, pulse }) => {
      port.post({ type: 'start', job: job(5, makeStats(1, 1).buffer) });
      pulse({ counters: [[1, 'AAAA']] });
    },
  ],
  ['counters that were never sent', ({ pulse }) => pulse({ counters: [[7, '']] })],
])('%s end the child, with a reason', (_, misbehave) => {
  const made = rig();
  misbehave(made);
  expect(made.heard).toEqual([expect.stringMatching(/^error: its process sent malformed data/), 'killed']);
});

test('a broken channel ends the child, with the reason unchanged', () => {
  const { events, heard } = rig();
  events.onBroken('no frame');
  expect(heard).toEqual(['error: no frame', 'killed']);
});

test('memory over the sum of both limits ends the child, with their names', () => {
  const { pulse, heard } = rig();
  pulse({ resident_bytes: 300 * MB });
  expect(heard).toEqual([]);
  pulse({ resident_bytes: 300 * MB + 1 });
  expect(heard).toEqual([
    'error: it used more memory than its process may have (100 MB of generation.thread_heap_mb and 200 MB of generation.thread_memory_mb)',
    'killed',
  ]);
});

test('bytes of an answer arrive as bytes', () => {
  const { say, heard } = rig();
  say({
    type: 'message',
    message: { type: 'preview.done', job: 1, chunks: [Buffer.from('{}').toString('base64')] },
  });
  expect(heard).toEqual([{ type: 'preview.done', job: 1, chunks: [Buffer.from('{}')] }]);
});

test('the end of the process is reported with its signal or code', () => {
  const { events, heard } = rig();
  events.onExit({ code: null, signal: 'SIGABRT' });
  events.onExit({ code: 3, signal: null });
  expect(heard).toEqual(['exit: SIGABRT ended its process', 'exit: its process ended with code 3']);
});
