import { describe, expect, test } from '@jest/globals';
import {
  declaredKnobs,
  kindOfKnob,
  noteOfKnob,
  stateOfKnob,
} from '../../../src/ui/pages/scenarios/declared.js';

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
