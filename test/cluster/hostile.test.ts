import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { disorder, faults, lossyFaults, makeHostile, play, type Story } from './simulation/faults.js';
import { doubles } from './simulation/world.js';

/** 25 runs; 100 in the long form. */
const RUNS = 5 * Number(process.env['SPATE_TEST_KILLS'] ?? 5);

/** A node restarts; a lease that another one reads names a session that its watch of the nodes has not shown yet. */
const LATE_WATCH: Story = [
  753_347_854,
  [
    { kind: 'kill', node: 1, wait_ms: 9_175, amount: 0 },
    { kind: 'restart', node: 4, wait_ms: 625, amount: 19_945 },
  ],
];

/** A node begins anew while servers lose its last documents: the one that is left is of a session before its last. */
const OLDER_DOCUMENT: Story = [
  0,
  [
    { kind: 'kill', node: 0, wait_ms: 6_975, amount: 0 },
    { kind: 'lose', node: 0, wait_ms: 5_475, amount: 33_206 },
    { kind: 'lose', node: 0, wait_ms: 6_675, amount: 39_963 },
    { kind: 'kill', node: 0, wait_ms: 2_425, amount: 0 },
  ],
];

test('whatever happens, no generator runs twice, and in the end each runs on its owner', () => {
  fc.assert(
    fc.property(faults, ([seed, happenings]) => {
      const world = makeHostile(seed, 'stop');
      // `expect` after every tick would take longer than the simulation.
      const look = (): void => {
        if (doubles(world).length > 0) expect(doubles(world)).toEqual([]);
      };
      play(world, happenings, look);
      expect(disorder(world)).toEqual([]);
    }),
    { numRuns: RUNS, examples: [[LATE_WATCH]] },
  );
});

test('nodes that go on without NATS agree again in the end', () => {
  fc.assert(
    fc.property(faults, ([seed, happenings]) => {
      const world = makeHostile(seed, 'continue');
      play(world, happenings, () => {});
      expect(doubles(world)).toEqual([]);
      expect(disorder(world)).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

test('servers that lose what they acknowledged leave no generator without a node, and none on two, in the end', () => {
  fc.assert(
    fc.property(lossyFaults, ([seed, happenings]) => {
      const world = makeHostile(seed, 'stop');
      play(world, happenings, () => {});
      expect(doubles(world)).toEqual([]);
      expect(disorder(world)).toEqual([]);
    }),
    { numRuns: RUNS, examples: [[OLDER_DOCUMENT]] },
  );
});
