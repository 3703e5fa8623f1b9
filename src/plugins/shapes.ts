import {
  defaulted,
  lazily,
  listOf,
  oneKeyOf,
  optional,
  record,
  required,
  taggedBy,
  type Variants,
} from '../schema/index.js';
import type { AnyShape, Fields, Rule, RuleBreach, Shape, ValueOf } from '../schema/shape.js';
import type { FormatterSpec, OutputSpec, PluginKind, PluginSpec, TakesBytes } from './kit.js';
import { DELIVERY_FIELDS } from './outputs/shared/delivery.js';

/** Declarations by kind and name. */
export type SpecTable = Readonly<Record<PluginKind, Readonly<Record<string, PluginSpec>>>>;

/** Shapes of the sections of a config. */
interface SectionShapes<I extends AnyShape, E extends AnyShape, O extends AnyShape> {
  readonly input: I;
  readonly event: E;
  readonly output: O;
}

const NO_FIELDS = {};

/** A generator config: at least one input, one event plugin, at least one output, and fields for people; nothing else. */
export const generatorShapeOf = <
  I extends AnyShape,
  E extends AnyShape,
  O extends AnyShape,
  M extends Fields = typeof NO_FIELDS,
>(
  { input, event, output }: SectionShapes<I, E, O>,
  more: M = NO_FIELDS as M,
) =>
  record(
    {
      input: required(listOf(input, { min: 1 }), { help: 'Sources of timestamps.' }),
      event: required(event, { help: 'Plugin that turns each timestamp into events.' }),
      output: required(listOf(output, { min: 1 }), { help: 'Destinations of events.' }),
      ...more,
    },
    { rules: [{ fields: ['input', 'event'], check: checkPaired }] },
  );

interface Entry {
  readonly kind: string;
  readonly alias: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const kindsOf = (params: Readonly<Record<string, unknown>>): readonly string[] =>
  (params['kinds'] ?? []) as readonly string[];

/** Templates by the kind of activity need inputs that give activities, and a template for each of their kinds. */
const checkActivities = (inputs: readonly Entry[], { alias, params }: Entry): RuleBreach | null => {
  if (inputs.some(({ kind }) => kind !== 'world'))
    return {
      at: 'input',
      type: 'not_allowed',
      message: 'must be inputs `world` and no others: event.template.mode is activity',
      hint: 'Remove the others, or choose another mode.',
    };
  const items = (params['templates'] as readonly Readonly<Record<string, Entry['params']>>[]).flatMap((one) =>
    Object.values(one),
  );
  const known = new Set(items.flatMap(kindsOf));
  const lost = new Set(inputs.flatMap((input) => kindsOf(input.params)).filter((kind) => !known.has(kind)));
  return lost.size === 0
    ? null
    : {
        at: ['event', alias, 'templates'],
        type: 'missing',
        message: `has no template for ${[...lost].join(', ')}, which the input gives`,
        hint: 'Add the kinds to `kinds` of a template, or remove them from `kinds` of the input.',
      };
};

/** An event plugin that gives the records of an input needs that input, and no other: timestamps do not say where they are from. */
const checkPaired = (given: { readonly input: unknown; readonly event: unknown }): RuleBreach | null => {
  const { kind, params } = given.event as Entry;
  if (kind === 'template' && params['mode'] === 'activity')
    return checkActivities(given.input as readonly Entry[], given.event as Entry);
  const from = kind === 'replay' ? (params['from'] ?? null) : null;
  if (from === null) return null;
  const inputs = given.input as readonly Entry[];
  return inputs.length === 1 && inputs[0]?.kind === from
    ? null
    : {
        at: 'input',
        type: 'not_allowed',
        message: `must be one input \`${from}\` and no other: event.replay.from takes its records`,
        hint: 'Remove the others, or give `replay` a `path`.',
      };
};

/** Sections that replace those of a running generator: at least one. */
export const generatorPatchOf = <I extends AnyShape, E extends AnyShape, O extends AnyShape>(
  shapes: SectionShapes<I, E, O>,
) =>
  record(
    {
      input: optional(listOf(shapes.input, { min: 1 }), { help: 'Replaces all inputs.' }),
      event: optional(shapes.event, { help: 'Replaces the event plugin.' }),
      output: optional(listOf(shapes.output, { min: 1 }), { help: 'Replaces all outputs.' }),
    },
    {
      rules: [
        {
          fields: ['input', 'event', 'output'],
          check: ({ input, event, output }) =>
            input === null && event === null && output === null
              ? { at: '', type: 'missing', message: 'needs input, event or output' }
              : null,
        },
      ],
    },
  );

/** Shapes over a table whose outputs have the fields of all outputs. `more`: what stands for an output. */
export const shapesOf = (table: SpecTable, more: Variants = {}) => {
  const sections = {
    input: oneKeyOf(variantsOf(table.input)),
    event: oneKeyOf(variantsOf(table.event)),
    output: oneKeyOf({ ...variantsOf(table.output), ...more }),
  };
  return {
    ...sections,
    formatter: formatterShapeOf(table.formatter),
    generator: generatorShapeOf(sections),
    generatorPatch: generatorPatchOf(sections),
  };
};

/** Formatters that outputs can have: their shape and declarations. */
interface Formatters<S extends AnyShape = AnyShape> {
  readonly shape: S;
  readonly specs: Readonly<Record<string, FormatterSpec>>;
}

/** A formatter: its name in `format`, its options beside it. */
export const formatterShapeOf = <T extends Readonly<Record<string, PluginSpec>>>(specs: T) =>
  taggedBy('format', variantsOf(specs));

const DEFAULT_FORMATTERS = {
  plain: { kind: 'plain', alias: 'plain', params: {} },
  json: { kind: 'json', alias: 'json', params: { indent: 0 } },
  'json-batch': { kind: 'json-batch', alias: 'json-batch', params: { indent: 0 } },
} as const;

/** Fields that every output gets. */
const outputFields = <S extends AnyShape>(formatter: keyof typeof DEFAULT_FORMATTERS, shape: S) => ({
  formatter: defaulted(shape, DEFAULT_FORMATTERS[formatter], {
    help: 'Formatter of the events; `format` selects the kind.',
    example: { format: formatter },
  }),
  ...DELIVERY_FIELDS,
});

/** Names of the fields that every output gets. */
export const outputFieldNames = (): readonly string[] => ['formatter', ...Object.keys(DELIVERY_FIELDS)];

/** Refuses a formatter that makes bytes where the output would not send them unchanged. */
const bytesRule = (takes: TakesBytes | undefined, { specs }: Formatters): Rule<Fields> => ({
  fields: ['formatter', ...(takes?.fields ?? [])],
  check: (value) => {
    const { kind, params } = value['formatter'] as { readonly kind: string; readonly params: never };
    const form = specs[kind]?.bytes?.(params);
    if (form === undefined) return null;
    const why = takes === undefined ? 'this output writes text' : takes.whyNot(value, form);
    return why === null
      ? null
      : {
          at: 'formatter',
          type: 'not_allowed',
          message: `\`${kind}\` makes bytes, but ${why}`,
          ...(takes === undefined
            ? { hint: 'Choose another formatter, or an output that sends bytes.' }
            : {}),
        };
  },
});

/** Refuses imperfections of items that are bytes or hold many events. */
const imperfectionsRule = ({ specs }: Formatters): Rule<Fields> => ({
  fields: ['formatter', 'imperfections'],
  check: (value) => {
    if (value['imperfections'] === null) return null;
    const { kind, params } = value['formatter'] as { readonly kind: string; readonly params: never };
    const isJoined = specs[kind]?.joins === true;
    if (!isJoined && specs[kind]?.bytes?.(params) === undefined) return null;
    return {
      at: 'imperfections',
      type: 'not_allowed',
      message: `\`${kind}\` ${isJoined ? 'joins events' : 'makes bytes'}, and imperfections are of single texts`,
      hint: 'Choose a formatter that makes a text of each event, such as `plain` or `json`.',
    };
  },
});

type WithOutputFields<O extends OutputSpec, S extends AnyShape> = Omit<O, 'fields' | 'rules'> & {
  readonly rules: readonly Rule<Fields>[];
  readonly fields: O['fields'] & ReturnType<typeof outputFields<S>>;
};

/** Declarations of outputs with what every output gets. */
export const withOutputFields = <T extends Readonly<Record<string, OutputSpec>>, S extends AnyShape>(
  specs: T,
  formatters: Formatters<S>,
) =>
  Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [
      name,
      {
        ...spec,
        fields: lazily(() => ({
          ...spec.fields,
          ...outputFields(spec.formatter ?? 'plain', formatters.shape),
        })),
        rules: [...(spec.rules ?? []), bytesRule(spec.takesBytes, formatters), imperfectionsRule(formatters)],
      },
    ]),
  ) as unknown as { readonly [N in keyof T]: WithOutputFields<T[N], S> };

export const paramsShape = <F extends Fields>(
  spec: Pick<PluginSpec<F>, 'fields' | 'rules'>,
): Shape<ValueOf<F>> => record(spec.fields, { rules: spec.rules ?? [] });

/** Declarations as variants of a union, by name and alias. */
type ParamsVariants<T extends Readonly<Record<string, PluginSpec>>> = {
  readonly [K in keyof T & string]: {
    readonly shape: Shape<ValueOf<T[K]['fields']>>;
    readonly aliases: readonly string[];
  };
};

export const variantsOf = <T extends Readonly<Record<string, PluginSpec>>>(specs: T): ParamsVariants<T> =>
  Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [
      name,
      { shape: paramsShape(spec), aliases: spec.aliases ?? [] },
    ]),
  ) as ParamsVariants<T>;
