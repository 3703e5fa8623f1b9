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

const CLOCK = { timestamp_pattern: '(?P<timestamp>.+)', timestamp_format: 'iso8601' };

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
    [{ clock: { ...CLOCK } }, 'imperfections.clock.offset missing: is required without `drift` and `steps`'],
    [{ clock: { timestamp_format: '%s', offset: 1 } }, 'imperfections.clock.timestamp_pattern missing'],
    [
      { clock: { ...CLOCK, offset: 1, timestamp_pattern: '.+' } },
      "imperfections.clock.timestamp_pattern bad_format: has no group named 'timestamp'",
    ],
    [
      { clock: { ...CLOCK, offset: 1, timestamp_pattern: '(?P<timestamp>' } },
      'imperfections.clock.timestamp_pattern bad_format: is not a valid regular expression',
    ],
    [
      { clock: { ...CLOCK, offset: 1, timestamp_format: '%Y-%U' } },
      'imperfections.clock.timestamp_format bad_format: "%U" cannot be read back as a time',
    ],
    [
      { clock: { ...CLOCK, offset: 1, timestamp_format: '%H:%M' } },
      'imperfections.clock.timestamp_format bad_format: has no day and month',
    ],
    [{ clock: { ...CLOCK, offset: 4e9 } }, 'imperfections.clock.offset out_of_range'],
    [{ clock: { ...CLOCK, offset: 1, share: 2 } }, 'imperfections.clock.share out_of_range'],
    [{ clock: { ...CLOCK, drift: 1e6, steps: { every: 60 } } }, 'imperfections.clock.drift out_of_range'],
    [{ clock: { ...CLOCK, drift: 50 } }, 'imperfections.clock.since missing: is required with `drift`'],
    [{ clock: { ...CLOCK, drift: 50, since: 'now' } }, 'imperfections.clock.since bad_format'],
    [
      { clock: { ...CLOCK, offset: 1, since: '2026-01-01T00:00:00Z' } },
      'imperfections.clock.since not_allowed: needs `drift`',
    ],
    [
      { clock: { ...CLOCK, drift: 50, since: '2026-01-01T00:00:00Z', steps: { every: 60 } } },
      'imperfections.clock.since not_allowed: must not be given beside `steps`',
    ],
    [
      { clock: { ...CLOCK, steps: { every: 60 } } },
      'imperfections.clock.steps not_allowed: would change nothing',
    ],
    [{ clock: { ...CLOCK, steps: { every: 0, size: 1 } } }, 'imperfections.clock.steps.every out_of_range'],
    [{ silent: { every: 60 } }, 'imperfections.silent.for missing'],
    [{ silent: { every: 60, for: 0 } }, 'imperfections.silent.for out_of_range'],
    [{ silent: { every: 60, for: 60 } }, 'imperfections.silent.for out_of_range: must be less than `every`'],
    [{ silent: { every: 60, for: 6, events: 'held' } }, 'imperfections.silent.events'],
  ])('%j: %s', (imperfections, problem) => {
    expect(issuesOf(configOf(imperfections))).toEqual([expect.stringContaining(problem)]);
  });

  test.each([
    { offset: -180 },
    { drift: 50, since: '2026-01-01' },
    { drift: -20, steps: { every: 3_600 } },
    { steps: { every: 3_600, size: 2 } },
  ])('take a clock with %j', (clock) => {
    const config = configOf({ clock: { ...CLOCK, ...clock }, silent: { every: 60, for: 5 } });
    expect(issuesOf(config)).toEqual([]);
    const shown = readBack(generatorShape, config as unknown as Json);
    expect(shown).toMatchObject({
      output: [{ file: { imperfections: { clock: { ...clock, share: 1 }, silent: { events: 'lost' } } } }],
    });
    expect(decodeStored(generatorShape, shown)).toEqual(E.right(shown));
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
