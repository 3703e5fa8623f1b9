import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { pointerReader } from '../../../../src/domain/json.js';
import { utc, zoneOf } from '../../../../src/domain/time/zone.js';
import { compileDatedText, compileText, eventValue } from '../../../../src/plugins/shared/text/compile.js';
import { compileValues, eventText, placeholderDefect } from '../../../../src/plugins/shared/text/field.js';
import { isOfEvent, type TextPlaceholder } from '../../../../src/plugins/shared/text/placeholders.js';
import { routingText, unroutable } from '../../../../src/plugins/shared/text/routing.js';
import { decode } from '../../../../src/schema/index.js';
import { codePoint } from '../../../support/codePoint.js';

const ALL: readonly TextPlaceholder[] = ['pointer', 'event', 'generator', 'date'];

describe('the placeholders of a text', () => {
  test.each([
    ['plain', []],
    ['{{}}', []],
    ['{{{/a}}}', ['pointer']],
    ['{/a~1b/0}{generator}', ['pointer', 'generator']],
    ['{/yyyy}', ['pointer']],
    ['{event}', ['event']],
    ['{date}', ['date']],
    ['{yyyy.MM.dd}/{HH}{mm}{ss}', ['date']],
  ] as readonly (readonly [string, readonly TextPlaceholder[]])[])('%s needs %j', (text, needed) => {
    expect(placeholderDefect(text, needed)).toBeNull();
    for (const one of needed) {
      const others = needed.filter((kind) => kind !== one);
      expect(placeholderDefect(text, others)).toMatchObject({ type: 'bad_format' });
    }
  });

  test.each(['{', '}', '{}', '{day}', '{yyyyy}', '{-}', '{/a~2}', '{{/a}', '{/a}}', '{Date}', '{secrets.x}'])(
    '%s is a defect',
    (text) => expect(placeholderDefect(text, ALL)).toMatchObject({ type: 'bad_format' }),
  );

  test('are in the hint, the text is not in the message', () => {
    expect(placeholderDefect('hush{', ['pointer', 'generator'])).toEqual({
      type: 'bad_format',
      message: 'has a brace without a placeholder of this option',
      hint: 'Placeholders are {/json/pointer}, {generator}. Write a brace as {{ or }}.',
    });
  });

  test('say whether it differs from event to event', () => {
    expect(['{/a}', 'a{event}', '{generator}{date}', '{{/a}}'].map(isOfEvent)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('a compiled text', () => {
  const document = { host: 'h.1', n: 1.5, t: true, o: { b: [1] }, nil: null, 'a/b': 'x', empty: '' };

  test.each([
    ['a{{b}}', 'a{b}'],
    ['{generator}.x', 'web.x'],
    ['a.{/host}', 'a.h.1'],
    ['{/n}{/t}{/a~1b}', '1.5truex'],
    ['{/o}', '{"b":[1]}'],
    ['<{/empty}>', '<>'],
    ['{/nil}', null],
    ['a{/gone}', null],
    ['[{event}]', '[raw]'],
  ])('%s is %j', (written, expected) => {
    expect(compileText(written, { generator: 'web' }).text(document, 'raw')).toBe(expected);
  });

  test('of a single pointer keeps the type of the value', () => {
    const values = ['/n', '/t', '/o', '/nil', '/gone', '/host'].map((pointer) =>
      compileText(`{${pointer}}`).value(document),
    );
    expect(values).toEqual([1.5, true, { b: [1] }, null, undefined, 'h.1']);
    expect([compileText('{/n} ').value(document), compileText('{/n}{/gone}').value(document)]).toEqual([
      '1.5 ',
      undefined,
    ]);
  });

  test('without values of the event is constant, and reads no JSON', () => {
    const constant = compileText('a.{generator}', { generator: 'g' });
    expect([constant.constant, constant.readsJson]).toEqual(['a.g', false]);
    const whole = compileText('{event}');
    expect([whole.constant, whole.readsJson]).toEqual([null, false]);
    const pointed = compileText('{/a}');
    expect([pointed.constant, pointed.readsJson]).toEqual([null, true]);
  });

  test('of any constant is that constant', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        const doubled = text.replace(/[{}]/g, '$&$&');
        expect(placeholderDefect(doubled, [])).toBeNull();
        expect(compileText(doubled).constant).toBe(text);
      }),
    );
  });

  test('of a formatter has nothing for what is missing', () => {
    expect(eventValue('{/gone}-{/nil}-{/n}')(document)).toBe('--1.5');
    expect(eventValue('{/gone}')(document)).toBeUndefined();
  });
});

describe('an id', () => {
  test('is made for each text, beside dates; its braces can be doubled', () => {
    let made = 0;
    const text = compileDatedText('{{id}}/{date}-{id}', { zone: utc, id: () => `run-${++made}` });
    expect([0, 86_400_000_000].map((now) => text(now).text(undefined))).toEqual([
      '{id}/1970-01-01-run-1',
      '{id}/1970-01-02-run-2',
    ]);
    expect(text(0).constant).toBeNull();
    expect(placeholderDefect('{id}', ['date'])).toMatchObject({ type: 'bad_format' });
  });
});

describe('values of a config', () => {
  test('are numbers and booleans as they are, and texts', () => {
    const values = compileValues({ a: 1, b: false, c: '{/x}', d: '{generator}' }, { generator: 'g' });
    expect(values.map(({ name, readsJson, value }) => [name, readsJson, value({ x: [2] })])).toEqual([
      ['a', false, 1],
      ['b', false, false],
      ['c', true, [2]],
      ['d', false, 'g'],
    ]);
  });
});

describe('dates', () => {
  const now = Date.UTC(2025, 0, 9, 23, 5, 7) * 1_000;
  const at = (text: string, zone = utc) =>
    compileDatedText(text, { zone, generator: 'we/b', spell: (value) => encodeURIComponent(String(value)) })(
      now,
    ).constant;

  test.each([
    ['logs-{yyyy.MM.dd}', 'logs-2025.01.09'],
    ['{date}/{HH}', '2025-01-09/23'],
    ['{yyyyMMddHHmmss}', '20250109230507'],
    ['{yyyy/MM}', '2025%2F01'],
    ['/x/{generator}', '/x/we%2Fb'],
  ])('%j becomes %j', (text, expected) => expect(at(text)).toBe(expected));

  test('are those of the time zone', () => {
    expect(at('{yyyyMMdd-HHmm}', zoneOf('Asia/Tokyo') ?? utc)).toBe('20250110-0805');
  });

  test('follow the clock, beside values of the event', () => {
    const text = compileDatedText('{date}-{/a}-{HH:mm:ss}', { zone: utc });
    const texts = [now, now + 999_999, now + 1_000_000, now].map((time) => text(time).text({ a: 1 }));
    expect(texts).toEqual([
      '2025-01-09-1-23:05:07',
      '2025-01-09-1-23:05:07',
      '2025-01-09-1-23:05:08',
      '2025-01-09-1-23:05:07',
    ]);
  });
});

describe('a text that routes', () => {
  const text = routingText('{generator}.{/a/b}.{/c}', {
    generator: 'web.shop',
    clean: (value) => value.replaceAll('.', '_'),
  });

  test('has cleaned values', () => {
    expect(text.text({ a: { b: 'x.y' }, c: 0 })).toBe('web_shop.x_y.0');
    expect(text.text({ a: { b: false }, c: 1.5 })).toBe('web_shop.false.1_5');
  });

  test.each([
    [{}, '/a/b'],
    [undefined, '/a/b'],
    [{ a: { b: '' } }, '/a/b'],
    [{ a: { b: 'x' }, c: null }, '/c'],
    [{ a: { b: 'x' }, c: {} }, '/c'],
    [{ a: { b: 'x' }, c: [1] }, '/c'],
  ])('has none for %j', (document, pointer) => {
    expect(text.text(document)).toBeNull();
    expect(unroutable(text, document)).toBe(`the event has no text, number or boolean at ${pointer}`);
  });
});

describe('a pointer', () => {
  const document = { a: { '/': [{ 'b~': 1 }] }, n: null };
  test.each([
    ['/a/~1/0/b~0', 1],
    ['/n', null],
    ['/n/x', undefined],
    ['/a/~1/1', undefined],
    ['/a/~1/01', undefined],
    ['/a/~1/length', undefined],
    ['/toString', undefined],
    ['/constructor/name', undefined],
  ])('%s', (pointer, value) => {
    expect(pointerReader(pointer)(document)).toEqual(value);
  });

  test('of a document that is no object finds nothing', () => {
    for (const other of [undefined, null, 'text', 7]) expect(pointerReader('/length')(other)).toBeUndefined();
  });
});

describe('a field that must differ from event to event', () => {
  const field = eventText({ allowed: ['pointer', 'event', 'generator'], isOfEvent: true });
  const issuesOf = (written: unknown) => {
    const decoded = decode(field, written);
    return E.isLeft(decoded) ? decoded.left.map(({ type, message }) => `${type}: ${message}`) : [];
  };

  test.each(['{/a}', 'x{/a}{generator}', '{event}'])('takes %s', (written) => {
    expect(issuesOf(written)).toEqual([]);
    expect(new RegExp(String(field.schema['pattern']), 'u').test(written)).toBe(true);
  });

  test.each([
    ['/a', 'bad_format: must be text with {/json/pointer}'],
    ['{generator}', 'bad_format: must be text with {/json/pointer}'],
    ['{{/a}}', 'bad_format: has no value of the event'],
    ['{/a}{date}', 'bad_format: has a brace without a placeholder of this option'],
  ])('refuses %s', (written, issue) => expect(issuesOf(written)).toEqual([issue]));

  test('and its other checks see an x for each placeholder', () => {
    const seen: string[] = [];
    decode(
      eventText({
        allowed: ['pointer', 'generator'],
        check: (sample) => {
          seen.push(sample);
          return null;
        },
      }),
      'a.{/b c}.{{{generator}}}',
    );
    expect(seen).toEqual(['a.x.{x}']);
  });
});
