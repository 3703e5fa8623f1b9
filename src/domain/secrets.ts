import type { SpateError } from './errors.js';
import type { NameFlaw } from './identifiers.js';
import { isJsonObject, type Json } from './json.js';

/** Replaces secrets in logs and errors. */
export const HIDDEN = '***';

/** Shorter values are masked only when they are the entire string: masking each `1` would reveal the secret. */
export const MIN_HIDDEN_LENGTH = 4;
/** Lines of a longer secret, for example a PEM key, are masked from this length on. */
const MIN_LINE_LENGTH = 8;
/** Beyond it the oldest value is forgotten. */
const MAX_KNOWN = 20_000;

/** Masks the secrets that this process has read. */
export interface KnownSecrets {
  /** Empty values are ignored. */
  readonly add: (value: string) => void;
  readonly hideText: (text: string) => string;
  /** Masks texts at any depth, keys included, and numbers that are a whole secret. */
  readonly hideJson: (value: Json) => Json;
  readonly hideError: (error: SpateError) => SpateError;
}

/** A form of the value; none where encoding throws: lone surrogates have no percent-encoding. */
const formOf = (make: () => string): readonly string[] => {
  try {
    return [make()];
  } catch {
    return [];
  }
};

const percentStrict = (value: string): string =>
  encodeURIComponent(value).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );

/** Forms in parts of a URL, which escape fewer characters than `encodeURIComponent`. */
const partsOfUrl = (value: string): readonly string[] => {
  const url = new URL('http://h/');
  url.password = value;
  url.pathname = value;
  url.search = value;
  return [url.password, url.pathname.slice(1), url.search.slice(1)];
};

/** Base64 of a value inside a longer text, such as a Basic header: at three offsets, without characters shared with neighbors. */
const base64Parts = (value: string): readonly string[] => {
  const bytes = Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte)).join('');
  return [0, 1, 2].map((offset) => {
    const whole = btoa('\0'.repeat(offset) + bytes);
    return whole.slice(offset === 0 ? 0 : offset + 1, Math.floor(((offset + bytes.length) * 8) / 6));
  });
};

/** Forms in which messages show a value: plain, JSON, URL, base64, one line, line by line. */
const formsOf = (value: string): readonly string[] => {
  const inJson = JSON.stringify(value).slice(1, -1);
  const lines = value.split(/[\r\n]+/);
  const forms = [
    value,
    value.trim(),
    value.replace(/\s+/g, ' ').trim(),
    inJson,
    JSON.stringify(inJson).slice(1, -1),
    value.replace(/[\\']/g, '\\$&'),
    value.replaceAll("'", "''"),
    ...formOf(() => encodeURIComponent(value)),
    ...partsOfUrl(value),
    ...formOf(() => percentStrict(value)),
    ...formOf(() => percentStrict(value).replaceAll('%20', '+')),
    ...base64Parts(value),
    ...(lines.length === 1 ? [] : lines.map((line) => line.trim())).filter(
      (line) => line.length >= MIN_LINE_LENGTH,
    ),
  ];
  return [...new Set(forms)].filter((form) => form.length >= MIN_HIDDEN_LENGTH);
};

type Span = readonly [from: number, to: number];

const spansOf = (text: string, forms: Iterable<string>): readonly Span[] => {
  const spans: Span[] = [];
  for (const form of forms) {
    for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1))
      spans.push([at, at + form.length]);
  }
  return spans.sort(([a], [b]) => a - b);
};

/** Replaces the spans; overlapping ones by one mask. */
const cover = (text: string, spans: readonly Span[]): string => {
  let shown = '';
  let end = 0;
  for (const [from, to] of spans) {
    if (to <= end) continue;
    if (from >= end) shown += text.slice(end, from) + (from === end && end > 0 ? '' : HIDDEN);
    end = to;
  }
  return shown + text.slice(end);
};

export const knownSecrets = (): KnownSecrets => {
  const known = new Map<string, readonly string[]>();
  let forms: readonly string[] | null = null;

  const add = (value: string): void => {
    if (value === '' || known.has(value)) return;
    known.set(value, formsOf(value));
    const oldest = known.keys().next();
    if (known.size > MAX_KNOWN && oldest.done !== true) known.delete(oldest.value);
    forms = null;
  };
  const hideText = (text: string): string => {
    if (known.has(text)) return HIDDEN;
    // Lazy: many secrets may be added in a row.
    forms ??= [...new Set([...known.values()].flat())];
    const spans = spansOf(text, forms);
    return spans.length === 0 ? text : cover(text, spans);
  };
  const hideJson = (value: Json): Json => {
    if (known.size === 0) return value;
    if (typeof value === 'string') return hideText(value);
    if (typeof value === 'number') return known.has(String(value)) ? HIDDEN : value;
    if (Array.isArray(value)) return (value as readonly Json[]).map(hideJson);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [hideText(key), hideJson(one)]));
  };
  const hideError = (error: SpateError): SpateError => ({
    ...error,
    message: hideText(error.message),
    ...(error.issues === undefined
      ? {}
      : {
          issues: error.issues.map((issue) => ({
            ...issue,
            path: issue.path.map((part) => (typeof part === 'string' ? hideText(part) : part)),
            message: hideText(issue.message),
            ...(issue.hint === undefined ? {} : { hint: hideText(issue.hint) }),
          })),
        }),
  });
  return { add, hideText, hideJson, hideError };
};

export const MAX_SECRET_BYTES = 65_536;
export const MAX_SECRETS = 10_000;
const MAX_NAME_LENGTH = 128;

const flaw = (type: string, message: string): NameFlaw => ({ type, message });

/** Name of a secret: ASCII letters, digits, `.`, `_`, `-`, no leading dot or dash, 1..128 characters, case-sensitive. */
export const checkSecretName = (name: string): NameFlaw | null => {
  if (name === '') return flaw('too_short', 'must not be empty');
  if (!/^[A-Za-z0-9._-]*$/.test(name))
    return flaw('not_allowed', "must consist of letters, digits, '.', '_' and '-' (ASCII)");
  if (/^[.-]/.test(name)) return flaw('not_allowed', 'must not begin with a dot or a dash');
  return name.length > MAX_NAME_LENGTH
    ? flaw('too_long', `must not be longer than ${MAX_NAME_LENGTH} characters`)
    : null;
};

/** Flaw of a value, without the value itself. */
export const checkSecretValue = (value: string): NameFlaw | null => {
  if (value === '') return flaw('too_short', 'must not be empty');
  // A lone surrogate has no UTF-8 form.
  if (/\p{Surrogate}/u.test(value)) return flaw('not_allowed', 'must be well-formed Unicode');
  return new TextEncoder().encode(value).length > MAX_SECRET_BYTES
    ? flaw('too_long', `must not be longer than ${MAX_SECRET_BYTES} bytes`)
    : null;
};
