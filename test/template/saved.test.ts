import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import type { Json } from '../../src/domain/json.js';
import { seededRandom } from '../../src/domain/random.js';
import { makeEnvironment, type Template } from '../../src/template/index.js';
import { restoreValue, type SavedKind, saveValue } from '../../src/template/saved.js';
import { repr } from '../../src/template/values/operations/print.js';
import { PyTuple } from '../../src/template/values/types/sequences.js';
import type { Value } from '../../src/template/values/value.js';
import { codePoint } from '../support/codePoint.js';
import { oracleNames } from './engine.js';

/** The value of an expression. */
const evaluated = (expression: string): Value => {
  const kept: Value[] = [];
  const keep = (args: readonly Value[]): Value => {
    kept.push(...args);
    return null;
  };
  const made = makeEnvironment({ loader: () => null, random: seededRandom(1) }).fromText(
    'x',
    `{{ keep(${expression}) }}`,
  );
  const variables = new Map<string, Value>([...oracleNames(), ['keep', keep]]);
  const rendered = E.chain((template: Template) => template.render({ variables }))(made);
  if (E.isLeft(rendered)) throw new Error(rendered.left.message);
  return kept[0] ?? null;
};

/** A value through JSON text and back. */
const again = (value: Value, kinds: readonly SavedKind[] = []): Value =>
  restoreValue(JSON.parse(JSON.stringify(saveValue(value, 'state', kinds))) as Json, kinds);

describe('saved values', () => {
  test.each([
    'none',
    '[true, 1, 1.5, 2.0, -0.0, 1e300, "text", ""]',
    '12345678901234567890123',
    '(1, (2.0,), [])',
    '{"a": 1, "b": {"c": none}}',
    '{"2": 1, "10": 2, "1": 3}',
    '{"$": 1, "__proto__": 2, "": 3}',
    '{1: "int", 2.5: "float", (1, 2): "tuple", true: "yes", none: 0}',
    '1e308 * 10',
    'datetime.datetime(2026, 2, 28, 12, 30, 1, 5)',
    'datetime.datetime(2026, 2, 28, tzinfo=datetime.timezone.utc)',
    'datetime.datetime(2026, 2, 28, tzinfo=datetime.timezone(datetime.timedelta(hours=5), "X"))',
    'datetime.date(2026, 2, 28)',
    'datetime.time(1, 2, 3, 4)',
    'datetime.timedelta(days=-1, microseconds=5)',
    'datetime.timezone.utc',
    '"text".encode()',
    '("<b>" | escape)',
    'missing',
  ])('%s comes back the same', (expression) => {
    const value = evaluated(expression);
    const back = again(value);
    expect(repr(back)).toBe(repr(value));
    expect(Object.getPrototypeOf(Object(back))).toBe(Object.getPrototypeOf(Object(value)));
  });

  test('any nested value is restored unchanged', () => {
    const leaf: fc.Arbitrary<Value> = fc.oneof(
      fc.constant(null),
      fc.boolean(),
      fc.integer(),
      fc.string({ unit: codePoint }),
      fc.bigInt({ min: 10n ** 20n }),
    );
    const { tree } = fc.letrec<{ tree: Value }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.array(tie('tree'), { maxLength: 4 }).map((items) => new PyTuple(items)),
      ),
    }));
    fc.assert(fc.property(tree, (value) => repr(again(value)) === repr(value)));
  });

  test('the host restores its own objects', () => {
    class Point extends PyTuple {}
    const kind: SavedKind = {
      name: 'point',
      parts: (value) => (value instanceof Point ? value.items : undefined),
      make: (parts) => new Point(parts),
    };
    const back = again([new Point([1, 2]), new PyTuple([3])], [kind]) as readonly Value[];
    expect(back[0]).toBeInstanceOf(Point);
    expect(back[1]).not.toBeInstanceOf(Point);
  });

  test('an unsavable value is reported with its path', () => {
    const loop: Value[] = [];
    loop.push(loop);
    expect(() => saveValue(loop, 'shared')).toThrow(/^shared\[0\].* is nested too deeply or contains itself/);
    expect(() => saveValue([() => null], 'shared')).toThrow('shared[0]: cannot save a function');
    expect(() => saveValue(evaluated('{"a": [namespace()]}'), 'shared')).toThrow(
      'shared.a[0]: cannot save a value of type Namespace',
    );
  });

  test.each<Json>([
    { $: 1 },
    { $: ['nothing', 1] },
    { $: ['float', 1] },
    { $: ['datetime', ['x']] },
    { $: ['zone', 'Mars/Base'] },
  ])('%j is no saved value', (saved) => expect(() => restoreValue(saved)).toThrow('is malformed'));
});
