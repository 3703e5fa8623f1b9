import { oneKeyOf } from '../schema/index.js';
import { configShapeOf } from './knobs.js';
import { generatorPatchOf, variantsOf } from './shapes.js';
import { formatterShape, PLUGIN_SPECS } from './specs.js';
import { useShape } from './useShape.js';

export { formatterShape } from './specs.js';

export const inputShape = oneKeyOf(variantsOf(PLUGIN_SPECS.input));
export const eventShape = oneKeyOf(variantsOf(PLUGIN_SPECS.event));
const OUTPUTS = variantsOf(PLUGIN_SPECS.output);

export const outputShape = oneKeyOf({ ...OUTPUTS, use: useShape });
/** An output that does not use another one. */
export const destinationShape = oneKeyOf(OUTPUTS);

/** The format of an output whose config names none; `plain` writes events as they are. */
export const formatOf = (output: string): string => DEFAULT_FORMATS[output] ?? 'plain';

const DEFAULT_FORMATS: Readonly<Record<string, string | undefined>> = Object.fromEntries(
  Object.entries(PLUGIN_SPECS.output).map(([name, { formatter }]) => [name, formatter]),
);

const SECTIONS = { input: inputShape, event: eventShape, output: outputShape };

export const generatorShape = configShapeOf(SECTIONS);
export const generatorPatchShape = generatorPatchOf(SECTIONS);

/** Shapes of configs and their parts. */
export interface ConfigShapes {
  readonly input: typeof inputShape;
  readonly event: typeof eventShape;
  readonly output: typeof outputShape;
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
