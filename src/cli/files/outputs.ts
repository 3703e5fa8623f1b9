import { dirname, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../adapters/files/files.js';
import { MAX_CONFIG_BYTES } from '../../config/generator/config.js';
import { withText } from '../../daemon/texts.js';
import { isJsonObject, type Json } from '../../domain/json.js';

/** One output with defaults applied and placeholders unresolved. */
export interface OutputEntry {
  readonly kind: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const entryOf = (entry: Json): readonly OutputEntry[] =>
  isJsonObject(entry)
    ? Object.entries(entry).map(([kind, params]) => ({ kind, params: isJsonObject(params) ? params : {} }))
    : [];

/** `null`: the config is unreadable or invalid, which its start reports. */
export const outputsOf = async (file: string): Promise<readonly OutputEntry[] | null> => {
  const text = await nodeFiles.readText(file, MAX_CONFIG_BYTES);
  // Long configs are parsed on a thread, to keep the API responsive.
  const config = E.isRight(text) ? await withText('config.read', file, text.right, file) : text;
  if (E.isLeft(config) || !isJsonObject(config.right)) return null;
  const { output } = config.right;
  return Array.isArray(output) ? (output as readonly Json[]).flatMap(entryOf) : null;
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const DESTINATIONS: Readonly<Record<string, (params: OutputEntry['params'], directory: string) => string>> = {
  stdout: ({ stream }) => text(stream),
  file: ({ path }, directory) => resolve(directory, text(path)),
  clickhouse: ({ host, table }) =>
    [`table ${text(table)}`, text(host)].filter((part) => part !== '').join(' at '),
};

/** Short destination of an output, e.g. `file /var/log/x`. */
export const destinationOf = ({ kind, params }: OutputEntry, file: string): string => {
  const destination = Object.hasOwn(DESTINATIONS, kind)
    ? DESTINATIONS[kind]?.(params, dirname(file))
    : undefined;
  if (destination === undefined || destination === kind) return kind;
  return `${kind} ${destination}`;
};
