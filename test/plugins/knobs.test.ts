import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { checkGeneratorText } from '../../src/config/generator/config.js';
import type { Json, JsonObject } from '../../src/domain/json.js';
import { generatorShape } from '../../src/plugins/generatorShape.js';
import { knobShape } from '../../src/plugins/knobs.js';
import { decode } from '../../src/schema/index.js';
import { knobsOfConfig } from '../../src/worker/check/knobs.js';

const REST = `input: [{ static: { count: 1 } }]
event: { script: { path: p.mjs } }
output: [{ stdout: {} }]
`;

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

const stored = (knobs: string): Json =>
  E.getOrElseW((error) => {
    throw new Error(JSON.stringify(error));
  })(checkGeneratorText(`${REST}${knobs}`, 'generator.yml', generatorShape));

const flaws = (knob: Json): readonly string[] => {
  const read = decode(knobShape, knob);
  return E.isRight(read) ? [] : read.left.map(({ path, message }) => `${path.join('.')} ${message}`);
};

describe('knobs of a config', () => {
  test('are sliders, switches and choices', () => {
    const config = stored(`knobs:
  sale: { label: Sale, min: 0, max: 90, step: 5, unit: '%', default: 0 }
  isOpen: {}
  weather: { choices: [calm, storm], default: calm }
`);
    expect(knobsOfConfig(config)).toEqual([
      { ...NONE, key: 'sale', label: 'Sale', min: 0, max: 90, step: 5, unit: '%', default: 0 },
      { ...NONE, key: 'isOpen' },
      { ...NONE, key: 'weather', choices: ['calm', 'storm'], default: 'calm' },
    ]);
  });

  test('of a world are the parts of its crowds, unless the config declares them itself', () => {
    const inWorld = (knobs: string): Json => ({
      ...(stored(knobs) as JsonObject),
      input: [{ world: { kinds: ['logon'] } }],
    });
    const part = { ...NONE, min: 0, max: 1, step: 0.01, default: 1 };
    expect(knobsOfConfig(inWorld(''))).toEqual([
      { ...part, key: 'people_factor', label: 'People', description: expect.any(String) },
      { ...part, key: 'outside_factor', label: 'Visitors and strangers', description: expect.any(String) },
    ]);
    expect(knobsOfConfig(inWorld('knobs: {people_factor: {min: 0, max: 0.5}}'))).toEqual([
      { ...NONE, key: 'people_factor', min: 0, max: 0.5 },
      expect.objectContaining({ key: 'outside_factor' }),
    ]);
  });

  test('are read back where they are written, and nowhere else', () => {
    expect(Object.keys(stored('') as object)).toEqual(['input', 'event', 'output']);
    expect(Object.keys(stored('knobs: {a: {}}') as object)).toEqual(['input', 'event', 'output', 'knobs']);
  });

  test('are not part of what runs', () => {
    const read = decode(generatorShape, stored('knobs: {a: {}}'));
    const config = E.isRight(read) ? generatorShape.codec.encode(read.right) : read;
    expect(Object.keys(config as object)).toEqual(['input', 'event', 'output']);
  });

  test('with a placeholder for a number are known at a start only', () => {
    expect(knobsOfConfig(stored("knobs: {a: {min: 0, max: '${params.top}'}, b: {}}"))).toEqual([
      { ...NONE, key: 'b' },
    ]);
    expect(knobsOfConfig(stored(''))).toEqual([]);
    expect(knobsOfConfig(null)).toEqual([]);
  });

  test.each<[Json, readonly string[]]>([
    [{ min: 0 }, ['max is required: a slider has two ends']],
    [{ max: 1 }, ['min is required: a slider has two ends']],
    [{ min: 2, max: 1 }, ['max must be greater than `min`']],
    [{ min: 0, max: 1, step: 0 }, ['step must be above 0 and at most the distance of `min` and `max`']],
    [{ step: 1 }, ['step is for numbers']],
    [{ min: 0, max: 1, choices: ['a'] }, ['choices cannot stand beside `min` and `max`']],
    [{ min: 0, max: 1, default: 2 }, ['default must be a number from 0 to 1']],
    [{ choices: ['a'], default: 'b' }, ['default must be one of `choices`']],
    [{ default: 3 }, ['default must be true or false']],
    [{ labl: 'x' }, ["labl unknown key 'labl'"]],
    [{ default: true }, []],
    [{ min: 0, max: 1, step: 1, default: 1 }, []],
  ])('%j has these flaws: %j', (knob, expected) => {
    expect(flaws(knob)).toEqual(expected);
  });
});
