import * as E from 'fp-ts/lib/Either.js';
import type { KnobDeclaration } from '../../domain/globals/knobs.js';
import { isJsonObject, type Json } from '../../domain/json.js';
import { ANOMALY_GLOBAL, PART_GLOBALS } from '../../plugins/activities.js';
import { knobShape } from '../../plugins/knobs.js';
import { decode } from '../../schema/index.js';

const partKnob = (crowd: keyof typeof PART_GLOBALS, label: string, description: string): KnobDeclaration => ({
  ...{ key: PART_GLOBALS[crowd], label, description, min: 0, max: 1, step: 0.01 },
  ...{ unit: null, choices: null, default: 1 },
});

/** What people may turn in a scenario that has a generator in a world. */
export const WORLD_KNOBS: readonly KnobDeclaration[] = [
  partKnob('people', 'People', 'Part of the people of the world whose activities make events.'),
  partKnob('outside', 'Visitors and strangers', 'Part of those outside whose activities make events.'),
];

/** Whether a stored config has an input that observes a world. */
export const isInWorld = (config: Json): boolean => {
  const inputs = isJsonObject(config) ? config['input'] : null;
  return (
    Array.isArray(inputs) && inputs.some((input) => isJsonObject(input) && Object.hasOwn(input, 'world'))
  );
};

/**
 * Knobs of a stored config, and those of its world that it does not declare itself. Those with a placeholder for a number
 * are left out: its value is only known at a start.
 */
export const knobsOfConfig = (config: Json): readonly KnobDeclaration[] => {
  const declared = isJsonObject(config) ? config['knobs'] : null;
  const own = Object.entries(isJsonObject(declared) ? declared : {}).flatMap(([key, value]) => {
    const knob = decode(knobShape, value);
    return E.isLeft(knob) ? [] : [{ key, ...knob.right }];
  });
  const ofWorld = isInWorld(config) ? WORLD_KNOBS : [];
  return [...own, ...ofWorld.filter(({ key }) => !own.some((knob) => knob.key === key))];
};

/** Globals that a stored config itself reads: its knobs, which it promises to read, and the attack of its world. */
export const keysOfConfig = (config: Json): readonly string[] => [
  ...knobsOfConfig(config).map(({ key }) => key),
  ...(isInWorld(config) ? [ANOMALY_GLOBAL] : []),
];
