import * as E from 'fp-ts/lib/Either.js';
import type { Position } from '../../../../config/yaml/source.js';
import { isJsonObject, type Json, type JsonObject, parsedJson } from '../../../../domain/json.js';
import { readConfig } from '../configText.js';
import { pathFrom } from '../paths.js';

/** A data set that a config declares. */
export interface DeclaredSample {
  readonly name: string;
  readonly type: string;
  /** File of its rows, relative to the generator directory. Null when they are in the config. */
  readonly file: string | null;
  readonly fields: JsonObject;
}

interface DeclaredTemplate {
  readonly alias: string;
  readonly file: string;
  readonly vars: JsonObject;
  readonly kinds: readonly string[];
  /** Where it is in the config. */
  readonly path: readonly (string | number)[];
}

/** What a config declares for its templates. */
export interface ConfigNames {
  readonly samples: ReadonlyMap<string, DeclaredSample>;
  readonly params: JsonObject;
  readonly templates: readonly DeclaredTemplate[];
  /** Kinds of the inputs `world`. */
  readonly kinds: readonly string[];
  readonly locate: (path: readonly (string | number)[], part?: 'key' | 'value') => Position;
  readonly value: JsonObject;
}

const objectAt = (value: Json | undefined, key: string): JsonObject => {
  const found = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return isJsonObject(found) ? found : {};
};

const textsIn = (value: Json | undefined): readonly string[] =>
  Array.isArray(value)
    ? (value as readonly Json[]).filter((one): one is string => typeof one === 'string')
    : [];

const entriesOf = (list: Json | undefined): readonly (readonly [string, JsonObject, number])[] =>
  Array.isArray(list)
    ? (list as readonly Json[]).flatMap((one, index) =>
        Object.entries(isJsonObject(one) ? one : {}).map(
          ([key, value]) => [key, isJsonObject(value) ? value : {}, index] as const,
        ),
      )
    : [];

/** Returns what a config declares. Null when its text cannot be read, as while someone types. */
export const declaredIn = (text: string, configPath: string): ConfigNames | null => {
  const read = readConfig(text);
  if (E.isLeft(read)) return null;
  const { value, source } = read.right;
  const event = objectAt(objectAt(value, 'event'), 'template');
  const samples = Object.entries(objectAt(event, 'samples')).map(([name, written]): DeclaredSample => {
    const fields = isJsonObject(written) ? written : {};
    const file = typeof fields['source'] === 'string' ? pathFrom(configPath, fields['source']) : null;
    return { name, type: typeof fields['type'] === 'string' ? fields['type'] : '', file, fields };
  });
  const templates = entriesOf(event['templates']).flatMap(
    ([alias, fields, index]): readonly DeclaredTemplate[] => {
      const file = typeof fields['template'] === 'string' ? pathFrom(configPath, fields['template']) : null;
      if (file === null) return [];
      const path = ['event', 'template', 'templates', index, alias];
      return [{ alias, file, vars: objectAt(fields, 'vars'), kinds: textsIn(fields['kinds']), path }];
    },
  );
  const inputs = isJsonObject(value) ? entriesOf(value['input']) : [];
  return {
    samples: new Map(samples.map((sample) => [sample.name, sample])),
    params: objectAt(event, 'params'),
    templates,
    kinds: inputs.flatMap(([name, fields]) => (name === 'world' ? textsIn(fields['kinds']) : [])),
    locate: source.locate,
    value: isJsonObject(value) ? value : {},
  };
};

const unnamed = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `_${at}`);

/** Columns of rows: keys of objects; numbers for lists and for single values. */
const columnsOfRows = (rows: Json | undefined): readonly string[] => {
  const [first] = Array.isArray(rows) ? (rows as readonly Json[]) : [];
  if (first === undefined) return [];
  if (Array.isArray(first)) return unnamed(first.length);
  return isJsonObject(first) ? Object.keys(first) : unnamed(1);
};

/** The values of the first line of a CSV text. */
const firstRow = (text: string, delimiter: string, quote: string): readonly string[] => {
  const values: string[] = [];
  let [value, isQuoted] = ['', false];
  const source = text.replace(/^\uFEFF/, '');
  for (let at = 0; at <= source.length; at += 1) {
    const sign = source.charAt(at);
    if (isQuoted) {
      if (sign !== quote) value += sign;
      else if (source.charAt(at + 1) === quote) {
        value += quote;
        at += 1;
      } else isQuoted = false;
    } else if (sign === quote && value === '') isQuoted = true;
    else if (sign === delimiter) {
      values.push(value);
      value = '';
    } else if (sign === '\n' || sign === '\r' || sign === '') break;
    else value += sign;
  }
  return [...values, value];
};

/** The columns of a sample. `text` is that of its file, or null when it is not read. */
export const sampleColumns = ({ type, fields }: DeclaredSample, text: string | null): readonly string[] => {
  if (type === 'items') return columnsOfRows(fields['source']);
  if (text === null) return [];
  if (type === 'json') return columnsOfRows(parsedJson(text) as Json | undefined);
  const [delimiter, quote] = [fields['delimiter'] ?? ',', fields['quotechar'] ?? '"'];
  const row = firstRow(text, String(delimiter), String(quote));
  return fields['header'] === true ? row : unnamed(row.length);
};
