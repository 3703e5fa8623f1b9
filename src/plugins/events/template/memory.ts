import type { JsonObject } from '../../../domain/json.js';
import { fromJson, type PyDict, str, toJson } from '../../../template/index.js';
import type { EventMemory, NamedValues } from '../../kit.js';
import type { TemplateProgram } from './compiled.js';

/** A state as JSON; keys that are no strings are printed. */
const namedValues = (values: PyDict): NamedValues => ({
  read: () =>
    Object.fromEntries(
      values.pairList().map(([key, value]) => [str(key), toJson(value)]),
    ) satisfies JsonObject,
  merge: (given) => {
    for (const [key, value] of Object.entries(given)) values.set(key, fromJson(value));
  },
  delete: (key) => void values.delete(key),
  clear: () => values.clear(),
});

/** `shared` and the `locals` of each template, for previews. */
export const templateMemory = ({ templates, sharedValues }: TemplateProgram): EventMemory => {
  const locals = new Map(templates.map(({ alias, localValues }) => [alias, namedValues(localValues)]));
  return { shared: namedValues(sharedValues), local: (alias) => locals.get(alias) };
};
