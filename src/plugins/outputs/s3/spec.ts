import { defaulted, integer, number, oneOf, optional, required, text, url } from '../../../schema/index.js';
import type { RuleBreach } from '../../../schema/shape.js';
import { outputPlugin } from '../../declare.js';
import { separatorField } from '../shared/fields.js';
import { httpFields } from '../shared/http/fields.js';
import { PLACEHOLDERS_HELP } from '../shared/http/placeholders.js';
import { certificateWithKey } from '../shared/tls/fields.js';
import { isIpAddress } from './address.js';
import { keyProblem } from './key.js';

const {
  username: _user,
  password: _password,
  bearer_token: _bearer,
  headers,
  request_timeout: _timeout,
  compression: _compression,
  ...transportFields
} = httpFields;

const credential = (label: string) =>
  text({ minLength: 1, maxLength: 8_192, pattern: /^[\x21-\x7e]+$/, label });

const word = (label: string) => text({ minLength: 1, maxLength: 64, pattern: /^[A-Za-z0-9_-]+$/, label });

/** Most bytes of a key, less room for `.gz` and what replaces placeholders. */
const MAX_KEY = 800;

export const s3Fields = {
  bucket: required(
    text({ label: 'bucket name', maxLength: 255, pattern: /^[A-Za-z0-9][A-Za-z0-9._-]+[A-Za-z0-9]$/ }),
    { help: 'Bucket; it must exist.', example: 'logs' },
  ),
  region: defaulted(word('region'), 'us-east-1', { help: 'Region of the bucket.', example: 'eu-central-1' }),
  endpoint: optional(url(), {
    help: 'Address of a server other than AWS, such as MinIO.',
    example: 'http://localhost:9000',
  }),
  addressing: defaulted(oneOf(['auto', 'path', 'virtual']), 'auto', {
    help: '`path`: the bucket is in the path; `virtual`: in front of the host; `auto`: `virtual` on AWS, `path` with `endpoint`.',
  }),
  access_key_id: required(credential('access key'), { help: 'Access key.' }),
  secret_access_key: required(credential('secret key'), { help: 'Secret of the access key.', secret: true }),
  session_token: optional(credential('session token'), {
    help: 'Token of temporary credentials.',
    secret: true,
  }),
  key: defaulted(
    text({
      minLength: 1,
      maxLength: MAX_KEY,
      check: (template) => {
        const problem = keyProblem(template);
        return problem === null ? null : { type: 'bad_format', ...problem };
      },
    }),
    '{generator}/{yyyy}/{MM}/{dd}/{HH}-{mm}-{ss}-{id}.log',
    { help: `Key of each object. {id} is unique. ${PLACEHOLDERS_HELP}` },
  ),
  roll_size: defaulted(number({ min: 0.001, max: 100_000 }), 8, {
    help: 'Size at which an object is complete, before compression.',
    unit: 'MB',
  }),
  roll_interval: defaulted(number({ min: 0, max: 86_400 }), 60, {
    help: 'Longest time for which an object collects events. 0: one object for each write.',
    unit: 'seconds',
  }),
  separator: separatorField(),
  compression: defaulted(oneOf(['none', 'gzip']), 'none', {
    help: '`gzip`: objects are gzip files, and keys end with `.gz`.',
  }),
  storage_class: optional(word('storage class'), {
    help: 'Storage class. Default: that of the bucket.',
    example: 'STANDARD_IA',
  }),
  sse: optional(oneOf(['AES256', 'aws:kms', 'aws:kms:dsse']), {
    help: 'Server-side encryption. Default: that of the bucket.',
  }),
  sse_kms_key_id: optional(
    text({ minLength: 1, maxLength: 2_048, pattern: /^[\x21-\x7e]+$/, label: 'key ID' }),
    {
      help: 'KMS key of `sse: aws:kms`. Default: that of the account.',
    },
  ),
  checksum: defaulted(oneOf(['none', 'sha256', 'md5']), 'none', {
    help: '`sha256`: S3 keeps the checksum with the object (x-amz-checksum-sha256); `md5`: Content-MD5.',
  }),
  headers,
  part_size: defaulted(integer({ min: 5, max: 5_120 }), 8, {
    help: 'Larger objects are uploaded in parts of this size.',
    unit: 'MiB',
  }),
  concurrency: defaulted(integer({ min: 1, max: 100 }), 4, {
    help: 'Most requests at once, and connections.',
  }),
  ...transportFields,
  request_timeout: defaulted(integer({ min: 1 }), 60, { help: 'Timeout for a request.', unit: 'seconds' }),
};

/** Headers that requests have anyway, and that a config must not break. */
const OWN_HEADER =
  /^(?:authorization|connection|content-length|content-md5|expect|host|transfer-encoding|x-amz-(?:checksum-.*|content-sha256|date|decoded-content-length|sdk-checksum-algorithm|security-token|server-side-encryption.*|storage-class|trailer))$/i;

const ASCII = /^[\t\x20-\x7e]*$/;

const breach = (at: string, type: string, message: string, hint?: string): RuleBreach => ({
  at,
  type,
  message,
  ...(hint === undefined ? {} : { hint }),
});

export const s3Spec = outputPlugin({
  name: 's3',
  summary: 'Stores events as objects in Amazon S3, MinIO or another server with the API of S3.',
  notes: [
    'An object holds the events of one write or more: it is complete at `roll_size`, after `roll_interval`, when the generator ends, and when the generator cannot send more before the object is stored, so that nothing waits for nothing. Only then are its events written and the checkpoint moves: a kill loses none of them, and an incomplete object is never visible.',
    'The queue of the generator limits an object to `queue.max_event_batches` - 1 writes of `batch.size` events or `batch.delay` seconds each: 9 writes, such as 9 s of a slow stream, by default. For larger objects raise `batch.size`, `batch.delay` or `queue.max_event_batches`: `batch.delay: 10` gives objects of one minute. Memory holds their events. With `keep_order`, each object is one write. A write is never split: an object can be larger than `roll_size` by one write.',
    'A failed upload is tried again with the same key and the same events: an upload whose reply was lost makes no duplicates. After a crash, events since the last checkpoint can be stored again, in objects with other keys.',
    'In `key`, `{generator}` is the folder of the generator, and dates are those of the first write of the object, in the time zone of the generator. `{id}` is `<run>-<number>`: no two objects have the same, in any generator, thread or run.',
    'With `compression: gzip`, an object is one gzip file with the type `application/gzip`. It has no `Content-Encoding`, so that clients get the file as it is; set the header with `headers` if they should decompress it. `headers` go to each object: `Content-Type`, `Cache-Control`, `x-amz-meta-...`, `x-amz-tagging`, `x-amz-acl`.',
    'Objects above `part_size` are multipart uploads. An upload that fails is aborted. A kill leaves its parts in the bucket, invisible but billed: add a lifecycle rule that ends incomplete multipart uploads.',
    'Opening lists the bucket with a limit of one key, to check address, TLS, credentials, region and bucket. A user without `s3:ListBucket` may still write: the log says that the right to write was not checked. Writing needs `s3:PutObject`, and `s3:AbortMultipartUpload` for large objects.',
    'Retried: network errors, timeouts, HTTP statuses 408, 429 and 5xx, damaged bodies, and uploads that the server lost. `Retry-After` is respected for up to 60 seconds. Rejected: missing rights, wrong or expired credentials, missing buckets, other regions. If the clock is wrong by more than the server allows, Spate uses the time of the server and logs a warning.',
    'Each request is signed (signature version 4) with the SHA-256 of its body, so that the server rejects damaged bodies, with every `checksum`.',
    '`write_timeout` does not apply: `request_timeout` limits each request.',
    'Credentials come from the config only, best from the keyring, such as `${secrets.s3}`: environment variables, `~/.aws` and roles of machines are not read.',
  ],
  fields: s3Fields,
  rules: [
    certificateWithKey,
    {
      fields: ['endpoint', 'addressing'],
      check: ({ endpoint, addressing }) => {
        if (endpoint === null || !URL.canParse(endpoint)) return null;
        const { username, password, pathname, search, hash, hostname } = new URL(endpoint);
        if (username !== '' || password !== '' || pathname !== '/' || search !== '' || hash !== '') {
          return breach(
            'endpoint',
            'not_allowed',
            'must not have credentials, a path, a query or a fragment',
          );
        }
        return addressing === 'virtual' && isIpAddress(hostname)
          ? breach('addressing', 'not_allowed', 'must be `path` with an IP address in `endpoint`')
          : null;
      },
    },
    {
      fields: ['sse', 'sse_kms_key_id'],
      check: ({ sse, sse_kms_key_id }) =>
        sse_kms_key_id !== null && (sse === null || sse === 'AES256')
          ? breach('sse_kms_key_id', 'not_allowed', 'needs `sse: aws:kms`')
          : null,
    },
    {
      fields: ['headers'],
      check: (params) => {
        const own = Object.keys(params.headers).find((name) => OWN_HEADER.test(name));
        if (own === undefined && !Object.values(params.headers).every((value) => ASCII.test(value))) {
          return breach('headers', 'not_allowed', 'must have values of ASCII characters: they are signed');
        }
        return own === undefined
          ? null
          : breach(
              'headers',
              'not_allowed',
              `must not have ${own}`,
              'Spate sets it; see `sse`, `storage_class` and `checksum`.',
            );
      },
    },
  ],
  examples: [
    {
      title: 'Compressed JSON lines in Amazon S3, by hour',
      params: {
        bucket: 'acme-logs',
        region: 'eu-central-1',
        access_key_id: '${secrets.aws_key_id}',
        secret_access_key: '${secrets.aws_secret}',
        key: 'web/{yyyy}/{MM}/{dd}/{HH}/{id}.json',
        compression: 'gzip',
        formatter: { format: 'json' },
        storage_class: 'STANDARD_IA',
        sse: 'aws:kms',
      },
    },
    {
      title: 'MinIO on this machine',
      params: {
        endpoint: 'http://localhost:9000',
        bucket: 'events',
        access_key_id: 'minioadmin',
        secret_access_key: '${secrets.minio}',
        roll_size: 64,
        roll_interval: 30,
      },
    },
  ],
});
