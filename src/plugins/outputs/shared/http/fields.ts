import {
  defaulted,
  integer,
  lazily,
  mapOf,
  oneOf,
  optional,
  refined,
  text,
  url,
} from '../../../../schema/index.js';
import type { RuleBreach } from '../../../../schema/shape.js';
import { placeholderDefect } from '../../../shared/text/field.js';
import type { TextPlaceholder } from '../../../shared/text/placeholders.js';
import { certificateWithKey, tlsFields } from '../fields.js';

const seconds = integer({ min: 1 });

const VISIBLE = /^[\t\x20-\x7e\x80-\xff]*$/;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Text that a header can carry. */
const headerValue = (allowed: readonly TextPlaceholder[]) => ({
  ...text({
    check: (value) =>
      VISIBLE.test(value)
        ? allowed.length === 0
          ? null
          : placeholderDefect(value, allowed)
        : { type: 'not_allowed', message: 'must not contain control characters or characters above U+00FF' },
  }),
  // Keys and tokens travel in headers of many names.
  secret: true,
});

/** Headers by name; without `allowed` placeholders, braces mean nothing. */
export const headerMap = (allowed: readonly TextPlaceholder[] = []) =>
  refined(mapOf(headerValue(allowed), { max: 100 }), (headers) => {
    const wrong = Object.keys(headers).find((name) => !TOKEN.test(name));
    return wrong === undefined
      ? null
      : { type: 'bad_format', message: `must not have ${JSON.stringify(wrong)} as the name of a header` };
  });

const credential = text({
  minLength: 1,
  check: (value) =>
    /^[\x20-\x7e]*$/.test(value)
      ? null
      : { type: 'not_allowed', message: 'must contain only printable ASCII characters' },
});

/** User and password, or a token. */
const credentialFields = lazily(() => ({
  username: optional(text({ minLength: 1 }), { help: 'User for basic authentication.' }),
  password: optional(text({ minLength: 1 }), { help: 'Password of the user.', secret: true }),
  bearer_token: optional(credential, {
    help: 'Token for `Authorization: Bearer`, instead of a user.',
    secret: true,
    extension: true,
  }),
}));

/** Fields of every output that speaks HTTP, without its address. */
export const httpFields = lazily(() => ({
  headers: defaulted(headerMap(), {}, { help: 'Additional headers.', example: { 'X-Source': 'spate' } }),
  ...credentialFields,
  connect_timeout: defaulted(seconds, 10, { help: 'Timeout for a connection.', unit: 'seconds' }),
  request_timeout: defaulted(seconds, 300, { help: 'Timeout for a request.', unit: 'seconds' }),
  ...tlsFields,
  proxy_url: optional(url(), { help: 'URL of an HTTP proxy.', secret: true }),
  compression: defaulted(oneOf(['none', 'gzip']), 'none', {
    help: 'Compression of request bodies.',
    extension: true,
  }),
}));

interface Credentials {
  readonly username: string | null;
  readonly password: string | null;
  readonly bearer_token: string | null;
}

const oneCredential = {
  fields: ['username', 'password', 'bearer_token'] as const,
  check: ({ username, password, bearer_token }: Credentials): RuleBreach | null => {
    if (password !== null && username === null) {
      return { at: 'username', type: 'missing', message: 'is required: `password` needs it' };
    }
    return username !== null && bearer_token !== null
      ? { at: 'bearer_token', type: 'not_allowed', message: 'excludes `username`', hint: 'Keep one of them.' }
      : null;
  },
};

/** Rules over `httpFields`. */
export const httpRules = [oneCredential, certificateWithKey] as const;
