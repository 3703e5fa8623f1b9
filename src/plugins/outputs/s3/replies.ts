import type { RequestError } from '../shared/errors.js';
import { isRetryableStatus, statusError } from '../shared/http/replies.js';
import type { HttpReply } from '../shared/http/request.js';

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

const plainText = (xml: string): string =>
  xml.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi,
    (whole, decimal?: string, hex?: string, name = '') => {
      if (decimal === undefined && hex === undefined) return ENTITIES[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );

/** Returns the text of the first element of this name, or null when there is none. Replies of S3 are flat. */
export const elementOf = (xml: string, name: string): string | null => {
  const inner = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return inner === undefined ? null : plainText(inner.trim());
};

export const escapeXml = (text: string): string =>
  text.replace(/[<>&"]/g, (char) => `&#${char.charCodeAt(0)};`);

const RETRY = true;
const REJECT = false;

const LOAD = 'The server is overloaded: make fewer, larger objects.';
const AGAIN = 'Check the network between Spate and the server.';
const RIGHTS = 'Allow s3:PutObject on the key, and the use of the KMS key.';

/** Whether a retry may help, and what to do, by error code of S3; other codes go by their status. */
const BY_CODE: Readonly<Record<string, readonly [isRetryable: boolean, remedy: string]>> = {
  AccessDenied: [REJECT, RIGHTS],
  AccountProblem: [REJECT, 'Check the account.'],
  AllAccessDisabled: [REJECT, RIGHTS],
  AuthorizationHeaderMalformed: [REJECT, 'Check `region` and `access_key_id`.'],
  BadDigest: [RETRY, AGAIN],
  EntityTooLarge: [REJECT, 'Lower `roll_size`, `part_size` or `batch.size`.'],
  EntityTooSmall: [REJECT, 'Raise `part_size`.'],
  ExpiredToken: [REJECT, 'Renew `session_token` and the keys.'],
  IllegalLocationConstraintException: [REJECT, 'Check `region`.'],
  InvalidAccessKeyId: [REJECT, 'Check `access_key_id`.'],
  InvalidPart: [RETRY, ''],
  InvalidStorageClass: [REJECT, 'Check `storage_class`.'],
  InvalidToken: [REJECT, 'Check `session_token`.'],
  NoSuchBucket: [REJECT, 'Create the bucket, or check `bucket`.'],
  NoSuchUpload: [RETRY, ''],
  NotImplemented: [
    REJECT,
    'The server lacks this function: check `checksum`, `sse`, `storage_class` and `headers`.',
  ],
  OperationAborted: [RETRY, ''],
  PermanentRedirect: [REJECT, 'Check `region` and `endpoint`.'],
  QuotaExceeded: [REJECT, 'Raise the quota of the bucket.'],
  RequestTimeTooSkewed: [RETRY, 'Set the clock of this machine.'],
  RequestTimeout: [RETRY, AGAIN],
  SignatureDoesNotMatch: [REJECT, 'Check `secret_access_key`.'],
  SlowDown: [RETRY, LOAD],
  TemporaryRedirect: [RETRY, 'Wait: the bucket is new.'],
  XAmzContentSHA256Mismatch: [RETRY, AGAIN],
  XMinioAdminBucketQuotaExceeded: [REJECT, 'Raise the quota of the bucket.'],
};

type Reply = Pick<HttpReply, 'status' | 'headers' | 'text'>;

/** Region that the server names in a redirect. */
const regionOf = ({ headers, text }: Reply): string | null => {
  const header = headers['x-amz-bucket-region'];
  return typeof header === 'string' ? header : elementOf(text, 'Region');
};

const REDIRECTS: ReadonlySet<string> = new Set([
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
]);

export interface S3Error extends RequestError {
  /** Error code of S3. Null when the reply has none, like one that is not from S3. */
  readonly s3_code: string | null;
}

export const replyCodeOf = ({ text }: Pick<Reply, 'text'>): string | null =>
  /<Error>/.test(text) ? elementOf(text, 'Code') : null;

/** Error of a reply; some have the status 200. */
export const s3ReplyError = (reply: Reply, region: string): S3Error => {
  const code = replyCodeOf(reply);
  if (code === null) {
    const asked = regionOf(reply);
    const error = statusError(reply);
    // Replies to some requests have no body.
    return asked === null || asked === region || reply.status !== 301
      ? { ...error, s3_code: null }
      : {
          ...error,
          what: `the bucket is in the region ${asked}`,
          remedy: `Set \`region: ${asked}\`.`,
          s3_code: null,
        };
  }
  const [isRetryable, remedy] = BY_CODE[code] ?? [
    reply.status === 200 || isRetryableStatus(reply.status),
    'Check the server and its log.',
  ];
  const asked = REDIRECTS.has(code) ? regionOf(reply) : null;
  const isElsewhere = asked !== null && asked !== region;
  return {
    what: isElsewhere ? `the bucket is in the region ${asked}` : (elementOf(reply.text, 'Message') ?? code),
    origin: `${code}, HTTP status ${reply.status}`,
    remedy: isElsewhere ? `Set \`region: ${asked}\`.` : remedy,
    isRetryable,
    code: reply.status,
    s3_code: code,
  };
};
