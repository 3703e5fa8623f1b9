import { listOf, oneKeyOf, optional, record, required } from '../schema/index.js';
import { variantsOf } from './paramsShape.js';
import { formatterShape, formatterShapeOf, PLUGIN_SPECS, type SpecTable } from './specs.js';

export { formatterShape } from './specs.js';

export const inputShape = oneKeyOf(variantsOf(PLUGIN_SPECS.input));
export const eventShape = oneKeyOf(variantsOf(PLUGIN_SPECS.event));
export const outputShape = oneKeyOf(variantsOf(PLUGIN_SPECS.output));

interface SectionShapes {
  readonly input: typeof inputShape;
  readonly event: typeof eventShape;
  readonly output: typeof outputShape;
}

const generatorOf = ({ input, event, output }: SectionShapes) =>
  record({
    input: required(listOf(input, { min: 1 }), { help: 'Sources of timestamps.' }),
    event: required(event, { help: 'Plugin that turns each timestamp into events.' }),
    output: required(listOf(output, { min: 1 }), { help: 'Destinations of events.' }),
  });

const generatorPatchOf = (shapes: SectionShapes) =>
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

const SECTIONS = { input: inputShape, event: eventShape, output: outputShape };

/** A generator config: at least one input, one event plugin, at least one output; nothing else. */
export const generatorShape = generatorOf(SECTIONS);

/** Sections that replace those of a running generator: at least one. */
export const generatorPatchShape = generatorPatchOf(SECTIONS);

/** Shapes of configs and their parts. */
export interface ConfigShapes extends SectionShapes {
  readonly formatter: typeof formatterShape;
  readonly generator: typeof generatorShape;
  readonly generatorPatch: typeof generatorPatchShape;
}

/** Shapes with the plugins of this program only. */
export const BUILT_IN_SHAPES: ConfigShapes = {
  ...SECTIONS,
  formatter: formatterShape,
  generator: generatorShape,
  generatorPatch: generatorPatchShape,
};

/** Shapes over a table of `specsWith`. Their types know the plugins of this program. */
export const shapesOf = (table: SpecTable): ConfigShapes => {
  const sections = {
    input: oneKeyOf(variantsOf(table.input)),
    event: oneKeyOf(variantsOf(table.event)),
    output: oneKeyOf(variantsOf(table.output)),
  } as unknown as SectionShapes;
  return {
    ...sections,
    formatter: formatterShapeOf(table.formatter),
    generator: generatorOf(sections),
    generatorPatch: generatorPatchOf(sections),
  };
};
