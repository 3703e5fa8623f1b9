/** A record cut into literal text and values, in turns: there is one literal more than values. */
export interface Cut {
  /** Records of different kinds never share a template, e.g. the program of a syslog line. */
  readonly kind: string;
  readonly literals: readonly string[];
  readonly names: readonly string[];
  readonly values: readonly string[];
}

/** The record: cutting loses nothing. */
export const cutTextOf = ({ literals, values }: Pick<Cut, 'literals' | 'values'>): string =>
  literals.map((literal, at) => literal + (values[at] ?? '')).join('');

/** Equal for cuts that differ in their values only. */
export const shapeKey = ({ kind, literals, names }: Cut): string =>
  [kind, ...literals, '', ...names].join('\u0000');

/** Builds a cut from left to right. */
export interface Cutter {
  readonly literal: (text: string) => void;
  readonly value: (name: string, text: string) => void;
  /** The pieces of another cut, with its names. */
  readonly insert: (cut: Cut) => void;
  readonly done: (kind: string) => Cut;
}

export const cutter = (): Cutter => {
  const literals: string[] = [''];
  const names: string[] = [];
  const values: string[] = [];
  const literal = (text: string): void => {
    literals[literals.length - 1] += text;
  };
  const value = (name: string, text: string): void => {
    names.push(name);
    values.push(text);
    literals.push('');
  };
  return {
    literal,
    value,
    insert: (cut) => {
      for (const [at, text] of cut.literals.entries()) {
        literal(text);
        const name = cut.names[at];
        if (name !== undefined) value(name, cut.values[at] ?? '');
      }
    },
    done: (kind) => ({ kind, literals, names, values }),
  };
};

/** Replaces one value of a cut by the pieces of another. */
export const spliced = (cut: Cut, at: number, inner: Cut): Cut => {
  const made = cutter();
  for (const [index, text] of cut.literals.entries()) {
    made.literal(text);
    const name = cut.names[index];
    if (name === undefined) continue;
    if (index === at) made.insert(inner);
    else made.value(name, cut.values[index] ?? '');
  }
  return made.done(cut.kind);
};

const PART = /\.(?:part|date)\d+$/;

/** Whether a field is a part of a text that was cut at its dates. */
export const isPart = (name: string): boolean => PART.test(name);

/** The field that a part was cut from; other fields are their own. */
export const wholeName = (name: string): string => name.replace(PART, '');

/** A text cut at the spans of its dates. */
export const cutAtDates = (
  name: string,
  text: string,
  spans: readonly (readonly [number, number])[],
): Cut => {
  const made = cutter();
  let at = 0;
  for (const [index, [from, to]] of spans.entries()) {
    if (from > at) made.value(`${name}.part${index + 1}`, text.slice(at, from));
    made.value(`${name}.date${index + 1}`, text.slice(from, to));
    at = to;
  }
  if (at < text.length) made.value(`${name}.part${spans.length + 1}`, text.slice(at));
  return made.done('');
};

/** Whether a value stands in double quotes and has escapes of JSON. */
const isEscaped = ({ literals, values }: Cut, at: number): boolean =>
  values[at]?.includes('\\') === true &&
  literals[at]?.endsWith('"') === true &&
  literals[at + 1]?.startsWith('"') === true;

const decoded = (text: string): string | null => {
  try {
    const value: unknown = JSON.parse(`"${text}"`);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
};

/** A value without its escapes. */
export const plainValue = (cut: Cut, at: number): string => {
  const text = cut.values[at] ?? '';
  return isEscaped(cut, at) ? (decoded(text) ?? text) : text;
};

const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** A JSON string without its quotes, changed by `change`, which sees it without escapes. */
export const changedText = (text: string, change: (text: string) => string): string => {
  const plain = decoded(text) ?? text;
  const changed = change(plain);
  if (changed === plain) return text;
  if (plain === text) return changed;
  // ASCII stays ASCII: the writer escapes everything else.
  return JSON.stringify(changed)
    .slice(1, -1)
    .replace(/[\u0080-\uffff]/g, (character) =>
      isAscii(text) ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : character,
    );
};

/** A value changed by `change`, which sees it without escapes. */
export const changedValue = (cut: Cut, at: number, change: (text: string) => string): string => {
  const text = cut.values[at] ?? '';
  return isEscaped(cut, at) ? changedText(text, change) : change(text);
};
