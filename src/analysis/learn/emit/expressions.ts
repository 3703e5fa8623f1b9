import { FRESH_UUID } from '../fields/fresh.js';
import type { Bins, By, Fit, LearnedField, ModelTable, NumberStyle } from '../model.js';

const RANDOM = 'module.rand.number';

/** A string of the template language. */
export const quoted = (text: string): string => {
  const escaped = text.replace(/[\\'\n\r\t]/g, (mark) => {
    if (mark === '\n') return '\\n';
    if (mark === '\r') return '\\r';
    return mark === '\t' ? '\\t' : `\\${mark}`;
  });
  return `'${escaped}'`;
};

/** Literal text of a template. `isFirst` follows a tag that strips blanks; a value may follow. */
export const plain = (text: string, isFirst: boolean, isBeforeValue: boolean): string => {
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
export interface EmittedExpression {
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

export const isInline = ({ columns, rows }: ModelTable): boolean =>
  columns.length === 1 &&
  rows.length <= MAX_INLINE &&
  rows.every(({ values }) => INLINE.test(values[0] ?? ''));

export const inlineText = ({ rows }: ModelTable): string =>
  `module.rand.weighted_choice({${rows.map(({ values, weight }) => `${quoted(values[0] ?? '')}: ${weight}`).join(', ')}})`;

const byText = ({ bins }: By, is_whole: boolean, name: string, chosen: string): EmittedExpression => {
  const cases = [...bins].map(([value, ranges]) => `${quoted(value)}: ${listOf(ranges)}`).join(', ');
  return {
    tags: [`set ${name} = module.rand.choice({${cases}}[${chosen}])`],
    text: `${RANDOM}.${is_whole ? 'integer' : 'floating'}(${name}[0], ${name}[1])`,
  };
};

/** How a field that needs no table is written; `name` is free for a variable, `textOf` gives other fields. */
export const expressionOf = (
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
