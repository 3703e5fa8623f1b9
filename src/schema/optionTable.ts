import type { Json } from '../domain/json.js';
import type { AnyShape, Field, Fields } from './shape.js';

/** Escapes a table cell. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const code = (value: Json): string => `\`${cell(JSON.stringify(value))}\``;

const defaultOf = (field: Field<unknown>): string => {
  if (field.presence === 'required') return 'required';
  return field.fallback === null ? 'none' : code(field.fallback);
};

const meaningOf = (field: Field<unknown>): string => {
  const parts = [
    field.help,
    ...(field.unit === undefined ? [] : [`Unit: ${field.unit}.`]),
    ...(field.secret === true ? ['Secret.'] : []),
    ...(field.example === undefined ? [] : [`Example: ${code(field.example)}.`]),
  ];
  return cell(parts.join(' '));
};

/** Rows of nested fields: in a list (`[]`) or under any key (`.*`). */
const rowsInside = (shape: AnyShape, prefix: string): readonly string[] => {
  if (shape.fields !== undefined) return rowsOf(shape.fields, `${prefix}.`);
  const item = shape.child?.([], 0);
  if (item !== undefined) return rowsInside(item, `${prefix}[]`);
  const value = shape.free === true ? shape.child?.({}, '*') : undefined;
  return value === undefined ? [] : rowsInside(value, `${prefix}.*`);
};

const rowsOf = (fields: Fields, prefix: string): readonly string[] =>
  Object.entries(fields).flatMap(([name, field]) => [
    `| \`${prefix}${name}\` | ${cell(field.label)} | ${defaultOf(field)} | ${meaningOf(field)} |`,
    ...rowsInside(field, `${prefix}${name}`),
  ]);

/** A Markdown table of options: name, type, default, meaning. */
export const optionTable = (fields: Fields): string =>
  ['| option | type | default | meaning |', '|---|---|---|---|', ...rowsOf(fields, '')].join('\n');
