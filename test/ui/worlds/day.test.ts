import { describe, expect, test } from '@jest/globals';
import type { WorldDayActivity, WorldDayPart } from '../../../src/domain/worlds/reports.js';
import {
  dateAfter,
  filteredActivities,
  kindLanes,
  presenceLanes,
  secondOfDay,
  shownActivities,
} from '../../../src/ui/pages/worlds/day.js';

const DATE = '2026-03-10';
const at = (clock: string, date = DATE): string => `${date}T${clock}.500000+01:00`;

const activity = (
  id: number,
  clock: string,
  kind: string,
  more: Partial<WorldDayActivity> = {},
): WorldDayActivity => ({
  ...{ id, at: at(clock), kind, host: 'WS-00001', session: null, cause: null, truth: null, facts: {} },
  ...more,
});

const BROWSE = activity(1, '09:00:30', 'browse', { facts: { name: 'news.example' } });
const QUERY = activity(2, '09:00:31', 'dns_query', { cause: 1, host: 'ns-01' });
const AGAIN = activity(3, '09:00:59', 'browse');
const MAIL = activity(4, '23:59:59', 'send_mail', { host: null });
const ALL = [BROWSE, QUERY, AGAIN, MAIL];

describe('the day of a person', () => {
  test.each([
    ['the clock of the day counts, not the zone', at('01:02:03'), 3_723],
    ['what was before is at midnight', at('23:00:00', '2026-03-09'), 0],
    ['what comes after is at the end', at('00:10:00', '2026-03-11'), 86_400],
  ])('%s', (_, time, seconds) => {
    expect(secondOfDay(time, DATE)).toBe(seconds);
  });

  test('has a lane for each place, in which each stay is a part of the day', () => {
    const part = (what: string, from: string, to: string): WorldDayPart => ({
      ...{ what, from, to, host: null },
    });
    const parts = [
      part('at home', at('06:00:00'), at('18:00:00')),
      part('on the VPN', at('06:00:00'), at('12:00:00')),
      part('on the VPN', at('18:00:00'), at('01:00:00', '2026-03-11')),
    ];
    const lanes = presenceLanes({ parts, date: DATE });
    expect(lanes.map(({ what, bars }) => [what, bars.map(({ left, width }) => [left, width])])).toEqual([
      ['at home', [[25, 50]]],
      [
        'on the VPN',
        [
          [25, 25],
          [75, 25],
        ],
      ],
    ]);
  });

  test('shows what was decided, or all that followed, too', () => {
    expect(shownActivities({ activities: ALL }, 'acts')).toEqual([BROWSE, AGAIN, MAIL]);
    expect(shownActivities({ activities: ALL }, 'all')).toEqual(ALL);
  });

  test('has a mark for each minute in which a kind happens, and counts every time', () => {
    expect(kindLanes(ALL, DATE)).toEqual([
      { kind: 'browse', count: 2, marks: 'M540.5 0v1' },
      { kind: 'dns_query', count: 1, marks: 'M540.5 0v1' },
      { kind: 'send_mail', count: 1, marks: 'M1439.5 0v1' },
    ]);
  });

  test.each([
    ['nothing leaves all', { kind: null, hour: null, words: '' }, ALL],
    ['a kind', { kind: 'browse', hour: null, words: '' }, [BROWSE, AGAIN]],
    ['an hour', { kind: null, hour: 23, words: '' }, [MAIL]],
    [
      'words of kind, host and facts, all of them',
      { kind: null, hour: null, words: 'NEWS ws-00001' },
      [BROWSE],
    ],
    ['words that are nowhere', { kind: null, hour: null, words: 'news ns-01' }, []],
  ])('is filtered: %s', (_, filter, left) => {
    expect(filteredActivities(ALL, DATE, filter)).toEqual(left);
  });

  test('has a day before and after, over the ends of months', () => {
    expect(dateAfter('2026-03-01', -1)).toBe('2026-02-28');
    expect(dateAfter('2026-12-31', 1)).toBe('2027-01-01');
    expect(dateAfter('', 1)).toBe('');
  });
});
