import type { JsonObject } from '../../../domain/json.js';
import { fromJson, type PyDict, str, toJson } from '../../../template/index.js';
import type { EventMemory, NamedValues } from '../../kit.js';
import type { TemplateProgram } from './compiled.js';

/** A state as JSON; keys that are no strings are printed. */
const namedValues = (valuesNow: () => PyDict): NamedValues => ({
  read: () =>
    Object.fromEntries(
      valuesNow()
        .pairList()
        .map(([key, value]) => [str(key), toJson(value)]),
    ) satisfies JsonObject,
  merge: (given) => {
    for (const [key, value] of Object.entries(given)) valuesNow().set(key, fromJson(value));
  },
  delete: (key) => void valuesNow().delete(key),
  clear: () => valuesNow().clear(),
});

/** `shared` and the `locals` of each template, for previews; with instances those of the last step. */
export const templateMemory = ({ templates, sharedValues, instances }: TemplateProgram): EventMemory => {
  const locals = new Map(
    templates.map(({ alias, localValues }) => [
      alias,
      namedValues(instances === null ? () => localValues : instances.localValues),
    ]),
  );
  return { shared: namedValues(() => sharedValues), local: (alias) => locals.get(alias) };
};
