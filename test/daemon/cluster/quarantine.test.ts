import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { quarantine } from '../../../src/daemon/cluster/quarantine.js';
import type { ErrorCode } from '../../../src/domain/errors.js';
import type { GeneratorPhase } from '../../../src/domain/generator.js';
import type { GeneratorRow } from '../../../src/domain/stats/board.js';
import { memoryLog } from '../../support/logs.js';
import { fakeNode } from './fakeNode.js';

const row = (phase: GeneratorPhase, error_code: ErrorCode | null): GeneratorRow => ({
  ...{ phase, error_code, isUp: phase === 'running', isLive: true },
  ...{ plugins: null, stats: null, startedAt: null },
  reason: error_code === null ? null : 'SIGKILL ended its process',
});

const setUp = (deaths: number) => {
  const { view, addEntries } = fakeNode();
  addEntries({ id: 'web' });
  const stopped: (readonly [id: string, reason: string | null | undefined])[] = [];
  const made = quarantine({
    view,
    member: { deathsOf: () => deaths },
    wanted: {
      setGenerator: async (id, _, reason) => {
        stopped.push([id, reason]);
        return E.right(null);
      },
    },
    ask: async () => E.right(null),
    log: memoryLog().log,
  });
  const lose = (code: ErrorCode): void => {
    made.noted('web', row('running', null));
    made.noted('web', row('backing_off', code));
    made.noted('web', row('loading', code));
  };
  return { ...made, view, stopped, lose };
};

describe('a generator of which nodes died', () => {
  test('once is no suspect, and nothing happens when it crashes', () => {
    const { isSuspect, lose, stopped } = setUp(1);
    expect(isSuspect('web')).toBe(false);
    lose('host_crashed');
    expect(stopped).toEqual([]);
  });

  test('twice is one, and is stopped with the reason when it ends its own process', () => {
    const { isSuspect, lose, stopped } = setUp(2);
    expect(isSuspect('web')).toBe(true);
    expect(isSuspect('registered-here-only')).toBe(false);
    lose('output_failed');
    expect(stopped).toEqual([]);
    lose('host_crashed');
    expect(stopped).toEqual([
      ['web', expect.stringMatching(/2 nodes in a row .* on node "a" \(SIGKILL ended its process\)/)],
    ]);
  });

  test('is shown as failed with the reason while it is at rest', () => {
    const { noted, view } = setUp(2);
    view.wanted.set('web', { format: 1, state: 'stopped', quarantine: 'in quarantine: why' });
    expect(noted('web', row('stopped', null))).toMatchObject({
      ...{ phase: 'failed', isUp: false, reason: 'in quarantine: why' },
    });
    expect(noted('web', row('running', null))).toMatchObject({ phase: 'running' });
  });

  test('and that shares its process is stopped only when it was lost alone, after two shared ones', () => {
    const { lose, stopped } = setUp(2);
    lose('displaced');
    lose('displaced');
    expect(stopped).toEqual([]);
    lose('displaced');
    expect(stopped.map(([id]) => id)).toEqual(['web']);
  });
});
