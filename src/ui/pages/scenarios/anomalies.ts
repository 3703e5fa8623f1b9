import type { AnswerOf } from '../../api/routes.js';

type Item = Pick<AnswerOf<'listLibrary'>[number], 'name' | 'anomalies'>;
type Entry = Pick<AnswerOf<'listStartupEntries'>[number], 'id' | 'path'>;

/** The scenario global that library generators read. */
export const ANOMALY = 'anomaly';
/** Its value for normal operation. */
export const NO_ANOMALY = 'none';

/** An anomaly that members can show. */
export interface Anomaly {
  readonly name: string;
  readonly help: string;
  readonly members: readonly string[];
}

const folderOf = (path: string): string => path.split('/').at(-2) ?? '';

/** Anomalies of the members whose folder has the name of a library generator, by name. */
export const anomaliesOf = (
  ids: readonly string[],
  entries: readonly Entry[],
  library: readonly Item[],
): readonly Anomaly[] => {
  const found = new Map<string, Anomaly>();
  for (const { id, path } of entries) {
    const item = ids.includes(id) ? library.find(({ name }) => name === folderOf(path)) : undefined;
    for (const { name, help } of item?.anomalies ?? []) {
      const known = found.get(name);
      found.set(name, { name, help: known?.help ?? help, members: [...(known?.members ?? []), id] });
    }
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name));
};
