import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { outputShape } from '../../../../src/plugins/generatorShape.js';
import { decode, decodeStored, maskSecrets, readBack } from '../../../../src/schema/index.js';

const SMALLEST = { url: 'https://splunk:8088', token: 'hush-hush' };

const issuesOf = (params: object) => {
  const decoded = decode(outputShape, { splunk_hec: { ...SMALLEST, ...params } });
  return E.isLeft(decoded) ? decoded.left.map(({ path, type }) => `${path.join('.')} ${type}`) : [];
};

describe('the declaration of splunk_hec', () => {
  test('the smallest config reads back with its defaults, and what was read back stays the same', () => {
    const shown = readBack(outputShape, { splunk_hec: SMALLEST });
    expect(shown).toMatchObject({
      splunk_hec: {
        endpoint: 'event',
        content: 'auto',
        acknowledge: false,
        ack_timeout: 60,
        compression: 'none',
      },
    });
    expect(decodeStored(outputShape, shown)).toEqual(E.right(shown));
  });

  test('the token, header values and the proxy address are masked where a config is shown', () => {
    const secret = { headers: { 'X-Key': 'hush-hush' }, proxy_url: 'http://u:hush-hush@proxy' };
    const shown = maskSecrets(outputShape, readBack(outputShape, { splunk_hec: { ...SMALLEST, ...secret } }));
    expect(JSON.stringify(shown)).not.toContain('hush');
  });

  test('constants and texts with placeholders are accepted where values are', () => {
    const fields = { a: 'text', b: 1, c: true, d: '{/x/0/~1y}' };
    expect(issuesOf({ fields, host: '{/host}', index: 'lab-{generator}', time: '{/t}' })).toEqual([]);
    expect(issuesOf({ fields: { a: '{x}' } })).toEqual(['splunk_hec.fields.a bad_format']);
    expect(issuesOf({ fields: { a: [] } })).toEqual(['splunk_hec.fields.a wrong_type']);
  });

  test.each([
    [{ url: 'ftp://splunk' }, 'url bad_format'],
    [{ token: '' }, 'token too_short'],
    [{ token: 'a b' }, 'token bad_format'],
    [{ endpoint: 'metric' }, 'endpoint not_allowed'],
    [{ content: 'xml' }, 'content not_allowed'],
    [{ time: 'timestamp' }, 'time bad_format'],
    [{ channel: 'one' }, 'channel bad_format'],
    [{ ack_interval: 0 }, 'ack_interval out_of_range'],
    [{ ack_timeout: 0 }, 'ack_timeout out_of_range'],
    [{ username: 'u' }, 'username unknown_key'],
    [{ endpoint: 'raw', time: '{/t}' }, 'time not_allowed'],
    [{ endpoint: 'raw', fields: { a: 1 } }, 'fields not_allowed'],
    [{ endpoint: 'raw', host: '{/h}' }, 'host not_allowed'],
    [{ client_cert: '/c.pem' }, 'client_cert_key missing'],
  ])('%j is refused at its place', (wrong, issue) => {
    expect(issuesOf(wrong)).toEqual([`splunk_hec.${issue}`]);
  });
});
