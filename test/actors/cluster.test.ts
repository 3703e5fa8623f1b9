import { expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { createActor } from 'xstate';
import { type ClusterInput, clusterLogic } from '../../actors/cluster.js';
import { memoryLog } from '../support/logs.js';

const LEASE_MS = 15_000;
const CLOSING_MS = 1_000;
const DEADLINE_MS = 1_700;

/** A node whose generators must drain at `CLOSING_MS`; each step takes `step_ms`. */
const setUp = (step_ms: number) => {
  let nowMs = 0;
  const steps: number[] = [];
  const sleeps: number[] = [];
  const bucket = {
    watch: async () => E.right(null),
  };
  const input = {
    node: 'a',
    lease_ms: LEASE_MS,
    member: {
      noteCurrent: () => {},
      step: (ms: number) => {
        steps.push(ms);
        nowMs += step_ms;
        return [];
      },
      deadlineMs: () => DEADLINE_MS,
      closingMs: () => CLOSING_MS,
      report: () => ({ phase: 'member' }),
    },
    link: { nodes: bucket, leases: bucket },
    ready: Promise.resolve(),
    monotonicMs: () => nowMs,
    clock: {
      yieldTurn: () => Promise.resolve(),
      sleepMs: (ms: number, signal: AbortSignal) => {
        sleeps.push(ms);
        return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      },
    },
    log: memoryLog().log,
    onStep: () => {},
  } as unknown as ClusterInput;
  const actor = createActor(clusterLogic(input), { input: undefined });
  actor.start();
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));
  return {
    steps,
    sleeps,
    settle,
    end: () => actor.stop(),
    wakeAt: async (ms: number) => {
      nowMs = ms;
      actor.send({ type: 'cluster.changed' });
      await settle();
    },
  };
};

test('a node steps when generators must drain, also when the step before took until then', async () => {
  const { sleeps, wakeAt, settle, end } = setUp(4);
  await settle();
  await wakeAt(500);
  expect(sleeps.at(-1)).toBe(CLOSING_MS - 504 + 1);
  await wakeAt(998);
  expect(sleeps.at(-1)).toBe(1);
  await wakeAt(1_003);
  expect(sleeps.at(-1)).toBe(DEADLINE_MS - 1_007 + 1);
  end();
});
