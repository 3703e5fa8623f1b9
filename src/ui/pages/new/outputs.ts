import type { JsonObject } from '../../../domain/json.js';

export type OutputKind = 'file' | 'clickhouse' | 'stdout' | 'destination';

/** Choices of the short form of an output. */
export interface OutputChoice {
  readonly kind: OutputKind;
  /** Name of the destination. */
  readonly destination: string;
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

export const FIRST_OUTPUT: OutputChoice = {
  kind: 'file',
  destination: '',
  path: 'out/events.log',
  host: 'localhost',
  port: 8123,
  database: 'default',
  table: 'events',
  username: 'default',
  password: '',
};

/** Name of the secret with the password of a generator. */
export const secretOf = (generator: string): string =>
  `${generator.replace(/[^A-Za-z0-9_]/g, '_')}_clickhouse_password`;

/** What the rows of the events are. */
export type RowsOf = 'events' | 'lines';

/** The `output` of a config. */
export const outputOf = (choice: OutputChoice, generator: string, rows: RowsOf): JsonObject => {
  if (choice.kind === 'destination') return { use: choice.destination };
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

/** What is missing in a choice, by field. */
export const outputFlaws = (choice: OutputChoice): Partial<Record<keyof OutputChoice, string>> => {
  const empty = (fields: readonly (keyof OutputChoice)[]): Partial<Record<keyof OutputChoice, string>> =>
    Object.fromEntries(
      fields.filter((field) => String(choice[field]).trim() === '').map((field) => [field, 'Fill this in.']),
    );
  if (choice.kind === 'destination') return empty(['destination']);
  if (choice.kind === 'file') return empty(['path']);
  return choice.kind === 'clickhouse' ? empty(['host', 'port', 'database', 'table', 'username']) : {};
};
