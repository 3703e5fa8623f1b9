import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { outputShape } from '../../../../src/plugins/generatorShape.js';
import { copyStatement, postgresEndpointOf } from '../../../../src/plugins/outputs/postgresql/endpoint.js';
import { decode, maskSecrets, readBack } from '../../../../src/schema/index.js';
import { paramsOf } from './support.js';

const issuesOf = (params: unknown) => {
  const decoded = decode(outputShape, { postgresql: params });
  return E.isLeft(decoded) ? decoded.left.map(({ path, type }) => `${path.slice(1).join('.')} ${type}`) : [];
};

describe('the declaration of postgresql', () => {
  test.each<[JsonObject, readonly string[]]>([
    [{ host: 'h', table: 't' }, []],
    [{ dsn: 'postgres://h/db', table: 't' }, []],
    [{ host: '/run/postgresql', table: 't' }, []],
    [{ host: '::1', table: 'a.b', columns: { a: '{/a/b~1c/0}', b: '{event}', c: 'x {generator}' } }, []],
    [{ table: 't' }, ['host missing']],
    [{ host: 'h' }, ['table missing']],
    [{ host: 'h:5432', table: 't' }, ['host bad_format']],
    [{ host: 'h', table: 't', columns: { a: '{b}' } }, ['columns.a bad_format']],
    [{ host: 'h', table: 't', columns: {} }, ['columns too_short']],
    [{ host: 'h', table: 't', columns: { a: '{event}' }, copy_format: 'csv' }, ['copy_format not_allowed']],
    [{ host: 'h', table: 't', copy_format: 'binary' }, ['copy_format not_allowed']],
    [{ host: 'h', table: 't', client_cert: 'a.pem' }, ['client_cert_key missing']],
    [{ dsn: 'mysql://h', table: 't' }, ['dsn bad_format']],
  ])('%j: %j', (params, issues) => {
    expect(issuesOf(params)).toEqual(issues);
  });

  test('password and DSN are masked', () => {
    const shown = readBack(outputShape, {
      postgresql: { table: 't', password: 'hush', dsn: 'postgres://u:hush@h/db' },
    });
    expect(JSON.stringify(maskSecrets(outputShape, shown))).not.toContain('hush');
  });
});

describe('the endpoint', () => {
  const read = (params: JsonObject): string => {
    const made = postgresEndpointOf(paramsOf({ table: 't', ...params }));
    if (E.isLeft(made)) return `${made.left.code}: ${made.left.message}`;
    const { host, port, username, password, database, application_name, isTls } = made.right;
    return [host, port, username, password, database, application_name, isTls ? 'TLS' : 'plain'].join(' ');
  };

  test.each<[JsonObject, string]>([
    [{ host: 'h' }, 'h 5432 postgres  postgres spate plain'],
    [{ host: '/run/postgresql', tls: true }, '/run/postgresql 5432 postgres  postgres spate plain'],
    [{ dsn: 'postgres://u:p%40ss@h:1/d?sslmode=verify-full' }, 'h 1 u p@ss d spate TLS'],
    [{ dsn: 'postgresql://[::1]/a%2Fb?application_name=lab' }, '::1 5432 postgres  a/b lab plain'],
    [
      { dsn: 'postgres://u:p@h:1/d?sslmode=require', host: 'x', port: 5432, tls: false },
      'x 5432 u p d spate plain',
    ],
    [
      { dsn: 'postgres://u:p@h:1/d', username: 'postgres', password: '', database: 'postgres' },
      'h 1 postgres  postgres spate plain',
    ],
  ])('%j is %s', (params, expected) => expect(read(params)).toBe(expected));

  test.each<[JsonObject, RegExp]>([
    [{ dsn: 'postgres:///db' }, /has no host/],
    [{ dsn: 'postgres://u:hush%ZZ@h' }, /Percent-encode/],
    [{ dsn: 'postgres://u:hush@h?sslmode=prefer' }, /`sslmode`.*disable, require/],
    [{ dsn: 'postgres://u:hush@h?ca_cert=x' }, /`ca_cert`.*Set it as a field/],
    [{ dsn: 'postgres://u:hush@h?options=x' }, /`options`.*Remove it/],
  ])('%j is refused with a reason that shows no password', (params, message) => {
    const said = read(params);
    expect(said).toMatch(/^plugin_failed: output postgresql: /);
    expect(said).toMatch(message);
    expect(said).not.toContain('hush');
  });
});

describe('the statement', () => {
  test.each([
    ['events', '"events"'],
    ['Logs.Events', '"Logs"."Events"'],
    ['"a.b".c', '"a.b"."c"'],
    ['"a""b"', '"a""b"'],
    ['a"b', '"a""b"'],
    ['x; DROP TABLE y', '"x; DROP TABLE y"'],
    ['a..b', '"a..b"'],
    ['"a"b', '"""a""b"'],
  ])('table %s is %s', (table, quoted) => {
    expect(copyStatement(table, ['c', '"D"'], 'text')).toBe(
      `COPY ${quoted} ("c", "D") FROM STDIN WITH (FORMAT text, ENCODING 'UTF8')`,
    );
  });

  test('without columns it copies into all', () => {
    expect(copyStatement('t', [], 'csv')).toBe(`COPY "t" FROM STDIN WITH (FORMAT csv, ENCODING 'UTF8')`);
  });
});
