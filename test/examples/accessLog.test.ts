import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

/** A script of the examples is plain JavaScript without types. */
const importScript = (path: string): Promise<unknown> => import(path);

const FOLDER = join(import.meta.dirname, '..', '..', 'generators', 'access-log');
const { makeLog } = (await importScript('../../generators/access-log/make-log.mjs')) as {
  makeLog: () => string;
};
const LINE =
  /^(?<address>[\d.]+) - - \[(?<day>\d\d)\/Jan\/2026:(?<time>\d\d:\d\d:\d\d) \+0000\] "(?<method>GET|POST) (?<path>\/\S*) HTTP\/1\.1" (?<status>\d{3}) (?<size>\d+) "(?<referrer>[^"]+)" "(?<agent>[^"]+)"$/;

const log = await readFile(join(FOLDER, 'access.log'), 'utf8');
const lines = log
  .trimEnd()
  .split('\n')
  .map((line) => LINE.exec(line)?.groups ?? {});

describe('the access log of the example', () => {
  test('is what its script writes, byte for byte', () => {
    expect(makeLog()).toBe(log);
  });

  test('is 10,000 lines of the combined format, in order', () => {
    expect(lines).toHaveLength(10_000);
    const times = lines.map(({ day, time }) => `${day} ${time}`);
    expect(times).not.toContain('undefined undefined');
    expect([...times].sort()).toEqual(times);
  });

  test.each(['12', '13'])('has a daily pattern on day %s: few at night, a dip at noon', (date) => {
    const perHour = new Array<number>(24).fill(0);
    for (const { day, time } of lines) {
      const hour = Number(time?.slice(0, 2));
      if (day === date) perHour[hour] = (perHour[hour] ?? 0) + 1;
    }
    const at = (hour: number): number => perHour[hour] ?? 0;
    expect(Math.min(...perHour)).toBeGreaterThan(0);
    expect(at(15)).toBeGreaterThan(5 * at(3));
    expect(at(12)).toBeLessThan(0.8 * at(11));
    expect(at(12)).toBeLessThan(0.8 * at(13));
  });

  test('has sessions: who comes from a page of the shop, or fetches an asset, was served that page before', () => {
    const seen = new Set<string>();
    let followed = 0;
    for (const { address, agent, path, status, referrer = '' } of lines) {
      const visitor = `${address} ${agent}`;
      if (referrer.startsWith('https://shop.example')) {
        followed++;
        const page = `${visitor} ${referrer.replace('https://shop.example', '')}`;
        expect(seen).toContain(path?.startsWith('/assets') ? `${page} 200` : page);
      }
      seen.add(`${visitor} ${path}`).add(`${visitor} ${path} ${status}`);
    }
    expect(followed).toBeGreaterThan(6_000);
  });

  test('has robots, which follow no links and fetch no assets', () => {
    const robots = lines.filter(({ agent }) => agent?.includes('http://'));
    expect(robots.length).toBeGreaterThan(100);
    expect(robots.every(({ referrer, path }) => referrer === '-' && !path?.startsWith('/assets'))).toBe(true);
  });

  test('uses only reserved addresses', () => {
    const isSetAside = (address = ''): boolean =>
      /^(?:10|192\.0\.2|198\.51\.100|203\.0\.113)\./.test(address);
    expect(lines.every(({ address }) => isSetAside(address))).toBe(true);
  });

  test('shows some failures', () => {
    const statuses = new Set(lines.map(({ status }) => status));
    expect([...statuses].sort()).toEqual(['200', '302', '304', '404', '500']);
  });
});
