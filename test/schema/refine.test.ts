import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import {
  decode,
  integer,
  listOf,
  mapOf,
  oneKeyOf,
  recursive,
  refined,
  type Shape,
} from '../../src/schema/index.js';
import { defect } from '../../src/schema/issues.js';

const even = refined(integer(), (value) => (value % 2 === 0 ? null : defect('not_allowed', 'must be even')), {
  multipleOf: 2,
});

const issuesOf = (result: E.Either<readonly { readonly path: unknown; readonly type: string }[], unknown>) =>
  E.isLeft(result) ? result.left.map(({ path, type }) => ({ path, type })) : null;

describe('a shape with one more condition', () => {
  test('accepts what meets it and refuses what does not, at its place', () => {
    expect(decode(listOf(even), [2, '4'])).toEqual(E.right([2, 4]));
    expect(issuesOf(decode(listOf(even), [2, 3]))).toEqual([{ path: [1], type: 'not_allowed' }]);
  });

  test('reports only what the shape itself finds where that fails', () => {
    expect(issuesOf(decode(even, 'two'))).toEqual([{ path: [], type: 'wrong_type' }]);
  });

  test('checks stored values that can be read, and leaves placeholders alone', () => {
    expect(E.isRight(even.stored.decode('${params.count}'))).toBe(true);
    expect(E.isRight(even.stored.decode(4))).toBe(true);
    expect(E.isLeft(even.stored.decode(5))).toBe(true);
    const pairs = refined(mapOf(integer()), (value) =>
      Object.keys(value).length === 1 ? null : defect('not_one_key', 'must have one key'),
    );
    // With a placeholder inside the whole cannot be read yet, so the condition waits.
    expect(E.isRight(pairs.stored.decode({ a: '${params.a}', b: 1 }))).toBe(true);
    expect(E.isLeft(pairs.stored.decode({ a: 1, b: 1 }))).toBe(true);
  });

  test('adds to the schema', () => {
    expect(even.schema).toMatchObject({ type: 'integer', multipleOf: 2 });
  });
});

describe('a shape that is needed inside itself', () => {
  type Tree = { readonly kind: string; readonly params: unknown };
  const tree: Shape<Tree> = oneKeyOf({
    leaf: integer(),
    not: recursive<Tree>('tree', { type: 'object' }, () => tree),
  }) as unknown as Shape<Tree>;
  const nested = (depth: number): unknown => {
    let value: unknown = { leaf: 1 };
    for (let level = 0; level < depth; level++) value = { not: value };
    return value;
  };

  test('reads, writes and checks what is nested', () => {
    const decoded = decode(tree, nested(3));
    expect(E.isRight(decoded) && tree.codec.encode(decoded.right)).toEqual(nested(3));
    expect(E.isRight(decoded) && tree.codec.is(decoded.right)).toBe(true);
    expect(issuesOf(decode(tree, { not: { not: { leaf: 'x' } } }))).toEqual([
      { path: ['not', 'not', 'leaf'], type: 'wrong_type' },
    ]);
    expect(E.isRight(tree.stored.decode({ not: { leaf: '${params.x}' } }))).toBe(true);
  });

  test('refuses what is nested too deeply instead of ending the program', () => {
    expect(issuesOf(decode(tree, nested(50_000)))?.[0]?.type).toBe('too_deep');
    expect(E.isLeft(tree.stored.decode(nested(50_000)))).toBe(true);
  });
});
