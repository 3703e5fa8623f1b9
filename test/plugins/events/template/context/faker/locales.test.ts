import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type Random, seededRandom } from '../../../../../../src/domain/random.js';
import {
  countryOf,
  FAKER_LOCALES,
  MIMESIS_LOCALES,
} from '../../../../../../src/plugins/events/template/context/faker/localeNames.js';
import {
  type LoadedLocale,
  LocaleTable,
  loadLocales,
} from '../../../../../../src/plugins/events/template/context/faker/locales.js';
import { Providers } from '../../../../../../src/plugins/events/template/context/faker/providers.js';
import {
  callValue,
  str,
  TemplateObject,
  Undefined,
  type Value,
} from '../../../../../../src/template/index.js';
import { errorOf, rendered } from '../../../../../template/engine.js';
import { SHAPES } from './shapes.js';
import { moduleWith, ports } from './support.js';

/** Calls every function without required arguments; the texts by function path. */
const callAll = (owner: Value, path = ''): Map<string, string> => {
  const texts = new Map<string, string>();
  if (!(owner instanceof Providers)) return texts;
  for (const name of owner.memberNames) {
    const member = owner.attribute(name);
    if (member instanceof Providers)
      for (const [key, text] of callAll(member, `${name}.`)) texts.set(key, text);
    else if (typeof member === 'function') texts.set(path + name, str(callValue(member, [], null)));
  }
  return texts;
};

const localesOf = (modules: ReadonlyMap<string, Value>, name: 'faker' | 'mimesis'): TemplateObject => {
  const module = modules.get('module');
  const owner = module instanceof TemplateObject ? module.attribute(name) : undefined;
  const table = owner instanceof TemplateObject ? owner.attribute('locale') : undefined;
  if (!(table instanceof LocaleTable)) throw new Error(`no locales of ${name}`);
  return table;
};

let everything: ReadonlyMap<string, Value>;
beforeAll(async () => {
  everything = await moduleWith({ faker: [...FAKER_LOCALES.keys()], mimesis: [...MIMESIS_LOCALES.keys()] });
});

/** Providers with language-independent values. */
const ASCII = [
  'user_name',
  'email',
  'domain_name',
  'hostname',
  'url',
  'uri',
  'slug',
  'file_path',
  'user_agent',
  'iban',
];

describe('every provider gives a value in', () => {
  test.each([...FAKER_LOCALES.keys()])('faker %s', (name) => {
    const locale = localesOf(everything, 'faker').item(name) ?? null;
    for (let round = 0; round < 3; round++) {
      const texts = callAll(locale);
      expect(texts.size).toBe(Object.keys(SHAPES).length);
      const bad = [...texts].filter(
        ([, text]) => text.includes('undefined') || /\bnull\b|\[object/.test(text),
      );
      expect(bad).toEqual([]);
      const empty = [...texts].filter(
        ([key, text]) => text === '' && !/_or_empty$|^currency_symbol$/.test(key),
      );
      expect(empty).toEqual([]);
      expect(ASCII.filter((each) => !/^[\x20-\x7e]+$/.test(texts.get(each) ?? ''))).toEqual([]);
    }
  });

  test.each([...MIMESIS_LOCALES.keys()])('mimesis %s', (name) => {
    const locale = localesOf(everything, 'mimesis').item(name) ?? null;
    for (let round = 0; round < 3; round++) {
      const texts = callAll(locale);
      expect(texts.size).toBeGreaterThan(140);
      const bad = [...texts].filter(
        ([key, text]) =>
          (text === '' && key !== 'finance.currency_symbol') || /undefined|\bnull\b|\[object/.test(text),
      );
      expect(bad).toEqual([]);
    }
  });
});

describe('locales', () => {
  test('speak their language', () => {
    const shown = (name: string, provider: string): string =>
      rendered(`{{ module.faker.locale['${name}'].${provider}() }}`, everything);
    expect(shown('ru_RU', 'name')).toMatch(/\p{Script=Cyrillic}/u);
    expect(shown('ja_JP', 'name')).toMatch(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u);
    expect(shown('el_GR', 'last_name')).toMatch(/\p{Script=Greek}/u);
    expect(shown('de_AT', 'current_country_code')).toBe('AT');
    expect(shown('de', 'iban')).toMatch(/^DE\d{20}$/);
    expect(shown('de_DE', 'month_name')).toMatch(/^\p{Lu}\p{L}+$/u);
  });

  test('fall back to English where their language has no data', () => {
    expect(rendered("{{ module.faker.locale['ru_RU'].prefix() }}", everything)).toMatch(/^[A-Z][a-z]+\.?$/);
  });

  test.each([
    ['de_AT', 'AT'],
    ['en-gb', 'GB'],
    ['de', 'DE'],
    ['ja', 'JP'],
    ['sr_RS_latin', 'RS'],
    ['ku_kmr_latin', 'TR'],
    ['en_BORK', 'US'],
    ['eo', 'US'],
  ])('%s is of %s', (name, country) => {
    expect(countryOf(name)).toBe(country);
  });

  test('are reached as attributes and as items, and are the same', () => {
    const text = '{{ module.faker.locale.en_US is sameas module.faker.locale["en_US"] }}';
    expect(rendered(text, everything)).toBe('True');
  });

  test('are listed', async () => {
    const names = await moduleWith({ faker: ['en', 'de_DE'] });
    expect(rendered('{{ module.faker.locale | list }}{{ module.faker.locale | length }}', names)).toBe(
      "['en', 'de_DE']2",
    );
    expect(rendered("{{ 'fr' in module.faker.locale }}{{ 'xx' in module.faker.locale }}", names)).toBe(
      'TrueFalse',
    );
  });
});

describe('missing names', () => {
  test.each([
    [
      "{{ module.faker.locale['en_UX'].name() }}",
      "UndefinedError: module.faker has no locale 'en_UX'; did you mean en_US?",
    ],
    ['{{ module.faker.locale.klingon.name() }}', "UndefinedError: module.faker has no locale 'klingon'"],
    [
      "{{ module.mimesis.locale['de_AT'].person.age() }}",
      "UndefinedError: module.mimesis has no locale 'de_AT'; did you mean de-at?",
    ],
    [
      '{{ module.faker.locale.en.user_nam() }}',
      "AttributeError: module.faker.locale.en has no 'user_nam'; did you mean user_name?",
    ],
    [
      '{{ module.faker.locale.en.nam(1) }}',
      "AttributeError: module.faker.locale.en has no 'nam'; did you mean name?",
    ],
    [
      '{{ module.faker.locale.en.quantum() }}',
      "AttributeError: module.faker.locale.en has no 'quantum'; names are those of the standard providers of Python's Faker",
    ],
    [
      '{{ module.faker.locale.en.constructor() }}',
      "AttributeError: module.faker.locale.en has no 'constructor'",
    ],
    [
      '{{ module.mimesis.locale.en.persn.age() }}',
      "UndefinedError: module.mimesis.locale['en'] has no 'persn'; did you mean person?",
    ],
    [
      '{{ module.mimesis.locale.en.food.wombat() }}',
      "AttributeError: module.mimesis.locale['en'].food has no 'wombat'; it has dish, drink",
    ],
    ['{{ module.faker.locale.en.name }}{{ module.faker.locale.en.name() + 1 }}', 'TypeError'],
  ])('%s', (text, message) => {
    const { kind, reason } = errorOf(text, everything);
    expect(`${kind}: ${reason}`).toContain(message);
  });

  test('can be tested with `is defined`', () => {
    const text = '{{ module.faker.locale.xx is defined }}{{ module.faker.locale.en.nope is defined }}';
    expect(rendered(text, everything)).toBe('FalseFalse');
    expect(rendered('{{ module.faker.locale[1] is defined }}', everything)).toBe('False');
  });

  test('the error of an unloaded locale says what to write', async () => {
    const names = await moduleWith({ faker: ['en'] });
    expect(errorOf("{{ module.faker.locale['de_' ~ 'DE'].name() }}", names).reason).toContain(
      "the locale de_DE is not loaded: write module.faker.locale['de_DE']",
    );
  });

  test('names of no locale are not loaded', async () => {
    expect([...(await loadLocales(['xx', 'de_DE', 'de_DE'], ports())).keys()]).toEqual(['de_DE']);
  });
});

/** Every function of both modules once, in English. */
const allTexts = async (random: Random): Promise<readonly string[]> => {
  const names = await moduleWith({ faker: ['en_US'], mimesis: ['en'] }, { random });
  return [
    ...callAll(localesOf(names, 'faker').item('en_US') ?? null).values(),
    ...callAll(localesOf(names, 'mimesis').item('en') ?? null).values(),
  ];
};

describe('chance and time', () => {
  test('the same seed gives the same values, another seed others', async () => {
    const first = await allTexts(seededRandom(7));
    expect(await allTexts(seededRandom(7))).toEqual(first);
    const other = await allTexts(seededRandom(8));
    expect(other.filter((text, i) => text === first[i]).length).toBeLessThan(first.length / 3);
  });

  test('neither the clock nor the numbers of JavaScript are used', async () => {
    const names = await moduleWith({ faker: ['en_US'], mimesis: ['en'] });
    const expected = await allTexts(seededRandom(1));
    const chance = jest.spyOn(Math, 'random').mockImplementation(() => {
      throw new Error('Math.random was called');
    });
    jest.useFakeTimers({ now: Date.parse('1999-01-01T00:00:00Z') });
    try {
      const texts = [
        ...callAll(localesOf(names, 'faker').item('en_US') ?? null).values(),
        ...callAll(localesOf(names, 'mimesis').item('en') ?? null).values(),
      ];
      expect(texts).toEqual(expected);
      expect(chance).not.toHaveBeenCalled();
    } finally {
      jest.useRealTimers();
      chance.mockRestore();
    }
  });

  const namesOf = (locale: LoadedLocale, count: number): readonly string[] =>
    Array.from({ length: count }, () => locale.of((faker) => faker.person.fullName()));

  const one = async (name: string, names: readonly string[]): Promise<LoadedLocale> => {
    const locale = (await loadLocales(names, ports())).get(name);
    if (locale === undefined) throw new Error(`no ${name}`);
    return locale;
  };

  test('two modules in one process share nothing', async () => {
    const alone = namesOf(await one('en', ['en']), 10);
    const [a, b] = [await one('en', ['en']), await one('en', ['en'])];
    const mixed = Array.from({ length: 10 }, () => [namesOf(a, 1), namesOf(b, 1)].flat());
    expect(mixed.map(([first]) => first)).toEqual(alone);
    expect(mixed.map(([, second]) => second)).toEqual(alone);
  });

  test('another locale in the list changes nothing, and each has its own stream', async () => {
    expect(namesOf(await one('de', ['en', 'fr', 'de']), 5)).toEqual(namesOf(await one('de', ['de']), 5));
    expect(namesOf(await one('de_DE', ['de_DE']), 5)).not.toEqual(namesOf(await one('de', ['de']), 5));
  });

  test('a locale resumes from its saved stream', async () => {
    const locale = await one('en', ['en']);
    namesOf(locale, 3);
    const saved = locale.random.snapshot();
    const next = namesOf(locale, 5);
    const again = await one('en', ['en']);
    again.random.restore(saved);
    expect(namesOf(again, 5)).toEqual(next);
  });
});

test('an exception of faker-js is a template error', async () => {
  const locale = (await loadLocales(['de'], ports())).get('de');
  expect(() => locale?.of((faker) => faker.finance.iban({ countryCode: 'XX' }))).toThrow(
    /^no value for the locale de: /,
  );
});

test('an undefined locale is undefined in the language', async () => {
  const table = localesOf(await moduleWith({}), 'faker');
  expect(table.attribute('xx')).toBeInstanceOf(Undefined);
});
