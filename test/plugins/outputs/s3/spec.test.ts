import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { utc, zoneOf } from '../../../../src/domain/time/zone.js';
import { bucketAddress, keyMaker } from '../../../../src/plugins/outputs/s3/address.js';
import { s3Spec } from '../../../../src/plugins/outputs/s3/spec.js';
import { paramsShape } from '../../../../src/plugins/shapes.js';
import { decode } from '../../../../src/schema/index.js';
import { KEYS } from '../../../support/servers/s3/fakeS3.js';
import { paramsOf } from './support.js';

const problem = (params: JsonObject): string => {
  const result = decode(paramsShape(s3Spec), { ...KEYS, ...params });
  if (E.isRight(result)) return 'none';
  return result.left.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ');
};

describe('parameters', () => {
  test('have defaults for everything but the bucket and the keys', () => {
    expect(paramsOf({})).toMatchObject({
      region: 'us-east-1',
      endpoint: null,
      key: '{generator}/{yyyy}/{MM}/{dd}/{HH}-{mm}-{ss}-{id}.log',
      roll_size: 8,
      roll_interval: 60,
      compression: 'none',
      part_size: 8,
      verify: true,
    });
    expect(E.isLeft(decode(paramsShape(s3Spec), { bucket: 'events' }))).toBe(true);
  });

  test.each<readonly [JsonObject, string]>([
    [{ key: '{generator}.log' }, 'key must contain {id}'],
    [{ key: '{nothing}-{id}' }, 'key has a brace without a placeholder of this option'],
    [{ key: '/{id}' }, 'key must not start or end with a slash'],
    [{ key: 'a/../{id}' }, 'key must not start or end with a slash'],
    [{ key: 'a//{id}' }, 'key must not start or end with a slash'],
    [{ endpoint: 'http://minio:9000/path' }, 'endpoint must not have credentials, a path'],
    [{ endpoint: 'http://user:pass@minio:9000' }, 'endpoint must not have credentials, a path'],
    [{ endpoint: 'http://127.0.0.1:9000', addressing: 'virtual' }, 'addressing must be `path` with an IP'],
    [{ sse_kms_key_id: 'alias/key' }, 'sse_kms_key_id needs `sse: aws:kms`'],
    [{ sse_kms_key_id: 'alias/key', sse: 'AES256' }, 'sse_kms_key_id needs `sse: aws:kms`'],
    [{ headers: { 'X-Amz-Date': 'now' } }, 'headers must not have X-Amz-Date'],
    [{ headers: { 'x-amz-meta-place': 'Zürich' } }, 'headers must have values of ASCII'],
    [{ part_size: 4 }, 'part_size'],
    [{ bucket: 'a/b' }, 'bucket'],
    [{ roll_size: 0 }, 'roll_size'],
    [{ client_cert: 'client.pem' }, 'client_cert_key is required'],
  ])('%j is refused', (params, message) => {
    expect(problem(params)).toContain(message);
  });

  test('of every kind are accepted', () => {
    const all = {
      ...{ region: 'cn-north-1', addressing: 'virtual', session_token: 'token', separator: '\r\n' },
      ...{ storage_class: 'GLACIER_IR', sse: 'aws:kms', sse_kms_key_id: 'arn:aws:kms:eu-west-1:1:key/2' },
      ...{ checksum: 'md5', headers: { 'x-amz-acl': 'bucket-owner-full-control' }, roll_interval: 0 },
    };
    expect(problem(all)).toBe('none');
  });
});

describe('the address of a bucket', () => {
  const address = (params: JsonObject): string => {
    const { origin, prefix } = bucketAddress(paramsOf(params));
    return origin.origin + prefix;
  };
  test.each<readonly [JsonObject, string]>([
    [{ bucket: 'logs', region: 'eu-west-1' }, 'https://logs.s3.eu-west-1.amazonaws.com'],
    [{ bucket: 'logs', region: 'cn-north-1' }, 'https://logs.s3.cn-north-1.amazonaws.com.cn'],
    // The certificate of *.s3.amazonaws.com does not cover two labels.
    [{ bucket: 'my.logs' }, 'https://s3.us-east-1.amazonaws.com/my.logs'],
    [{ bucket: 'logs', addressing: 'path' }, 'https://s3.us-east-1.amazonaws.com/logs'],
    [{ endpoint: 'http://minio:9000' }, 'http://minio:9000/events'],
    [{ endpoint: 'http://minio:9000', addressing: 'virtual' }, 'http://events.minio:9000'],
  ])('of %j is %s', (params, expected) => {
    expect(address(params)).toBe(expected);
  });
});

describe('keys', () => {
  const base = { generator: 'web {date}', zone: utc, isCompressed: false, run: 'abc' };
  const now = Date.UTC(2026, 10, 23, 23, 30, 7) * 1_000;

  test('have dates of the zone of the generator, its name, and a number that counts', () => {
    const template = '{generator}/{yyyy}/{MM-dd}/{HH}{mm}{ss}-{id}.json';
    const newKey = keyMaker({ ...base, template });
    expect(newKey(now)).toBe('web {date}/2026/11-23/233007-abc-000001.json');
    expect(newKey(now)).toBe('web {date}/2026/11-23/233007-abc-000002.json');
    const east = zoneOf('Europe/Berlin') ?? utc;
    expect(keyMaker({ ...base, template, zone: east })(now)).toBe(
      'web {date}/2026/11-24/003007-abc-000001.json',
    );
  });

  test('end with .gz once when compressed', () => {
    expect(keyMaker({ ...base, template: '{id}.log', isCompressed: true })(now)).toBe('abc-000001.log.gz');
    expect(keyMaker({ ...base, template: '{id}.gz', isCompressed: true })(now)).toBe('abc-000001.gz');
  });
});
