import { isAbsolute, join, relative, sep } from 'node:path';
import { isOutside } from '../../../config/startup/entry.js';
import type { Edit } from '../../../config/yaml/edit.js';
import { parseYaml } from '../../../config/yaml/source.js';
import { editedText } from '../../../config/yaml/textEdit.js';
import { isJsonObject, type Json } from '../../../domain/json.js';
import { isReadBothWays } from '../../files/eventumCron.js';
import { type Difference, differenceAt, type Installation } from './installation.js';

/** Where a template of a generator's folder uses globals, e.g. `generators/a/a.jinja:3`. */
export type GlobalsUsed = ReadonlyMap<string, string>;

const EMPTY = '# The generators that run. Paths start at the folder generators.\n[]\n';

/** A value of an entry, whether its name is written nested or with dots. */
const inEntry = (entry: Readonly<Record<string, unknown>>, outer: string, inner: string): unknown => {
  const nested = entry[outer];
  return entry[`${outer}.${inner}`] ?? (isJsonObject(nested) ? nested[inner] : undefined);
};

interface Entry {
  readonly index: number;
  readonly value: Readonly<Record<string, unknown>>;
  /** Relative to the generators, with slashes. Null when it leads out of them. */
  readonly path: string | null;
}

const pathOf = (written: unknown, generatorsAsNamed: string): string | null => {
  if (typeof written !== 'string') return '';
  const absolute = isAbsolute(written) ? written : join(generatorsAsNamed, written);
  if (isOutside(generatorsAsNamed, absolute)) return null;
  return relative(generatorsAsNamed, absolute).split(sep).join('/');
};

/** Entries whose generators share globals now, and would not any more. */
const globalsDifferences = (
  entries: readonly Entry[],
  used: GlobalsUsed,
): readonly (readonly [index: number, message: string])[] => {
  const users = entries.flatMap(({ index, value, path }) => {
    const at = used.get(path?.split('/')[0] ?? '');
    const [home = null] = Array.isArray(value['scenarios']) ? (value['scenarios'] as readonly unknown[]) : [];
    return at === undefined ? [] : [{ index, at, home: typeof home === 'string' ? home : null }];
  });
  const homes = new Set(users.map(({ home }) => home));
  if (users.length < 2 || (homes.size === 1 && !homes.has(null))) return [];
  return users.map(({ index, at, home }) => [
    index,
    home === null
      ? `globals (${at}) belong to a scenario here: without one this generator has its own. Add scenarios: [NAME] to those that share them`
      : `globals (${at}) are those of the scenario ${home} here, not of all generators`,
  ]);
};

/** The text of the startup list: relative paths, and no entry or value that has no counterpart. Comments stay. */
export const startupFromEventum = (
  { startup, generatorsAsNamed }: Pick<Installation, 'startup' | 'generatorsAsNamed'>,
  used: GlobalsUsed,
): { readonly text: string; readonly differences: readonly Difference[] } => {
  const values = startup?.source.value;
  if (startup === null || !Array.isArray(values))
    return { text: startup === null || values === null ? EMPTY : startup.text, differences: [] };
  const { source, text } = startup;
  const differences: Difference[] = [];
  const edits: Edit[] = [];
  const dropped: number[] = [];
  const ids = new Set<unknown>();
  const entries = (values as readonly Json[]).flatMap((value, index): readonly Entry[] =>
    isJsonObject(value) ? [{ index, value, path: pathOf(value['path'], generatorsAsNamed) }] : [],
  );
  const say = (path: readonly (string | number)[], message: string): void =>
    void differences.push(differenceAt(source, path, message));
  const dropEntry = (index: number, key: string, message: string): void => {
    say([index, key], message);
    dropped.push(index);
  };
  const kept = entries.filter(({ index, value, path }) => {
    if (path === null) {
      dropEntry(index, 'path', 'leads out of the generators: the entry is left out. Copy its folder there');
      return false;
    }
    if (typeof value['id'] === 'string' && ids.has(value['id'])) {
      dropEntry(index, 'id', 'is that of an entry above, and the first one counts: this one is left out');
      return false;
    }
    ids.add(value['id']);
    return true;
  });
  for (const { index, value, path } of kept) {
    if (path !== null && path !== '' && path !== value['path'])
      edits.push({ op: 'set', path: [index, 'path'], value: path });
    if (inEntry(value, 'queue', 'max_event_bytes') !== undefined) {
      edits.push({ op: 'delete', path: [index, 'queue', 'max_event_bytes'] });
      say([index, 'queue', 'max_event_bytes'], 'has no counterpart and is left out');
    }
    for (const [name, param] of Object.entries(isJsonObject(value['params']) ? value['params'] : {}))
      if (typeof param === 'string' && isReadBothWays(param))
        say([index, 'params', name], `"${param}" begins with seconds if it is a cron expression`);
  }
  for (const [index, message] of globalsDifferences(kept, used)) say([index, 'id'], message);
  for (const index of dropped.reverse()) edits.push({ op: 'delete', path: [index] });
  if (edits.length === 0) return { text, differences };
  const edited = editedText(
    text,
    () => edits,
    (next) => (parseYaml(next, source.file)._tag === 'Right' ? next : null),
  );
  return { text: edited ?? text, differences };
};
