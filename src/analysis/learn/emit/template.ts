import type { LearnedShape, ModelRow } from '../model.js';
import { expressionOf, inlineText, isInline, plain } from './expressions.js';

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
