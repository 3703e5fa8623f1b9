import type { KnobDeclaration } from '../domain/globals/knobs.js';
import { type AnyShape, anyJson, listOf, mapOf, number, optional, record, text } from '../schema/index.js';
import type { RuleBreach } from '../schema/shape.js';
import { unencoded } from '../schema/unencoded.js';
import { generatorShapeOf } from './shapes.js';

/** Knobs that a generator declares. */
const MAX_KNOBS = 100;
const MAX_CHOICES = 100;

const breach = (at: string, message: string, hint?: string): RuleBreach => ({
  at,
  type: 'not_allowed',
  message,
  ...(hint === undefined ? {} : { hint }),
});

type Declared = Omit<KnobDeclaration, 'key'>;

const rangeFlaw = ({ min, max, step, choices }: Omit<Declared, 'default'>): RuleBreach | null => {
  const isRange = min !== null || max !== null;
  if (isRange && choices !== null) return breach('choices', 'cannot stand beside `min` and `max`');
  if (isRange && (min === null || max === null))
    return {
      at: min === null ? 'min' : 'max',
      type: 'missing',
      message: 'is required: a slider has two ends',
    };
  if (min !== null && max !== null && min >= max) return breach('max', 'must be greater than `min`');
  if (step === null) return null;
  if (min === null || max === null) return breach('step', 'is for numbers', 'Add `min` and `max`.');
  return step > 0 && step <= max - min
    ? null
    : breach('step', 'must be above 0 and at most the distance of `min` and `max`');
};

const defaultFlaw = ({ min, max, choices, default: value }: Declared): RuleBreach | null => {
  if (value === null) return null;
  if (min !== null && max !== null)
    return typeof value === 'number' && value >= min && value <= max
      ? null
      : breach('default', `must be a number from ${min} to ${max}`);
  if (choices !== null)
    return choices.includes(value as string) ? null : breach('default', 'must be one of `choices`');
  return typeof value === 'boolean'
    ? null
    : breach('default', 'must be true or false', 'A number needs `min` and `max`, a text `choices`.');
};

/** A declared knob: a slider from `min` to `max`, one of `choices`, or a switch. */
export const knobShape = record(
  {
    label: optional(text({ minLength: 1, maxLength: 100 }), {
      help: 'Name on the page. Without it, the key.',
      example: 'Sale',
    }),
    description: optional(text({ maxLength: 500 }), {
      help: 'What it does, in a sentence.',
      example: 'Discount on every price.',
    }),
    min: optional(number(), { help: 'Left end of a slider.', example: 0 }),
    max: optional(number(), { help: 'Right end of a slider.', example: 90 }),
    step: optional(number(), {
      help: 'Distance of two positions of the slider. Without it, about a hundredth of its length.',
      example: 5,
    }),
    unit: optional(text({ maxLength: 20 }), { help: 'Unit of the number.', example: '%' }),
    choices: optional(listOf(text({ maxLength: 200 }), { min: 1, max: MAX_CHOICES }), {
      help: 'Texts to choose from, instead of a slider. Without `choices`, `min` and `max` the knob is a switch: true or false.',
      example: ['calm', 'storm'],
    }),
    default: optional(anyJson({ maxValues: 1 }), {
      help: 'What the generator uses while the global is not set. Spate shows it and never sets it.',
      example: 0,
    }),
  },
  {
    rules: [
      { fields: ['min', 'max', 'step', 'choices'], check: rangeFlaw },
      {
        fields: ['min', 'max', 'choices', 'default'],
        check: defaultFlaw,
      },
    ],
  },
);

const FIELDS = {
  knobs: optional(mapOf(knobShape, { max: MAX_KNOBS }), {
    help: 'Globals of the scenario that people may turn while it runs: a control for each on the page of the scenario.',
    example: { sale: { label: 'Sale', min: 0, max: 90, unit: '%', default: 0 } },
  }),
};

/** A generator config as authors write it, with knobs; what runs does not get them. */
export const configShapeOf = <I extends AnyShape, V extends AnyShape, O extends AnyShape>(
  sections: Parameters<typeof generatorShapeOf<I, V, O>>[0],
) => unencoded(generatorShapeOf(sections, FIELDS), 'knobs');
