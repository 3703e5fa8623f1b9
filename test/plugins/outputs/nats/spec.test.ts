import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { outputShape } from '../../../../src/plugins/generatorShape.js';
import { natsServerOf, natsSpec } from '../../../../src/plugins/outputs/nats/spec.js';
import { paramsShape } from '../../../../src/plugins/shapes.js';
import { decode, maskSecrets } from '../../../../src/schema/index.js';

const SMALLEST = { servers: ['localhost'], subject: 'events' };

const issuesOf = (params: unknown) => {
  const decoded = decode(outputShape, { nats: params });
  return E.isLeft(decoded) ? decoded.left.map(({ path, type }) => `${path.join('.')} ${type}`) : [];
};

describe('the declaration of nats', () => {
  test.each([
    ['a', { host: 'a', port: 4222, isTls: false }],
    ['a:1', { host: 'a', port: 1, isTls: false }],
    ['nats://a:1', { host: 'a', port: 1, isTls: false }],
    ['tls://[::1]:7', { host: '::1', port: 7, isTls: true }],
    ['nats://user:secret@a', null],
    ['http://a', null],
    ['nats://a/path', null],
    ['', null],
  ])('server %s', (text, expected) => {
    expect(natsServerOf(text)).toEqual(expected);
  });

  test.each([
    [{}, []],
    [{ subject: 'a.{/b/c}.{generator}' }, []],
    [{ subject: 'a.*' }, ['nats.subject bad_format']],
    [{ subject: 'a..b' }, ['nats.subject bad_format']],
    [{ subject: 'a b' }, ['nats.subject bad_format']],
    [{ subject: '{host}' }, ['nats.subject bad_format']],
    [{ servers: [] }, ['nats.servers too_short']],
    [{ servers: ['nats://u:p@h'] }, ['nats.servers.0 bad_format']],
    [{ msg_id: '{/id}' }, []],
    [{ msg_id: 'some' }, ['nats.msg_id not_allowed']],
    [{ headers: { a: 'b\nc' } }, ['nats.headers.a not_allowed']],
    [{ client_cert: 'c.pem' }, ['nats.client_cert_key missing']],
    [{ token: 't', username: 'u' }, ['nats not_allowed']],
  ])('%j', (more, issues) => {
    expect(issuesOf({ ...SMALLEST, ...more })).toEqual(issues);
  });

  test('secrets are masked', () => {
    const secrets = { password: 'hush-1', token: 'hush-2', nkey: 'hush-3' };
    const masked = maskSecrets(paramsShape(natsSpec), { ...SMALLEST, ...secrets });
    expect(JSON.stringify(masked)).not.toContain('hush');
  });
});
