import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { etagOf } from '../../../src/domain/etag.js';
import {
  changeOwnedGlobals,
  MAX_GLOBALS_LENGTH,
  makeOwnedGlobals,
  readOwnedGlobals,
} from '../../../src/domain/globals/owned.js';

const owned = () => makeOwnedGlobals('busy', { a: 1 }, 4);

describe('reading globals', () => {
  test('gives its text and a strong entity tag of that text', () => {
    expect(readOwnedGlobals(owned())).toEqual({ text: '{"a":1}', etag: etagOf('{"a":1}') });
    expect(etagOf('{"a":1}')).toMatch(/^"[\w-]{27}"$/);
    expect(etagOf('{"a":2}')).not.toBe(etagOf('{"a":1}'));
  });
});

describe('changing globals', () => {
  test('applies the change, takes its number and answers the new entity tag', () => {
    const changed = owned();
    const answer = changeOwnedGlobals(changed, { kind: 'shallow', values: { b: 2 } }, 5, null);
    expect(answer).toMatchObject(
      E.right({
        etag: readOwnedGlobals(changed).etag,
        changes: { keys: [{ key: 'b', old: null }], more_keys: 0 },
      }),
    );
    expect(changed).toMatchObject({ values: { a: 1, b: 2 }, changeNumber: 5 });
  });

  test('is refused for another version, and nothing changes', () => {
    const same = owned();
    expect(changeOwnedGlobals(same, { kind: 'replace', values: {} }, 5, '"old"')).toMatchObject({
      left: { code: 'precondition_failed' },
    });
    expect(same).toEqual(owned());
    expect(
      changeOwnedGlobals(same, { kind: 'replace', values: {} }, 5, readOwnedGlobals(same).etag),
    ).toMatchObject({
      _tag: 'Right',
    });
  });

  test('is refused whole when the state would pass its limit', () => {
    const same = owned();
    const values = { small: 1, big: 'x'.repeat(MAX_GLOBALS_LENGTH) };
    expect(changeOwnedGlobals(same, { kind: 'shallow', values }, 5, null)).toMatchObject({
      left: { code: 'too_large', message: expect.stringContaining('16 MiB') },
    });
    expect(same).toEqual(owned());
  });

  test('that makes full globals fit lets scripts write again', () => {
    const full = owned();
    full.isFull = true;
    changeOwnedGlobals(full, { kind: 'delete_key', key: 'a' }, 5, null);
    expect(full.isFull).toBe(false);
  });
});
