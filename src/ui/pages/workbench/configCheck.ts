import * as E from 'fp-ts/lib/Either.js';
import { substitute } from '../../../config/generator/substitute.js';
import { checkStored, readDocument } from '../../../config/yaml/document.js';
import type { Position } from '../../../config/yaml/source.js';
import type { Issue } from '../../../domain/errors.js';
import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';
import { placeholdersIn } from '../../../domain/placeholder.js';
import { generatorShape } from '../../../plugins/generatorShape.js';
import { type JsonSchema, showPath } from '../../../schema/index.js';

/** A mark on a line of the editor. */
export interface LineProblem extends Position {
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

export interface PreviewParam {
  readonly name: string;
  readonly fallback: string | null;
}

export interface PreviewFormatter {
  /** The output that it belongs to. */
  readonly label: string;
  readonly config: Json;
}

/** What a config says, as far as it can be previewed. */
export interface CheckedConfig {
  readonly problems: readonly LineProblem[];
  /** Inputs of the config. Null when the section is missing or has a problem. */
  readonly inputs: readonly Json[] | null;
  readonly event: Json | null;
  readonly formatters: readonly PreviewFormatter[];
  readonly params: readonly PreviewParam[];
  /** Parameters without a value and without a fallback. */
  readonly missing: readonly string[];
  readonly locate: (path: readonly (string | number)[]) => Position;
}

const START: Position = { line: 1, column: 1 };

/** Secrets never leave the service: a preview shows this instead. */
const SECRET = '***';
const secrets = { read: async () => E.right(SECRET) };

const NOTHING: Omit<CheckedConfig, 'problems'> = {
  inputs: null,
  event: null,
  formatters: [],
  params: [],
  missing: [],
  locate: () => START,
};

/** A plugin that this page does not know may be installed in the service. */
export const problemOf = ({ path, type, message, hint, line = 1, column = 1 }: Issue): LineProblem => ({
  line,
  column,
  message: [
    `${showPath(path) || (/^[a-z]/.test(message) ? 'This' : '')} ${message}`.trim(),
    ...(hint === undefined ? [] : [hint]),
  ].join('. '),
  severity: type === 'unknown_kind' ? 'warning' : 'error',
});

const paramsOf = (value: Json): readonly PreviewParam[] => {
  const texts: string[] = [];
  const walk = (item: Json): void => {
    if (typeof item === 'string') texts.push(item);
    else if (Array.isArray(item)) for (const one of item as readonly Json[]) walk(one);
    else if (isJsonObject(item)) for (const one of Object.values(item)) walk(one);
  };
  walk(value);
  const found = texts.flatMap(placeholdersIn).filter(({ source }) => source === 'params');
  return [...new Map(found.map(({ name, fallback }) => [name, { name, fallback }])).values()];
};

/** Returns a section without placeholders, or null when it has a problem or misses a parameter. */
const sectionOf = async (value: Json | undefined, params: JsonObject): Promise<Json | null> => {
  if (value === undefined) return null;
  const substituted = await substitute(value, params, secrets);
  return E.isRight(substituted) ? substituted.right.value : null;
};

const PLAIN: Json = { format: 'plain' };

/** The formatters of the outputs; an output without one writes events as they are. */
const formattersOf = async (outputs: Json | undefined, params: JsonObject) => {
  const found: PreviewFormatter[] = [];
  for (const [index, entry] of (Array.isArray(outputs) ? (outputs as readonly Json[]) : []).entries()) {
    const [name, fields] = isJsonObject(entry) ? (Object.entries(entry)[0] ?? []) : [];
    if (name === undefined) continue;
    const written = isJsonObject(fields) ? fields['formatter'] : undefined;
    const config = written === undefined || written === null ? PLAIN : await sectionOf(written, params);
    if (config !== null) found.push({ label: `${index + 1}. ${name}`, config });
  }
  return found;
};

/** The JSON Schema of a config. */
export const configSchema = (): JsonSchema => generatorShape.schema;

/** Checks the text of a generator config and takes out what previews need. `params` replace placeholders. */
export const checkConfig = async (text: string, params: JsonObject): Promise<CheckedConfig> => {
  const document = readDocument(text, '', generatorShape);
  if (E.isLeft(document)) return { ...NOTHING, problems: (document.left.issues ?? []).map(problemOf) };
  const { source, value } = document.right;
  const checked = checkStored(document.right, generatorShape);
  const issues = E.isLeft(checked) ? (checked.left.issues ?? []) : [];
  const config: JsonObject = isJsonObject(value) ? value : {};
  const isSound = (section: string): boolean =>
    config[section] !== undefined &&
    issues.every(({ path, type }) => path[0] !== section || type === 'unknown_kind');
  const used = paramsOf(config);
  const inputs = isSound('input') ? await sectionOf(config['input'], params) : null;
  return {
    problems: issues.map(problemOf),
    inputs: Array.isArray(inputs) ? (inputs as readonly Json[]) : null,
    event: isSound('event') ? await sectionOf(config['event'], params) : null,
    formatters: await formattersOf(config['output'], params),
    params: used,
    missing: used
      .filter(({ name, fallback }) => fallback === null && params[name] === undefined)
      .map(({ name }) => name),
    locate: (path) => source.locate(path),
  };
};
