import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import type { Json } from '../../../../src/domain/json.js';
import { generatorShape } from '../../../../src/plugins/generatorShape.js';
import { decode, decodeStored, readBack } from '../../../../src/schema/index.js';

const configOf = (imperfections: unknown, formatter: unknown = { format: 'plain' }) => ({
  input: [{ static: { count: 3 } }],
  event: { replay: { path: 'access.log' } },
  output: [{ file: { path: 'out.log', formatter, imperfections } }],
});

const issuesOf = (config: unknown): readonly string[] => {
  const decoded = decode(generatorShape, config);
  return E.isLeft(decoded)
    ? decoded.left.map(({ path, type, message }) => `${path.slice(3).join('.')} ${type}: ${message}`)
    : [];
};

describe('imperfections of an output', () => {
  test('read back with the kinds of damage, and are accepted again', () => {
    const shown = readBack(generatorShape, configOf({ malformed: { share: 0.1 } }) as unknown as Json);
    expect(shown).toMatchObject({
      output: [
        {
          file: {
            imperfections: {
              malformed: { share: 0.1, kinds: ['control_bytes', 'bad_encoding', 'broken_json'] },
            },
          },
        },
      ],
    });
    expect(decodeStored(generatorShape, shown)).toEqual(E.right(shown));
  });

  test.each([
    [{ dropped: { share: 1.5 } }, 'imperfections.dropped.share out_of_range'],
    [{ doubled: { share: -0.1 } }, 'imperfections.doubled.share out_of_range'],
    [{ truncated: {} }, 'imperfections.truncated.share missing'],
    [{ dropped: 0.5 }, 'imperfections.dropped wrong_type'],
    [{ malformed: { share: 0.1, kinds: [] } }, 'imperfections.malformed.kinds too_short'],
    [{ lost: { share: 0.1 } }, 'imperfections.lost unknown_key'],
    [{ late: { share: 0.1 } }, 'imperfections.late.mean missing'],
    [{ late: { share: 0.1, mean: 0 } }, 'imperfections.late.mean out_of_range'],
    [{ late: { share: 0.1, mean: 1, max: -1 } }, 'imperfections.late.max out_of_range'],
    [{ late: { share: 0.1, mean: 1, distribution: 'flat' } }, 'imperfections.late.distribution'],
    [{ late: { share: 0.1, mean: 1, deviation: 1 } }, 'imperfections.late.deviation not_allowed'],
    [{ out_of_order: { share: 0.1 } }, 'imperfections.out_of_order.window missing'],
    [{ out_of_order: { share: 0.1, window: -3 } }, 'imperfections.out_of_order.window out_of_range'],
    [
      { late: { share: 0.6, mean: 1 }, out_of_order: { share: 0.6, window: 2 } },
      'imperfections.out_of_order out_of_range',
    ],
    [
      { dropped: { share: 0.5 }, doubled: { share: 0.3 }, malformed: { share: 0.3 } },
      'imperfections.malformed out_of_range: the shares add up to 1.1',
    ],
  ])('%j: %s', (imperfections, problem) => {
    expect(issuesOf(configOf(imperfections))).toEqual([expect.stringContaining(problem)]);
  });

  test('may fill the whole', () => {
    const thirds = { dropped: { share: 0.1 }, doubled: { share: 0.2 }, truncated: { share: 0.7 } };
    expect(issuesOf(configOf(thirds))).toEqual([]);
  });

  test.each([
    [{ format: 'json-batch' }, '`json-batch` joins events'],
    [{ format: 'template-batch', template: 'x' }, '`template-batch` joins events'],
    [{ format: 'avro', encoding: 'container', schema: '"string"' }, '`avro` makes bytes'],
  ])('are refused with %j', (formatter, problem) => {
    expect(issuesOf(configOf({ dropped: { share: 0.1 } }, formatter))).toContainEqual(
      expect.stringContaining(problem),
    );
  });
});
