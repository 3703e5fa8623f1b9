import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import {
  jsonOf,
  templateDefect,
  textTemplate,
} from '../../../../../src/plugins/outputs/shared/brokers/textTemplate.js';

const rendered = (text: string, event: string) =>
  textTemplate(text, { generator: 'web.shop', clean: (value) => value.replaceAll('.', '_') }).render(
    jsonOf(event),
  );

describe('a template of text', () => {
  test.each([
    ['a.b', '', 'a.b'],
    ['{generator}.x', 'no json', 'web_shop.x'],
    ['a.{/host}.b', '{"host":"h.1"}', 'a.h_1.b'],
    ['{/a/b}{/n}{/t}', '{"a":{"b":"c"},"n":1.5,"t":true}', 'c1_5true'],
    ['{/a~1b}{/m~0n}', '{"a/b":"x","m~n":"y"}', 'xy'],
    ['{/list/1}', '{"list":["x","y"]}', 'y'],
  ])('%s with %s is %s', (text, event, expected) => {
    expect(rendered(text, event)).toEqual(E.right(expected));
  });

  test.each([
    ['no value', '{}'],
    ['an empty value', '{"a":""}'],
    ['null', '{"a":null}'],
    ['an object', '{"a":{}}'],
    ['no JSON', 'a'],
  ])('%s has no text', (_, event) => {
    expect(rendered('{/a}', event)).toEqual(E.left('the event has no text, number or boolean at /a'));
  });

  test('members of every object are not values', () => {
    expect(E.isLeft(rendered('{/constructor/name}', '{}'))).toBe(true);
    expect(E.isLeft(rendered('{/length}', '[1]'))).toBe(true);
  });

  test.each([
    ['{x}', /only `\{generator\}` or/],
    ['{}', /only/],
    ['a{', /brace/],
    ['}a', /brace/],
    ['{{/a}}', /brace/],
  ])('%s is a defect', (text, message) => {
    expect(templateDefect(text)).toMatchObject({ message: expect.stringMatching(message) });
  });

  test('text without values of events is constant', () => {
    const options = { generator: 'g', clean: (value: string) => value };
    expect(textTemplate('a.{generator}', options).constant).toBe('a.g');
    expect(textTemplate('a.{/b}', options).constant).toBeNull();
  });
});
