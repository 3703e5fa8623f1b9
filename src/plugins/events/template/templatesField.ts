import {
  assumed,
  boolean,
  defaulted,
  freeObject,
  lazily,
  listOf,
  mapOf,
  number,
  oneOf,
  optional,
  record,
  refined,
  required,
  text,
} from '../../../schema/index.js';
import { defect } from '../../../schema/issues.js';
import type { ValueOf } from '../../../schema/shape.js';
import { type ActivityKind, ALL_ACTIVITY_KINDS } from '../../../world/activity/kinds.js';
import { templatePath } from '../../shared/fields.js';
import { conditionShape } from './fsm/conditionShape.js';

export const MODES = ['all', 'any', 'chance', 'spin', 'fsm', 'chain', 'activity'] as const;

export type PickMode = (typeof MODES)[number];

const transition = record({
  to: required(text({ minLength: 1 }), { help: 'Alias of the next state.' }),
  when: required(conditionShape, { help: 'Condition: an object with one key.' }),
});

/** Seconds; a day. */
const MAX_THINK = 86_400;

export const thinkShape = refined(
  record({
    min: required(number({ min: 0, max: MAX_THINK }), { help: 'Shortest pause in seconds.' }),
    max: required(number({ min: 0, max: MAX_THINK }), { help: 'Longest pause in seconds.' }),
  }),
  ({ min, max }) => (min <= max ? null : defect('conflict', `has min ${min} above max ${max}`)),
);

export const MAX_CONSTANTS = 100_000;

const templateItemFields = lazily(() => ({
  template: required(templatePath('.jinja'), { help: 'Template file.', example: 'login.jinja' }),
  vars: defaulted(
    freeObject({ maxValues: MAX_CONSTANTS }),
    {},
    { help: 'Constants of this template, available as `vars`.' },
  ),
  chance: optional(number({ exclusiveMin: 0 }), {
    help: 'Weight of the template. Required in mode chance, not allowed in others.',
  }),
  tags: assumed(listOf(text({ minLength: 1 })), [], {
    help: 'Timestamps of an input with one of these tags pick only among the templates that have it. Others pick as if there were no tags.',
    extension: true,
  }),
  kinds: assumed(listOf(oneOf(ALL_ACTIVITY_KINDS as readonly [ActivityKind, ...ActivityKind[]])), [], {
    help: 'Kinds of activities that the template makes an event of. Required in mode activity, not allowed in others.',
    extension: true,
  }),
  when: optional(conditionShape, {
    help: 'Condition: of the templates of a kind, the first one counts whose condition holds. Mode activity only.',
    extension: true,
  }),
  initial: assumed(boolean(), false, {
    help: 'Start state of the machine. Exactly one template in mode fsm.',
  }),
  think: optional(thinkShape, {
    help: 'Pause of an instance after this state, instead of `think` of the plugin. Mode fsm with `instances` only.',
    extension: true,
  }),
  transitions: assumed(listOf(transition), [], {
    help: 'Transitions from this state, evaluated in order before the next event. Mode fsm only.',
  }),
}));

export type TemplateItem = ValueOf<typeof templateItemFields>;

const oneAlias = refined(
  mapOf(record(templateItemFields)),
  (given) => {
    const count = Object.keys(given).length;
    const hint = 'Start a list item per template and indent its keys below the alias.';
    return count === 1
      ? null
      : defect('not_one_key', `must have exactly one key, the alias, not ${count}`, hint);
  },
  { minProperties: 1, maxProperties: 1 },
);

export const templatesField = required(listOf(oneAlias, { min: 1 }), {
  help: 'Templates in order. Each is an object with one key, the alias, and `template`, `vars` and the keys of the mode below it.',
  example: [{ login: { template: 'login.jinja' } }],
});

/** The alias and settings of each item in order. */
export const aliasesOf = (
  templates: readonly Readonly<Record<string, TemplateItem>>[],
): readonly (readonly [alias: string, item: TemplateItem])[] =>
  templates.flatMap((one) => Object.entries(one));
