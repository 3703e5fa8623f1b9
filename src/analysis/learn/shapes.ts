import type { Random } from '../../domain/random.js';
import type { Micros } from '../../domain/time/micros.js';
import { type Cut, isPart, wholeName } from './cut.js';
import { dependence } from './fields/dependence.js';
import { type Column, counterFieldOf, fieldOf } from './fields/fieldOf.js';
import { styleOf } from './fields/numbers.js';
import { tablesOf } from './fields/relations.js';
import type { FormatName } from './formats/detect.js';
import type { LearnedField, LearnedShape } from './model.js';
import type { Sorted } from './sort.js';

/** A record as it belongs to a shape. */
export interface PatternMember {
  /** Number of the record. */
  readonly at: number;
  readonly cut: Cut;
  readonly format: FormatName;
}

const MIN_COUNTED = 8;

/** Counters that several shapes share, e.g. the serial number of the audit log, by field name. */
const countersOf = (groups: readonly (readonly PatternMember[])[]): ReadonlyMap<string, LearnedField> => {
  const seen = new Map<string, { readonly at: number; readonly text: string }[]>();
  for (const members of groups)
    for (const { at, cut } of members)
      for (const [index, name] of cut.names.entries()) {
        const list = seen.get(name) ?? [];
        list.push({ at, text: cut.values[index] ?? '' });
        seen.set(name, list);
      }
  const found = new Map<string, LearnedField>();
  for (const [name, list] of seen) {
    if (list.length < MIN_COUNTED || !/^\d+$/.test(list[0]?.text ?? '')) continue;
    const sorted = list.toSorted((a, b) => a.at - b.at).map(({ text }) => text);
    const style = styleOf(sorted);
    if (style === null || new Set(sorted).size < sorted.length / 10) continue;
    const counter = counterFieldOf(name, sorted.map(Number), style);
    if (counter !== null) found.set(name, counter);
  }
  return found;
};

/** Columns with the same values as one before. */
const sameAs = (columns: readonly Column[], at: number): number | null => {
  const own = columns[at]?.values ?? [];
  const found = columns.findIndex(
    ({ values }, index) => index < at && values.every((value, row) => value === own[row]),
  );
  return found === -1 ? null : found;
};

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 32)
    .replace(/-+$/, '');

/** A few words that tell the shape from others. */
const nameOf = (cut: Cut, fields: readonly LearnedField[], format: FormatName, isWhole: boolean): string => {
  const words = cut.literals.join(' ').match(/[A-Za-z]{3,}/g) ?? [];
  const constants = fields.flatMap((field, at) =>
    field.kind === 'constant' &&
    /^(?:program|type|event|action|level|method|name)$|[/.](?:type|event|action|level|msg|message)$/i.test(
      cut.names[at] ?? '',
    )
      ? [field.text]
      : [],
  );
  const own =
    format === 'lines' || format === 'syslog' ? [...constants, ...words.slice(0, 3)] : constants.slice(0, 2);
  return slug(isWhole ? `other-${own.slice(0, 1).join('')}` : own.join('-')) || format;
};

interface Context {
  readonly times: readonly (Micros | null)[];
  readonly random: Random;
}

const shapeOf = (
  members: readonly PatternMember[],
  counters: ReadonlyMap<string, LearnedField>,
  { id, isWhole }: { readonly id: string; readonly isWhole: boolean },
  { times, random }: Context,
): LearnedShape => {
  const first = members[0] as PatternMember;
  const recordTimes = members.map(({ at }) => times[at] ?? null);
  const columns = first.cut.names.map(
    (name, index): Column => ({
      name,
      values: members.map(({ cut }) => cut.values[index] ?? ''),
      times: recordTimes,
    }),
  );
  const fields = columns.map((column, at): LearnedField => {
    const own = fieldOf(column);
    if (own.kind === 'constant' || own.kind === 'time') return own;
    const same = sameAs(columns, at);
    if (same !== null) return { kind: 'same', as: same };
    const counter = counters.get(column.name);
    return counter !== undefined && styleOf(column.values) !== null ? counter : own;
  });
  const pools = columns.flatMap(({ values }, at) => (fields[at]?.kind === 'pool' ? [{ at, values }] : []));
  return {
    id,
    name: nameOf(first.cut, fields, first.format, isWhole),
    format: first.format,
    count: members.length,
    literals: first.cut.literals,
    names: first.cut.names,
    fields: fields.map((field, at) =>
      field.kind === 'number'
        ? { ...field, by: dependence((columns[at]?.values ?? []).map(Number), pools) }
        : field,
    ),
    tables: tablesOf(
      pools.map(({ at, values }) => ({
        at,
        values,
        whole: isPart(first.cut.names[at] ?? '') ? wholeName(first.cut.names[at] ?? '') : null,
      })),
      random,
    ),
  };
};

/** The shapes of sorted records, the most frequent first. */
export const learnedShapesOf = (
  records: readonly { readonly found: Sorted; readonly member: PatternMember }[],
  context: Context,
): readonly LearnedShape[] => {
  const groups = new Map<string, PatternMember[]>();
  const isWhole = new Map<string, boolean>();
  for (const { found, member } of records) {
    const list = groups.get(found.shape) ?? [];
    groups.set(found.shape, list);
    list.push({ ...member, cut: found.cut });
    isWhole.set(found.shape, found.is_whole);
  }
  const ordered = [...groups].toSorted(([, a], [, b]) => b.length - a.length);
  const counters = countersOf(ordered.map(([, list]) => list));
  return ordered.map(([id, list]) =>
    shapeOf(
      list,
      counters,
      { id, isWhole: isWhole.get(id) === true },
      { ...context, random: context.random.fork(id) },
    ),
  );
};
