/**
 * A server with the API of S3, for tests: neither S3 nor MinIO can run here. After the published API reference of
 * Amazon S3: PutObject, GetObject, HeadBucket, ListObjectsV2, CreateMultipartUpload, UploadPart, ListParts,
 * ListMultipartUploads, CompleteMultipartUpload (with errors in replies of status 200), AbortMultipartUpload, the error
 * responses, and signature version 4. `clients.test.ts` holds it against the client of AWS.
 *
 * It reads `control` (JSON) for each request: `bucket`, `region`, `accessKey`, `secret`, `token`, `isExpired`,
 * `clock_s` (its clock, ahead of real time), `isBusy` (503 SlowDown), `isFull` (507 of MinIO), `isReadOnly`,
 * `mayNotList`, `mayNotAbort`, `redirect` (301 to that region), `isCompleteBroken` (200 with an error), `lostReplies`
 * (stores, then closes the connection, so often), `damaged` (so many bodies arrive changed), `fails` (status by name of
 * the operation), `discard` (keeps nothing).
 */
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { signatureProblem } from './signature.mjs';
import { openStore } from './store.mjs';

const BASICS = { bucket: 'events', region: 'us-east-1', accessKey: 'AKIATEST', secret: 'right-secret' };

const xmlText = (text) => String(text).replace(/[<>&"]/g, (char) => `&#${char.charCodeAt(0)};`);
const element = (name, inner) => `<${name}>${inner}</${name}>`;
const document = (name, inner) => `<?xml version="1.0" encoding="UTF-8"?>\n${element(name, inner)}`;
const elements = (values) =>
  Object.entries(values)
    .map(([name, value]) => element(name, xmlText(value)))
    .join('');
const inner = (xml, name) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
const unescaped = (text) => text.replace(/&quot;|&#34;/g, '"').replace(/&amp;/g, '&');

const askedParts = (xml) =>
  [...xml.matchAll(/<Part>([\s\S]*?)<\/Part>/g)].map(([, part]) => ({
    number: Number(inner(part, 'PartNumber')),
    etag: unescaped(inner(part, 'ETag') ?? ''),
    checksum: inner(part, 'ChecksumSHA256') ?? null,
  }));

/** Bucket and key, in the path or with the bucket in front of the host. */
const placeOf = ({ path, host, bucket }) => {
  const name = host.replace(/:\d+$/, '');
  if (name.startsWith(`${bucket}.`)) return { bucket, key: decodeURIComponent(path.slice(1)) };
  const [, first = '', ...rest] = path.split('/');
  return { bucket: decodeURIComponent(first), key: decodeURIComponent(rest.join('/')) };
};

const operationOf = (method, key, query) => {
  if (key === '') {
    if (method === 'HEAD') return 'HeadBucket';
    return query.has('uploads') ? 'ListMultipartUploads' : 'ListObjectsV2';
  }
  if (method === 'POST') return query.has('uploads') ? 'CreateMultipartUpload' : 'CompleteMultipartUpload';
  if (method === 'DELETE') return 'AbortMultipartUpload';
  if (method === 'PUT') return query.has('partNumber') ? 'UploadPart' : 'PutObject';
  return query.has('uploadId') ? 'ListParts' : 'GetObject';
};

const DENIED = [403, 'AccessDenied', 'Access Denied'];
const WRITES = new Set(['PutObject', 'UploadPart', 'CreateMultipartUpload', 'CompleteMultipartUpload']);

const digestProblem = ({ headers, body }) => {
  const digest = (name) => createHash(name).update(body).digest('base64');
  const md5 = headers['content-md5'];
  const sha256 = headers['x-amz-checksum-sha256'];
  if (md5 !== undefined && md5 !== digest('md5')) {
    return [400, 'BadDigest', 'The Content-MD5 you specified did not match what we received.'];
  }
  return sha256 !== undefined && sha256 !== digest('sha256')
    ? [400, 'BadDigest', 'The SHA256 you specified did not match the calculated checksum.']
    : null;
};

const controlProblem = (control, operation, bucket) => {
  if (control.isBusy) return [503, 'SlowDown', 'Please reduce your request rate.'];
  const status = control.fails?.[operation];
  if (status !== undefined)
    return [status, 'InternalError', 'We encountered an internal error. Please try again.'];
  if (bucket !== control.bucket)
    return [404, 'NoSuchBucket', 'The specified bucket does not exist', { BucketName: bucket }];
  if (control.isReadOnly && WRITES.has(operation)) return DENIED;
  if (control.mayNotList && operation === 'ListObjectsV2') return DENIED;
  if (control.mayNotAbort && operation === 'AbortMultipartUpload') return DENIED;
  if (control.isFull && WRITES.has(operation)) {
    return [
      507,
      'XMinioStorageFull',
      'Storage backend has reached its minimum free drive threshold. Please delete a few objects to proceed.',
    ];
  }
  return null;
};

/** For benchmarks: nothing is verified or kept. */
const discarded = (operation) => {
  const about = elements({ UploadId: '0', ETag: '"0"' });
  return { status: 200, headers: { ETag: '"0"' }, xml: document(`${operation}Result`, about) };
};

export const serve = (folder, port) => {
  const store = openStore(folder);
  const log = fs.openSync(join(folder, 'requests'), 'a');
  const counted = new Map();
  let requests = 0;
  let bytes = 0;

  /** True for the first `most` requests since the control was changed. */
  const isAmong = (name, most, version) => {
    const at = `${name} ${version}`;
    const seen = counted.get(at) ?? 0;
    counted.set(at, seen + 1);
    return seen < (most ?? 0);
  };

  const run = (operation, { key, query, headers, body }) => {
    const id = query.get('uploadId') ?? '';
    switch (operation) {
      case 'HeadBucket':
        return { status: 200 };
      case 'ListObjectsV2': {
        const prefix = query.get('prefix') ?? '';
        const most = Number(query.get('max-keys') ?? 1_000);
        const latest = new Map(store.objects().map((object) => [object.key, object]));
        const found = [...latest.values()]
          .filter((one) => one.key.startsWith(prefix))
          .sort((a, b) => (a.key < b.key ? -1 : 1));
        const contents = found
          .slice(0, most)
          .map((one) =>
            element(
              'Contents',
              elements({ Key: one.key, ETag: one.etag, Size: one.bytes, StorageClass: 'STANDARD' }),
            ),
          );
        const about = elements({
          Prefix: prefix,
          KeyCount: contents.length,
          MaxKeys: most,
          IsTruncated: found.length > most,
        });
        return { status: 200, xml: document('ListBucketResult', about + contents.join('')) };
      }
      case 'ListMultipartUploads': {
        const all = store
          .uploads()
          .map((one) => element('Upload', elements({ Key: one.key, UploadId: one.id })));
        return { status: 200, xml: document('ListMultipartUploadsResult', all.join('')) };
      }
      case 'GetObject': {
        const object = store.objects().findLast((one) => one.key === key);
        if (object === undefined)
          return { error: [404, 'NoSuchKey', 'The specified key does not exist.', { Key: key }] };
        return { status: 200, body: store.read(object), headers: { ETag: object.etag } };
      }
      case 'PutObject':
        return { status: 200, headers: { ETag: store.put(key, body, headers) } };
      case 'CreateMultipartUpload': {
        const UploadId = store.begin(key, headers);
        return {
          status: 200,
          xml: document('InitiateMultipartUploadResult', elements({ Key: key, UploadId })),
        };
      }
      case 'UploadPart': {
        const { etag, error } = store.putPart(key, id, Number(query.get('partNumber')), body);
        return error === undefined ? { status: 200, headers: { ETag: etag } } : { error };
      }
      case 'ListParts': {
        const { parts, error } = store.parts(key, id);
        if (error !== undefined) return { error };
        const all = parts.map((part) =>
          element('Part', elements({ PartNumber: part.number, ETag: part.etag, Size: part.bytes })),
        );
        return { status: 200, xml: document('ListPartsResult', all.join('')) };
      }
      case 'CompleteMultipartUpload': {
        const { etag, error } = store.complete(key, id, askedParts(String(body)));
        if (error !== undefined) return { error };
        return {
          status: 200,
          xml: document('CompleteMultipartUploadResult', elements({ Key: key, ETag: etag })),
        };
      }
      default: {
        const { error } = store.abort(key, id);
        return error === undefined ? { status: 204 } : { error };
      }
    }
  };

  const answerTo = (request, raw) => {
    const written = fs.readFileSync(join(folder, 'control'), 'utf8');
    const control = { ...BASICS, ...JSON.parse(written) };
    const { method, headers } = request;
    const [, path, search] = /^(?:http:\/\/[^/]+)?([^?]*)(.*)$/.exec(request.url);
    const query = new URLSearchParams(search);
    const { bucket, key } = placeOf({ path, host: headers.host, bucket: control.bucket });
    const operation = operationOf(method, key, query);
    if (control.discard) return discarded(operation);
    fs.writeSync(log, `${operation} ${method} ${request.url}\n`);
    if (control.redirect !== undefined) {
      const more = { Bucket: bucket, Endpoint: `${bucket}.s3.${control.redirect}.amazonaws.com` };
      const error = [
        301,
        'PermanentRedirect',
        'The bucket you are attempting to access must be addressed using the specified endpoint. Please send all future requests to this endpoint.',
        more,
      ];
      return { error, headers: { 'x-amz-bucket-region': control.redirect } };
    }
    const body = isAmong('damaged', raw.length > 0 ? control.damaged : 0, written)
      ? Buffer.concat([raw, Buffer.from('x')])
      : raw;
    const now = Date.now() + (control.clock_s ?? 0) * 1_000;
    const problem =
      signatureProblem({ method, path, search, headers, body }, { ...control, now }) ??
      controlProblem(control, operation, bucket) ??
      digestProblem({ headers, body });
    if (problem !== null) return { error: problem, headers: { Date: new Date(now).toUTCString() } };
    if (control.isCompleteBroken && operation === 'CompleteMultipartUpload') {
      return {
        status: 200,
        isLate: true,
        error: [200, 'InternalError', 'We encountered an internal error. Please try again.'],
      };
    }
    const answer = run(operation, { key, query, headers, body });
    const isStored = operation === 'PutObject' || operation === 'CompleteMultipartUpload';
    return isStored && isAmong('lost', control.lostReplies, written) ? { isLost: true } : answer;
  };

  const server = createServer((request, response) => {
    const parts = [];
    request.on('error', () => {});
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      if (request.url === '/count') return response.end(JSON.stringify({ bytes, requests }));
      const raw = Buffer.concat(parts);
      bytes += raw.length;
      requests++;
      const answer = answerTo(request, raw);
      if (answer.isLost) return request.socket.destroy();
      const { error, headers = {} } = answer;
      const id = { 'x-amz-request-id': requests.toString(16).toUpperCase().padStart(16, '0') };
      const [status, code, message, more = {}] = error ?? [answer.status];
      const said = {
        Code: code,
        Message: message,
        ...more,
        Resource: request.url,
        RequestId: id['x-amz-request-id'],
      };
      const xml = error === undefined ? answer.xml : document('Error', elements(said));
      const type = xml === undefined ? {} : { 'Content-Type': 'application/xml' };
      response.writeHead(status, { Server: 'AmazonS3', ...id, ...type, ...headers });
      // S3 sends spaces while it works.
      if (answer.isLate) response.write('   ');
      return response.end(xml ?? answer.body ?? '');
    });
  });
  server.keepAliveTimeout = 0;
  server.listen(Number(port), '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
};
