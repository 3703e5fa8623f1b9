import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  hasPlaceholder,
  placeholdersIn,
  replacePlaceholders,
  wholePlaceholder,
} from '../../src/domain/placeholder.js';

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the placeholder form of configs
describe('placeholders', () => {
  test.each([
    ['${params.name}', ['params', 'name', null]],
    ['${ params.name }', ['params', 'name', null]],
    ['${secrets.a.b-c}', ['secrets', 'a.b-c', null]],
    ['${params.x:-1}', ['params', 'x', '1']],
    ['${ params.x:- two words }', ['params', 'x', 'two words']],
    ['${params.x:-}', ['params', 'x', '']],
    ['${params.a:b}', ['params', 'a:b', null]],
    ['  ${params.x}\n', ['params', 'x', null]],
  ])('%p is one', (text, [source, name, fallback]) => {
    expect(hasPlaceholder(text)).toBe(true);
    expect(wholePlaceholder(text)).toEqual({ source, name, fallback });
    expect(placeholdersIn(text)).toEqual([{ source, name, fallback }]);
  });

  test.each([
    '$${params.x}',
    '${params.}',
    '${params.a b}',
    '${params}',
    '${other.x}',
    '${x}',
    '{params.x}',
    '${params.x',
    '${Params.x}',
    '${params.a{b}}',
    '',
  ])('%p is none', (text) => {
    expect(hasPlaceholder(text)).toBe(false);
    expect(wholePlaceholder(text)).toBeNull();
    expect(placeholdersIn(text)).toEqual([]);
  });

  test('several in one text are found in order, and none of them is the whole', () => {
    const text = 'a ${params.x}${secrets.y} $${params.z}';
    expect(placeholdersIn(text).map(({ name }) => name)).toEqual(['x', 'y']);
    expect(wholePlaceholder(text)).toBeNull();
  });

  test('replacing substitutes placeholders, undoes escapes and leaves everything else alone', () => {
    const text = '${params.x}-$${params.x}-${other}-{% if %}-$${other}-${secrets.y:-d}';
    expect(replacePlaceholders(text, ({ name, fallback }) => `<${name}|${fallback ?? ''}>`)).toBe(
      '<x|>-${params.x}-${other}-{% if %}-$${other}-<y|d>',
    );
  });

  test('a value with special replacement patterns is put in as it is', () => {
    expect(replacePlaceholders('${params.x}', () => "$& $1 $' ${params.x}")).toBe("$& $1 $' ${params.x}");
  });

  test('a text has a placeholder exactly when one is found in it', () => {
    const part = fc.constantFrom('$', '${', '}', 'params.', 'secrets.x', ':-', ' ', 'a', '${params.x}');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        expect(hasPlaceholder(text)).toBe(placeholdersIn(text).length > 0);
      }),
      { numRuns: 1000 },
    );
  });

  test.each(['${params.x:-', '${params.', '${', '${params.x:- '])(
    'a long text of %p without an end is searched in one pass',
    (part) => {
      expect(hasPlaceholder(part.repeat(50_000))).toBe(false);
      expect(hasPlaceholder(`${part}${' '.repeat(200_000)}`)).toBe(false);
      expect(wholePlaceholder(`${part}${' '.repeat(200_000)}`)).toBeNull();
    },
  );
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the placeholder form of configs
