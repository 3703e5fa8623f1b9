import { describe, expect, test } from '@jest/globals';
import {
  declaredKnobs,
  kindOfKnob,
  noteOfKnob,
  stateOfKnob,
} from '../../../src/ui/pages/scenarios/declared.js';
import { patchMarks, readoutOf, stackedRates } from '../../../src/ui/pages/scenarios/watch.js';

const NONE = {
  label: null,
  description: null,
  min: null,
  max: null,
  step: null,
  unit: null,
  choices: null,
  default: null,
};
const SALE = { ...NONE, key: 'sale', label: 'Sale', min: 0, max: 90, unit: '%', default: 0 };
const only = (knob: Parameters<typeof kindOfKnob>[0]) => {
  const [found] = declaredKnobs([{ member: 'a', report: { knobs: [knob] } }]);
  if (found === undefined) throw new Error('no knob');
  return found;
};

describe('declared knobs', () => {
  test('are merged over the members: the declaration of the first by name holds, and others are told', () => {
    const knobs = declaredKnobs([
      {
        member: 'web',
        report: {
          knobs: [
            { ...SALE, max: 50 },
            { ...NONE, key: 'isOpen' },
          ],
        },
      },
      { member: 'api', report: { knobs: [SALE] } },
      { member: 'shop', report: { knobs: [SALE] } },
    ]);
    expect(knobs.map(({ key, max, members, others }) => [key, max, members, others])).toEqual([
      ['isOpen', null, ['web'], []],
      ['sale', 90, ['api', 'shop'], ['web']],
    ]);
  });

  test.each([
    [SALE, { kind: 'slider', min: 0, max: 90, step: 1 }],
    [
      { ...SALE, step: 5 },
      { kind: 'slider', min: 0, max: 90, step: 5 },
    ],
    [
      { ...SALE, max: 1 },
      { kind: 'slider', min: 0, max: 1, step: 0.01 },
    ],
    [
      { ...NONE, key: 'a', choices: ['x', 'y'] },
      { kind: 'choice', choices: ['x', 'y'] },
    ],
    [{ ...NONE, key: 'a' }, { kind: 'switch' }],
  ])('%j is %j', (knob, kind) => {
    expect(kindOfKnob(knob)).toEqual(kind);
  });

  test('stand at their default until they are set, which is never done for them', () => {
    const knob = only(SALE);
    const unset = stateOfKnob(knob, {});
    expect(unset).toEqual({ shown: 0, isSet: false, flaw: null });
    expect(noteOfKnob(knob, unset)).toBe('Not set: members use 0 %.');
    const set = stateOfKnob(knob, { sale: 20 });
    expect(set).toEqual({ shown: 20, isSet: true, flaw: null });
    expect(noteOfKnob(knob, set)).toBe('Default 0 %.');
  });

  test('say so when the value is not one of theirs', () => {
    expect(stateOfKnob(only(SALE), { sale: 'abc' })).toEqual({
      shown: 0,
      isSet: true,
      flaw: 'Its value is "abc", not a number.',
    });
    expect(stateOfKnob(only(SALE), { sale: 95 }).flaw).toBe(
      'Its value is none that the author has declared.',
    );
  });
});

const series = (from: string, produced: readonly (number | null)[]) => ({
  from,
  step: 2,
  seconds: produced.map((count) => (count === null ? 0 : 2)),
  produced,
  written: [],
  failed: [],
  dead_lettered: [],
  lateness_p99_us: [],
});

describe('rates of members', () => {
  test('are put on top of each other by their times', () => {
    const rates = stackedRates([
      series('2026-01-01T00:00:00Z', [2, 4, null]),
      null,
      series('2026-01-01T00:00:02Z', [10, null, 20]),
    ]);
    expect(rates.at).toEqual([-8, -6, -4, -2]);
    expect(rates.tops).toEqual([
      [1, 2, null, 0],
      [1, 2, null, 0],
      [1, 7, null, 10],
    ]);
    expect(rates.last).toEqual([null, null, 10]);
    expect(rates.end_ms).toBe(Date.parse('2026-01-01T00:00:08Z'));
    expect(readoutOf(['a', 'b', 'c'], rates, 1)).toMatch(/:02, a 2\/s, b 0\/s, c 5\/s$/);
  });

  test('of no member are none', () => {
    expect(stackedRates([null])).toEqual({ at: [], tops: [[]], last: [null], end_ms: 0 });
  });

  test('have a mark at each change of globals that they reach back to', () => {
    const end_ms = Date.parse('2026-01-01T00:10:00Z');
    const patch = (at: string, ...keys: string[]) => ({
      number: 1,
      at,
      user: 'ana',
      kind: 'patch' as const,
      keys: keys.map((key) => ({ key, old: null, new: null })),
      more_keys: 0,
    });
    const patches = [
      patch('2026-01-01T00:10:01Z', 'late'),
      patch('2026-01-01T00:09:30Z', 'a', 'b', 'c', 'd'),
      patch('2026-01-01T00:04:59Z', 'old'),
    ];
    expect(patchMarks(patches, end_ms)).toEqual([
      { at: -30, text: 'a, b, c and 1 more' },
      { at: 0, text: 'late' },
    ]);
  });
});
