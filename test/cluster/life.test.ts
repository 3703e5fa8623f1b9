import { describe, expect, test } from '@jest/globals';
import { makeLife } from '../../src/cluster/life.js';

type Event = Parameters<ReturnType<typeof makeLife>['send']>[0];

const JOINED: Event = { type: 'joined', isFollowing: false };
const BACK: Event = { type: 'beat', isFollowing: false };

/** States that a node passes through, event by event. */
const statesOf = (events: readonly Event[], continues = false): readonly string[] => {
  const life = makeLife(continues);
  return events.map((event) => {
    life.send(event);
    return life.state();
  });
};

describe('a node', () => {
  test('joins, becomes a member, and waits again when its deadline is over', () => {
    const events: Event[] = [JOINED, { type: 'steady' }, { type: 'deadline' }];
    expect(statesOf(events)).toEqual(['joining', 'member', 'waiting']);
  });

  test('returns when it follows a former session', () => {
    expect(statesOf([{ type: 'joined', isFollowing: true }, { type: 'steady' }])).toEqual([
      'returning',
      'member',
    ]);
  });

  test('that is told to go on is isolated, and a member again after a beat', () => {
    const events: Event[] = [JOINED, { type: 'deadline' }, BACK, { type: 'steady' }];
    expect(statesOf(events, true)).toEqual(['joining', 'isolated', 'joining', 'member']);
  });

  test('that is drained while it waits or is isolated drains as soon as it is back', () => {
    expect(statesOf([{ type: 'drain' }, JOINED, { type: 'resume' }])).toEqual([
      'waiting',
      'draining',
      'joining',
    ]);
    const events: Event[] = [JOINED, { type: 'deadline' }, { type: 'drain' }, BACK];
    expect(statesOf(events, true)).toEqual(['joining', 'isolated', 'isolated', 'draining']);
  });

  test('leaves once, whatever happens meanwhile', () => {
    const events: Event[] = [JOINED, { type: 'leave' }, { type: 'deadline' }, { type: 'emptied' }];
    expect(statesOf(events)).toEqual(['joining', 'leaving', 'leaving', 'withdrawing']);
    const rest: Event[] = [
      { type: 'kept' },
      { type: 'emptied' },
      { type: 'left' },
      { type: 'leave' },
      JOINED,
    ];
    expect(statesOf([...events, ...rest]).slice(4)).toEqual([
      'leaving',
      'withdrawing',
      'gone',
      'gone',
      'gone',
    ]);
  });
});
