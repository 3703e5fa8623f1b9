import {
  defaulted,
  integer,
  lazily,
  number,
  oneOf,
  optional,
  required,
  text,
  url,
} from '../../../schema/index.js';
import type { RuleBreach } from '../../../schema/shape.js';
import { outputPlugin } from '../../declare.js';
import { certificateWithKey, separatorField } from '../shared/fields.js';
import { httpFields } from '../shared/http/fields.js';
import { isIpAddress, keyProblem } from './address.js';

const visible = (maxLength: number) =>
  text({ minLength: 1, maxLength, pattern: /^[\x21-\x7e]+$/, label: 'ASCII text without spaces' });

const credential = visible(8_192);

const word = text({
  minLength: 1,
  maxLength: 64,
  pattern: /^[A-Za-z0-9_-]+$/,
  label: 'text of letters, digits, _ and -',
});

/** Most bytes of a key, less room for `.gz` and what replaces placeholders. */
const MAX_KEY = 800;

export const s3Fields = lazily(() => {
  const {
    username: _user,
    password: _password,
    bearer_token: _bearer,
    headers,
    request_timeout: _timeout,
    compression: _compression,
    ...transportFields
  } = httpFields;

  return {
    bucket: required(
      text({
        label: 'text of letters, digits, dots, _ and -',
        maxLength: 255,
        pattern: /^[A-Za-z0-9][A-Za-z0-9._-]+[A-Za-z0-9]$/,
      }),
      { help: 'Bucket; it must exist.', example: 'logs' },
    ),
    region: defaulted(word, 'us-east-1', { help: 'Region of the bucket.', example: 'eu-central-1' }),
    endpoint: optional(url(), {
      help: 'Address of a server other than AWS, such as MinIO.',
      example: 'http://localhost:9000',
    }),
    addressing: defaulted(oneOf(['auto', 'path', 'virtual']), 'auto', {
      help: '`path`: the bucket is in the path; `virtual`: in front of the host; `auto`: `virtual` on AWS, `path` with `endpoint`.',
    }),
    access_key_id: required(credential, { help: 'Access key.' }),
    secret_access_key: required(credential, { help: 'Secret of the access key.', secret: true }),
    session_token: optional(credential, {
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
      {
        help: 'Key of each object. {id} is unique; {date}, {generator} and dates such as {yyyy-MM-dd} are replaced.',
      },
    ),
    roll_size: defaulted(number({ min: 0.001, max: 2_000 }), 8, {
      help: 'Size of an object before compression.',
      unit: 'MB',
    }),
    roll_interval: defaulted(number({ min: 0, max: 86_400 }), 60, {
      help: 'Maximum time for which an object collects events. 0: an object for each write.',
      unit: 'seconds',
    }),
    separator: separatorField(),
    compression: defaulted(oneOf(['none', 'gzip']), 'none', {
      help: '`gzip`: objects are gzip files, and keys end with `.gz`.',
    }),
    storage_class: optional(word, {
      help: 'Storage class. Default: that of the bucket.',
      example: 'STANDARD_IA',
    }),
    sse: optional(oneOf(['AES256', 'aws:kms', 'aws:kms:dsse']), {
      help: 'Server-side encryption. Default: that of the bucket.',
    }),
    sse_kms_key_id: optional(visible(2_048), {
      help: 'KMS key of `sse: aws:kms`. Default: that of the account.',
    }),
    checksum: defaulted(oneOf(['none', 'sha256', 'md5']), 'none', {
      help: 'Checksum header. `sha256`: S3 keeps it with the object; `md5`: `Content-MD5`.',
    }),
    headers,
    part_size: defaulted(integer({ min: 5, max: 5_120 }), 8, {
      help: 'Larger objects are uploaded in parts of this size.',
      unit: 'MiB',
    }),
    concurrency: defaulted(integer({ min: 1, max: 100 }), 4, {
      help: 'Maximum number of concurrent requests.',
    }),
    ...transportFields,
    request_timeout: defaulted(integer({ min: 1 }), 60, { help: 'Timeout for a request.', unit: 'seconds' }),
  };
});

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
    'An object joins the events of several writes. It is stored when it has `roll_size`, after `roll_interval`, when the generator ends, and when the generator waits for it because its queue is full. Events count as written, and the checkpoint moves, when their object is stored: a kill loses nothing, and no reader ever sees a part of an object.',
    'The queue limits an object to `queue.max_event_batches` - 1 writes of `batch.size` events or `batch.delay` seconds each. With the defaults, objects of a slow stream hold 9 seconds. For larger ones raise these settings: `batch.delay: 10` makes objects of one minute. Memory holds the events of unfinished objects, so a `roll_size` of a third of the queue keeps the generator busy during uploads. With `keep_order`, each write is an object. A write is never split: an object can exceed `roll_size` by one write.',
    'A failed upload is repeated with the same key and the same events: a lost reply makes no duplicates. After a crash, events since the last checkpoint can be stored again, under other keys.',
    'In `key`, `{generator}` is the folder of the generator. Dates are those of the first write of the object, in the time zone of the generator. `{id}` is `<run>-<number>`, unique across generators, threads and restarts; numbers count up.',
    'With `compression: gzip`, an object is one gzip file of the type `application/gzip`, without `Content-Encoding`: clients get the file, not its content. To change that, set the header in `headers`, as well as `Content-Type`, `Cache-Control`, `x-amz-meta-...`, `x-amz-tagging` or `x-amz-acl`.',
    'Objects above `part_size` are multipart uploads. Spate aborts those that fail. A kill leaves their parts in the bucket, invisible but billed: add a lifecycle rule that ends incomplete multipart uploads.',
    'Opening lists one key of the bucket, to check address, TLS, credentials, region and bucket. Without the right `s3:ListBucket`, Spate logs that and goes on. Writing needs `s3:PutObject`, and `s3:AbortMultipartUpload` for multipart uploads.',
    'Retried: network errors, timeouts, HTTP statuses 408, 429 and 5xx, damaged bodies and lost uploads; `Retry-After` is respected for up to 60 seconds. Rejected: missing rights, wrong or expired credentials, a missing bucket, another region. When the server refuses the time of this machine, Spate uses that of the server and logs a warning.',
    'Each request is signed (signature version 4) with the SHA-256 of its body: the server rejects damaged bodies even with `checksum: none`. Buckets with object lock need `sha256` or `md5`.',
    '`write_timeout` does not apply: `request_timeout` limits each request. Delivery latency includes the time in which an object collects events.',
    'Credentials come from the config, best from the keyring. Spate does not read environment variables, `~/.aws` or roles of machines.',
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
