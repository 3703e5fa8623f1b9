import { FRESH_UUID } from '../fields/fresh.js';
import type {
  Bins,
  By,
  Fit,
  LearnedField,
  LearnedShape,
  ModelRow,
  ModelTable,
  NumberStyle,
} from '../model.js';

const RANDOM = 'module.rand.number';

/** A string of the template language. */
const quoted = (text: string): string => {
  const escaped = text.replace(/[\\'\n\r\t]/g, (mark) => {
    if (mark === '\n') return '\\n';
    if (mark === '\r') return '\\r';
    return mark === '\t' ? '\\t' : `\\${mark}`;
  });
  return `'${escaped}'`;
};

/** Literal text of a template. `isFirst` follows a tag that strips blanks; a value may follow. */
const plain = (text: string, isFirst: boolean, isBeforeValue: boolean): string => {
  const lead = isFirst ? (/^\s+/.exec(text)?.[0] ?? '') : '';
  const rest = text
    .slice(lead.length)
    .replace(isBeforeValue ? /\{(?=[{%#]|$)/g : /\{(?=[{%#])/g, "{{ '{' }}");
  return (lead === '' ? '' : `{{ ${quoted(lead)} }}`) + rest;
};

const number = (value: number): string => String(Number(value.toPrecision(12)));

const listOf = (bins: Bins): string =>
  `[${bins.map(([low, high]) => `[${number(low)}, ${number(high)}]`).join(', ')}]`;

/** Tags before the text, and the expression that they prepare. */
interface EmittedExpression {
  readonly tags: readonly string[];
  readonly text: string;
}

const drawn = (fit: Fit, is_whole: boolean, name: string): EmittedExpression => {
  const range = `${number(fit.min)}, ${number(fit.max)}`;
  const uniform = is_whole ? 'integer' : 'floating';
  const whole = is_whole ? ' | round | int' : '';
  const clamped = (draw: string): EmittedExpression => ({
    tags: [],
    text: `${RANDOM}.clamp(${draw}, ${range})${whole}`,
  });
  switch (fit.kind) {
    case 'uniform':
      return { tags: [], text: `${RANDOM}.${uniform}(${range})` };
    case 'normal':
      return clamped(`${RANDOM}.gauss(${number(fit.mu)}, ${number(fit.sigma)})`);
    case 'lognormal':
      return clamped(`${RANDOM}.lognormal(${number(fit.mu)}, ${number(fit.sigma)})`);
    case 'exponential':
      return clamped(`${RANDOM}.exponential(${number(1 / fit.mean)})`);
    case 'quantiles':
      return {
        tags: [`set ${name} = module.rand.choice(${listOf(fit.bins)})`],
        text: `${RANDOM}.${uniform}(${name}[0], ${name}[1])`,
      };
  }
};

const styled = (text: string, { decimals, width }: Omit<NumberStyle, 'is_whole'>): string => {
  if (decimals > 0) return `'%${width > 0 ? `0${width}` : ''}.${decimals}f' | format(${text})`;
  return width > 0 ? `'%0${width}d' | format(${text})` : text;
};

const timeText = (field: Extract<LearnedField, { kind: 'time' }>, name: string): EmittedExpression => {
  const { format, offsets } = field;
  if (offsets === null) return { tags: [], text: `timestamp.strftime(${quoted(format)})` };
  const shift = `module.datetime.timedelta(seconds=${RANDOM}.floating(${name}[0], ${name}[1]))`;
  return {
    tags: [`set ${name} = module.rand.choice(${listOf(offsets)})`],
    text: `(timestamp + ${shift}).strftime(${quoted(format)})`,
  };
};

const counterText = (
  { name, start, steps, width }: Extract<LearnedField, { kind: 'counter' }>,
  variable: string,
): EmittedExpression => {
  const key = quoted(name);
  const step = new Set(steps).size === 1 ? String(steps[0]) : `module.rand.choice([${steps.join(', ')}])`;
  return {
    tags: [`set ${variable} = shared.get(${key}, ${start}) + ${step}`, `do shared.set(${key}, ${variable})`],
    text: styled(variable, { decimals: 0, width }),
  };
};

/** Tables of one short column are written into the template. */
const MAX_INLINE = 12;
const INLINE = /^[\w .:@/+-]{0,40}$/;

const isInline = ({ columns, rows }: ModelTable): boolean =>
  columns.length === 1 &&
  rows.length <= MAX_INLINE &&
  rows.every(({ values }) => INLINE.test(values[0] ?? ''));

const inlineText = ({ rows }: ModelTable): string =>
  `module.rand.weighted_choice({${rows.map(({ values, weight }) => `${quoted(values[0] ?? '')}: ${weight}`).join(', ')}})`;

const byText = ({ bins }: By, is_whole: boolean, name: string, chosen: string): EmittedExpression => {
  const cases = [...bins].map(([value, ranges]) => `${quoted(value)}: ${listOf(ranges)}`).join(', ');
  return {
    tags: [`set ${name} = module.rand.choice({${cases}}[${chosen}])`],
    text: `${RANDOM}.${is_whole ? 'integer' : 'floating'}(${name}[0], ${name}[1])`,
  };
};

/** How a field that needs no table is written; `name` is free for a variable, `textOf` gives other fields. */
const expressionOf = (
  field: Exclude<LearnedField, { kind: 'constant' | 'same' | 'pool' }>,
  name: string,
  textOf: (at: number) => string,
): EmittedExpression => {
  switch (field.kind) {
    case 'time':
      return timeText(field, name);
    case 'counter':
      return counterText(field, name);
    case 'fresh':
      return {
        tags: [],
        text:
          field.pattern === FRESH_UUID
            ? 'module.rand.crypto.uuid4()'
            : `module.rand.string.pattern(${quoted(field.pattern)})`,
      };
    case 'number': {
      const { by, fit, style } = field;
      const { tags, text } =
        by === null ? drawn(fit, style.is_whole, name) : byText(by, style.is_whole, name, textOf(by.at));
      return { tags, text: styled(text.includes(' | ') ? `(${text})` : text, style) };
    }
  }
};

/** A sample of a template. */
export interface SampleFile {
  readonly alias: string;
  readonly columns: readonly string[];
  readonly rows: readonly ModelRow[];
}

export interface TemplateFile {
  readonly text: string;
  readonly samples: readonly SampleFile[];
}

const WEIGHT = 'weight';

/** Names of columns and variables: letters, digits and underscores, each once. */
const uniqueNames = (names: readonly string[]): readonly string[] => {
  const taken = new Set([WEIGHT]);
  return names.map((name) => {
    const base =
      name
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '_')
        .replace(/^_+|_+$/g, '')
        .slice(0, 40)
        .replace(/^(?=\d|$)/, 'v') || 'v';
    let made = base;
    for (let next = 2; taken.has(made); next++) made = `${base}_${next}`;
    taken.add(made);
    return made;
  });
};

/** The template of a shape with its samples; `number` makes the aliases unique. */
export const templateOf = (shape: LearnedShape, number: string): TemplateFile => {
  const names = uniqueNames(shape.names);
  const tags: string[] = [];
  const texts = new Map<number, string>();
  const samples: SampleFile[] = [];
  for (const table of shape.tables) {
    const [first = 0] = table.columns;
    // A value that is used again needs a variable.
    if (isInline(table)) {
      tags.push(`set ${names[first]}_ = ${inlineText(table)}`);
      texts.set(first, `${names[first]}_`);
      continue;
    }
    const alias = `s${number}_${samples.length + 1}`;
    const row = `row${samples.length + 1}`;
    samples.push({ alias, columns: table.columns.map((at) => names[at] ?? ''), rows: table.rows });
    tags.push(`set ${row} = samples.${alias}.weighted_pick('${WEIGHT}')`);
    for (const at of table.columns) texts.set(at, `${row}.${names[at]}`);
  }
  for (const [at, field] of shape.fields.entries()) {
    if (field.kind === 'constant' || field.kind === 'pool') continue;
    if (field.kind === 'same') {
      texts.set(at, texts.get(field.as) ?? "''");
      continue;
    }
    const made = expressionOf(field, `${names[at]}_range`, (other) => texts.get(other) ?? "''");
    tags.push(...made.tags);
    if (shape.fields.some((other) => other.kind === 'same' && other.as === at)) {
      tags.push(`set ${names[at]}_ = ${made.text}`);
      texts.set(at, `${names[at]}_`);
    } else texts.set(at, made.text);
  }
  return { text: bodyOf(shape, tags, texts), samples };
};

const bodyOf = (
  { literals, fields, count, name }: LearnedShape,
  tags: readonly string[],
  texts: ReadonlyMap<number, string>,
): string => {
  const records = count === 1 ? '1 record' : `${count} records`;
  const head = [`{#- ${name}: ${records} of the log. -#}`, ...tags.map((tag) => `{%- ${tag} -%}`)].join('\n');
  let body = '';
  let literal = literals[0] ?? '';
  for (const [at, field] of fields.entries()) {
    if (field.kind === 'constant') literal += field.text;
    else {
      body += `${plain(literal, body === '', true)}{{ ${texts.get(at) ?? "''"} }}`;
      literal = '';
    }
    literal += literals[at + 1] ?? '';
  }
  body += plain(literal, body === '', false);
  return `${head}\n${body}\n`;
};
