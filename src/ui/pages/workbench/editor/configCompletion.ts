import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { schemaOptions } from '../schemaOptions.js';
import { yamlPlace } from '../yamlPlace.js';

const complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
  const place = yamlPlace(context.state.sliceDoc(0, context.pos));
  if (place === null || (place.typed === '' && !context.explicit)) return null;
  const { configSchema } = await import('../configCheck.js');
  const options = schemaOptions(configSchema(), place);
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

/** Keys, plugins and values that the declarations know. */
export const CONFIG_COMPLETION: Extension = autocompletion({ override: [complete] });
