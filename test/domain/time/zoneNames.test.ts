import { describe, expect, test } from '@jest/globals';
import { zoneAbbreviation } from '../../../src/domain/time/names.js';
import { utc, zoneOf } from '../../../src/domain/time/zone.js';
import { hasPython, spawnSync } from '../../support/programs.js';

const abbreviation = (id: string, instant: string): string =>
  zoneAbbreviation(zoneOf(id) ?? utc, Date.parse(instant) / 1000);

const WINTER = '2026-01-15T12:00:00Z';
const SUMMER = '2026-07-15T12:00:00Z';

describe('abbreviations', () => {
  test.each([
    ['UTC', 'UTC', 'UTC'],
    ['Etc/UTC', 'UTC', 'UTC'],
    ['GMT', 'GMT', 'GMT'],
    ['Europe/Berlin', 'CET', 'CEST'],
    ['Europe/London', 'GMT', 'BST'],
    ['Europe/Jersey', 'GMT', 'BST'],
    ['Europe/Dublin', 'GMT', 'IST'],
    ['Europe/Moscow', 'MSK', 'MSK'],
    ['Europe/Istanbul', '+03', '+03'],
    ['Europe/Minsk', '+03', '+03'],
    ['Africa/Casablanca', '+01', '+01'],
    ['Africa/Johannesburg', 'SAST', 'SAST'],
    ['Asia/Kolkata', 'IST', 'IST'],
    ['Asia/Kathmandu', '+0545', '+0545'],
    ['Asia/Tokyo', 'JST', 'JST'],
    ['Asia/Shanghai', 'CST', 'CST'],
    ['Australia/Sydney', 'AEDT', 'AEST'],
    ['Australia/Lord_Howe', '+11', '+1030'],
    ['Pacific/Auckland', 'NZDT', 'NZST'],
    ['America/New_York', 'EST', 'EDT'],
    ['America/St_Johns', 'NST', 'NDT'],
    ['America/Sao_Paulo', '-03', '-03'],
    ['Etc/GMT+5', '-05', '-05'],
  ])('%s: %s in January, %s in July', (id, january, july) => {
    expect([abbreviation(id, WINTER), abbreviation(id, SUMMER)]).toEqual([january, july]);
  });

  test('change in the very second in which the offset does', () => {
    const change = Date.parse('2026-10-25T01:00:00Z') / 1000;
    const berlin = zoneOf('Europe/Berlin') ?? utc;
    const around = [change - 1, change, change - 1, change + 1];
    expect(around.map((second) => zoneAbbreviation(berlin, second))).toEqual(['CEST', 'CET', 'CEST', 'CET']);
  });
});

/** Excluded: their abbreviations differ between recent editions of tzdata. */
const UNSETTLED = new Set(['MET', 'Asia/Manila']);

const ORACLE = `
import json, datetime, zoneinfo, sys
instants = [datetime.datetime(y, m, 15, 12, tzinfo=datetime.timezone.utc) for y in range(2021, 2037, 3) for m in (1, 7)]
ids = sorted(zoneinfo.available_timezones())
print(json.dumps([[i, int(t.timestamp()), t.astimezone(z).tzname(), int(t.astimezone(z).utcoffset().total_seconds())]
  for i in ids for z in [zoneinfo.ZoneInfo(i)] for t in instants]))
`;
const hasOracle = hasPython("import zoneinfo; zoneinfo.ZoneInfo('Asia/Kathmandu')");

describe('against Python', () => {
  const check = hasOracle ? test : test.skip;
  check('every zone has the abbreviation of tzdata, winter and summer (needs python3 with zone data)', () => {
    const { stdout } = spawnSync('python3', ['-c', ORACLE], { encoding: 'utf8', maxBuffer: 2 ** 26 });
    const rows = JSON.parse(stdout) as [id: string, second: number, name: string, offset: number][];
    // Zones that differ between the two editions of tzdata are excluded with all their names.
    const changed = new Set(
      rows.flatMap(([id, second, , offset]) =>
        zoneOf(id)?.offsetSecondsAt(second * 1e6) === offset ? [] : [id],
      ),
    );
    const different = rows.flatMap(([id, second, name]) => {
      const zone = zoneOf(id);
      if (zone === null || UNSETTLED.has(id) || changed.has(id)) return [];
      const ours = zoneAbbreviation(zone, second);
      return ours === name ? [] : [`${id}: ${ours}, not ${name}`];
    });
    expect(new Set(different)).toEqual(new Set());
    expect(rows.length).toBeGreaterThan(4_000);
  });
});
