/**
 * A reader of the Prometheus text exposition format 0.0.4, written from its description and strict: what a scraper might
 * accept out of kindness is an error here.
 */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface ReadFamily {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*';
const LABEL_PAIR = new RegExp(`^(${LABEL})="((?:[^"\\\\\\n]|\\\\.)*)"(?:,|$)`, 's');
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`, 's');
const COMMENT = new RegExp(`^# (HELP|TYPE) (${NAME}) (.*)$`, 's');
const ESCAPES: Readonly<Record<string, string>> = { '\\\\': '\\', '\\n': '\n', '\\"': '"' };

const unescaped = (text: string, line: string): string =>
  text.replace(/\\(.?)/gs, (written) => {
    const found = ESCAPES[written];
    if (found === undefined) throw new Error(`unknown escape in ${line}`);
    return found;
  });

const readLabels = (text: string, line: string): Readonly<Record<string, string>> => {
  const labels: Record<string, string> = {};
  let rest = text;
  while (rest !== '') {
    const found = LABEL_PAIR.exec(rest);
    if (found === null) throw new Error(`bad labels in ${line}`);
    const [whole, name = '', value = ''] = found;
    if (Object.hasOwn(labels, name)) throw new Error(`label ${name} twice in ${line}`);
    labels[name] = unescaped(value, line);
    rest = rest.slice(whole.length);
  }
  return labels;
};

const readNumber = (text: string, line: string): number => {
  if (text === '+Inf') return Number.POSITIVE_INFINITY;
  if (text === '-Inf') return Number.NEGATIVE_INFINITY;
  if (text === 'NaN') return Number.NaN;
  if (!/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/.test(text)) throw new Error(`bad number in ${line}`);
  return Number(text);
};

const readSample = (line: string): Sample => {
  const found = SAMPLE.exec(line);
  if (found === null) throw new Error(`no sample: ${line}`);
  const [, name = '', labels = '', value = ''] = found;
  return { name, labels: readLabels(labels, line), value: readNumber(value, line) };
};

/** Names that samples of a family may have. */
const namesOf = ({ name, type }: Pick<ReadFamily, 'name' | 'type'>): readonly string[] =>
  type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];

const without = ({ le: _le, ...labels }: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(labels).sort());

/** Buckets ascend, the last is `+Inf` and equals the count, and there is a sum. */
const checkHistogram = ({ name, samples }: ReadFamily): void => {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const key = without(sample.labels);
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  for (const [key, group] of groups) {
    const buckets = group.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => readNumber(labels['le'] ?? '', key));
    const counts = buckets.map(({ value }) => value);
    const rises = (list: readonly number[], isStrict: boolean): boolean =>
      list.every((value, index) => {
        const before = list[index - 1] ?? Number.NEGATIVE_INFINITY;
        return isStrict ? value > before : value >= before;
      });
    const count = group.find((sample) => sample.name === `${name}_count`)?.value;
    const sum = group.find((sample) => sample.name === `${name}_sum`)?.value;
    if (!rises(bounds, true) || !rises(counts, false) || bounds.at(-1) !== Number.POSITIVE_INFINITY)
      throw new Error(`buckets of ${name} ${key} do not rise to +Inf`);
    if (count !== counts.at(-1) || sum === undefined)
      throw new Error(`count or sum of ${name} ${key} is wrong`);
  }
};

const check = (family: ReadFamily): void => {
  const keys = family.samples.map(
    ({ name, labels }) => `${name} ${JSON.stringify(Object.entries(labels).sort())}`,
  );
  if (new Set(keys).size < keys.length) throw new Error(`a series of ${family.name} stands twice`);
  if (family.type === 'histogram') checkHistogram(family);
  if (family.type === 'counter') {
    if (!family.name.endsWith('_total')) throw new Error(`counter ${family.name} does not end with _total`);
    if (family.samples.some(({ value }) => !(value >= 0))) throw new Error(`${family.name} is below zero`);
  }
};

/** Families by name. Throws with the first malformed line. */
export const readExposition = (text: string): ReadonlyMap<string, ReadFamily> => {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const families = new Map<string, ReadFamily & { readonly samples: Sample[] }>();
  let current: (ReadFamily & { readonly samples: Sample[] }) | null = null;
  let help: { readonly name: string; readonly text: string } | null = null;
  for (const line of text.slice(0, -1).split('\n')) {
    const comment = COMMENT.exec(line);
    if (comment?.[1] === 'HELP') {
      help = { name: comment[2] ?? '', text: unescaped((comment[3] ?? '').replaceAll('\\"', '"'), line) };
      continue;
    }
    if (comment?.[1] === 'TYPE') {
      const [, , name = '', type = ''] = comment;
      if (!['counter', 'gauge', 'histogram', 'summary', 'untyped'].includes(type)) throw new Error(line);
      if (help?.name !== name || families.has(name))
        throw new Error(`family ${name} stands twice or without help`);
      current = { name, type, help: help.text, samples: [] };
      families.set(name, current);
      continue;
    }
    const sample = readSample(line);
    if (current === null || !namesOf(current).includes(sample.name))
      throw new Error(`outside its family: ${line}`);
    current.samples.push(sample);
  }
  for (const family of families.values()) check(family);
  return families;
};

/** Sum over the samples of a family with these labels. */
export const sumOf = (
  families: ReadonlyMap<string, ReadFamily>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number =>
  (families.get(name)?.samples ?? [])
    .filter((sample) => Object.entries(labels).every(([key, value]) => sample.labels[key] === value))
    .reduce((sum, { value }) => sum + value, 0);
