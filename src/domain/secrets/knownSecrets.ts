import type { SpateError } from '../errors.js';
import { isJsonObject, type Json } from '../json.js';

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
