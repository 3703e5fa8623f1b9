import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import {
  type ClickhouseEndpoint,
  clickhouseEndpointOf,
} from '../../../../src/plugins/outputs/clickhouse/endpoint.js';
import { clickhouseSpec } from '../../../../src/plugins/outputs/clickhouse/spec.js';
import { paramsShape } from '../../../../src/plugins/shapes.js';
import { paramsOf } from './support.js';

const summary = ({ url, username, password, database }: ClickhouseEndpoint): string =>
  [url, username, password, database].join(' ');

const read = (params: JsonObject): string => {
  const endpoint = clickhouseEndpointOf(paramsOf({ table: 't', ...params }));
  return E.isLeft(endpoint) ? `${endpoint.left.code}: ${endpoint.left.message}` : summary(endpoint.right);
};

describe('the endpoint of a generator', () => {
  test.each<[JsonObject, string]>([
    [{ host: 'h' }, 'http://h:8123 default  default'],
    [{ host: 'h', protocol: 'https', port: 443 }, 'https://h:443 default  default'],
    [{ host: '::1' }, 'http://[::1]:8123 default  default'],
    [{ dsn: 'clickhouse://h' }, 'http://h:8123 default  default'],
    [{ dsn: 'clickhouse://u:p%40ss@h:18123/logs' }, 'http://h:18123 u p@ss logs'],
    [{ dsn: 'clickhouse+native://u@h:8123/logs/' }, 'http://h:8123 u  logs'],
    [{ dsn: 'clickhousedb+asynch://[::1]:1/d%2Fb' }, 'http://[::1]:1 default  d/b'],
    [{ dsn: 'clickhouses://h' }, 'https://h:8443 default  default'],
    [{ dsn: 'clickhouses+http://h:9443' }, 'https://h:9443 default  default'],
    [{ dsn: 'clickhousedb://h?secure=true' }, 'https://h:8443 default  default'],
    [{ dsn: 'clickhouses://h:1?secure=0' }, 'http://h:1 default  default'],
    [{ dsn: 'http://h' }, 'http://h:8123 default  default'],
    [{ dsn: 'https://u:p%40ss@h/logs' }, 'https://h:8443 u p@ss logs'],
    [{ dsn: 'HTTP://h:80/logs' }, 'http://h:80 default  logs'],
    [{ dsn: 'https://[::1]:443' }, 'https://[::1]:443 default  default'],
    [{ dsn: 'http://h?secure=true' }, 'https://h:8443 default  default'],
    // What is written beats the DSN, even where it equals the default.
    [{ dsn: 'clickhouses://u:p@h:9000/d', host: 'other' }, 'https://other:9000 u p d'],
    [{ dsn: 'clickhouses://u:p@h:9000/d', port: 8123 }, 'https://h:8123 u p d'],
    [{ dsn: 'clickhouses://u:p@h:9000/d', protocol: 'http' }, 'http://h:9000 u p d'],
    [{ dsn: 'clickhouse://u:p@h:9000/d', username: 'default' }, 'http://h:9000 default p d'],
    [{ dsn: 'clickhouse://u:p@h:9000/d', password: '' }, 'http://h:9000 u  d'],
    [{ dsn: 'clickhouse://u:p@h:9000/d', database: 'default' }, 'http://h:9000 u p default'],
    // 'None' is as if it was not written.
    [{ dsn: 'clickhouse://u:p@h:9000/d', port: null, password: null }, 'http://h:9000 u p d'],
  ])('%j is %s', (params, expected) => expect(read(params)).toBe(expected));

  test('what was not written is still not written after a config was decoded and encoded again', () => {
    const { codec } = paramsShape(clickhouseSpec);
    const given = paramsOf({ table: 't', dsn: 'clickhouse://u:p@h:9000/d', port: 8123 });
    const again = paramsOf(codec.encode(given) as JsonObject);
    expect(again).toEqual(given);
    expect(clickhouseEndpointOf(again)).toEqual(clickhouseEndpointOf(given));
  });

  test.each<[JsonObject, RegExp]>([
    [{ dsn: 'clickhouse:///db' }, /has no host/],
    [{ dsn: 'http:///db' }, /has no host/],
    [{ dsn: 'https:hush' }, /has no host/],
    [{ dsn: 'clickhouse://u:hush%ZZ@h' }, /Percent-encode/],
    [{ dsn: 'clickhouse://u:hush@h?secure=maybe' }, /`secure`.*true or false/],
    [{ dsn: 'clickhouse://u:hush@h?verify=0' }, /`verify`.*Set it as a field/],
    [{ dsn: 'clickhouse://u:hush@a%20b' }, /host "a b"/],
  ])('%j is refused with a reason that shows no password', (params, message) => {
    const said = read(params);
    expect(said).toMatch(/^plugin_failed: output clickhouse: /);
    expect(said).toMatch(message);
    expect(said).not.toContain('hush');
  });

  test('other keys of the query string are settings of the server', () => {
    const endpoint = clickhouseEndpointOf(
      paramsOf({ table: 't', dsn: 'clickhouse://h?async_insert=1&max_threads=2&secure=0' }),
    );
    expect(endpoint).toMatchObject({ right: { settings: { async_insert: '1', max_threads: '2' } } });
    expect(E.isRight(endpoint) && Object.keys(endpoint.right.settings)).toEqual([
      'async_insert',
      'max_threads',
    ]);
  });

  test('is named without credentials', () => {
    const endpoint = clickhouseEndpointOf(
      paramsOf({ host: 'h', table: 'a`b', database: '"c d"', password: 'hush' }),
    );
    expect(endpoint).toMatchObject({ right: { name: 'http://h:8123, table "c d".`a\\`b`' } });
  });
});
