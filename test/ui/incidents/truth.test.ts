import { describe, expect, test } from '@jest/globals';
import { matcherOf } from '../../../src/domain/events/search.js';
import type { IncidentTruth } from '../../../src/messages/incidents.js';
import {
  entityTexts,
  excerptOf,
  isChosen,
  MAX_TRUTH,
  markIn,
  NO_TRUTH,
  phaseCounts,
  searchFor,
  sourceOf,
  strangersOf,
  type TailedEvent,
  truthChoices,
  withTruth,
} from '../../../src/ui/pages/incidents/truth.js';

const line = (event: number, given: object = {}): string =>
  JSON.stringify({
    ...{ at: `2026-01-05T08:00:${String(event % 60).padStart(2, '0')}+00:00`, generator: 'vpn', event },
    ...{
      mark: `94fa9869:${event}`,
      incident: 'theft',
      phase: 'guess',
      entities: { attacker: { ip: '198.51.100.7' } },
    },
    ...given,
  });
const part = (lines: readonly string[], given: Partial<IncidentTruth> = {}): IncidentTruth => ({
  ...{ lines, next: '1', is_anew: false, is_more: false, problem: null },
  ...given,
});
const events = (...lines: readonly string[]) => withTruth(NO_TRUTH, part(lines)).events;
const numbers = (found: readonly { readonly event: number }[]) => found.map(({ event }) => event);

describe('the ground truth of a page', () => {
  test('grows by each answer, newest event first, whoever wrote it', () => {
    const first = withTruth(NO_TRUTH, part([line(1), line(5)], { next: '3-0' }));
    const second = withTruth(first, part([line(3, { generator: 'firewall' })], { next: '3-4' }));
    expect(numbers(second.events)).toEqual([5, 3, 1]);
    expect(second.next).toBe('3-4');
    expect(withTruth(second, part([])).events).toBe(second.events);
  });

  test('begins anew when the service says so', () => {
    const former = withTruth(NO_TRUTH, part([line(1)]));
    expect(numbers(withTruth(former, part([line(2)], { is_anew: true })).events)).toEqual([2]);
  });

  test('leaves out what is no event, and says how many do not fit', () => {
    expect(events('', 'null', '[]', '{"event":"1"}')).toEqual([]);
    const many = withTruth(NO_TRUTH, part(Array.from({ length: MAX_TRUTH + 3 }, (_, n) => line(n))));
    expect([many.events.length, many.left_out]).toEqual([MAX_TRUTH, 3]);
  });
});

describe('the choice of events', () => {
  const members = [
    { name: 'vpn', generator_id: 'vpn-1' },
    { name: 'the shop', generator_id: null },
  ];
  const nameOf = sourceOf('theft', members);
  const all = events(
    line(1, { generator: 'vpn-1' }),
    line(2, { generator: 'theft.the-shop', phase: 'login' }),
    line(3, { generator: 'vpn-1', entities: {} }),
  );
  const chosen = (given: object) =>
    numbers(all.filter((event) => isChosen(event, { source: '', phase: '', entity: '', ...given }, nameOf)));

  test('names members, also one whose generator is gone, and generators of no member', () => {
    expect(['vpn-1', 'theft.the-shop', 'other'].map(nameOf)).toEqual(['vpn', 'the shop', 'other']);
  });

  test('is by source, phase and entity', () => {
    expect(chosen({})).toEqual([3, 2, 1]);
    expect(chosen({ source: 'vpn' })).toEqual([3, 1]);
    expect(chosen({ phase: 'login' })).toEqual([2]);
    expect(chosen({ entity: 'attacker' })).toEqual([2, 1]);
    expect(chosen({ entity: 'attacker', source: 'vpn' })).toEqual([1]);
    expect(chosen({ entity: 'toString' })).toEqual([]);
  });

  test('offers values in the order of the story, with their counts', () => {
    expect(truthChoices(all, ({ phase }) => [phase])).toEqual([
      { value: 'guess', count: 2 },
      { value: 'login', count: 1 },
    ]);
  });
});

describe('events of an entity', () => {
  test('are found by its texts, none of which is short or a number', () => {
    expect(entityTexts({ ip: '198.51.100.7', tries: 15, of: { role: 'it', name: 'ann' } })).toEqual([
      '198.51.100.7',
      'ann',
    ]);
    expect(entityTexts('bob')).toEqual(['bob']);
    expect([null, undefined, 7, 'it'].flatMap(entityTexts)).toEqual([]);
  });

  test.each(['198.51.100.7', 'Ann Lee', 'a "quoted" name', 'C:\\temp'])(
    '%j is searched for as it is',
    (text) => {
      const matches = matcherOf(searchFor(text));
      expect(matches?.(`before ${text} after`)).toBe(true);
      expect(matches?.('something else')).toBe(false);
    },
  );

  test('are shown from near what shows it on', () => {
    expect(excerptOf('from 198.51.100.7 by Ann', ['ann', '198.51.100.7'])).toEqual({
      before: 'from ',
      shown: '198.51.100.7',
      after: ' by Ann',
    });
    const long = excerptOf(`${'x'.repeat(100)}ANN${'y'.repeat(100)}`, ['ann']);
    expect(long).toEqual({ before: `…${'x'.repeat(40)}`, shown: 'ANN', after: 'y'.repeat(100) });
    expect(excerptOf('nothing', ['ann'])).toEqual({ before: '', shown: '', after: 'nothing' });
  });

  test.each([
    ['{"ip":"x","spate":"94fa9869:12:1700000000000000:0a1b2c3d"}', '94fa9869:12'],
    ['a line spate=94fa9869:3:-5:0a1b2c3d', '94fa9869:3'],
    ['a\tb\t94fa9869:4:5:0a1b2c3d', '94fa9869:4'],
    ['11111111:1:1:22222222 spate=94fa9869:3:5:0a1b2c3d', '94fa9869:3'],
    ['no mark, 12:30:45', null],
  ])('have the mark of the ground truth: %j', (text, mark) => {
    expect(markIn(text)).toBe(mark);
  });

  test('are not all of the incident: what shows the entity and is not in the ground truth is counted, once it had time', () => {
    const seen = (mark: string, at_ms: number, text = 'from 198.51.100.7'): TailedEvent => ({
      mark,
      at_ms,
      text,
    });
    const all = [
      seen('94fa9869:1', 0),
      seen('94fa9869:2', 0),
      seen('94fa9869:3', 9_000),
      seen('94fa9869:4', 0, 'from 192.0.2.1'),
    ];
    expect(strangersOf(all, events(line(1)), { ip: '198.51.100.7' }, 10_000)).toBe(1);
  });
});

test('each phase has made so many events of those expected of all its times and rounds', () => {
  const events = ['guess', 'guess', 'theft'].map((phase) => ({ phase }));
  const timeline = [
    { phase: 'guess', expected: 1_000 },
    { phase: 'guess', expected: 1_000 },
    { phase: 'theft', expected: null },
    { phase: 'late', expected: 3 },
  ];
  expect([...phaseCounts(events, timeline, 2)]).toEqual([
    ['guess', '2 of 4,000'],
    ['theft', '1'],
    ['late', '0 of 6'],
  ]);
});
