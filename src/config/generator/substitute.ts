import * as E from 'fp-ts/lib/Either.js';
import { isScalar, parseDocument } from 'yaml';
import { failure, type Issue, type Result } from '../../domain/errors.js';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import {
  type Placeholder,
  placeholdersIn,
  replacePlaceholders,
  wholePlaceholder,
} from '../../domain/placeholder.js';
import type { Secrets } from '../../ports/files.js';
import { kindOf } from '../../schema/issues.js';

type Path = readonly (string | number)[];

/** For whoever needs no values of secrets. */
export const NO_SECRETS: Secrets = {
  read: async () => E.left(failure('not_found', 'no secret is read here')),
};

/** A value without placeholders, and the secrets in it, to be masked. */
interface Substituted {
  readonly value: Json;
  readonly secrets: readonly string[];
}

type Resolved = E.Either<Omit<Issue, 'path'>, Json>;
type Resolve = (placeholder: Placeholder, isWhole: boolean) => Resolved;

/** All strings of a value, without keys. */
const textsOf = (value: Json, texts: string[] = []): readonly string[] => {
  if (typeof value === 'string') texts.push(value);
  else if (Array.isArray(value)) for (const item of value as readonly Json[]) textsOf(item, texts);
  else if (isJsonObject(value)) for (const item of Object.values(value)) textsOf(item, texts);
  return texts;
};

/** Longer fallbacks are strings. */
const MAX_FALLBACK_LENGTH = 1_024;
/** Characters that all placeholders of a config may insert together. */
const MAX_PUT_IN = 16_777_216;

const TOO_MUCH = {
  type: 'too_long',
  message: `must not insert more than ${MAX_PUT_IN} characters, together with all other placeholders`,
};

/** A fallback that is the whole scalar, read as YAML: `8123` is a number, `"8123"` and `a: b` are strings. */
export const fallbackValue = (text: string): Json => {
  if (text.length > MAX_FALLBACK_LENGTH) return text;
  const document = parseDocument(text, { version: '1.2', schema: 'core', logLevel: 'silent' });
  const node = document.contents;
  const isPlain =
    document.errors.length + document.warnings.length === 0 &&
    isScalar(node) &&
    node.anchor === undefined &&
    node.tag === undefined &&
    node.comment === undefined &&
    document.comment === null &&
    document.commentBefore === null;
  if (!isPlain) return text;
  const { value } = node;
  const isNumber = typeof value === 'number' && Number.isFinite(value);
  return isNumber || typeof value === 'boolean' || typeof value === 'string' || value === null ? value : text;
};

const fallbackOf = ({ source, name, fallback }: Placeholder, isWhole: boolean): Resolved => {
  if (fallback !== null) return E.right(isWhole ? fallbackValue(fallback) : fallback);
  const orFallback = `or write a fallback: \${${source}.${name}:-value}.`;
  return source === 'params'
    ? E.left({
        type: 'missing_param',
        message: `parameter '${name}' is missing`,
        hint: `Set it under params, ${orFallback}`,
      })
    : E.left({
        type: 'missing_secret',
        message: `secret '${name}' is not in the keyring`,
        hint: `Store it with 'spate keyring set ${name}', ${orFallback}`,
      });
};

const resolveParam =
  (params: JsonObject): Resolve =>
  (placeholder, isWhole) => {
    const value = Object.hasOwn(params, placeholder.name) ? params[placeholder.name] : undefined;
    return value === undefined ? fallbackOf(placeholder, isWhole) : E.right(value);
  };

const resolveSecret =
  (answers: ReadonlyMap<string, Result<string>>): Resolve =>
  (placeholder, isWhole) => {
    const answer = answers.get(placeholder.name);
    if (answer === undefined) return fallbackOf(placeholder, isWhole);
    if (E.isRight(answer)) return answer;
    if (answer.left.code === 'not_found') return fallbackOf(placeholder, isWhole);
    const message = `secret '${placeholder.name}' cannot be read: ${answer.left.message}`;
    return E.left({ type: 'unreadable_secret', message });
  };

/** A value inside a longer string. Lists, objects and null have no obvious text form. */
const asText = ({ source, name }: Placeholder, value: Json): E.Either<Omit<Issue, 'path'>, string> =>
  value === null || typeof value === 'object'
    ? E.left({
        type: 'wrong_type',
        message: `${source}.${name} is ${kindOf(value)} and cannot be part of a longer text`,
        hint: 'Make the placeholder the whole value, or use a text.',
      })
    : E.right(String(value));

const replaceText = (text: string, resolve: Resolve, path: Path, issues: Issue[]): Json => {
  if (!text.includes('${')) return text;
  const found = (issue: Omit<Issue, 'path'>): string => {
    issues.push({ path, ...issue });
    return '';
  };
  const whole = wholePlaceholder(text);
  if (whole !== null) {
    const resolved = resolve(whole, true);
    return E.isRight(resolved) ? resolved.right : found(resolved.left);
  }
  return replacePlaceholders(text, (placeholder) => {
    const written = E.flatMap((value: Json) => asText(placeholder, value))(resolve(placeholder, false));
    return E.isRight(written) ? written.right : found(written.left);
  });
};

const replaceAll = (value: Json, resolve: Resolve, path: Path, issues: Issue[]): Json => {
  if (typeof value === 'string') return replaceText(value, resolve, path, issues);
  if (Array.isArray(value)) {
    return (value as readonly Json[]).map((item, i) => replaceAll(item, resolve, [...path, i], issues));
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, replaceAll(item, resolve, [...path, key], issues)]),
  );
};

/**
 * Replaces the placeholders of a parsed value. A placeholder that is the whole scalar takes the type of its
 * value, inside a longer string it becomes text; `$${` escapes. Keys and inserted values are never substituted,
 * so a parameter or secret cannot change the structure. Errors list every missing name at each use, never a secret.
 */
export const substitute = async (
  value: Json,
  params: JsonObject,
  secrets: Secrets,
): Promise<E.Either<readonly Issue[], Substituted>> => {
  const used = textsOf(value).flatMap((text) => (text.includes('${') ? placeholdersIn(text) : []));
  const names = new Set(used.filter(({ source }) => source === 'secrets').map(({ name }) => name));
  const answers = new Map<string, Result<string>>();
  for (const name of names) answers.set(name, await secrets.read(name));
  const fromParams = resolveParam(params);
  const fromSecrets = resolveSecret(answers);
  const issues: Issue[] = [];
  let left = MAX_PUT_IN;
  const resolve: Resolve = (one, isWhole) => {
    const resolved = one.source === 'params' ? fromParams(one, isWhole) : fromSecrets(one, isWhole);
    if (E.isRight(resolved) && typeof resolved.right === 'string') left -= resolved.right.length;
    return left < 0 ? E.left(TOO_MUCH) : resolved;
  };
  const replaced = replaceAll(value, resolve, [], issues);
  if (issues.length > 0) return E.left(issues);
  return E.right({
    value: replaced,
    secrets: [...answers.values()].flatMap((answer) => (E.isRight(answer) ? [answer.right] : [])),
  });
};
