import { givenText, type Json, type JsonObject } from '../../../domain/json.js';
import { mapOf, optional, required } from '../../../schema/index.js';
import type { FieldDoc } from '../../../schema/shape.js';
import { eventValue } from '../../shared/text/compile.js';
import { eventText } from '../../shared/text/field.js';

const HELP =
  'Names in order, each with a text; `{/user/name}` stands for the value at this JSON pointer of the event. A name whose single pointer finds nothing is left out.';

const EXAMPLE = { user: '{/user/name}', source: 'vpn' };

export const requiredNames = (doc: Pick<FieldDoc, 'whenMissing'>) =>
  required(mapOf(eventText()), { help: HELP, example: EXAMPLE, ...doc });

export const namesField = requiredNames({});

export const optionalNamesField = optional(mapOf(eventText()), {
  help: `${HELP} Default: all members of the event, with a dot between the names of nested ones.`,
  example: EXAMPLE,
});

export type NamedValue = readonly [name: string, value: unknown];

/** Names with their values in an event, without those that it lacks. */
export type NamedEventValues = (event: JsonObject) => readonly NamedValue[];

export const namedValues = (names: Readonly<Record<string, string>>): NamedEventValues => {
  const readers = Object.entries(names).map(([name, written]) => [name, eventValue(written)] as const);
  return (event) =>
    readers.flatMap(([name, read]): readonly NamedValue[] => {
      const value = read(event);
      return value === undefined ? [] : [[name, value]];
    });
};

/** Deeper members stay JSON. */
const MAX_DEPTH = 32;

const isNested = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;

const collect = (object: JsonObject, prefix: string, depth: number, into: NamedValue[]): void => {
  for (const [name, value] of Object.entries(object)) {
    if (isNested(value) && depth < MAX_DEPTH) collect(value, `${prefix}${name}.`, depth + 1, into);
    else into.push([prefix + name, value]);
  }
};

/** All members of an event; nested ones as `outer.inner`. */
export const flatValues: NamedEventValues = (event) => {
  const values: NamedValue[] = [];
  collect(event, '', 1, values);
  return values;
};

/** A value in a text: nothing for null, JSON for arrays and objects. */
export const plainText = (value: unknown): string => givenText(value) ?? '';
