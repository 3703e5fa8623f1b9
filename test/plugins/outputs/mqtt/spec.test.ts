import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { outputShape } from '../../../../src/plugins/generatorShape.js';
import { mqttError } from '../../../../src/plugins/outputs/mqtt/connection.js';
import { addressOfUrl, brokerAddressOf, mqttSpec } from '../../../../src/plugins/outputs/mqtt/spec.js';
import { paramsShape } from '../../../../src/plugins/shapes.js';
import { decode, maskSecrets } from '../../../../src/schema/index.js';

const SMALLEST = { url: 'mqtt://localhost', topic: 'events' };

const issuesOf = (params: unknown) => {
  const decoded = decode(outputShape, { mqtt: params });
  return E.isLeft(decoded) ? decoded.left.map(({ path, type }) => `${path.join('.')} ${type}`) : [];
};

describe('the declaration of mqtt', () => {
  test.each([
    ['mqtt://a', { host: 'a', port: 1883, isTls: false }],
    ['mqtts://a', { host: 'a', port: 8883, isTls: true }],
    ['mqtt://[::1]:7', { host: '::1', port: 7, isTls: false }],
    ['mqtt://user:secret@a', null],
    ['ws://a', null],
    ['a:1883', null],
  ])('url %s', (text, expected) => {
    expect(addressOfUrl(text)).toEqual(expected);
  });

  test('host and port, with the port of TLS', () => {
    const given = { url: null, host: 'h', port: null, tls: true };
    expect(brokerAddressOf(given)).toEqual({ host: 'h', port: 8883, isTls: true });
    expect(brokerAddressOf({ ...given, tls: false })).toEqual({ host: 'h', port: 1883, isTls: false });
    expect(brokerAddressOf({ ...given, port: 5 })).toEqual({ host: 'h', port: 5, isTls: true });
  });

  test.each([
    [{}, []],
    [{ topic: 'a/{/b}/{generator}' }, []],
    [{ topic: 'a/#' }, ['mqtt.topic bad_format']],
    [{ topic: 'a/+' }, ['mqtt.topic bad_format']],
    [{ topic: '{b}' }, ['mqtt.topic bad_format']],
    [{ qos: 3 }, ['mqtt.qos out_of_range']],
    [{ url: null }, ['mqtt.url missing']],
    [{ url: null, host: 'h', port: 1 }, []],
    [{ host: 'h' }, ['mqtt.url not_allowed']],
    [{ url: 'mqtt://u:p@h' }, ['mqtt.url bad_format']],
    [{ clean_session: false }, ['mqtt.client_id missing']],
    [{ clean_session: false, client_id: 'c' }, []],
    [{ clean_session: false, client_id: 'c', qos: 2 }, ['mqtt.clean_session not_allowed']],
    [{ client_cert: 'c.pem' }, ['mqtt.client_cert_key missing']],
  ])('%j', (more, issues) => {
    expect(issuesOf({ ...SMALLEST, ...more })).toEqual(issues);
  });

  test('the password is masked', () => {
    const masked = maskSecrets(paramsShape(mqttSpec), { ...SMALLEST, password: 'hush' });
    expect(JSON.stringify(masked)).not.toContain('hush');
  });
});

describe('an error of mqtt', () => {
  const withCode = (code: unknown) => Object.assign(new Error('as the client says'), { code });

  test.each<[unknown, object]>([
    [withCode('ECONNREFUSED'), { isRetryable: true, what: 'the connection was refused' }],
    [withCode(5), { isRetryable: false, what: 'the user is not authorized', origin: 'reason code 5' }],
    [withCode(134), { isRetryable: false, code: 134 }],
    [withCode(135), { isRetryable: false, code: 135 }],
    [withCode(149), { isRetryable: false, what: 'the message is too large' }],
    [withCode(3), { isRetryable: true, what: 'as the client says' }],
    [withCode(137), { isRetryable: true, origin: 'reason code 137' }],
    [withCode(151), { isRetryable: true }],
    [new Error('Keepalive timeout'), { isRetryable: true, what: 'Keepalive timeout', origin: '' }],
    [null, { isRetryable: true, what: 'the broker closed the connection' }],
  ])('%p', (thrown, expected) => {
    expect(mqttError(thrown)).toMatchObject(expected);
  });
});
