import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { compileStrftime } from '../../../src/domain/time/strftime.js';
import { compileStrptime } from '../../../src/domain/time/strptime.js';
import { utc, zoneOf } from '../../../src/domain/time/zone.js';

const NEAR = Date.parse('2025-06-01T00:00:00Z') * 1000;

/** The time as an ISO text; `null`: not in the format. Throws what is wrong with the format. */
const read = (format: string, text: string, zoneId = 'UTC', near = NEAR): string | null => {
  const compiled = compileStrptime(format, zoneOf(zoneId) ?? utc);
  if (E.isLeft(compiled)) throw new Error(compiled.left);
  const micros = compiled.right(text, near);
  return micros === null ? null : new Date(micros / 1000).toISOString();
};

describe('reading a time', () => {
  test.each([
    ['%d/%b/%Y:%H:%M:%S %z', '05/Jan/2026:08:00:01 +0130', '2026-01-05T06:30:01.000Z'],
    ['%Y-%m-%d %H:%M:%S,%f', '2026-01-05 08:00:01,25', '2026-01-05T08:00:01.250Z'],
    ['%Y-%m-%dT%H:%M:%S.%L%:z', '2026-01-05T08:00:01.250-02:00', '2026-01-05T10:00:01.250Z'],
    ['%a, %d %b %Y %I:%M:%S %p', 'Mon, 05 Jan 2026 12:00:01 AM', '2026-01-05T00:00:01.000Z'],
    ['%A %e %B %Y %l:%M %P', 'Monday  5 January 2026  1:30 pm', '2026-01-05T13:30:00.000Z'],
    ['%Y%m%d%H%M%S', '20260105080001', '2026-01-05T08:00:01.000Z'],
    ['%Y-%j %T', '2024-366 23:59:59', '2024-12-31T23:59:59.000Z'],
    ['%s.%f', '1767600001.5', '2026-01-05T08:00:01.500Z'],
    ['%D %R', '01/05/69 08:00', '1969-01-05T08:00:00.000Z'],
    ['%y-%m-%d', '68-01-05', '2068-01-05T00:00:00.000Z'],
    ['%F %T %Z', '2026-01-05 08:00:01 UTC', '2026-01-05T08:00:01.000Z'],
    ['%F 100%%', '2026-01-05 100%', '2026-01-05T00:00:00.000Z'],
    ['%F %H:%M:%S', '2016-12-31 23:59:60', '2016-12-31T23:59:59.000Z'],
    ['iso8601', '2026-01-05T08:00:01Z', '2026-01-05T08:00:01.000Z'],
  ])('%s reads %j', (format, text, expected) => {
    expect(read(format, text)).toBe(expected);
  });

  test.each([
    ['%F', '2026-02-30'],
    ['%F', '2026-01-05 '],
    ['%F %T', '2026-01-05 25:00:00'],
    ['%d/%b/%Y', '05/Foo/2026'],
    ['%F.', '2026-01-05x'],
    ['iso8601', 'yesterday'],
  ])('%s does not read %j', (format, text) => {
    expect(read(format, text)).toBeNull();
  });

  test.each([
    ['%G-%V', 'cannot be read back'],
    ['%q', 'cannot be read back'],
    ['%T', 'has no day and month'],
    ['', 'has no day and month'],
  ])('a format %j is refused', (format, problem) => {
    expect(() => read(format, '')).toThrow(problem);
  });

  test('without an offset in the zone, also with a name of it', () => {
    expect(read('%F %T %Z', '2026-07-05 08:00:01 CEST', 'Europe/Berlin')).toBe('2026-07-05T06:00:01.000Z');
  });

  test('without a year takes the closest one', () => {
    const newYear = Date.parse('2025-12-31T23:59:59Z') * 1000;
    expect(read('%b %e %T', 'Jan  1 00:00:01', 'UTC', newYear)).toBe('2026-01-01T00:00:01.000Z');
    expect(read('%b %e %T', 'Dec 31 00:00:01', 'UTC', newYear + 10_000_000)).toBe('2025-12-31T00:00:01.000Z');
    expect(read('%b %e %T', 'Feb 29 00:00:01', 'UTC', newYear)).toBe('2024-02-29T00:00:01.000Z');
  });

  test('reads back what strftime writes', () => {
    const formats = [
      '%Y-%m-%d %H:%M:%S.%f %z',
      '%c .%f %z',
      '%s %f',
      '%j %Y %T.%f%:z',
      '%d %B %Y, %I:%M:%S %p %f %z',
    ];
    const zone = zoneOf('America/St_Johns') ?? utc;
    fc.assert(
      fc.property(fc.constantFrom(...formats), fc.integer({ min: 0, max: 4e15 }), (format, micros) => {
        const [write, parse] = [compileStrftime(format, zone), compileStrptime(format, zone)];
        if (E.isLeft(write) || E.isLeft(parse)) throw new Error('the format is refused');
        expect(parse.right(write.right(micros), NEAR)).toBe(micros);
      }),
    );
  });
});
