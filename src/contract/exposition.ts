/** A metric family of the Prometheus text format 0.0.4. */
export interface Family {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly help: string;
}

export type MetricLabels = Readonly<Record<string, string>>;

const escapeLabel = (value: string): string =>
  /[\\"\n]/.test(value)
    ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
    : value;

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

/** The labels between the braces, built once for many samples. */
export const labelText = (labels: MetricLabels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(value)}"`)
    .join(',');

const numberText = (value: number): string => {
  if (Number.isNaN(value)) return 'NaN';
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
};

/** `labels` comes from `labelText`; empty for none. */
export const sample = (name: string, labels: string, value: number): string =>
  labels === '' ? `${name} ${numberText(value)}\n` : `${name}{${labels}} ${numberText(value)}\n`;

export const header = ({ name, type, help }: Family): string =>
  `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;

/** A family with its samples. */
export const family = (
  name: string,
  type: Family['type'],
  help: string,
  samples: readonly (readonly [labels: string, value: number])[],
): string =>
  header({ name, type, help }) + samples.map(([labels, value]) => sample(name, labels, value)).join('');

/** `count` is cumulative, `le` ascending. */
interface Buckets {
  readonly bounds: readonly { readonly le: number; readonly count: number }[];
  readonly total: number;
  readonly sum: number;
}

export const histogram = (name: string, labels: string, { bounds, total, sum }: Buckets): string => {
  const before = labels === '' ? '' : `${labels},`;
  const buckets = bounds.map(({ le, count }) =>
    sample(`${name}_bucket`, `${before}le="${numberText(le)}"`, count),
  );
  const last = sample(`${name}_bucket`, `${before}le="+Inf"`, total);
  return `${buckets.join('')}${last}${sample(`${name}_sum`, labels, sum)}${sample(`${name}_count`, labels, total)}`;
};
