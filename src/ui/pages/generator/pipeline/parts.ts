import { isJsonObject, type Json, type JsonObject } from '../../../../domain/json.js';
import { type Placeholder, replacePlaceholders } from '../../../../domain/placeholder.js';
import { counted } from '../../../parts/numbers.js';

/** A plugin of a config. */
export interface PluginConfig {
  readonly name: string;
  readonly values: JsonObject;
}

/** What a config says about the parts of a pipeline. */
export interface PictureParts {
  readonly inputs: readonly PluginConfig[];
  readonly event: PluginConfig | null;
  readonly outputs: readonly PluginConfig[];
}

export const NO_PARTS: PictureParts = { inputs: [], event: null, outputs: [] };

const pluginOf = (value: Json | undefined): PluginConfig | null => {
  if (value === undefined || !isJsonObject(value)) return null;
  const [entry] = Object.entries(value);
  if (entry === undefined) return null;
  const [name, values] = entry;
  return { name, values: isJsonObject(values) ? values : {} };
};

const pluginsOf = (value: Json | undefined): readonly PluginConfig[] =>
  (Array.isArray(value) ? (value as readonly Json[]) : []).flatMap((one) => pluginOf(one) ?? []);

const textOf = (value: Json | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** The value that a placeholder stands for, in words; that of a secret stays hidden. */
const wordsOf =
  (params: JsonObject) =>
  ({ source, name, fallback }: Placeholder): string => {
    const given = source === 'params' ? params[name] : undefined;
    if (given !== undefined) return textOf(given) || JSON.stringify(given);
    return source === 'params' ? (fallback ?? name) : `secret ${name}`;
  };

const filled = (value: Json, words: (placeholder: Placeholder) => string): Json => {
  if (typeof value === 'string') return replacePlaceholders(value, words);
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => filled(one, words));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, words)]));
};

/** The parts of a config. `params` are those of the generator: they fill the placeholders. */
export const pictureParts = (config: Json | undefined, params: JsonObject = {}): PictureParts => {
  const value = config === undefined ? undefined : filled(config, wordsOf(params));
  return value === undefined || !isJsonObject(value)
    ? NO_PARTS
    : {
        inputs: pluginsOf(value['input']),
        event: pluginOf(value['event']),
        outputs: pluginsOf(value['output']),
      };
};

/** Fields that tell best what a plugin is about, in order. */
const TELLING = [
  'expression',
  'events_per_second',
  'mb_per_second',
  'gb_per_day',
  'seconds',
  'timestamps',
  'patterns',
  'path',
  'url',
  'urls',
  'hosts',
  'host',
  'servers',
  'brokers',
  'topic',
  'subject',
  'table',
  'index',
  'bucket',
  'mode',
  'source',
] as const;

const UNITS: Readonly<Record<string, string>> = {
  events_per_second: ' events/s',
  mb_per_second: ' MB/s',
  gb_per_day: ' GB/day',
  seconds: ' s',
};

const shown = (key: string, value: Json | undefined): string => {
  const one = Array.isArray(value)
    ? (value as readonly Json[]).map(textOf).filter(Boolean).join(', ')
    : textOf(value);
  return one === '' ? '' : `${one}${UNITS[key] ?? ''}`;
};

/** What a plugin is about in a few words, for example its path or schedule. */
export const detailOf = (plugin: PluginConfig | undefined | null): string => {
  if (plugin === undefined || plugin === null) return '';
  const { values } = plugin;
  const [first = ''] = TELLING.map((key) => shown(key, values[key])).filter(Boolean);
  const count = textOf(values['count']);
  if (first !== '' && count !== '') return `${count} × ${first}`;
  const templates = values['templates'];
  if (Array.isArray(templates))
    return [first, counted(templates.length, 'template')].filter(Boolean).join(', ');
  return first;
};

/** Name of the formatter of an output. */
export const formatterOf = (plugin: PluginConfig | undefined): string => {
  const formatter = plugin?.values['formatter'];
  return formatter !== undefined && isJsonObject(formatter) ? textOf(formatter['format']) : '';
};

const textsOf = (value: Json): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(textsOf);
  return isJsonObject(value) ? Object.values(value).flatMap(textsOf) : [];
};

/** Shorter values occur in any sentence. */
const MIN_TELLING = 4;

/** Length of the longest value of a plugin that a sentence names. */
const namedBy = (reason: string, plugin: PluginConfig): number =>
  Math.max(
    0,
    ...textsOf(plugin.values)
      .filter((text) => text.length >= MIN_TELLING && reason.includes(text))
      .map((text) => text.length),
  );

/** A part of a pipeline: `input 0`, `event`, `output 1`. */
export type PartKey = `input ${number}` | 'event' | `output ${number}`;

const OUTPUT_CODES: ReadonlySet<string> = new Set(['output_failed', 'rejected', 'unroutable', 'reader_gone']);

/** Returns the part that a failure is about, or null when it is unknown. */
export const failedPart = (reason: string, code: string | null, parts: PictureParts): PartKey | null => {
  const located = /\b(input|output)[[.](\d+)/.exec(reason);
  if (located !== null) return `${located[1] as 'input' | 'output'} ${Number(located[2])}`;
  const { inputs, event, outputs } = parts;
  const isOutput = code !== null && OUTPUT_CODES.has(code);
  const all: readonly (readonly [PartKey, PluginConfig])[] = [
    ...(isOutput ? [] : inputs.map((one, index) => [`input ${index}`, one] as const)),
    ...(isOutput || event === null ? [] : [['event', event] as const]),
    ...outputs.map((one, index) => [`output ${index}`, one] as const),
  ];
  const [best] = all
    .map(([key, plugin]) => ({ key, length: namedBy(reason, plugin) }))
    .filter(({ length }) => length > 0)
    .toSorted((a, b) => b.length - a.length);
  if (best !== undefined) return best.key;
  if (isOutput && outputs.length === 1) return 'output 0';
  return code === 'input_failed' && inputs.length === 1 ? 'input 0' : null;
};
