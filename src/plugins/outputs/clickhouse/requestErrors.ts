import type { RequestError } from '../shared/errors.js';

const again = (remedy: string) => ({ isRetryable: true, remedy });
const never = (remedy: string) => ({ isRetryable: false, remedy });

const CHECK_DATA = never('Check that the events match `input_format` and the table.');
const CHECK_TABLE = never('Create it, or correct `database` and `table`.');
const CHECK_USER = never('Check `username`, `password` and the rights of the user.');
const CHECK_CONFIG = never('Check `input_format`, and the settings in the query string of `dsn`.');
const BUSY = again('The server is overloaded: send less, or larger batches.');
const TROUBLED = again('Check the server: disks, memory, replicas.');

const rows = <A>(value: A, codes: readonly number[]): readonly (readonly [number, A])[] =>
  codes.map((code) => [code, value]);

/** ClickHouse error codes (src/Common/ErrorCodes.cpp) for inserts. */
const BY_CODE: ReadonlyMap<number, { readonly isRetryable: boolean; readonly remedy: string }> = new Map([
  // Texts, numbers, dates, columns and values that cannot be read or do not fit.
  ...rows(
    CHECK_DATA,
    [
      6, 7, 8, 9, 16, 20, 21, 22, 25, 26, 27, 32, 33, 34, 35, 38, 41, 43, 44, 47, 50, 53, 62, 69, 70, 72, 108,
      117, 128, 130, 131, 190, 321, 349, 366, 376, 395, 407, 441, 467, 469,
    ],
  ),
  ...rows(CHECK_TABLE, [60, 81, 218]),
  ...rows(CHECK_USER, [192, 193, 194, 195, 164, 291, 497, 516]),
  ...rows(CHECK_CONFIG, [36, 48, 73, 85, 115, 452, 471, 472, 474]),
  // Overload: work, parts, memory, quota.
  ...rows(BUSY, [158, 159, 160, 201, 202, 203, 241, 252, 290, 364, 396, 439]),
  // Disks, network, keepers, replicas; aborted or cancelled statements.
  ...rows(
    TROUBLED,
    [
      3, 23, 24, 74, 75, 76, 95, 96, 173, 198, 209, 210, 225, 236, 242, 243, 244, 254, 265, 279, 285, 286,
      297, 319, 394, 410, 425, 473, 499, 519, 999, 1000, 1001, 1002,
    ],
  ),
]);

/** For replies of proxies and old servers, without a code. */
const BY_TEXT: readonly (readonly [RegExp, { readonly isRetryable: boolean; readonly remedy: string }])[] = [
  [/too many (simultaneous|parts|requests|connections)|memory limit|overloaded|quota/i, BUSY],
  [/time(d )?-?out|network|try again|unavailable|read.?only mode/i, TROUBLED],
  [/(table|database).*(doesn't|does not) exist|unknown (table|database)/i, CHECK_TABLE],
  [/authentication|wrong password|unknown user|not enough privileges|access denied/i, CHECK_USER],
  [/cannot parse|syntax error|type mismatch/i, CHECK_DATA],
];

const byStatus = (status: number): { readonly isRetryable: boolean; readonly remedy: string } => {
  if (status === 401 || status === 403) return CHECK_USER;
  if (status === 407) return never('Check the credentials in `proxy_url`.');
  if (status >= 500 || status === 408 || status === 429) return TROUBLED;
  return never('Check that `host`, `port` and `protocol` are those of the HTTP interface of ClickHouse.');
};

/** The message of the server without version-specific decoration. */
const plainText = (body: string): string =>
  body
    .replace(/^.*?DB::Exception:\s*/s, '')
    .replace(/,? e\.what\(\) = .*$|\s*\(version [^)]*\)\s*$/s, '')
    .replace(/\s+/g, ' ')
    .trim();

const CODE = /(?:^|\s)Code: (\d+)/;

/** Error code of a reply, from its header or text. */
export const exceptionCodeOf = (header: unknown, body: string): number | null => {
  const written = typeof header === 'string' && /^\d+$/.test(header) ? header : CODE.exec(body)?.[1];
  return written === undefined ? null : Number(written);
};

export const clickhouseReplyError = (status: number, header: unknown, body: string): RequestError => {
  const code = exceptionCodeOf(header, body);
  const text = plainText(body);
  const meaning =
    (code === null ? undefined : BY_CODE.get(code)) ??
    (code === null ? BY_TEXT.find(([pattern]) => pattern.test(text))?.[1] : undefined) ??
    byStatus(status);
  const origin = code === null ? `HTTP status ${status}` : `code ${code}`;
  return { what: text === '' ? 'the request was rejected' : text, origin, ...meaning, code };
};
