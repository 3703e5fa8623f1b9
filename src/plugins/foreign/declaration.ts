import { isJsonObject } from '../../domain/json.js';
import type { PluginKind, PluginSpec } from '../kit.js';
import { outputFieldNames } from '../outputFields.js';
import { paramsShape } from '../paramsShape.js';
import type { SpecTable } from '../shapes.js';
import { allSpecs } from '../specs.js';
import type { ForeignPlugin } from './publicKit.js';

const KINDS: readonly PluginKind[] = ['input', 'event', 'output', 'formatter'];
const NAME = /^[A-Za-z][\w-]{0,63}$/;
const FORMATTERS: readonly unknown[] = [undefined, 'plain', 'json', 'json-batch'];

/** Field that the declaring function of the kit adds. */
const ADDED: Readonly<Partial<Record<PluginKind, string>>> = { input: 'tags', event: 'marks' };

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isField = (value: unknown): boolean =>
  isObject(value) &&
  isObject(value['codec']) &&
  isObject(value['stored']) &&
  isObject(value['schema']) &&
  ['required', 'optional', 'default'].includes(String(value['presence']));

const isTexts = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.every((item) => typeof item === 'string'));

const isExample = (value: unknown): boolean =>
  isObject(value) && typeof value['title'] === 'string' && isJsonObject(value['params']);

const checkFields = (kind: PluginKind, fields: unknown): string | null => {
  if (!isObject(fields)) return 'has no `fields`. Write `fields: {}` for none';
  const wrong = Object.entries(fields).find(([, field]) => !isField(field));
  if (wrong !== undefined)
    return `has a field ${wrong[0]} that is none. Make it with \`required\`, \`optional\` or \`defaulted\``;
  const added = ADDED[kind];
  if (added !== undefined && fields[added] === undefined)
    return `was not made with \`${kind}Plugin\` of the kit. Call it`;
  const taken =
    kind === 'output' ? outputFieldNames().find((name) => Object.hasOwn(fields, name)) : undefined;
  return taken === undefined ? null : `has a field ${taken}, which every output gets. Rename it`;
};

const checkSpec = (spec: Readonly<Record<string, unknown>>): string | null => {
  const { kind, name, aliases, summary, notes, fields, rules, examples, formatter } = spec;
  const known = KINDS.find((one) => one === kind);
  if (known === undefined)
    return `has the kind ${String(JSON.stringify(kind))}. Declare it with inputPlugin, eventPlugin, outputPlugin or formatterPlugin`;
  if (typeof name !== 'string' || !NAME.test(name))
    return `has the name ${String(JSON.stringify(name))}. A name has up to 64 letters, digits, _ and -, and starts with a letter`;
  if (!isTexts(aliases) || ((aliases ?? []) as readonly string[]).some((alias) => !NAME.test(alias)))
    return 'has `aliases` that are no list of names. Correct them';
  if (typeof summary !== 'string' || summary === '')
    return 'has no `summary`. Say in one sentence what it does';
  if (!isTexts(notes)) return 'has `notes` that are no list of texts. Correct them';
  if (!Array.isArray(examples) || !examples.every(isExample))
    return 'has no list of `examples`. Give each a title and params';
  if (rules !== undefined && !Array.isArray(rules)) return 'has `rules` that are no list. Correct them';
  if (known === 'output' && !FORMATTERS.includes(formatter))
    return 'has another `formatter` than plain, json or json-batch. Choose one of these';
  return checkFields(known, fields);
};

/** Returns what is wrong with an exported plugin, or null when nothing is. */
export const declarationFault = (value: unknown): string | null => {
  if (!isObject(value) || !isObject(value['spec']))
    return 'exports something that is no plugin. Export `{ spec, open }` or `{ spec, build }`';
  const wrong = checkSpec(value['spec']);
  if (wrong !== null) return `declares a plugin that ${wrong}`;
  const spec = value['spec'] as unknown as PluginSpec;
  const make = spec.kind === 'output' ? 'open' : 'build';
  if (typeof value[make] !== 'function')
    return `exports ${spec.kind} ${spec.name} without a function \`${make}\`. Add it`;
  try {
    // A shape makes its schema when it is read.
    const { schema } = paramsShape(spec);
    return isObject(schema)
      ? null
      : `declares ${spec.kind} ${spec.name} without a schema. Correct its fields`;
  } catch (thrown) {
    return `declares ${spec.kind} ${spec.name}, whose fields give no schema: ${String(thrown)}. Correct them`;
  }
};

const namesOf = ({ name, aliases }: PluginSpec): readonly string[] => [name, ...(aliases ?? [])];

/** Returns a sentence about a name that another plugin of the kind has, or null when there is none. */
export const clashOf = (
  { spec }: ForeignPlugin,
  builtIn: SpecTable,
  others: readonly { readonly plugin: ForeignPlugin; readonly source: { readonly shown: string } }[],
): string | null => {
  const own = new Set(namesOf(spec));
  const sharesName = (other: PluginSpec): boolean =>
    other.kind === spec.kind && namesOf(other).some((name) => own.has(name));
  const advice = 'Rename the plugin';
  const inside = allSpecs(builtIn).find(sharesName);
  if (inside !== undefined)
    return `the name of ${spec.kind} ${spec.name} is taken: Spate has ${inside.name}. ${advice}`;
  const other = others.find(({ plugin }) => sharesName(plugin.spec));
  return other === undefined
    ? null
    : `the name of ${spec.kind} ${spec.name} is taken by ${other.source.shown}. ${advice}`;
};
