import { isJsonObject, type Json } from '../../domain/json.js';
import { placeholdersIn, wholePlaceholder } from '../../domain/placeholder.js';
import { fallbackValue } from '../generator/substitute.js';

/** Placeholders of a generator config by name. */
interface ConfigParameters {
  /** Each with the fallback of its first use. */
  readonly defaults: ReadonlyMap<string, Json>;
  /** Without a fallback in at least one place. */
  readonly missing: ReadonlySet<string>;
  /** With several fallbacks. */
  readonly ambiguous: ReadonlySet<string>;
}

const textsOf = (value: Json): readonly string[] => {
  if (typeof value === 'string') return value.includes('${') ? [value] : [];
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(textsOf);
  return isJsonObject(value) ? Object.values(value).flatMap(textsOf) : [];
};

/** The parameters of a config: its placeholders `${params.name:-default}`, in order. */
export const parametersOf = (config: Json): ConfigParameters => {
  const fallbacks = new Map<string, string>();
  const defaults = new Map<string, Json>();
  const [missing, ambiguous] = [new Set<string>(), new Set<string>()];
  for (const text of textsOf(config)) {
    const isWhole = wholePlaceholder(text) !== null;
    for (const { source, name, fallback } of placeholdersIn(text)) {
      if (source !== 'params') continue;
      if (fallback === null) missing.add(name);
      else if (!fallbacks.has(name)) {
        fallbacks.set(name, fallback);
        defaults.set(name, isWhole ? fallbackValue(fallback) : fallback);
      } else if (fallbacks.get(name) !== fallback) ambiguous.add(name);
    }
  }
  return { defaults, missing, ambiguous };
};
