import { describe, expect, test } from '@jest/globals';
import { makeLife } from '../../src/cluster/life.js';

type Event = Parameters<ReturnType<typeof makeLife>['send']>[0];

const HEARD: Event = { type: 'heard', isFollowing: false };

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
    const events: Event[] = [HEARD, { type: 'steady' }, { type: 'deadline' }];
    expect(statesOf(events)).toEqual(['joining', 'member', 'waiting']);
  });

  test('returns when it follows a former session', () => {
    expect(statesOf([{ type: 'heard', isFollowing: true }, { type: 'steady' }])).toEqual([
      'returning',
      'member',
    ]);
  });

  test('that is told to go on is isolated, and a member again after a beat', () => {
    const events: Event[] = [HEARD, { type: 'deadline' }, HEARD, { type: 'steady' }];
    expect(statesOf(events, true)).toEqual(['joining', 'isolated', 'joining', 'member']);
  });

  test('that is drained while it waits or is isolated drains as soon as it is back', () => {
    expect(statesOf([{ type: 'drain' }, HEARD, { type: 'resume' }])).toEqual([
      'waiting',
      'draining',
      'joining',
    ]);
    const events: Event[] = [HEARD, { type: 'deadline' }, { type: 'drain' }, HEARD];
    expect(statesOf(events, true)).toEqual(['joining', 'isolated', 'isolated', 'draining']);
  });

  test('leaves once, whatever happens meanwhile', () => {
    const events: Event[] = [HEARD, { type: 'leave' }, { type: 'deadline' }, { type: 'emptied' }];
    expect(statesOf(events)).toEqual(['joining', 'leaving', 'leaving', 'withdrawing']);
    const rest: Event[] = [{ type: 'kept' }, { type: 'emptied' }, { type: 'left' }, { type: 'leave' }, HEARD];
    expect(statesOf([...events, ...rest]).slice(4)).toEqual([
      'leaving',
      'withdrawing',
      'gone',
      'gone',
      'gone',
    ]);
  });
});
