import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { seededRandom } from '../../../src/domain/random.js';
import { compileStrftime } from '../../../src/domain/time/strftime.js';
import { utc, type Zone, zoneOf } from '../../../src/domain/time/zone.js';
import { hasPython, spawnSync } from '../../support/programs.js';

const zone = (id: string): Zone => {
  const found = zoneOf(id);
  if (found === null) throw new Error(`no zone ${id}`);
  return found;
};
const format = (text: string, micros: number, where: Zone = utc): string => {
  const compiled = compileStrftime(text, where);
  if (E.isLeft(compiled)) throw new Error(compiled.left);
  return compiled.right(micros);
};
const at = (text: string): number => Date.parse(text) * 1000;

describe('strftime', () => {
  test.each([
    ['%d/%b/%Y:%H:%M:%S %z', '20/Nov/2026:19:05:09 +0000'],
    ['%Y-%m-%dT%H:%M:%S.%f%:z', '2026-11-20T19:05:09.000000+00:00'],
    ['%e|%k|%l|%I %p|%P', '20|19| 7|07 PM|pm'],
    ['%a %A %b %B %h', 'Fri Friday Nov November Nov'],
    ['%j %U %W %V %G %g %u %w', '324 46 46 47 2026 26 5 5'],
    ['%-d.%-m.%y %_H%0e', '20.11.26 1920'],
    ['%D %F %T %R %r', '11/20/26 2026-11-20 19:05:09 19:05 07:05:09 PM'],
    ['%c|%x|%X', 'Fri Nov 20 19:05:09 2026|11/20/26|19:05:09'],
    ['%s %C %% %n%t.', '1795201509 20 % \n\t.'],
    ['100%%', '100%'],
    ['no codes', 'no codes'],
    ['', ''],
  ])('%j gives %j', (text, expected) => {
    expect(format(text, at('2026-11-20T19:05:09Z'))).toBe(expected);
  });

  test('fractions follow each event within a second', () => {
    const compiled = compileStrftime('%S.%L %f|', utc);
    if (E.isLeft(compiled)) throw new Error(compiled.left);
    expect([0, 1, 999_999, 1_000_000].map(compiled.right)).toEqual([
      '00.000 000000|',
      '00.000 000001|',
      '00.999 999999|',
      '01.000 000000|',
    ]);
  });

  test('iso8601 is a format by name', () => {
    expect(format('iso8601', at('2026-07-01T00:00:00Z'), zone('Europe/Berlin'))).toBe(
      '2026-07-01T02:00:00+02:00',
    );
  });

  test.each([
    ['%Q', /"%Q" at character 1 .* accepted are .*%Y/],
    ['%Y-%', /"%" at character 4/],
    ['a%é', /at character 2/],
  ])('%j is refused with its place', (text, reason) => {
    const compiled = compileStrftime(text, utc);
    expect(E.isLeft(compiled) ? compiled.left : '').toMatch(reason);
  });
});

const CODES =
  '%a %A %b %B %d %e %f %G %H %I %j %k %l %m %M %p %P %s %S %u %U %V %w %W %y %Y %z %C %D %F %g %h %r %R %T %%';
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/St_Johns',
];
const ORACLE = `
import sys, json, datetime, zoneinfo
out = []
for zone, micros in json.load(sys.stdin):
    at = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(microseconds=micros)
    local = at.astimezone(zoneinfo.ZoneInfo(zone))
    text = local.strftime(${JSON.stringify(CODES.replace('%s ', ''))})
    out.append(text)
print(json.dumps(out))
`;
const hasOracle = hasPython("import zoneinfo; zoneinfo.ZoneInfo('Asia/Kathmandu')");

describe('against Python', () => {
  const check = hasOracle ? test : test.skip;
  check('every code at 3,000 random instants in six zones (needs python3 with zone data)', () => {
    const random = seededRandom('strftime');
    const cases = Array.from({ length: 3000 }, (): [string, number] => [
      ZONES[random.integer(0, ZONES.length - 1)] as string,
      random.integer(0, 4_000_000_000_000_000),
    ]);
    const { stdout } = spawnSync('python3', ['-c', ORACLE], {
      input: JSON.stringify(cases),
      encoding: 'utf8',
    });
    const expected = JSON.parse(stdout) as string[];
    const ours = cases.map(([id, micros]) => format(CODES.replace('%s ', ''), micros, zone(id)));
    expect(ours).toEqual(expected);
  });
});
