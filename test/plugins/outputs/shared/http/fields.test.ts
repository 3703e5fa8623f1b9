import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { makeErrorReporter } from '../../../../../src/plugins/outputs/shared/errors.js';
import { httpFields, httpRules } from '../../../../../src/plugins/outputs/shared/http/fields.js';
import { headersOf, usersOf } from '../../../../../src/plugins/outputs/shared/http/open.js';
import { decode, maskSecrets, record } from '../../../../../src/schema/index.js';
import { right } from '../../../../support/either.js';

const shape = record(httpFields, { rules: httpRules });
const paramsOf = (params: object) => right(decode(shape, params));

describe('fields of HTTP outputs', () => {
  test('have the defaults of the peer, and verify certificates', () => {
    expect(paramsOf({})).toEqual({
      ...{ headers: {}, username: null, password: null, bearer_token: null },
      ...{ connect_timeout: 10, request_timeout: 300, proxy_url: null, compression: 'none' },
      ...{ verify: true, ca_cert: null, client_cert: null, client_cert_key: null, server_host_name: null },
    });
  });

  test.each([
    [{ password: 'p' }, 'username'],
    [{ username: 'u', bearer_token: 't' }, 'bearer_token'],
    [{ client_cert: 'a.pem' }, 'client_cert_key'],
    [{ headers: { 'not a name': 'x' } }, 'headers'],
    [{ headers: { name: 'two\r\nlines' } }, 'headers'],
    [{ bearer_token: 'line\nend' }, 'bearer_token'],
    [{ compression: 'zip' }, 'compression'],
    [{ request_timeout: 0 }, 'request_timeout'],
    [{ proxy_url: 'proxy' }, 'proxy_url'],
  ])('%j is an error of %s', (params, field) => {
    const result = decode(shape, params);
    expect(E.isLeft(result) && result.left.map(({ path }) => path[0])).toEqual([field]);
  });

  test('values of headers are masked one by one', () => {
    expect(maskSecrets(shape, { headers: { 'X-Key': 'k' }, bearer_token: 't', password: '' })).toEqual({
      headers: { 'X-Key': '********' },
      bearer_token: '********',
      password: '',
    });
  });
});

describe('headers of requests', () => {
  test.each([
    [{}, {}],
    [
      { username: 'us', password: 'pä' },
      { Authorization: `Basic ${Buffer.from('us:pä').toString('base64')}` },
    ],
    [{ username: 'us' }, { Authorization: 'Basic dXM6' }],
    [{ bearer_token: 'abc' }, { Authorization: 'Bearer abc' }],
    [{ bearer_token: 'abc', headers: { authorization: 'ApiKey x' } }, { authorization: 'ApiKey x' }],
    [{ headers: { A: 'b' } }, { A: 'b' }],
  ])('%j gives %j', (params, headers) => {
    expect(headersOf(paramsOf(params))).toEqual(headers);
  });
});

test('secrets that a server or proxy echoes are masked', () => {
  const params = paramsOf({
    username: 'user',
    password: 'password',
    proxy_url: 'http://p:proxysecret@127.0.0.1:1',
    headers: { 'X-Api-Key': 'keyvalue', 'X-Auth': 'Token tokenvalue', 'X-Trace': 'open' },
  });
  const report = makeErrorReporter('x', usersOf(params, ['another']));
  const echo = `password dXNlcjpwYXNzd29yZA== proxysecret keyvalue Token tokenvalue tokenvalue another open`;
  const error = report('cannot send to', {
    what: echo,
    origin: '',
    remedy: '',
    isRetryable: true,
    code: null,
  });
  expect(error.message).toBe('cannot send to x: *** *** *** *** *** *** *** open');
  const bearer = makeErrorReporter('x', usersOf(paramsOf({ bearer_token: 'bearervalue' })));
  const told = bearer('a', { what: 'bearervalue', origin: '', remedy: '', isRetryable: true, code: null });
  expect(told.message).toBe('a x: ***');
});
