import * as E from 'fp-ts/lib/Either.js';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import { type AnyShape, boolean, decode, integer, number, oneOf, type Shape } from '../../schema/index.js';

export interface Option<A> {
  /** `boolean`: only `true` or `false` may follow. `count`: no value, repeats are counted. */
  readonly takes: 'value' | 'boolean' | 'count';
  readonly short?: string;
  /** Stands for the value in help, e.g. `FILE`; empty: none. */
  readonly placeholder: string;
  readonly help: string;
  /** Reads all given values, at least one. Returns the problem, without the option name, when it cannot. */
  readonly read: (texts: readonly string[]) => E.Either<string, A>;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

interface Doc {
  readonly help: string;
  readonly short?: string;
}

const last =
  <A>(read: (text: string) => E.Either<string, A>): Option<A>['read'] =>
  (texts) =>
    read(texts.at(-1) ?? '');

const byShape =
  <A>(shape: Shape<A>) =>
  (text: string): E.Either<string, A> =>
    E.mapLeft(() => `must be ${withArticle(shape)}, not "${text}"`)(decode(shape, text));

const withArticle = ({ label }: AnyShape): string =>
  label.startsWith('one of ') ? label : `${/^[aeiou]/.test(label) ? 'an' : 'a'} ${label}`;

export const textOption = (placeholder: string, doc: Doc): Option<string> => ({
  takes: 'value',
  placeholder,
  ...doc,
  read: last((text) => (text === '' ? E.left('must not be empty') : E.right(text))),
});

/** May be given several times. */
export const textsOption = (placeholder: string, doc: Doc): Option<readonly string[]> => ({
  takes: 'value',
  placeholder,
  ...doc,
  read: (texts) => (texts.includes('') ? E.left('must not be empty') : E.right(texts)),
});

export const integerOption = (
  placeholder: string,
  doc: Doc,
  range: { readonly min?: number; readonly max?: number } = {},
): Option<number> => ({ takes: 'value', placeholder, ...doc, read: last(byShape(integer(range))) });

export const numberOption = (placeholder: string, doc: Doc): Option<number> => ({
  takes: 'value',
  placeholder,
  ...doc,
  read: last(byShape(number())),
});

export const choiceOption = <const L extends readonly [string, ...string[]]>(
  words: L,
  doc: Doc,
): Option<L[number]> => ({
  takes: 'value',
  placeholder: words.join('|'),
  ...doc,
  read: last(byShape(oneOf(words))),
});

/** `--name` means true; `--name false` and `--name=false` mean false. */
export const booleanOption = (doc: Doc): Option<boolean> => ({
  takes: 'boolean',
  placeholder: '[true|false]',
  ...doc,
  read: last((text) => E.mapLeft(() => `must be true or false, not "${text}"`)(decode(boolean(), text))),
});

/** A boolean option shown without a value in help. */
export const flagOption = (doc: Doc): Option<boolean> => ({ ...booleanOption(doc), placeholder: '' });

export const countOption = (max: number, doc: Doc): Option<number> => ({
  takes: 'count',
  placeholder: '',
  ...doc,
  read: ({ length }) =>
    length <= max ? E.right(length) : E.left(`may be given at most ${max} times, not ${length}`),
});

export const jsonObjectOption = (placeholder: string, doc: Doc): Option<JsonObject> => ({
  takes: 'value',
  placeholder,
  ...doc,
  read: last((text) => {
    const parsed = E.tryCatch(
      () => JSON.parse(text) as unknown,
      () => null,
    );
    return E.isRight(parsed) && isJsonObject(parsed.right)
      ? E.right(parsed.right as JsonObject)
      : E.left(`must be a JSON object such as '{"name": "value"}'`);
  }),
});

const NAME_AND_VALUE = /^([^=\s]+)=(.*)$/s;

/** JSON where the text is some, else the text. */
const jsonOrText = (text: string): Json =>
  E.getOrElse((): Json => text)(
    E.tryCatch(
      () => JSON.parse(text) as Json,
      () => null,
    ),
  );

/** `name=value`, may be given several times. */
export const valuesOption = (placeholder: string, doc: Doc): Option<JsonObject> => ({
  takes: 'value',
  placeholder,
  ...doc,
  read: (texts) => {
    const values: Record<string, Json> = {};
    for (const text of texts) {
      const found = NAME_AND_VALUE.exec(text);
      if (found === null) return E.left(`must be ${placeholder}, such as host=web-1, not "${text}"`);
      values[found[1] ?? ''] = jsonOrText(found[2] ?? '');
    }
    return E.right(values);
  },
});
