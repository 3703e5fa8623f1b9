import { expect, test } from '@jest/globals';
import { memoryWatch } from '../../src/host/memoryWatch.js';
import { fakeClock } from '../support/clocks/fakeClock.js';

const MB = 1024 * 1024;
const LIMIT_MB = 100;
const HEAP_MB = 50;

/** Threads that report at each check unless silent, and the memory of their process. */
const rig = () => {
  const clock = fakeClock();
  const ending = new AbortController();
  const state = { resident_mb: 200 };
  const watch = memoryWatch({
    clock,
    residentBytes: () => state.resident_mb * MB,
    memory_mb: LIMIT_MB,
    signal: ending.signal,
  });
  const ended: string[] = [];
  const thread = (name: string) => {
    const self = { isSilent: false, outside_mb: 0, reports: 0, grownSince_mb: 0, remove: () => {} };
    self.remove = watch.add(
      {
        memory: () => {
          if (!self.isSilent) self.reports++;
          const resident_kb = (state.resident_mb - self.grownSince_mb) * 1024;
          return { reports: self.reports, outside_kb: self.outside_mb * 1024, resident_kb };
        },
        current: () => 7,
        terminate: ({ reason, culprit }) => ended.push(`${name} ${culprit}: ${reason}`),
      },
      { heap_mb: HEAP_MB },
    );
    return self;
  };
  return { clock, state, thread, ended, stop: () => ending.abort() };
};

test('a thread that reports more than its limit is terminated, with the reason', async () => {
  const { clock, thread, ended, stop } = rig();
  const greedy = thread('greedy');
  thread('modest');
  greedy.outside_mb = LIMIT_MB;
  await clock.advanceMs(1_000);
  expect(ended).toEqual([]);
  greedy.outside_mb = LIMIT_MB + 1;
  await clock.advanceMs(1_000);
  expect(ended).toEqual([
    'greedy 7: it used more memory outside of the JavaScript heap than its thread may have (100 MB, generation.thread_memory_mb)',
  ]);
  stop();
});

test('a silent thread is charged with the growth of the process, beyond its own heap', async () => {
  const { clock, state, thread, ended, stop } = rig();
  const busy = thread('busy');
  thread('idle');
  await clock.advanceMs(200);
  busy.isSilent = true;
  state.resident_mb += LIMIT_MB + HEAP_MB;
  await clock.advanceMs(1_000);
  expect(ended).toEqual([]);
  state.resident_mb += 1;
  await clock.advanceMs(200);
  expect(ended).toHaveLength(1);
  expect(ended[0]).toMatch(/^busy /);
  stop();
});

test('what a thread fills between its last report and a late check is charged, too', async () => {
  const { clock, state, thread, ended, stop } = rig();
  const busy = thread('busy');
  await clock.advanceMs(200);
  busy.grownSince_mb = 1_000;
  state.resident_mb += 1_000;
  await clock.advanceMs(100);
  busy.isSilent = true;
  await clock.advanceMs(600);
  expect(ended).toHaveLength(1);
  stop();
});

test('growth reported by others is not charged to a silent thread', async () => {
  const { clock, state, thread, ended, stop } = rig();
  const busy = thread('busy');
  const others = [thread('a'), thread('b'), thread('c')];
  await clock.advanceMs(200);
  busy.isSilent = true;
  for (const other of others) other.outside_mb = 90;
  state.resident_mb += 270;
  await clock.advanceMs(2_000);
  expect(ended).toEqual([]);
  stop();
});

test('of two silent threads only one is terminated at a time', async () => {
  const { clock, state, thread, ended, stop } = rig();
  const [first, second] = [thread('first'), thread('second')];
  await clock.advanceMs(200);
  first.isSilent = true;
  await clock.advanceMs(300);
  second.isSilent = true;
  state.resident_mb += 1_000;
  await clock.advanceMs(3_000);
  expect(ended).toHaveLength(1);
  expect(ended[0]).toMatch(/^first /);
  first.remove();
  state.resident_mb -= 1_000;
  await clock.advanceMs(3_000);
  expect(ended).toHaveLength(1);
  stop();
});
