import { checkDestinationName } from '../../../domain/identifiers.js';
import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';
import { formatOf } from '../../../plugins/generatorShape.js';
import { outputIssues } from '../destinations/output.js';

/** `as_is` leaves the outputs of an example as they are; `new` is a destination that is yet to be stored. */
export type OutputKind = 'file' | 'clickhouse' | 'stdout' | 'destination' | 'new' | 'as_is';

/** Choices of the short form of an output. */
export interface OutputChoice {
  readonly kind: OutputKind;
  /** Name of the destination. */
  readonly destination: string;
  /** A destination that is yet to be stored. */
  readonly created: NewDestination;
  /** Path of the file, relative to the generator directory. */
  readonly path: string;
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly table: string;
  readonly username: string;
  /** Empty when there is none. */
  readonly password: string;
}

export interface NewDestination {
  readonly name: string;
  /** One output. Empty until its kind is chosen. */
  readonly output: JsonObject;
}

const NONE: NewDestination = { name: '', output: {} };

export const FIRST_OUTPUT: OutputChoice = {
  kind: 'file',
  destination: '',
  created: NONE,
  path: 'out/events.log',
  host: 'localhost',
  port: 8123,
  database: 'default',
  table: 'events',
  username: 'default',
  password: '',
};

/** What a browser may keep of a choice: nothing that is secret. */
export const withoutSecrets = (output: OutputChoice): OutputChoice => ({
  ...output,
  password: '',
  created: { ...NONE, name: output.created.name },
});

/** Name of the secret with the password of a generator. */
export const secretOf = (generator: string): string =>
  `${generator.replace(/[^A-Za-z0-9_]/g, '_')}_clickhouse_password`;

/** What the rows of the events are. */
export type RowsOf = 'events' | 'lines';

/** The `output` of a config. */
export const outputOf = (choice: OutputChoice, generator: string, rows: RowsOf): JsonObject => {
  if (choice.kind === 'destination') return { use: choice.destination };
  if (choice.kind === 'new') return { use: choice.created.name };
  if (choice.kind === 'stdout') return { stdout: {} };
  if (choice.kind === 'file') return { file: { path: choice.path } };
  const { host, port, database, table, username, password } = choice;
  return {
    clickhouse: {
      host,
      port,
      ...(database === 'default' ? {} : { database }),
      table,
      ...(username === 'default' ? {} : { username }),
      ...(password === '' ? {} : { password: `\${secrets.${secretOf(generator)}}` }),
      input_format: rows === 'events' ? 'JSONEachRow' : 'LineAsString',
    },
  };
};

const quoted = (name: string): string => `\`${name.replace(/[`\\]/g, '\\$&')}\``;

const COLUMNS: Readonly<Record<RowsOf, { readonly columns: readonly string[]; readonly order: string }>> = {
  events: {
    columns: [
      'time DateTime64(3)',
      'level String',
      'service String',
      'user String',
      'action String',
      'duration_ms UInt32',
    ],
    order: 'time',
  },
  lines: { columns: ['line String'], order: 'tuple()' },
};

/** SQL that creates the table of the events. */
export const tableSql = ({ database, table }: OutputChoice, rows: RowsOf): string => {
  const { columns, order } = COLUMNS[rows];
  return `CREATE TABLE ${quoted(database)}.${quoted(table)}\n(\n${columns.map((one) => `    ${one}`).join(',\n')}\n)\nENGINE = MergeTree\nORDER BY ${order};`;
};

/**
 * The config of an example with another output; `destination` is the one that it uses, null for none. Events of examples can
 * be JSON over many lines, which their own output makes one line: an output that would write them as they are takes its
 * formatter.
 */
export const withOutput = (
  config: JsonObject,
  output: JsonObject,
  destination: JsonObject | null,
): JsonObject => {
  const [first = null] = (config['output'] ?? []) as readonly Json[];
  const formatter = isJsonObject(first) ? formatterOf(first) : null;
  const target = destination ?? output;
  const isPlain = formatterOf(target) === null && formatOf(kindOf(target)) === 'plain';
  return {
    ...config,
    output: [formatter !== null && isPlain ? withFormatter(output, formatter) : output],
  };
};

const kindOf = (output: JsonObject): string => Object.keys(output)[0] ?? '';

const formatterOf = (output: JsonObject): Json => {
  const params = output[kindOf(output)] ?? null;
  return isJsonObject(params) ? (params['formatter'] ?? null) : null;
};

const withFormatter = (output: JsonObject, formatter: Json): JsonObject => {
  const kind = kindOf(output);
  const params = output[kind] ?? null;
  return kind === 'use'
    ? { use: { name: params, with: { formatter } } }
    : { [kind]: { ...(isJsonObject(params) ? params : {}), formatter } };
};

/** What is missing in a choice, by field. The names of destinations are those that a new one cannot have. */
export const outputFlaws = (
  choice: OutputChoice,
  destinations: readonly string[] = [],
): Partial<Record<keyof OutputChoice, string>> => {
  const empty = (fields: readonly (keyof OutputChoice)[]): Partial<Record<keyof OutputChoice, string>> =>
    Object.fromEntries(
      fields.filter((field) => String(choice[field]).trim() === '').map((field) => [field, 'Fill this in.']),
    );
  if (choice.kind === 'destination') return empty(['destination']);
  if (choice.kind === 'new') {
    const flaw = newDestinationFlaw(choice.created, destinations);
    return flaw === null ? {} : { created: flaw };
  }
  if (choice.kind === 'file') return empty(['path']);
  return choice.kind === 'clickhouse' ? empty(['host', 'port', 'database', 'table', 'username']) : {};
};

/** Returns why a new destination cannot have a name, as a sentence. Null when it can. */
export const destinationNameFlaw = (name: string, taken: readonly string[]): string | null => {
  const flaw = checkDestinationName(name);
  if (flaw !== null) return `The name of the destination ${flaw.message}.`;
  return taken.includes(name) ? `The destination "${name}" exists: choose it above, or another name.` : null;
};

/** What keeps a new destination from being stored, as a sentence. Null when nothing does. */
const newDestinationFlaw = ({ name, output }: NewDestination, taken: readonly string[]): string | null => {
  const flaw = destinationNameFlaw(name, taken);
  if (flaw !== null) return flaw;
  if (kindOf(output) === '') return 'Choose the kind of output.';
  return outputIssues({ output }).length > 0 ? 'Correct the fields of the output.' : null;
};
