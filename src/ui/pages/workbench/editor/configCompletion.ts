import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import type { JsonSchema } from '../../../../schema/index.js';
import { schemaOptions } from '../schemaOptions.js';
import { yamlPlace } from '../yamlPlace.js';

type Complete = (context: CompletionContext) => Promise<CompletionResult | null>;

const completing =
  (schema: () => Promise<JsonSchema>): Complete =>
  async (context) => {
    const place = yamlPlace(context.state.sliceDoc(0, context.pos));
    if (place === null || (place.typed === '' && !context.explicit)) return null;
    const options = schemaOptions(await schema(), place);
    if (options.length === 0) return null;
    return {
      from: context.pos - place.typed.length,
      options: options.map(({ label, help }) => ({
        label,
        type: place.kind === 'key' ? 'property' : 'enum',
        ...(place.kind === 'key' ? { apply: `${label}: ` } : {}),
        ...(help === '' ? {} : { info: help }),
      })),
      validFor: /^[\w@.-]*$/,
    };
  };

/** Documents whose keys and values are known. */
export type Completed = 'config' | 'incident';

/** Keys, plugins and values that the declarations know. */
export const COMPLETIONS: Readonly<Record<Completed, Extension>> = {
  config: autocompletion({
    override: [completing(async () => (await import('../configCheck.js')).configSchema())],
  }),
  incident: autocompletion({
    override: [
      completing(async () => (await import('../../../../config/incidents/shape.js')).incidentShape.schema),
    ],
  }),
};
