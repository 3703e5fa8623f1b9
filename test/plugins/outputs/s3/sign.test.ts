import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  EMPTY_HASH,
  encodePath,
  encodeQuery,
  encodeSegment,
  sign,
} from '../../../../src/plugins/outputs/s3/sign.js';
import { codePoint } from '../../../support/codePoint.js';

/*
 * The examples of "Authenticating Requests: Using the Authorization Header (AWS Signature Version 4)" in the API
 * reference of Amazon S3, with the keys and signatures that it prints. The property test compares with the verifier of
 * the fake server, which is written apart (test/support/servers/s3/signature.mjs).
 */

const CREDENTIALS = {
  access_key_id: 'AKIAIOSFODNN7EXAMPLE',
  secret_access_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  session_token: null,
};
const OPTIONS = {
  credentials: CREDENTIALS,
  region: 'us-east-1',
  now: Date.UTC(2013, 4, 24) * 1_000,
};
const HOST = { host: 'examplebucket.s3.amazonaws.com' };
const HASH_OF_BODY = '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072';

describe('the published examples', () => {
  test.each([
    {
      title: 'GET object',
      request: { method: 'GET', path: '/test.txt', query: {}, headers: { ...HOST, Range: 'bytes=0-9' } },
      names: 'host;range;x-amz-content-sha256;x-amz-date',
      signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    },
    {
      title: 'PUT object',
      request: {
        method: 'PUT',
        path: encodePath('/test$file.text'),
        query: {},
        headers: {
          ...HOST,
          Date: 'Fri, 24 May 2013 00:00:00 GMT',
          'x-amz-storage-class': 'REDUCED_REDUNDANCY',
        },
        payload_hash: HASH_OF_BODY,
      },
      names: 'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class',
      signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    },
    {
      title: 'GET bucket lifecycle',
      request: { method: 'GET', path: '/', query: { lifecycle: '' }, headers: HOST },
      names: 'host;x-amz-content-sha256;x-amz-date',
      signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    },
    {
      title: 'GET bucket (list objects)',
      request: { method: 'GET', path: '/', query: { prefix: 'J', 'max-keys': '2' }, headers: HOST },
      names: 'host;x-amz-content-sha256;x-amz-date',
      signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    },
  ])('$title', ({ request, names, signature }) => {
    const headers = sign({ payload_hash: EMPTY_HASH, ...request }, OPTIONS);
    expect(headers['Authorization']).toBe(
      `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=${names},Signature=${signature}`,
    );
    expect(headers).toMatchObject({ 'x-amz-date': '20130524T000000Z' });
  });

  test('the body of PUT object has the printed hash', () => {
    expect(createHash('sha256').update('Welcome to Amazon S3.').digest('hex')).toBe(HASH_OF_BODY);
  });
});

test('only unreserved characters stay unencoded, and slashes in paths', () => {
  expect(encodeSegment("AZaz09-._~ !'()*/é€😀")).toBe(
    'AZaz09-._~%20%21%27%28%29%2A%2F%C3%A9%E2%82%AC%F0%9F%98%80',
  );
  expect(encodePath('/a b/c+d')).toBe('/a%20b/c%2Bd');
  expect(encodeQuery({ uploads: '' })).toBe('uploads=');
  expect(encodeQuery({ uploadId: 'b', partNumber: '10' })).toBe('partNumber=10&uploadId=b');
});

test('the server of the tests verifies what is signed, whatever key, headers and body', async () => {
  const path: string = '../../../support/servers/s3/signature.mjs';
  const { signatureProblem } = (await import(path)) as {
    readonly signatureProblem: (request: unknown, known: unknown) => unknown;
  };
  const text = fc
    .string({ unit: codePoint, maxLength: 20 })
    .filter((value) => !/[\ud800-\udfff]/.test(value));
  fc.assert(
    fc.property(
      text,
      fc.dictionary(fc.constantFrom('uploads', 'uploadId', 'partNumber'), text),
      fc.dictionary(
        fc.constantFrom('x-amz-meta-one', 'Content-Type', 'x-amz-acl'),
        fc.stringMatching(/^[ -~]{0,20}$/),
      ),
      text,
      fc.option(fc.stringMatching(/^[!-~]{1,30}$/), { nil: null }),
      (key, query, more, body, session_token) => {
        const payload_hash = createHash('sha256').update(body).digest('hex');
        const request = {
          method: 'PUT',
          path: encodePath(`/${key}`),
          query,
          headers: { ...more, ...HOST },
          payload_hash,
        };
        const sent = sign(request, { ...OPTIONS, credentials: { ...CREDENTIALS, session_token } });
        const headers = Object.fromEntries(
          Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]),
        );
        const known = {
          accessKey: CREDENTIALS.access_key_id,
          secret: CREDENTIALS.secret_access_key,
          region: 'us-east-1',
          now: OPTIONS.now / 1_000,
        };
        const received = {
          method: 'PUT',
          path: request.path,
          search: `?${encodeQuery(query)}`,
          headers,
          body,
        };
        expect(signatureProblem(received, known)).toBeNull();
        expect(signatureProblem({ ...received, method: 'POST' }, known)).toContain('SignatureDoesNotMatch');
        expect(signatureProblem({ ...received, body: `${body}x` }, known)).toContain(
          'XAmzContentSHA256Mismatch',
        );
        expect(signatureProblem(received, { ...known, secret: 'wrong' })).toContain('SignatureDoesNotMatch');
      },
    ),
    { numRuns: 100 },
  );
});
