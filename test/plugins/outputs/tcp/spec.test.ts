import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { outputShape } from '../../../../src/plugins/generatorShape.js';
import { decode, readBack } from '../../../../src/schema/index.js';

const issuesOf = (params: JsonObject) => {
  const decoded = decode(outputShape, { tcp: params });
  return E.isLeft(decoded) ? decoded.left.map(({ path, type }) => `${path.join('.')} ${type}`) : [];
};

describe('the declaration of tcp', () => {
  test('the smallest config reads back with the defaults', () => {
    expect(readBack(outputShape, { tcp: { host: 'h', port: 9 } })).toMatchObject({
      tcp: {
        formatter: { format: 'plain' },
        ...{ host: 'h', port: 9, encoding: 'utf_8', separator: '\n', framing: 'separator' },
        ...{ connect_timeout: 10, stall_timeout: 60, resend_seconds: 5, resend_bytes: 33_554_432 },
        ...{ ssl: false, verify: true, ca_cert: null, client_cert: null, client_cert_key: null },
      },
    });
  });

  test.each<[string, JsonObject, readonly string[]]>([
    ['no host or port', {}, ['tcp.host missing', 'tcp.port missing']],
    ['a host with a port', { host: 'h:9', port: 9 }, ['tcp.host bad_format']],
    ['port 0', { host: 'h', port: 0 }, ['tcp.port out_of_range']],
    ['connect_timeout 0', { host: 'h', port: 9, connect_timeout: 0 }, ['tcp.connect_timeout out_of_range']],
    ['another framing', { host: 'h', port: 9, framing: 'x' }, ['tcp.framing not_allowed']],
    ['a certificate without ssl', { host: 'h', port: 9, ca_cert: 'ca.pem' }, ['tcp.ca_cert not_allowed']],
    [
      'a certificate without its key',
      { host: 'h', port: 9, ssl: true, client_cert: 'c.pem' },
      ['tcp.client_cert_key missing'],
    ],
    ['an IPv6 address', { host: '::1', port: 9, ssl: true, ca_cert: 'ca.pem' }, []],
  ])('%s', (_, params, issues) => {
    expect(issuesOf(params)).toEqual(issues);
  });
});
