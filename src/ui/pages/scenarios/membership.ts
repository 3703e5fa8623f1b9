import type { AnswerOf } from '../../api/routes.js';

type Entry = Pick<AnswerOf<'listStartupEntries'>[number], 'id' | 'scenarios'>;
type Generator = Pick<AnswerOf<'listGenerators'>[number], 'id' | 'scenarios'>;

export interface ScenarioMember {
  readonly id: string;
  /** The startup list names it as a member. */
  readonly isListed: boolean;
  /** What its next start changes. */
  readonly atNextStart: 'joins' | 'leaves' | null;
  /** It can write the globals: the scenario is its first. */
  readonly isHome: boolean;
}

interface Known {
  readonly entries: readonly Entry[];
  readonly generators: readonly Generator[];
  readonly isUp: (id: string) => boolean;
}

export const membersOf = (
  name: string,
  ids: readonly string[],
  { entries, generators, isUp }: Known,
): readonly ScenarioMember[] =>
  ids.map((id) => {
    const listed = entries.find((entry) => entry.id === id)?.scenarios ?? [];
    const joined = generators.find((generator) => generator.id === id)?.scenarios ?? [];
    const isListed = listed.includes(name);
    const isJoined = joined.includes(name);
    const change = isListed ? 'joins' : 'leaves';
    return {
      id,
      isListed,
      atNextStart: isUp(id) && isListed !== isJoined ? change : null,
      isHome: (isListed ? listed : joined)[0] === name,
    };
  });

type Item = Pick<AnswerOf<'listLibrary'>[number], 'name' | 'anomalies'>;
type Config = Pick<AnswerOf<'listStartupEntries'>[number], 'id' | 'path'>;

/** The scenario global that library generators read. */
export const ANOMALY = 'anomaly';
/** Its value for normal operation. */
export const NO_ANOMALY = 'none';

/** An anomaly that members can show. */
interface Anomaly {
  readonly name: string;
  readonly help: string;
  readonly members: readonly string[];
}

const folderOf = (path: string): string => path.split('/').at(-2) ?? '';

/** Anomalies of the members whose folder has the name of a library generator, by name. */
export const anomaliesOf = (
  ids: readonly string[],
  entries: readonly Config[],
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

type Report = AnswerOf<'readGlobalsUsage'>;

/** A location in a template of a member. */
export interface UsageLocation {
  readonly member: string;
  /** File and line. */
  readonly template: string;
}

export interface KeyUsage {
  readonly writes: readonly UsageLocation[];
  readonly reads: readonly UsageLocation[];
}

export interface Usage {
  readonly keys: ReadonlyMap<string, KeyUsage>;
  /** Locations whose keys are only known at run time. */
  readonly unclear: readonly UsageLocation[];
}

const NONE: KeyUsage = { writes: [], reads: [] };

/** The uses of each key by the templates of all members. */
export const usageOf = (reports: readonly { readonly member: string; readonly report: Report }[]): Usage => {
  const keys = new Map<string, KeyUsage>();
  const add = (kind: keyof KeyUsage, key: string, location: UsageLocation): void => {
    const known = keys.get(key) ?? NONE;
    keys.set(key, { ...known, [kind]: [...known[kind], location] });
  };
  for (const { member, report } of reports) {
    for (const { key, template } of report.writes) add('writes', key, { member, template });
    for (const { key, template } of report.reads) add('reads', key, { member, template });
  }
  const unclear = reports.flatMap(({ member, report }) =>
    report.warnings.map(({ template }) => ({ member, template })),
  );
  return { keys, unclear };
};

/** Keys that templates read and nothing has set, sorted. */
export const unsetKeys = (usage: Usage, isSet: (key: string) => boolean): readonly string[] =>
  [...usage.keys]
    .filter(([key, { reads }]) => reads.length > 0 && !isSet(key))
    .map(([key]) => key)
    .sort();
