import { dirname, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../adapters/files/files.js';
import { MAX_CONFIG_BYTES } from '../../config/generator/config.js';
import { withText } from '../../daemon/texts.js';
import { isJsonObject, type Json } from '../../domain/json.js';

/** One output of a config: its kind and its parameters, defaults filled in, placeholders untouched. */
export interface OutputEntry {
  readonly kind: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const entryOf = (entry: Json): readonly OutputEntry[] =>
  isJsonObject(entry)
    ? Object.entries(entry).map(([kind, params]) => ({ kind, params: isJsonObject(params) ? params : {} }))
    : [];

/** Outputs of a config file; `null` when it cannot be read or is not valid, which its start reports. */
export const outputsOf = async (file: string): Promise<readonly OutputEntry[] | null> => {
  const text = await nodeFiles.readText(file, MAX_CONFIG_BYTES);
  // A long one is read on a thread: the daemon answers requests meanwhile.
  const config = E.isRight(text) ? await withText('config.read', file, text.right, file) : text;
  if (E.isLeft(config) || !isJsonObject(config.right)) return null;
  const { output } = config.right;
  return Array.isArray(output) ? (output as readonly Json[]).flatMap(entryOf) : null;
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Kinds whose destination one parameter names. */
const DESTINATIONS: Readonly<Record<string, (params: OutputEntry['params'], directory: string) => string>> = {
  stdout: ({ stream }) => text(stream),
  file: ({ path }, directory) => resolve(directory, text(path)),
  clickhouse: ({ host, table }) =>
    [`table ${text(table)}`, text(host)].filter((part) => part !== '').join(' at '),
};

/** Where an output of the config `file` writes, in a few words. */
export const destinationOf = ({ kind, params }: OutputEntry, file: string): string => {
  const destination = Object.hasOwn(DESTINATIONS, kind)
    ? DESTINATIONS[kind]?.(params, dirname(file))
    : undefined;
  if (destination === undefined || destination === kind) return kind;
  return `${kind} ${destination}`;
};
