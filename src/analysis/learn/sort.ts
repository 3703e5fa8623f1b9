import { type Cut, cutAtDates, cutter, shapeKey, spliced } from './cut.js';
import { cutByCluster, type Miner, makeMiner } from './mine/drain.js';
import { type Header, headerOf } from './mine/header.js';
import { formParts, hasEntity, maskedToken } from './mine/lex.js';
import { datesIn, type FoundTime, timeFormatOf } from './times/find.js';

/** Shapes that get a template of their own. */
const MAX_SHAPES = 80;
/** Texts of which fewer differ are values, not sentences. */
const MIN_DISTINCT = 20;
/** Templates must be fewer than this share of the texts they stand for. */
const MAX_TEMPLATES = 0.5;
/** Records of a shape. Rarer ones are copied whole. */
const MIN_COUNT = 2;
const MESSAGE = /(?:^|[/.])(?:message|msg|text|log|rest)$/i;

/** A record and the shape it belongs to. */
export interface Sorted {
  readonly shape: string;
  readonly cut: Cut;
  /** Values are whole texts of the log. */
  readonly is_whole: boolean;
}

/** A record, cut by its format; `time` is null when none was found. */
export interface Sortable {
  readonly cut: Cut;
  /** Its time and the rest. */
  readonly asLine: () => Cut;
  readonly time: FoundTime | null;
}

export interface Sorter {
  /** Null when the record belongs to no shape. */
  readonly sort: (record: Sortable) => Sorted | null;
  /** The records that it was made from, sorted. */
  readonly sorted: readonly (Sorted | null)[];
}

interface Exploded {
  readonly at: number;
  /** The pieces of a text that follows a template, which its kind names; null when it follows none. */
  readonly cut: (text: string, name: string) => Cut | null;
}

/** Mines templates of texts: of their messages, or of whole texts where the header is another. */
const minedFrom = (texts: readonly string[], header: Header | null) => {
  const miners: readonly [message: Miner, whole: Miner] = [makeMiner(), makeMiner()];
  for (const text of texts) {
    const read = header?.read(text, '') ?? null;
    if (read === null) miners[1].learn(text);
    else miners[0].learn(read.message);
  }
  const cut = (text: string, name: string): Cut | null => {
    const read = header?.read(text, name) ?? null;
    const found = miners[read === null ? 1 : 0].match(read?.message ?? text);
    if (found === null) return null;
    const out = cutter();
    if (read !== null) out.insert(read.columns);
    const inner = cutByCluster(found.cluster, found.lexed, name);
    out.insert(inner);
    return out.done(read === null ? inner.kind : `message ${inner.kind}`);
  };
  return { cut, templates: miners[0].clusters().length + miners[1].clusters().length };
};

const distinctOf = (cuts: readonly Cut[], at: number): number =>
  new Set(cuts.map(({ values }) => values[at])).size;

/** The location whose texts follow templates; null: none. */
const exploded = (cuts: readonly Cut[]): Exploded | null => {
  const names = cuts[0]?.names ?? [];
  const candidates = names
    .map((name, at) => ({ at, isMessage: MESSAGE.test(name), distinct: distinctOf(cuts, at) }))
    .filter(
      ({ distinct, isMessage }) => distinct > (isMessage ? 1 : Math.max(MIN_DISTINCT, cuts.length / 20)),
    )
    .toSorted((a, b) => Number(b.isMessage) - Number(a.isMessage) || b.distinct - a.distinct);
  for (const { at, distinct, isMessage } of candidates) {
    const texts = new Set(cuts.map(({ values }) => values[at] ?? ''));
    // A lone number, address or identifier is a value.
    const isValue = [...texts].every((text) => (maskedToken(text)?.form.length ?? 2) <= 1);
    // Mined, a time would fall into numbers of their own.
    if (isValue || timeFormatOf(cuts.map(({ values }) => values[at] ?? '')) !== null) continue;
    const { cut, templates } = minedFrom(
      cuts.map(({ values }) => values[at] ?? ''),
      isMessage ? headerOf([...texts]) : null,
    );
    if (isMessage ? templates < cuts.length : templates <= distinct * MAX_TEMPLATES) return { at, cut };
  }
  return null;
};

/** Values that are all written alike, such as `10.0.0.1:443`, are cut into their parts. */
const formsOf = (cuts: readonly Cut[]): ReadonlyMap<number, string> => {
  const forms = new Map<number, string>();
  for (const [at] of (cuts[0]?.names ?? []).entries()) {
    if (timeFormatOf(cuts.map(({ values }) => values[at] ?? '')) !== null) continue;
    const form = maskedToken(cuts[0]?.values[at] ?? '')?.form ?? '';
    if (form.length < 2 || !hasEntity(form)) continue;
    if (cuts.every(({ values }) => maskedToken(values[at] ?? '')?.form === form)) forms.set(at, form);
  }
  return forms;
};

const cutByForm = (name: string, value: string, form: string): Cut | null => {
  const mask = maskedToken(value);
  if (mask === null || mask.form !== form) return null;
  const { literals, kinds } = formParts(form);
  const out = cutter();
  for (const [at, text] of literals.entries()) {
    out.literal(text);
    const kind = kinds[at];
    if (kind !== undefined) out.value(kinds.length === 1 ? name : `${name}.${kind}`, mask.entities[at] ?? '');
  }
  return out.done('');
};

const withForms = (cut: Cut, forms: ReadonlyMap<number, string>): Cut | null => {
  let made = cut;
  // From the back, so that locations before stay.
  for (const [at, form] of [...forms].toSorted(([a], [b]) => b - a)) {
    const inner = cutByForm(cut.names[at] ?? '', cut.values[at] ?? '', form);
    if (inner === null) return null;
    made = spliced(made, at, inner);
  }
  return made;
};

const groupBy = <A>(items: readonly A[], keyOf: (item: A) => string): Map<string, A[]> => {
  const groups = new Map<string, A[]>();
  for (const item of items) {
    const key = keyOf(item);
    const list = groups.get(key);
    if (list === undefined) groups.set(key, [item]);
    else list.push(item);
  }
  return groups;
};

/** The keys of the largest groups, and of all with at least `MIN_COUNT` records, up to `max`. */
const largest = (groups: ReadonlyMap<string, readonly unknown[]>, max: number): ReadonlySet<string> =>
  new Set(
    [...groups]
      .filter(([, list]) => list.length >= MIN_COUNT)
      .toSorted(([, a], [, b]) => b.length - a.length)
      .slice(0, max)
      .map(([key]) => key),
  );

interface Split {
  readonly shape: string;
  readonly cut: Cut;
  readonly is_whole: boolean;
}

interface Splitter {
  readonly split: (cut: Cut) => Split | null;
  /** The cuts that it was made from, split. */
  readonly own: readonly (Split | null)[];
}

/** Before values are cut by form: by literal text, and by the template of the longest text. */
const splitter = (cuts: readonly Cut[]): Splitter => {
  const groups = groupBy(cuts, shapeKey);
  const kept = largest(groups, MAX_SHAPES);
  const locations = new Map<string, Exploded | null>();
  for (const key of kept) locations.set(key, exploded(groups.get(key) ?? []));
  const cutFurther = (cut: Cut): Split | null => {
    const key = shapeKey(cut);
    if (!kept.has(key)) return null;
    const location = locations.get(key) ?? null;
    if (location === null) return { shape: key, cut, is_whole: false };
    const inner = location.cut(cut.values[location.at] ?? '', cut.names[location.at] ?? '');
    if (inner === null) return { shape: `${key}\u0002`, cut, is_whole: true };
    return { shape: `${key}\u0002${inner.kind}`, cut: spliced(cut, location.at, inner), is_whole: false };
  };
  const further = cuts.map(cutFurther);
  const frequent = largest(
    groupBy(further, (split) => split?.shape ?? ''),
    MAX_SHAPES,
  );
  const chosen = (cut: Cut, split: Split | null): Split | null =>
    split === null || split.is_whole || frequent.has(split.shape)
      ? split
      : { shape: `${shapeKey(cut)}\u0002`, cut, is_whole: true };
  return {
    split: (cut) => chosen(cut, cutFurther(cut)),
    own: cuts.map((cut, at) => chosen(cut, further[at] ?? null)),
  };
};

interface Dated {
  readonly cut: Cut;
  /** Where the dates are: records that differ in it have no template in common. */
  readonly key: string;
}

/** Cuts values at the dates in them, so that the dates move with the records. */
const withDates = (cut: Cut, time: FoundTime | null): Dated => {
  let made = cut;
  let key = '';
  // From the back, so that locations before stay.
  for (let at = cut.values.length - 1; at >= 0; at--) {
    const value = cut.values[at] ?? '';
    const spans = datesIn(value, time);
    const [first] = spans;
    if (first === undefined) continue;
    const isWhole = first[0] === 0 && first[1] === value.length;
    const inner = cutAtDates(cut.names[at] ?? '', value, spans);
    if (!isWhole) made = spliced(made, at, inner);
    key += `;${at}:${isWhole ? '' : inner.names.map((name) => name.replace(/^.*\./s, '')).join()}`;
  }
  return { cut: made, key };
};

/** Shapes that dates in texts may add; beyond it, texts stay whole. */
const MAX_DATED = 200;

/** Learns the shapes of records. Those of no shape are lines: their time, and the rest as a whole. */
export const sorterOf = (records: readonly Sortable[]): Sorter => {
  const { split, own } = splitter(records.map(({ cut }) => cut));
  const whole = (line: Cut): Split => ({ shape: `\u0003${shapeKey(line)}`, cut: line, is_whole: true });
  const splits = records.map(({ asLine }, at) => own[at] ?? whole(asLine()));
  const forms = new Map<string, ReadonlyMap<number, string>>();
  for (const [shape, list] of groupBy(splits, (made) => made.shape))
    forms.set(shape, formsOf(list.map(({ cut }) => cut)));
  const ids = new Map<string, string>();
  const fineOf = (made: Split, time: FoundTime | null, isLearning: boolean): Sorted | null => {
    const known = forms.get(made.shape);
    if (known === undefined) return null;
    const fine = withForms(made.cut, known);
    if (fine === null) return null;
    const dated = withDates(fine, time);
    const form = `${made.shape}${dated.key}`;
    const isWhole = !ids.has(form) && ids.size >= forms.size + MAX_DATED;
    const key = isWhole ? made.shape : form;
    const id = ids.get(key) ?? (isLearning ? String(ids.size) : null);
    if (id === null) return null;
    ids.set(key, id);
    return { shape: id, cut: isWhole ? fine : dated.cut, is_whole: made.is_whole };
  };
  const sorted = splits.map((made, at) => fineOf(made, records[at]?.time ?? null, true));
  return {
    sort: (record) => fineOf(split(record.cut) ?? whole(record.asLine()), record.time, false),
    sorted,
  };
};
