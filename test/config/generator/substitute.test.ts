import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { substitute } from '../../../src/config/generator/substitute.js';
import { failure } from '../../../src/domain/errors.js';
import type { Json } from '../../../src/domain/json.js';
import { codePoint } from '../../support/codePoint.js';
import { secretsOf } from '../support.js';

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the placeholder form of configs
const PARAMS = {
  n: 3,
  t: 'text',
  yes: true,
  no: null,
  list: [1, 2],
  object: { a: 1 },
  'a.b': 'dotted',
  loop: '${secrets.s}',
};
const SECRETS = secretsOf({ s: 'hush', odd: '"\'#: \n- {}[]&*!|>%@`${params.t}' });

const run = async (value: Json) => {
  const result = await substitute(value, PARAMS, SECRETS);
  return E.isRight(result)
    ? result.right.value
    : result.left.map(({ path, type }) => [...path, type].join(' '));
};

describe('substitution', () => {
  test.each<[string, Json, Json]>([
    ['a whole scalar takes the type of a number', '${params.n}', 3],
    ['blanks around and inside do not count', ' ${ params.n } ', 3],
    ['a boolean', '${params.yes}', true],
    ['null', '${params.no}', null],
    ['a list', '${params.list}', [1, 2]],
    ['an object', '${params.object}', { a: 1 }],
    ['a dot is part of the name', '${params.a.b}', 'dotted'],
    ['inside a text a number becomes text', 'x-${params.n}-${params.yes}', 'x-3-true'],
    ['a fallback is not used when there is a value', '${params.n:-9}', 3],
    ['a given null is a value', '${params.no:-9}', null],
    ['a whole fallback is a YAML scalar: a number', '${params.x:-1}', 1],
    ['a boolean fallback', '${params.x:-false}', false],
    ['a null fallback', '${params.x:-null}', null],
    ['a quoted fallback is text', '${params.x:-"1"}', '1'],
    ['a text fallback', '${params.x:-a b}', 'a b'],
    ['an empty fallback is empty text', '${params.x:-}', ''],
    ['a fallback with YAML in it is text', '${params.x:-a: b}', 'a: b'],
    ['a fallback that looks like a comment is text', '${params.x:-#x}', '#x'],
    ['a fallback with a comment behind is text', '${params.x:-a #x}', 'a #x'],
    ['a list as fallback is text', '${params.x:-[1]}', '[1]'],
    ['a tag as fallback is text', '${params.x:-!!str 1}', '!!str 1'],
    ['an alias as fallback is text', '${params.x:-*a}', '*a'],
    ['inside a text a fallback stays as written', 'x${params.x:-1.0}', 'x1.0'],
    ['a fallback of a secret', '${secrets.x:-1}', 1],
    ['an escape gives the form itself', '$${params.n}', '${params.n}'],
    ['an escape beside a placeholder', '$${params.n}=${params.n}', '${params.n}=3'],
    [
      'other forms stay',
      '${foo} ${params.} {{ params.n }} {% if %}',
      '${foo} ${params.} {{ params.n }} {% if %}',
    ],
    ['keys are left alone', { '${params.t}': 1 }, { '${params.t}': 1 }],
    ['everywhere in lists and objects', [{ a: ['${params.n}'] }], [{ a: [3] }]],
    ['what is put in is not looked at again', '${params.loop}', '${secrets.s}'],
    ['nor inside a text', 'x ${params.loop}', 'x ${secrets.s}'],
    ['scalars of other types', [1, true, null], [1, true, null]],
  ])('%s', async (_, value, expected) => {
    expect(await run(value)).toEqual(expected);
  });

  test('a secret of any characters changes nothing but its scalar', async () => {
    const odd = '"\'#: \n- {}[]&*!|>%@`${params.t}';
    expect(await run({ a: '${secrets.odd}', b: 'x${secrets.odd}y', c: 1 })).toEqual({
      a: odd,
      b: `x${odd}y`,
      c: 1,
    });
  });

  test('special replacement patterns in a value are plain text', async () => {
    const result = await substitute('a ${params.x} b', { x: "$& $1 $` $'" }, SECRETS);
    expect(E.isRight(result) && result.right.value).toBe("a $& $1 $` $' b");
  });

  test('any text goes through whole', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: codePoint }), async (text) => {
        const result = await substitute(['${secrets.s}', '<${secrets.s}>'], {}, secretsOf({ s: text }));
        expect(E.isRight(result) && result.right.value).toEqual([text, `<${text}>`]);
      }),
    );
  });

  test('names of object internals are not parameters', async () => {
    expect(await run('${params.constructor}')).toEqual(['missing_param']);
    expect(await run('${params.__proto__:-1}')).toBe(1);
  });

  test('all missing ones are reported at their places', async () => {
    const value = { a: '${params.x}', b: ['${secrets.y} ${params.z}', '${params.x}'] };
    expect(await run(value)).toEqual([
      'a missing_param',
      'b 0 missing_secret',
      'b 0 missing_param',
      'b 1 missing_param',
    ]);
  });

  test('the message names what is missing and shows the fallback form', async () => {
    const result = await substitute('${params.x}', {}, SECRETS);
    expect(E.isLeft(result) && result.left[0]).toEqual({
      path: [],
      type: 'missing_param',
      message: "parameter 'x' is missing",
      hint: 'Set it under params, or write a fallback: ${params.x:-value}.',
    });
  });

  test.each(['a ${params.list}', 'a ${params.object}', 'a ${params.no}'])(
    '%s has no text form',
    async (text) => {
      expect(await run(text)).toEqual(['wrong_type']);
    },
  );

  test('a keyring that cannot be read is an error in spite of a fallback', async () => {
    const broken = { read: () => Promise.resolve(E.left(failure('unreadable', 'wrong password'))) };
    const result = await substitute('${secrets.s:-x}', {}, broken);
    expect(E.isLeft(result) && result.left[0]?.message).toBe("secret 's' cannot be read: wrong password");
  });

  test('answers the secrets that were used, each read once', async () => {
    const names: string[] = [];
    const counting = {
      read: (name: string) => {
        names.push(name);
        return SECRETS.read(name);
      },
    };
    const result = await substitute(
      ['${secrets.s}', 'x${secrets.s}', '${params.n}', '$${secrets.odd}'],
      PARAMS,
      counting,
    );
    expect(names).toEqual(['s']);
    expect(E.isRight(result) && result.right.secrets).toEqual(['hush']);
  });
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the placeholder form of configs
