import type { AnswerOf } from '../../api/routes.js';

type Report = AnswerOf<'readGlobalsUsage'>;

/** A place in a template of a member. */
export interface Place {
  readonly member: string;
  /** File and line. */
  readonly template: string;
}

export interface KeyUsage {
  readonly writes: readonly Place[];
  readonly reads: readonly Place[];
}

export interface Usage {
  readonly keys: ReadonlyMap<string, KeyUsage>;
  /** Places whose keys are only known at run time. */
  readonly unclear: readonly Place[];
}

const NONE: KeyUsage = { writes: [], reads: [] };

/** The uses of each key by the templates of all members. */
export const usageOf = (reports: readonly { readonly member: string; readonly report: Report }[]): Usage => {
  const keys = new Map<string, KeyUsage>();
  const add = (kind: keyof KeyUsage, key: string, place: Place): void => {
    const known = keys.get(key) ?? NONE;
    keys.set(key, { ...known, [kind]: [...known[kind], place] });
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
