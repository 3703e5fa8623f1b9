import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import type { Json } from '../../../../src/domain/json.js';
import { outputShape } from '../../../../src/plugins/generatorShape.js';
import { clickhouseSpec } from '../../../../src/plugins/outputs/clickhouse/spec.js';
import { paramsShape } from '../../../../src/plugins/shapes.js';
import { decode, decodeStored, maskSecrets, readBack } from '../../../../src/schema/index.js';

const SMALLEST = { host: 'localhost', table: 'events' };

const issuesOf = (params: unknown) => {
  const decoded = decode(outputShape, { clickhouse: params });
  return E.isLeft(decoded) ? decoded.left.map(({ path, type }) => `${path.join('.')} ${type}`) : [];
};

describe('the declaration of clickhouse', () => {
  test('the smallest config reads back with the defaults of the service API', () => {
    expect(readBack(outputShape, { columnar_db: SMALLEST })).toMatchObject({
      columnar_db: {
        formatter: { format: 'plain' },
        host: 'localhost',
        port: 8123,
        protocol: 'http',
        database: 'default',
        table: 'events',
        username: 'default',
        password: '',
        dsn: null,
        connect_timeout: 10,
        request_timeout: 300,
        client_name: null,
        verify: true,
        ca_cert: null,
        client_cert: null,
        client_cert_key: null,
        server_host_name: null,
        tls_mode: 'proxy',
        proxy_url: null,
        input_format: 'TabSeparated',
        header: '',
        footer: '',
        separator: '\n',
        pool_maxsize: 32,
      },
    });
  });

  test('its alias is kept as it was written, and what was read back is accepted and stays the same', () => {
    for (const name of ['clickhouse', 'columnar_db']) {
      const shown = readBack(outputShape, { [name]: SMALLEST });
      expect(Object.keys(shown as object)).toEqual([name]);
      expect(decodeStored(outputShape, shown)).toEqual(E.right(shown));
    }
  });

  test('a host or a DSN is needed; with a DSN the host may be left out', () => {
    expect(issuesOf({ table: 't' })).toEqual(['clickhouse.host missing']);
    expect(issuesOf({ table: 't', dsn: 'clickhouses+http://u:p@db.example:8443/logs' })).toEqual([]);
    expect(issuesOf({ table: 't', dsn: 'http://db.example' })).toEqual([]);
    expect(issuesOf({ table: 't', dsn: 'https://u:p@db.example/logs?async_insert=1' })).toEqual([]);
    expect(issuesOf({ table: 't', dsn: 'ftp://db.example' })).toEqual(['clickhouse.dsn bad_format']);
  });

  test('certificate and key are given together', () => {
    expect(issuesOf({ ...SMALLEST, client_cert: '/c.pem' })).toEqual(['clickhouse.client_cert_key missing']);
    expect(issuesOf({ ...SMALLEST, client_cert_key: '/k.pem' })).toEqual(['clickhouse.client_cert missing']);
    expect(issuesOf({ ...SMALLEST, client_cert: '/c.pem', client_cert_key: '/k.pem' })).toEqual([]);
  });

  test.each([
    [{ host: '' }, 'host too_short'],
    [{ host: 'http://h' }, 'host bad_format'],
    [{ host: 'h:8123' }, 'host bad_format'],
    [{ host: 'u@h' }, 'host bad_format'],
    [{ client_name: 'a\nb' }, 'client_name not_allowed'],
    [{ table: '' }, 'table too_short'],
    [{ database: '' }, 'database too_short'],
    [{ username: '' }, 'username too_short'],
    [{ port: 0 }, 'port out_of_range'],
    [{ port: 65_536 }, 'port out_of_range'],
    [{ protocol: 'native' }, 'protocol not_allowed'],
    [{ connect_timeout: 0 }, 'connect_timeout out_of_range'],
    [{ request_timeout: 0.5 }, 'request_timeout wrong_type'],
    [{ tls_mode: 'none' }, 'tls_mode not_allowed'],
    [{ pool_maxsize: 0 }, 'pool_maxsize out_of_range'],
    [{ input_format: 'tabseparated' }, 'input_format not_allowed'],
    [{ formatter: { format: 'yaml' } }, 'formatter.format unknown_kind'],
    [{ formatter: { format: 'plain', indent: 1 } }, 'formatter.indent unknown_key'],
    [{ tabel: 't' }, 'tabel unknown_key'],
  ])('%j is refused at its place', (wrong, issue) => {
    expect(issuesOf({ ...SMALLEST, ...wrong })).toEqual([`clickhouse.${issue}`]);
  });

  test('password, DSN and proxy address are masked where a config is shown', () => {
    const secret = { password: 'hush', dsn: 'clickhouse://u:hush@h', proxy_url: 'http://u:hush@proxy' };
    const shown = maskSecrets(outputShape, readBack(outputShape, { clickhouse: { ...SMALLEST, ...secret } }));
    expect(JSON.stringify(shown)).not.toContain('hush');
  });

  test('every format of the list is accepted', () => {
    for (const input_format of [
      'JSONEachRow',
      'CSVWithNamesAndTypes',
      'RawBLOB',
      'JSONCompactStringsEachRowWithNames',
    ]) {
      expect(issuesOf({ ...SMALLEST, input_format })).toEqual([]);
    }
  });

  test('defaults that a DSN may replace are shown, but decode to nothing; written ones decode to themselves', () => {
    const shape = paramsShape(clickhouseSpec);
    const pick = (value: unknown) => {
      const { port, protocol, database, username, password } = value as Record<string, unknown>;
      return [port, protocol, database, username, password];
    };
    const rightOf = (params: Json) => {
      const result = decode(shape, params);
      return E.isRight(result) ? pick(result.right) : result.left;
    };
    expect(rightOf(SMALLEST)).toEqual([null, null, null, null, null]);
    expect(pick(readBack(shape, SMALLEST))).toEqual([8123, 'http', 'default', 'default', '']);
    expect(rightOf(readBack(shape, SMALLEST))).toEqual([8123, 'http', 'default', 'default', '']);
    expect(rightOf({ ...SMALLEST, port: '9000', password: null })).toEqual([9000, null, null, null, null]);
  });
});
