import { describe, expect, test } from '@jest/globals';
import { makeDoubts } from '../../src/cluster/doubts.js';

const LEASE_MS = 1_000;
const mine = (revision: number) => ({ revision, holder: { node: 'a', session: 's' } });

describe('an accepted lease write', () => {
  test('that the watch shows is no doubt', () => {
    const doubts = makeDoubts(LEASE_MS);
    doubts.noteAccepted('g.x', 'acquire', 5, 0);
    doubts.noteWatched('g.x', mine(5));
    doubts.noteAccepted('g.x', 'release', 5, 10);
    doubts.noteWatched('g.x', { revision: 6, holder: null });
    expect(doubts.due(10_000)).toEqual([]);
  });

  test('that the watch showed before its answer came is no doubt', () => {
    const doubts = makeDoubts(LEASE_MS);
    doubts.noteWatched('g.x', mine(5));
    doubts.noteAccepted('g.x', 'acquire', 5, 0);
    expect(doubts.due(10_000)).toEqual([]);
  });

  test('that the watch does not show within a lease is in doubt, once: what it showed last counts', () => {
    const doubts = makeDoubts(LEASE_MS);
    doubts.noteWatched('g.x', mine(5));
    doubts.noteAccepted('g.x', 'release', 5, 0);
    doubts.noteAccepted('g.y', 'acquire', 7, 0);
    doubts.noteWatched('g.x', mine(5));
    expect(doubts.due(LEASE_MS - 1)).toEqual([]);
    expect(doubts.due(LEASE_MS)).toEqual([
      { key: 'g.x', lease: mine(5) },
      { key: 'g.y', lease: { revision: 0, holder: null } },
    ]);
    expect(doubts.due(2 * LEASE_MS)).toEqual([]);
  });

  test('of a stream that has lost its end counts as the watch shows it', () => {
    const doubts = makeDoubts(LEASE_MS);
    expect(doubts.noteWatched('g.x', mine(9))).toBe(false);
    expect(doubts.noteWatched('g.x', mine(4))).toBe(true);
  });
});
