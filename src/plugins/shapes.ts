import { listOf, oneKeyOf, optional, record, required } from '../schema/index.js';
import type { AnyShape, RuleBreach } from '../schema/shape.js';
import type { PluginKind, PluginSpec } from './kit.js';
import { formatterShapeOf } from './outputFields.js';
import { variantsOf } from './paramsShape.js';

/** Declarations by kind and name. */
export type SpecTable = Readonly<Record<PluginKind, Readonly<Record<string, PluginSpec>>>>;

/** Shapes of the sections of a config. */
interface SectionShapes<I extends AnyShape, E extends AnyShape, O extends AnyShape> {
  readonly input: I;
  readonly event: E;
  readonly output: O;
}

/** A generator config: at least one input, one event plugin, at least one output; nothing else. */
export const generatorOf = <I extends AnyShape, E extends AnyShape, O extends AnyShape>({
  input,
  event,
  output,
}: SectionShapes<I, E, O>) =>
  record(
    {
      input: required(listOf(input, { min: 1 }), { help: 'Sources of timestamps.' }),
      event: required(event, { help: 'Plugin that turns each timestamp into events.' }),
      output: required(listOf(output, { min: 1 }), { help: 'Destinations of events.' }),
    },
    { rules: [{ fields: ['input', 'event'], check: checkPaired }] },
  );

interface Entry {
  readonly kind: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** An event plugin that gives the records of an input needs that input, and no other: timestamps do not say where they are from. */
const checkPaired = (given: { readonly input: unknown; readonly event: unknown }): RuleBreach | null => {
  const { kind, params } = given.event as Entry;
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

/** Shapes over a table whose outputs have the fields of all outputs. */
export const shapesOf = (table: SpecTable) => {
  const sections = {
    input: oneKeyOf(variantsOf(table.input)),
    event: oneKeyOf(variantsOf(table.event)),
    output: oneKeyOf(variantsOf(table.output)),
  };
  return {
    ...sections,
    formatter: formatterShapeOf(table.formatter),
    generator: generatorOf(sections),
    generatorPatch: generatorPatchOf(sections),
  };
};
