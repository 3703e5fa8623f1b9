import { describe, expect, test } from '@jest/globals';
import type { PluginSpec } from '../../src/plugins/kit.js';
import {
  boolean,
  defaulted,
  type EntryOf,
  integer,
  listOf,
  oneOf,
  optional,
  record,
  required,
  text,
  type ValueOf,
} from '../../src/schema/index.js';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const isSame = <A, B>(same: Same<A, B>): boolean => same;

const fields = {
  count: required(integer({ min: 1 }), { help: 'How many.' }),
  mode: defaulted(oneOf(['append', 'overwrite']), 'append', { help: 'How to write.' }),
  tags: defaulted(listOf(text()), [], { help: 'Tags.' }),
  start: optional(text(), { help: 'From when.' }),
  nested: required(record({ on: defaulted(boolean(), true, { help: 'On.' }) }), { help: 'Inner.' }),
};

describe('types of declarations', () => {
  test('ValueOf infers the exact decoded type of each field', () => {
    expect(
      isSame<
        ValueOf<typeof fields>,
        {
          readonly count: number;
          readonly mode: 'append' | 'overwrite';
          readonly tags: readonly string[];
          readonly start: string | null;
          readonly nested: { readonly on: boolean };
        }
      >(true),
    ).toBe(true);
  });

  test('EntryOf is a union of kinds, each with the parameters of its shape', () => {
    const cron = record({ count: fields.count });
    const timer = record({ tags: fields.tags });
    expect(
      isSame<
        EntryOf<{ cron: { shape: typeof cron; aliases: readonly ['c'] }; timer: typeof timer }>,
        | { readonly kind: 'cron'; readonly alias: string; readonly params: { readonly count: number } }
        | {
            readonly kind: 'timer';
            readonly alias: string;
            readonly params: { readonly tags: readonly string[] };
          }
      >(true),
    ).toBe(true);
  });

  test('a specific plugin declaration fits where any is taken', () => {
    const spec: PluginSpec<typeof fields> = {
      kind: 'input',
      name: 'x',
      summary: 'x',
      fields,
      rules: [
        {
          fields: ['count', 'start'],
          check: ({ count, start }) => (start !== null && count > 1 ? null : null),
        },
      ],
      examples: [],
    };
    const any: PluginSpec = spec;
    expect(any.name).toBe('x');
  });

  test('a rule may not name a field that does not exist', () => {
    // @ts-expect-error 'cuont' is no field
    const shape = record(fields, { rules: [{ fields: ['cuont'], check: () => null }] });
    expect(shape.label).toBe('object');
  });

  test('a default must be a value of the shape', () => {
    // @ts-expect-error 'create' is none of the names
    expect(defaulted(oneOf(['append']), 'create', { help: 'x' }).fallback).toBe('create');
  });
});
