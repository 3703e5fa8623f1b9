/**
 * Verifies requests signed with version 4, as the documentation of Amazon S3 describes it for the header
 * `Authorization`. Written apart from the signer of the output: it starts from the request as it came in.
 */
import { createHash, createHmac } from 'node:crypto';

const FORM =
  /^AWS4-HMAC-SHA256 +Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, *SignedHeaders=([a-z0-9;-]+), *Signature=([0-9a-f]{64})$/;

const SKEW_MS = 15 * 60 * 1_000;

const mac = (key, text) => createHmac('sha256', key).update(text).digest();
const hash = (data) => createHash('sha256').update(data).digest('hex');

/** One byte at a time: everything but letters, digits and `-._~` becomes `%XY`. */
const escaped = (text, isPath) =>
  [...Buffer.from(text, 'utf8')]
    .map((byte) => {
      const char = String.fromCharCode(byte);
      if (/[A-Za-z0-9._~-]/.test(char) || (isPath && char === '/')) return char;
      return `%${byte.toString(16).padStart(2, '0').toUpperCase()}`;
    })
    .join('');

const byText = (a, b) => (a < b ? -1 : Number(a > b));

const canonicalQuery = (search) =>
  search
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name, ...rest] = pair.split('=');
      return [name, rest.join('=')].map((part) => escaped(decodeURIComponent(part), false));
    })
    .sort(([a, x], [b, y]) => byText(a, b) || byText(x, y))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');

const timeMs = (date) =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

const iso = (ms) => new Date(ms).toISOString().replace(/\.\d+/, '');

/** `null`: fine. Otherwise status, code, message, and more elements of the error. */
export const signatureProblem = ({ method, path, search, headers, body }, known) => {
  const { accessKey, secret, region, token, isExpired, now } = known;
  const given = FORM.exec(headers.authorization ?? '');
  if (given === null) return [403, 'AccessDenied', 'Access Denied'];
  const [, id, day, scope, names, signature] = given;
  if (id !== accessKey) {
    return [
      403,
      'InvalidAccessKeyId',
      'The AWS Access Key Id you provided does not exist in our records.',
      { AWSAccessKeyId: id },
    ];
  }
  if (scope !== region) {
    return [
      400,
      'AuthorizationHeaderMalformed',
      `The authorization header is malformed; the region '${scope}' is wrong; expecting '${region}'`,
      { Region: region },
    ];
  }
  if (isExpired) {
    return [
      400,
      'ExpiredToken',
      'The provided token has expired.',
      { 'Token-0': headers['x-amz-security-token'] ?? '' },
    ];
  }
  if (token !== undefined && headers['x-amz-security-token'] !== token) {
    return [400, 'InvalidToken', 'The provided token is malformed or otherwise invalid.'];
  }
  const date = headers['x-amz-date'] ?? '';
  const at = timeMs(date);
  if (!(Math.abs(at - now) <= SKEW_MS)) {
    return [
      403,
      'RequestTimeTooSkewed',
      "The difference between the request time and the server's time is too large.",
      { RequestTime: date, ServerTime: iso(now), MaxAllowedSkewMilliseconds: String(SKEW_MS) },
    ];
  }
  if (date.slice(0, 8) !== day)
    return [403, 'SignatureDoesNotMatch', 'The day of the scope is not that of the request.'];
  const signed = names.split(';');
  const mustBe = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))];
  const missing = mustBe.filter((name) => !signed.includes(name));
  if (missing.length > 0) {
    return [
      403,
      'AccessDenied',
      'There were headers present in the request which were not signed',
      { HeadersNotSigned: missing.join(', ') },
    ];
  }
  const payload = headers['x-amz-content-sha256'] ?? '';
  const canonical = [
    method,
    escaped(decodeURIComponent(path), true),
    canonicalQuery(search),
    ...signed.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    names,
    payload,
  ].join('\n');
  const key = mac(mac(mac(mac(`AWS4${secret}`, day), region), 's3'), 'aws4_request');
  const text = `AWS4-HMAC-SHA256\n${date}\n${day}/${region}/s3/aws4_request\n${hash(canonical)}`;
  if (mac(key, text).toString('hex') !== signature) {
    return [
      403,
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
      { AWSAccessKeyId: id, StringToSign: text, SignatureProvided: signature },
    ];
  }
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== hash(body)) {
    return [
      400,
      'XAmzContentSHA256Mismatch',
      "The provided 'x-amz-content-sha256' header does not match what was computed.",
    ];
  }
  return null;
};
