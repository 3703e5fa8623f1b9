import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { opensearchSpec } from '../../../../src/plugins/outputs/opensearch/spec.js';
import { paramsShape } from '../../../../src/plugins/shapes.js';
import { PLUGIN_SPECS } from '../../../../src/plugins/specs.js';
import { decode } from '../../../../src/schema/index.js';
import { paramsOf } from './support.js';

const shape = paramsShape(opensearchSpec);
const hosts = ['http://localhost:9200'];

describe('parameters of the OpenSearch output', () => {
  test('have the defaults of the peer, and verify certificates', () => {
    expect(paramsOf({ hosts, index: 'logs' })).toMatchObject({
      ...{ op_type: 'index', verify: true, connect_timeout: 10, request_timeout: 300 },
      ...{ username: null, api_key: null, pipeline: null, compression: 'none' },
    });
    expect(PLUGIN_SPECS.output.opensearch.fields.formatter.fallback).toEqual({ format: 'json', indent: 0 });
  });

  test('all fields of the peer are accepted', () => {
    const params = {
      ...{ hosts: ['https://a:9200/path', 'http://b'], username: 'u', password: 'p', index: '.ds-logs' },
      ...{ connect_timeout: 1, request_timeout: 2, verify: false },
      ...{
        ca_cert: 'ca.pem',
        client_cert: 'c.pem',
        client_cert_key: 'c.key',
        proxy_url: 'http://proxy:3128',
      },
    };
    expect(paramsOf(params)).toMatchObject(params);
  });

  test.each(['logs', 'logs-{yyyy.MM.dd}', '{generator}-{date}', 'logs-{/Data Set}', 'journal-é', '.hidden'])(
    'index %s is fine',
    (index) => {
      expect(paramsOf({ hosts, index }).index).toBe(index);
    },
  );

  test.each([
    [{ hosts }, 'index'],
    [{ index: 'logs' }, 'hosts'],
    [{ hosts: [], index: 'logs' }, 'hosts'],
    [{ hosts: ['localhost'], index: 'logs' }, 'hosts'],
    [{ hosts: ['http://u:p@localhost'], index: 'logs' }, 'hosts'],
    [{ hosts: ['http://localhost?x=1'], index: 'logs' }, 'hosts'],
    [{ hosts, index: 'Logs' }, 'index'],
    [{ hosts, index: 'a/b' }, 'index'],
    [{ hosts, index: '_logs' }, 'index'],
    [{ hosts, index: '..' }, 'index'],
    [{ hosts, index: 'logs-{day}' }, 'index'],
    [{ hosts, index: 'logs', document_id: 'constant' }, 'document_id'],
    [{ hosts, index: 'logs', op_type: 'update' }, 'op_type'],
    [{ hosts, index: 'logs', api_key: 'k', username: 'u' }, 'api_key'],
    [{ hosts, index: 'logs', api_key: 'two words' }, 'api_key'],
    [{ hosts, index: 'logs', password: 'p' }, 'username'],
  ])('%j is an error of %s', (params, field) => {
    const result = decode(shape, params);
    expect(E.isLeft(result) && result.left.map(({ path }) => path[0])).toEqual([field]);
  });
});
