import { expect, test } from '@jest/globals';
import {
  defaulted,
  integer,
  listOf,
  mapOf,
  oneOf,
  optional,
  optionTable,
  record,
  required,
  text,
} from '../../src/schema/index.js';

test('an option table has a row per field, nested ones with dots, bars escaped', () => {
  const batch = record({
    size: optional(integer({ min: 1 }), { help: 'Most events.', unit: 'events' }),
    mode: defaulted(oneOf(['a', 'b']), 'a', { help: 'Either a | b.' }),
  });
  const table = optionTable({
    password: required(text({ minLength: 1 }), { help: 'Word.', secret: true, example: 'x' }),
    batch: defaulted(batch, { size: null, mode: 'a' }, { help: 'Batches.' }),
  });
  expect(table.split('\n')).toEqual([
    '| option | type | default | meaning |',
    '|---|---|---|---|',
    '| `password` | non-empty text | required | Word. Secret. Example: `"x"`. |',
    '| `batch` | object | `{"size":null,"mode":"a"}` | Batches. |',
    '| `batch.size` | integer >= 1 | none | Most events. Unit: events. |',
    '| `batch.mode` | one of a, b | `"a"` | Either a \\| b. |',
  ]);
});

test('what stands in lists and under free keys has rows too', () => {
  const item = record({ weight: optional(integer(), { help: 'Weight.' }) });
  const table = optionTable({
    items: required(listOf(mapOf(item)), { help: 'Items.' }),
    plain: defaulted(listOf(integer()), [], { help: 'Numbers.' }),
  });
  expect(table.split('\n').slice(2)).toEqual([
    '| `items` | list of object of object | required | Items. |',
    '| `items[].*.weight` | integer | none | Weight. |',
    '| `plain` | list of integer | `[]` | Numbers. |',
  ]);
});
