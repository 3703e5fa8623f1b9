import { listOf, oneKeyOf, optional, record, required } from '../schema/index.js';
import { variantsOf } from './paramsShape.js';
import { PLUGIN_SPECS } from './specs.js';

export { formatterShape } from './specs.js';

export const inputShape = oneKeyOf(variantsOf(PLUGIN_SPECS.input));
export const eventShape = oneKeyOf(variantsOf(PLUGIN_SPECS.event));
export const outputShape = oneKeyOf(variantsOf(PLUGIN_SPECS.output));

/** A generator config: at least one input, one event plugin, at least one output; nothing else. */
export const generatorShape = record({
  input: required(listOf(inputShape, { min: 1 }), { help: 'Sources of timestamps.' }),
  event: required(eventShape, { help: 'Plugin that turns each timestamp into events.' }),
  output: required(listOf(outputShape, { min: 1 }), { help: 'Destinations of events.' }),
});

/** Sections that replace those of a running generator: at least one. */
export const generatorPatchShape = record(
  {
    input: optional(listOf(inputShape, { min: 1 }), { help: 'Replaces all inputs.' }),
    event: optional(eventShape, { help: 'Replaces the event plugin.' }),
    output: optional(listOf(outputShape, { min: 1 }), { help: 'Replaces all outputs.' }),
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
