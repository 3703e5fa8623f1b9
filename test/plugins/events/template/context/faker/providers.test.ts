import { beforeAll, describe, expect, test } from '@jest/globals';
import { Providers } from '../../../../../../src/plugins/events/template/context/faker/providers.js';
import type { Value } from '../../../../../../src/template/index.js';
import { SHAPES } from './shapes.js';
import { englishRendering, moduleWith, type Rendering } from './support.js';

let english: Rendering;
beforeAll(async () => {
  english = await englishRendering();
});

const itemOf = (value: Value | undefined, path: readonly string[]): Value | undefined =>
  path.reduce<Value | undefined>(
    (from, name) => (from instanceof Object && 'attribute' in from ? from.attribute(name) : undefined),
    value,
  );

describe('providers of faker in en_US', () => {
  test('are all in the table of shapes', async () => {
    const names = await moduleWith({ faker: ['en_US'] });
    const locale = itemOf(names.get('module'), ['faker', 'locale', 'en_US']);
    expect(locale).toBeInstanceOf(Providers);
    expect(locale instanceof Providers ? [...locale.memberNames].sort() : []).toEqual(
      Object.keys(SHAPES).sort(),
    );
  });

  test.each(Object.entries(SHAPES))('%s is like %s', (name, shape) => {
    const times = name === 'get_words_list' ? 1 : 30;
    for (const value of english.many(`f.${name}()`, times)) expect(value).toMatch(shape);
  });

  test('give many values', () => {
    const few = Object.keys(SHAPES).filter((name) => new Set(english.many(`f.${name}()`, 60)).size === 1);
    expect(few.sort()).toEqual([
      'bank_country',
      'current_country',
      'current_country_code',
      'get_words_list',
      'mac_processor',
    ]);
  });
});

/** Sum of digits with weights that repeat. */
const sum = (digits: string, weights: readonly number[]): number =>
  [...digits].reduce((total, digit, i) => total + Number(digit) * (weights[i % weights.length] ?? 0), 0);

const isLuhn = (number: string): boolean =>
  [...number].reverse().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0) %
    10 ===
  0;

describe('numbers with check digits are valid', () => {
  test('cards by Luhn, with the prefix and length of their kind', () => {
    for (const number of english.many('f.credit_card_number()', 200))
      expect([number, isLuhn(number)]).toEqual([number, true]);
    for (const number of english.many("f.credit_card_number('amex')"))
      expect(number).toMatch(/^3[47]\d{13}$/);
    for (const number of english.many("f.credit_card_number(card_type='visa')"))
      expect(number).toMatch(/^4\d{15}$/);
    for (const code of english.many("f.credit_card_security_code('amex')")) expect(code).toMatch(/^\d{4}$/);
    expect(english.shown("f.credit_card_provider('mastercard')")).toBe('Mastercard');
  });

  test.each(['f.ean13()', 'f.ean8()', 'f.upc_a()', "f.ean13(prefixes=['400'])", "f.isbn13(separator='')"])(
    '%s',
    (expression) => {
      for (const number of english.many(expression)) {
        expect([number, sum([...number].reverse().join(''), [1, 3]) % 10]).toEqual([number, 0]);
      }
    },
  );

  test('f.ean13 begins with one of the prefixes', () => {
    for (const number of english.many("f.ean13(prefixes=['400', [5, 0]])"))
      expect(number).toMatch(/^(400|50)/);
  });

  test('f.isbn10', () => {
    for (const number of english.many("f.isbn10(separator='')", 100)) {
      const digits = [...number].map((digit) => (digit === 'X' ? 10 : Number(digit)));
      expect(digits.reduce((total, digit, i) => total + digit * (10 - i), 0) % 11).toBe(0);
    }
  });

  test('f.aba', () => {
    for (const number of english.many('f.aba()')) expect(sum(number, [3, 7, 1]) % 10).toBe(0);
  });

  test('f.iban by ISO 7064 (mod 97 is 1)', () => {
    for (const iban of english.many('f.iban()')) {
      const moved = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) =>
        String(letter.charCodeAt(0) - 55),
      );
      expect(BigInt(moved) % 97n).toBe(1n);
    }
  });
});

describe('arguments', () => {
  test.each([
    ["f.email(domain='corp.test')", /^[a-z0-9]+@corp\.test$/],
    ['f.email(safe=False)', /^[a-z0-9]+@(?!example\.)/],
    ['f.domain_name(2)', /^[a-z0-9-]+\.[a-z0-9-]+\.[a-z]+$/],
    ['f.hostname(0)', /^[a-z]+-\d\d$/],
    ["f.url(schemes=['ftp'])", /^ftp:\/\//],
    ['f.uri_path(deep=4)', /^[a-z]+(\/[a-z]+){3}$/],
    ["f.slug('Größe & Maß')", /^groesse-mass$/],
    ["f.slug('日本')", /^[a-z]+-[a-z]+-[a-z]+$/],
    ["f.image_url(10, 20, 'x/{width}/{height}')", /^x\/10\/20$/],
    ["f.ipv4(address_class='b')", /^1(2[89]|[3-8]\d|9[01])\./],
    ["f.ipv4(private=True, address_class='a')", /^10\./],
    ['f.ipv4(private=False)', /^(?!10\.|127\.|192\.168\.|2[3-5]\d\.)/],
    ["f.ipv4_private(address_class='c')", /^192\.168\./],
    ['f.ipv4_private(network=True)', /^(10|172|192)\.\d+\.\d+\.\d+\/\d\d?$/],
    ['f.ipv6(network=True)', /\/\d+$/],
    ['f.mac_address(multicast=True)', /^[0-9a-f][13579bdf]:/],
    ['f.port_number(is_system=True)', /^(\d{1,3}|10[012]\d)$/],
    ['f.port_number(is_dynamic=True)', /^(49|5\d|6[0-5])\d{3}$/],
    ['f.http_status_code(include_unassigned=False)', /^(?!1[1-9]|2[3-9]|3[1-9]|5[2-9])\d{3}$/],
    ["f.country_code(representation='alpha-3')", /^[A-Z]{3}$/],
    ['f.coordinate(center=10, radius=1)', /^(9|10|11)\./],
    ["f.words(2, ext_word_list=['a', 'b'])", /^\['[ab]', '[ab]'\]$/],
    ["f.words(nb=2, ext_word_list=['a', 'b'], unique=True)", /^\['(a', 'b|b', 'a)'\]$/],
    ['f.words(0)', /^\[\]$/],
    ['f.sentence(nb_words=4, variable_nb_words=False)', /^(\S+ ){3}\S+\.$/],
    ['f.paragraph(2, False)', /^[^.]+\. [^.]+\.$/],
    ['f.text(max_nb_chars=5)', /^\p{L}+\.$/u],
    ['f.text(max_nb_chars=60)|length <= 60', /^True$/],
    ['f.text(max_nb_chars=18)|length <= 18', /^True$/],
    ['f.boolean(100)', /^True$/],
    ['f.boolean(chance_of_getting_true=0)', /^False$/],
    ['f.password(length=4, special_chars=False, upper_case=False)', /^(?=.*\d)(?=.*[a-z])[a-z0-9]{4}$/],
    ['f.random_int(min=5, max=11, step=3)', /^(5|8|11)$/],
    ['f.random_int(7, 7)', /^7$/],
    ['f.pyint(min_value=-3, max_value=-2)', /^-[23]$/],
    ['f.pyfloat(left_digits=2, right_digits=3, positive=True)', /^\d{1,2}\.\d{1,3}$/],
    ['f.pyfloat(min_value=1, max_value=2, right_digits=1)', /^(1\.\d|2\.0)$/],
    ["f.pystr(min_chars=2, max_chars=3, prefix='<', suffix='>')", /^<[A-Za-z]{2,3}>$/],
    ['f.random_number(digits=3, fix_len=True)', /^[1-9]\d\d$/],
    ['f.randomize_nb_elements(100, le=True, ge=True)', /^100$/],
    ['f.randomize_nb_elements(100, max=60)', /^60$/],
    ["f.numerify('%$#!@x')", /^[1-9][2-9]\d\d?[1-9]?x$/],
    ["f.lexify('a?', letters='z')", /^az$/],
    ["f.bothify('#?', letters='AB')", /^\d[AB]$/],
    ["f.hexify(text='^x', upper=True)", /^[0-9A-F]x$/],
    ["f.random_element(['x', 'y'])", /^[xy]$/],
    ["f.random_element(elements={'x': 1, 'y': 0})", /^x$/],
    ["f.random_elements('xyz', length=2, unique=True)", /^\['([xyz])', '(?!\1)[xyz]'\]$/],
    ["f.random_sample(['p', 'q'], 2)|sort|join", /^pq$/],
    ["f.file_name(category='audio')", /\.(flac|mp3|wav)$/],
    ["f.file_name(extension='bin')", /^[a-z]+\.bin$/],
    ["f.file_path(depth=2, extension='x', absolute=False)", /^[a-z]+\/[a-z]+\/[a-z]+\.x$/],
    ["f.file_path(file_system_rule='windows')", /^[CD]:\\[a-z]+\\[a-z]+\.\w+$/],
    ["f.mime_type(category='image')", /^image\//],
    ['f.swift(length=11, primary=True)', /^[A-Z0-9]{8}XXX$/],
    ["f.currency_symbol('EUR')", /^€$/],
    ["f.credit_card_expire(start='now', end='+1d', date_format='%Y')", /^2026$/],
  ])('%s is like %s', (expression, shape) => {
    for (const value of english.many(expression)) expect(value).toMatch(shape);
  });

  test.each([
    ['f.words(-1)', 'ValueError: nb must be 0 to 10000'],
    ['f.words(10001)', 'ValueError: nb must be 0 to 10000'],
    ["f.words('3')", 'TypeError: nb must be an integer'],
    ['f.words(2.5)', 'TypeError: nb must be an integer'],
    ['f.words(nothing)', "UndefinedError: 'nothing' is undefined"],
    ['f.words(4, 5, 6, 7, 8)', 'TypeError: words() takes at most 4 arguments (5 given)'],
    ['f.words(many=2)', "TypeError: words() got an unexpected keyword argument 'many'"],
    ["f.words(3, ['a'], unique=True)", 'ValueError: cannot pick 3 distinct words from 1'],
    ['f.words(3, [])', 'ValueError: ext_word_list must not be empty'],
    ['f.text(max_nb_chars=4)', 'ValueError: a text needs max_nb_chars of 5 or more'],
    ['f.random_int(2, 1)', 'ValueError: no number between 2 and 1'],
    ['f.random_int(step=0)', 'ValueError: step must be 1 or more'],
    ['f.pyfloat(min_value=2, max_value=1)', 'ValueError: no number between 2 and 1'],
    ['f.pyfloat(max_value=-1, positive=True)', 'ValueError: no positive number'],
    ['f.pyfloat(right_digits=99)', 'ValueError: right_digits must be 0 to 15'],
    ['f.password(2)', 'ValueError: a password of 4 kinds of characters needs a length of that'],
    [
      'f.password(5, False, False, False, False)',
      'ValueError: a password needs one kind of characters at least',
    ],
    ["f.lexify(letters='')", 'ValueError: letters must not be empty'],
    ['f.random_element([])', 'ValueError: elements must not be empty'],
    ["f.random_element({'x': 0})", 'ValueError: weights must be 0 or more, with a sum above 0'],
    ["f.random_element({'x': -1, 'y': 2})", 'ValueError: weights must be 0 or more, with a sum above 0'],
    ["f.random_elements(['x'], 2, unique=True)", 'ValueError: cannot pick 2 distinct elements from 1'],
    ["f.ipv4(address_class='d')", "ValueError: address_class must be one of a, b, c, not 'd'"],
    ["f.credit_card_number('gold')", "ValueError: unknown card type 'gold'"],
    ['f.ean(length=9)', 'ValueError: length must be 8 or 13'],
    ["f.ean13(prefixes=['x'])", 'ValueError: the prefix of an EAN must be fewer than 13 digits'],
    ['f.swift(length=9)', "ValueError: length must be one of 8, 11, not '9'"],
    ["f.file_name(category='cat')", 'ValueError: category must be one of audio'],
    ['f.md5(raw_output=True)', 'ValueError: raw_output is not supported'],
  ])('%s fails: %s', (expression, message) => {
    expect(english.error(expression)).toContain(message);
  });
});
