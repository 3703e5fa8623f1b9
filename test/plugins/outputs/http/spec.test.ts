import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { httpSpec } from '../../../../src/plugins/outputs/http/spec.js';
import { paramsShape } from '../../../../src/plugins/shapes.js';
import { PLUGIN_SPECS } from '../../../../src/plugins/specs.js';
import { decode, readBack } from '../../../../src/schema/index.js';
import { paramsOf } from './support.js';

const shape = paramsShape(httpSpec);

describe('parameters of the HTTP output', () => {
  test('only the address is required; certificates are verified, any 2xx is a success', () => {
    expect(paramsOf({ url: 'http://127.0.0.1/' })).toMatchObject({
      ...{ method: 'POST', success_code: ['2xx'], retry_status: [408, 425, 429, '5xx'], verify: true },
      ...{ batching: 'item', separator: '\n', max_batch_bytes: 1_000_000, concurrency: 10 },
      ...{ connect_timeout: 10, request_timeout: 300, compression: 'none' },
    });
    expect(PLUGIN_SPECS.output.http.fields.formatter.fallback).toEqual({ format: 'json-batch', indent: 0 });
  });

  test('all fields of the peer are accepted', () => {
    const params = {
      ...{ url: 'https://h/x', method: 'PUT', success_code: 201, headers: { A: 'b' } },
      ...{ username: 'u', password: 'p', connect_timeout: 1, request_timeout: 2, verify: false },
      ...{
        ca_cert: 'ca.pem',
        client_cert: 'c.pem',
        client_cert_key: 'c.key',
        proxy_url: 'http://proxy:3128',
      },
    };
    expect(paramsOf(params)).toMatchObject({ ...params, success_code: [201] });
  });

  test.each([
    [201, [201]],
    ['201', [201]],
    ['2XX', ['2xx']],
    [
      [200, '3xx'],
      [200, '3xx'],
    ],
    [[], []],
  ])('success_code %j means %j', (success_code, meant) => {
    expect(paramsOf({ url: 'http://h/', success_code })).toMatchObject({ success_code: meant });
  });

  test('a single status is read back as it was written', () => {
    expect(readBack(shape, { url: 'http://h/', success_code: 201 })).toMatchObject({ success_code: 201 });
  });

  test.each([
    [{}, 'url'],
    [{ url: 'ftp://h/' }, 'url'],
    [{ url: 'http://user:pass@h/' }, 'url'],
    [{ url: 'http://token@h/' }, 'url'],
    [{ url: 'http://h/{day}' }, 'url'],
    [{ url: 'http://h/{/day}' }, 'url'],
    [{ url: 'http://h/', headers: { A: '{x}' } }, 'headers'],
    [{ url: 'http://h/', method: 'SEND' }, 'method'],
    [{ url: 'http://h/', success_code: 99 }, 'success_code'],
    [{ url: 'http://h/', success_code: '6xx' }, 'success_code'],
    [{ url: 'http://h/', retry_status: ['often'] }, 'retry_status'],
    [{ url: 'http://h/', concurrency: 0 }, 'concurrency'],
    [{ url: 'http://h/', batching: 'all' }, 'batching'],
    [{ url: 'http://h/', password: 'p' }, 'username'],
    [{ url: 'http://h/', client_cert: 'c.pem' }, 'client_cert_key'],
  ])('%j is an error of %s', (params, field) => {
    const result = decode(shape, params);
    expect(E.isLeft(result) && result.left.map(({ path }) => path[0])).toEqual([field]);
  });
});
