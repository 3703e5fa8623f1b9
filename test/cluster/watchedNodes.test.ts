import { describe, expect, test } from '@jest/globals';
import type { NodeDocument } from '../../src/cluster/documents.js';
import { makeWatchedNodes } from '../../src/cluster/watchedNodes.js';

const LEASE_MS = 15_000;
const BEAT_MS = 3_000;

const document = (session: string, follows: string | null = null): NodeDocument => ({
  ...{
    format: 1,
    session,
    follows,
    previous: null,
    since: 0,
    generation: {},
    version: '1',
    api: null,
    capacity: 1,
    labels: {},
    beat: 1,
  },
  ...{
    load: { generators: 0, events_per_second: 0, cpu: 0 },
    local: [],
    draining: false,
    refused: [],
    problems: [],
  },
});

/** An observer that beats every 3 s, and the nodes that it sees. */
const observer = () => {
  const watched = makeWatchedNodes(LEASE_MS);
  let nowMs = 1_000;
  let revision = 0;
  const see = (node: string, session: string | 'unreadable' | null, follows?: string): boolean =>
    watched.noteDocument(
      node,
      session === null || session === 'unreadable' ? session : document(session, follows),
      ++revision,
      nowMs,
    );
  return {
    watched,
    see,
    wait: (ms: number) => {
      nowMs += ms;
    },
    lease: (node: string, session: string) => watched.noteSession(node, session, nowMs),
    /** Own beats for a number of beats; `others` beat too. */
    beats: (count: number, ...others: readonly (readonly [string, string])[]) => {
      for (let i = 0; i < count; i++) {
        nowMs += BEAT_MS;
        for (const [node, session] of others) see(node, session);
        watched.noteOwnBeat(nowMs, nowMs);
      }
    },
    echo: () => watched.noteOwnBeat(nowMs, nowMs),
  };
};

describe('a node', () => {
  test('is alive until a lease without a beat is over', () => {
    const { watched, beats, see, echo } = observer();
    echo();
    see('a', 's1');
    beats(4);
    expect(watched.isAlive('a', 's1')).toBe(true);
    beats(1);
    expect(watched.isAlive('a', 's1')).toBe(false);
    see('a', 's1');
    expect(watched.isAlive('a', 's1')).toBe(true);
  });

  test('is not lost while the observer sees no beat of its own', () => {
    const { watched, beats, see, wait, echo } = observer();
    echo();
    see('a', 's1');
    wait(10 * LEASE_MS);
    expect(watched.isAlive('a', 's1')).toBe(true);
    // The first beat after a gap begins all observations anew.
    echo();
    expect(watched.isAlive('a', 's1')).toBe(true);
    beats(4);
    expect(watched.isAlive('a', 's1')).toBe(true);
    beats(1);
    expect(watched.isAlive('a', 's1')).toBe(false);
  });

  test('that leaves is gone at once, and so is a session that another has followed', () => {
    const { watched, see, echo } = observer();
    echo();
    see('a', 's1');
    see('b', 's1');
    see('a', null);
    see('b', 's2');
    expect(watched.isAlive('a', 's1')).toBe(false);
    expect(watched.isAlive('b', 's1')).toBe(false);
    expect(watched.isAlive('b', 's2')).toBe(true);
    expect([...watched.documents()].map(([node]) => node)).toEqual(['b']);
  });

  test('with a session that only a lease names is alive for a lease', () => {
    const { watched, see, lease, beats, echo } = observer();
    echo();
    see('a', 's1');
    lease('a', 's2');
    lease('b', 's3');
    expect(watched.isAlive('a', 's2')).toBe(true);
    expect(watched.isAlive('b', 's3')).toBe(true);
    beats(4, ['a', 's1']);
    lease('a', 's2');
    beats(1, ['a', 's1']);
    expect(watched.isAlive('a', 's2')).toBe(false);
    expect(watched.isAlive('b', 's3')).toBe(false);
    expect(watched.isAlive('a', 's1')).toBe(true);
  });

  test('whose document cannot be read keeps all its leases while it beats', () => {
    const { watched, see, lease, beats, echo } = observer();
    echo();
    lease('a', 's1');
    for (let i = 0; i < 8; i++) {
      see('a', 'unreadable');
      beats(1);
    }
    expect(watched.isAlive('a', 's1')).toBe(true);
    expect(watched.isSteady('a')).toBe(false);
    beats(5);
    expect(watched.isAlive('a', 's1')).toBe(false);
  });

  test('that is known is ignored; an older revision counts, because servers can lose the end of a stream', () => {
    const { watched } = observer();
    expect(watched.noteDocument('a', document('s2'), 7, 0)).toBe(true);
    expect(watched.noteDocument('a', document('s2'), 7, 5)).toBe(false);
    expect(watched.noteDocument('a', document('s1'), 6, 9)).toBe(true);
    expect(watched.sightOf('a')).toMatchObject({ revision: 6, seenMs: 9 });
  });
});

describe('a steady node', () => {
  test('has beaten for three beats', () => {
    const { watched, see, beats, echo } = observer();
    echo();
    see('a', 's1');
    beats(2, ['a', 's1']);
    expect(watched.isSteady('a')).toBe(false);
    beats(1, ['a', 's1']);
    expect(watched.isSteady('a')).toBe(true);
  });

  test('is none that was seen once, or that starts again', () => {
    const { watched, see, beats, echo } = observer();
    echo();
    see('a', 's1');
    beats(4);
    see('a', 's1');
    expect(watched.isSteady('a')).toBe(false);
    for (let i = 0; i < 10; i++) beats(2, ['b', `s${i}`]);
    expect(watched.isSteady('b')).toBe(false);
  });

  test('is none that beats with gaps', () => {
    const { watched, beats, wait, echo, see } = observer();
    echo();
    for (let i = 0; i < 10; i++) {
      see('a', 's1');
      beats(2);
      wait(100);
    }
    expect(watched.isSteady('a')).toBe(false);
  });

  test('stays steady when it is back in place of its former session within the lease', () => {
    const { watched, beats, see } = observer();
    beats(5, ['a', 's1']);
    beats(4);
    see('a', 's2', 's1');
    expect(watched.isSteady('a')).toBe(true);
    expect(watched.isAlive('a', 's1')).toBe(false);
    expect(watched.isAlive('a', 's2')).toBe(true);
    beats(5);
    expect(watched.isSteady('a')).toBe(false);
    see('a', 's3', 's2');
    expect(watched.isSteady('a')).toBe(false);
  });

  test('is none that is back in place of a session that was not steady, or of another one', () => {
    const { watched, beats, see } = observer();
    beats(2, ['a', 's1']);
    see('a', 's2', 's1');
    expect(watched.isSteady('a')).toBe(false);
    beats(5, ['b', 's1']);
    see('b', 's3', 's2');
    expect(watched.isSteady('b')).toBe(false);
  });

  test('stays steady over a gap, until it is lost', () => {
    const { watched, beats, see } = observer();
    beats(5, ['a', 's1']);
    beats(4);
    expect(watched.isSteady('a')).toBe(true);
    see('a', 's1');
    beats(5);
    expect(watched.isSteady('a')).toBe(false);
    see('a', 's1');
    expect(watched.isSteady('a')).toBe(false);
    beats(3, ['a', 's1']);
    expect(watched.isSteady('a')).toBe(true);
  });
});
