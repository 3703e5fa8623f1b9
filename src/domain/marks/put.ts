import * as E from 'fp-ts/lib/Either.js';
import { isJsonObject } from '../json.js';
import { JSON_MEMBER, type MarkMode, makeToken, SEPARATORS } from './mark.js';

/** Adds the mark with this key to an event. The error says why it cannot be added. */
export type PutMark = (event: string, key: string) => E.Either<string, string>;

/** As outputs write it: a lone surrogate is U+FFFD. */
const wellFormed = (text: string): string =>
  /\p{Surrogate}/u.test(text) ? text.replaceAll(/\p{Surrogate}/gu, '\ufffd') : text;

/** Canonical text of a JSON event, without white space, for the checksum. Null when it is nested too deeply. */
export const canonicalJson = (value: Readonly<Record<string, unknown>>): string | null => {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isJsonSpace = (unit: number): boolean => unit === 32 || unit === 10 || unit === 13 || unit === 9;

const withLastMember = (text: string, member: string): string => {
  const brace = text.lastIndexOf('}');
  let end = brace;
  while (isJsonSpace(text.charCodeAt(end - 1))) end--;
  const comma = text.charAt(end - 1) === '{' ? '' : ',';
  return `${text.slice(0, end)}${comma}${member}${text.slice(end)}`;
};

const putJson: PutMark = (event, key) => {
  const value = parsed(wellFormed(event));
  if (!isJsonObject(value)) return E.left('the event is not a JSON object, which `marks: json` needs');
  if (Object.hasOwn(value, JSON_MEMBER)) {
    return E.left(
      `the event has a member "${JSON_MEMBER}" already, which is where \`marks: json\` puts the mark`,
    );
  }
  const canonical = canonicalJson(value);
  if (canonical === null) return E.left('the event is nested too deeply for `marks: json`');
  return E.right(withLastMember(event, `"${JSON_MEMBER}":"${makeToken(canonical, key)}"`));
};

const append =
  (separator: string): PutMark =>
  (event, key) =>
    E.right(event + separator + makeToken(event, key));

export const PUT_MARK: Readonly<Record<MarkMode, PutMark>> = {
  text: append(SEPARATORS.text),
  tsv: append(SEPARATORS.tsv),
  json: putJson,
};
