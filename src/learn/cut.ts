/** A record cut into literal text and values, in turns: there is one literal more than values. */
export interface Cut {
  /** Records of different kinds never share a template, e.g. the program of a syslog line. */
  readonly kind: string;
  readonly literals: readonly string[];
  readonly names: readonly string[];
  readonly values: readonly string[];
}

/** The record: cutting loses nothing. */
export const textOf = ({ literals, values }: Pick<Cut, 'literals' | 'values'>): string =>
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
