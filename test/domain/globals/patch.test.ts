import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { applyChange, copyJson, mergePatch } from '../../../src/domain/globals/globals.js';
import type { Json, JsonObject } from '../../../src/domain/json.js';

const text = (value: unknown): string => JSON.stringify(value);
const json = fc.jsonValue() as fc.Arbitrary<Json>;
const object = fc.dictionary(
  fc.constantFrom('a', 'b', '__proto__', 'constructor'),
  json,
) as fc.Arbitrary<JsonObject>;

describe('merge patch', () => {
  // RFC 7386, appendix A.
  test.each([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ])('%s with %s is %s', (target, patch, result) => {
    expect(text(mergePatch(JSON.parse(target), JSON.parse(patch)))).toBe(result);
  });
});

describe('a change', () => {
  const state: JsonObject = { a: { x: 1 }, b: 2 };

  test('that is shallow replaces each key whole, and null is a value', () => {
    expect(applyChange(state, { kind: 'shallow', values: { a: { y: 2 }, b: null } })).toEqual({
      a: { y: 2 },
      b: null,
    });
  });

  test('that replaces leaves nothing', () => {
    expect(applyChange(state, { kind: 'replace', values: { c: 3 } })).toEqual({ c: 3 });
  });

  test('that deletes a key leaves the others; a key that is missing is fine', () => {
    expect(applyChange(state, { kind: 'delete_key', key: 'a' })).toEqual({ b: 2 });
    expect(applyChange(state, { kind: 'delete_key', key: 'nothing' })).toEqual(state);
  });

  test('changes neither the former state nor the given values', () => {
    fc.assert(
      fc.property(
        object,
        object,
        fc.constantFrom('shallow', 'rfc7386', 'replace'),
        (before, values, kind) => {
          const [was, given] = [text(before), text(values)];
          const after = applyChange(before, { kind, values });
          expect([text(before), text(values)]).toEqual([was, given]);
          for (const key of Object.keys(values)) {
            const value = values[key];
            if (typeof value === 'object' && value !== null) expect(after[key]).not.toBe(value);
          }
        },
      ),
    );
  });

  test('made twice is the same as made once', () => {
    fc.assert(
      fc.property(
        object,
        object,
        fc.constantFrom('shallow', 'rfc7386', 'replace'),
        (before, values, kind) => {
          const once = applyChange(before, { kind, values });
          expect(text(applyChange(once, { kind, values }))).toBe(text(once));
        },
      ),
    );
  });

  test('makes objects without a prototype, so that "__proto__" is a key like any other', () => {
    const values = JSON.parse('{"__proto__": {"x": 1}}') as JsonObject;
    for (const kind of ['shallow', 'rfc7386', 'replace'] as const) {
      const after = applyChange({}, { kind, values });
      expect(Object.getPrototypeOf(after)).toBeNull();
      expect(text(after)).toBe('{"__proto__":{"x":1}}');
    }
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});

test('a copy of JSON is the same text and shares nothing', () => {
  fc.assert(
    fc.property(json, (value) => {
      const copy = copyJson(value);
      expect(text(copy)).toBe(text(value));
      if (typeof value === 'object' && value !== null) expect(copy).not.toBe(value);
    }),
  );
});
