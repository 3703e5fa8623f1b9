import { isJsonObject, type Json } from '../../../../domain/json.js';
import type { JsonSchema } from '../../../../schema/index.js';

type Part = string | 0;

/** What is written at the end of a YAML text. List items are `0`: all have the same keys. */
export interface YamlLocation {
  readonly kind: 'key' | 'value';
  /** Keys around a key; keys up to and with that of a value. */
  readonly path: readonly Part[];
  /** The begun word. */
  readonly typed: string;
}

interface Level {
  readonly column: number;
  readonly part: Part;
}

const KEY = /^(?:"([^"]*)"|'([^']*)'|([^\s#"'{}[\],:]+)):(?:\s+|$)/;

/** The levels around a line, with its list dashes and its key; and what follows them. */
const readLine = (line: string, above: readonly Level[]) => {
  let column = line.length - line.trimStart().length;
  let rest = line.slice(column);
  let levels = above;
  for (let dash = /^-(?:\s+|$)/.exec(rest); dash !== null; dash = /^-(?:\s+|$)/.exec(rest)) {
    const at = column;
    levels = [
      ...levels.filter((level) => level.column < at || (level.column === at && level.part !== 0)),
      { column: at, part: 0 },
    ];
    column += dash[0].length;
    rest = rest.slice(dash[0].length);
  }
  const at = column;
  const outer = levels.filter((level) => level.column < at);
  const key = KEY.exec(rest);
  if (key === null) return { levels: rest === '' ? levels : outer, rest, isKeyed: false };
  const part = key[1] ?? key[2] ?? key[3] ?? '';
  return { levels: [...outer, { column: at, part }], rest: rest.slice(key[0].length), isKeyed: true };
};

/** Returns the location inside `{…}` and `[…]`, or null when nothing is open at the end. */
const flowLocation = (text: string, path: readonly Part[]): YamlLocation | null => {
  const open: { readonly path: readonly Part[]; readonly isMap: boolean }[] = [];
  let [segment, quote] = ['', ''];
  const inner = (): readonly Part[] => {
    const around = open.at(-1);
    if (around === undefined) return path;
    const key = KEY.exec(segment.trimStart());
    return around.isMap && key !== null ? [...around.path, key[1] ?? key[2] ?? key[3] ?? ''] : around.path;
  };
  for (const sign of text) {
    if (quote !== '') {
      if (sign === quote) quote = '';
      segment += sign;
    } else if (sign === '{') {
      open.push({ path: inner(), isMap: true });
      segment = '';
    } else if (sign === '[') {
      open.push({ path: [...inner(), 0], isMap: false });
      segment = '';
    } else if (sign === '}' || sign === ']') {
      open.pop();
      segment = '';
    } else if (sign === ',') segment = '';
    else {
      if ((sign === '"' || sign === "'") && segment.trim().match(/(^|:)$/)) quote = sign;
      segment += sign;
    }
  }
  const around = open.at(-1);
  if (around === undefined) return null;
  const written = segment.trimStart();
  const key = KEY.exec(written);
  if (around.isMap && key === null) return { kind: 'key', path: around.path, typed: written };
  return { kind: 'value', path: inner(), typed: key === null ? written : written.slice(key[0].length) };
};

/** Returns where a text ends, for completion. Null in a comment, or where no key or value begins. */
export const yamlLocation = (text: string): YamlLocation | null => {
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  if (/(^|\s)#/.test(last)) return null;
  let levels: readonly Level[] = [];
  for (const line of lines)
    if (line.trim() !== '' && !line.trimStart().startsWith('#')) levels = readLine(line, levels).levels;
  const isBlank = last.trim() === '';
  const here = readLine(isBlank ? `${last}x` : last, levels);
  const path = here.levels.map(({ part }) => part);
  const rest = isBlank ? '' : here.rest;
  const flow = flowLocation(rest, path);
  if (flow !== null) return flow;
  if (!/^[\w@.-]*$/.test(rest)) return null;
  return { kind: here.isKeyed ? 'value' : 'key', path, typed: rest };
};

interface SchemaOption {
  readonly label: string;
  readonly help: string;
}

const objectsIn = (value: unknown): readonly JsonSchema[] =>
  Array.isArray(value) ? value.filter((one: unknown): one is JsonSchema => isJsonObject(one)) : [];

/** A schema and all its alternatives. */
const alternatives = (schema: JsonSchema): readonly JsonSchema[] => [
  schema,
  ...[...objectsIn(schema['anyOf']), ...objectsIn(schema['oneOf'])].flatMap(alternatives),
];

const step = (schemas: readonly JsonSchema[], part: string | 0): readonly JsonSchema[] =>
  schemas.flatMap((schema) => {
    const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
    const next = part === 0 ? schema['items'] : (properties[part] ?? schema['additionalProperties']);
    return isJsonObject(next) ? alternatives(next) : [];
  });

const helpOf = (schema: unknown): string =>
  isJsonObject(schema) && typeof schema['description'] === 'string' ? schema['description'] : '';

const unique = (options: readonly SchemaOption[]): readonly SchemaOption[] => [
  ...new Map(options.map((option) => [option.label, option])).values(),
];

const keysOf = (schemas: readonly JsonSchema[]): readonly SchemaOption[] =>
  schemas.flatMap(({ properties }) =>
    isJsonObject(properties)
      ? Object.entries(properties).map(([label, schema]) => ({ label, help: helpOf(schema) }))
      : [],
  );

const valuesOf = (schemas: readonly JsonSchema[]): readonly SchemaOption[] =>
  schemas.flatMap((schema): readonly SchemaOption[] => {
    const { type, enum: names, const: only } = schema as Readonly<Record<string, Json | undefined>>;
    const isBoolean = type === 'boolean' || (Array.isArray(type) && type.includes('boolean'));
    const given = [
      ...(Array.isArray(names) ? (names as readonly Json[]) : []),
      ...(only === undefined ? [] : [only]),
    ];
    return [...given.filter((one) => one !== null), ...(isBoolean ? [true, false] : [])].map((one) => ({
      label: String(one),
      help: '',
    }));
  });

/** The keys or values that a schema knows for a location. */
export const schemaOptions = (schema: JsonSchema, { kind, path }: YamlLocation): readonly SchemaOption[] => {
  const schemas = path.reduce(step, alternatives(schema));
  return unique(kind === 'key' ? keysOf(schemas) : valuesOf(schemas));
};
