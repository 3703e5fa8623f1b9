import { ERRORS, printed } from '../../domain/errors.js';
import { SEARCHING, WAITING } from '../../domain/events/timestampBatch.js';
import { isJsonObject } from '../../domain/json.js';
import type { PluginKind, PluginSpec } from '../kit.js';
import { outputFieldNames, paramsShape, type SpecTable } from '../shapes.js';
import { allSpecs } from '../specs.js';
import type { ThirdPartyPlugin } from './publicKit.js';

// Each function returns what is wrong with a result of a plugin, or null when nothing is.

const isObjectOrList = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const isBatch = (value: unknown): value is { readonly count: number } =>
  isObjectOrList(value) &&
  isCount(value['count']) &&
  ['texts', 'bytes', 'encoded', 'heads', 'pick'].every((method) => typeof value[method] === 'function');

/** An error of a plugin: a code of the table and a message. */
export const errorFault = (value: unknown): string | null => {
  if (!isObjectOrList(value) || typeof value['message'] !== 'string')
    return 'returned an error without a message';
  const { code } = value;
  return typeof code === 'string' && Object.hasOwn(ERRORS, code)
    ? null
    : `returned an error with the unknown code ${printed(code)}`;
};

/** Timestamps of `fill`; `last`: the one before. */
export const takenFault = (count: unknown, out: Float64Array, last: number): string | null => {
  if (count === WAITING || count === SEARCHING) return null;
  if (!isCount(count) || count > out.length)
    return `returned ${printed(count)}, not a number of timestamps from 0 to ${out.length}`;
  let before = last;
  for (let index = 0; index < count; index++) {
    const micros = out[index] as number;
    if (!Number.isSafeInteger(micros)) return `gave the timestamp ${micros}, which is not whole microseconds`;
    if (micros < before) return `gave the timestamp ${micros} after ${before}: they must ascend`;
    before = micros;
  }
  return null;
};

/** The result of `produce` for `count` timestamps. */
export const producedFault = (value: unknown, count: number): string | null => {
  if (!isObjectOrList(value)) return `returned ${printed(value)}, not an object`;
  const { consumed, events, failed, dropped, exhausted } = value;
  if (!isCount(consumed) || consumed > count)
    return `returned consumed ${printed(consumed)}, not a number from 0 to ${count}`;
  if (consumed === 0 && count > 0 && exhausted !== true) return 'consumed no timestamp';
  if (!isBatch(events)) return 'returned events that are not a batch. Make one with `textBatch`';
  if (!isCount(failed) || !isCount(dropped)) return 'returned failed or dropped that is not a count';
  return null;
};

/** The result of `format` for `count` events. */
export const formattedFault = (value: unknown, count: number): string | null => {
  if (!isObjectOrList(value)) return `returned ${printed(value)}, not an object`;
  const { batch, eventsPerItem, failures } = value;
  if (!isBatch(batch)) return 'returned a batch that is none. Make one with `textBatch`';
  if (!isCount(eventsPerItem) || !Array.isArray(failures))
    return 'returned no eventsPerItem or no list of failures';
  const isFailure = (one: unknown): boolean =>
    isObjectOrList(one) && typeof one['event'] === 'string' && typeof one['reason'] === 'string';
  if (!failures.every(isFailure)) return 'returned a failure without event and reason';
  return batch.count * eventsPerItem + failures.length === count
    ? null
    : `returned ${batch.count} items of ${eventsPerItem} events and ${failures.length} failures for ${count} events`;
};

const missedIn = (value: unknown, count: number): number | string => {
  if (value === undefined) return 0;
  if (!Array.isArray(value)) return 'returned missed that is not a list';
  let sum = 0;
  for (const one of value as readonly unknown[]) {
    if (!isObjectOrList(one) || !Array.isArray(one['items']))
      return 'returned missed items without a list of them';
    const { items } = one;
    const wrong = errorFault(one['reason']);
    if (wrong !== null) return wrong;
    if (!(items as readonly unknown[]).every((item) => isCount(item) && item < count))
      return `returned missed items that are no positions of ${count} items`;
    sum += items.length;
  }
  return sum;
};

/** The result of `write` for `count` items. */
export const writtenFault = (value: unknown, count: number): string | null => {
  if (!isObjectOrList(value)) return `returned ${printed(value)}, not an object`;
  const { written, failed, bytes } = value;
  if (!isCount(written) || !isCount(failed) || !isCount(bytes))
    return 'returned written, failed or bytes that is not a count';
  const missed = missedIn(value['missed'], count);
  if (typeof missed === 'string') return missed;
  return written + failed + missed === count
    ? null
    : `returned written ${written}, failed ${failed} and missed ${missed} for ${count} items`;
};

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
  { spec }: ThirdPartyPlugin,
  builtIn: SpecTable,
  others: readonly { readonly plugin: ThirdPartyPlugin; readonly source: { readonly shown: string } }[],
): string | null => {
  const own = new Set(namesOf(spec));
  const sharesName = (other: PluginSpec): boolean =>
    other.kind === spec.kind && namesOf(other).some((name) => own.has(name));
  const advice = 'Rename the plugin';
  if (spec.kind === 'output' && own.has('use'))
    return `the name of output ${spec.name} is taken: \`use\` stands for a destination. ${advice}`;
  const inside = allSpecs(builtIn).find(sharesName);
  if (inside !== undefined)
    return `the name of ${spec.kind} ${spec.name} is taken: Spate has ${inside.name}. ${advice}`;
  const other = others.find(({ plugin }) => sharesName(plugin.spec));
  return other === undefined
    ? null
    : `the name of ${spec.kind} ${spec.name} is taken by ${other.source.shown}. ${advice}`;
};
