import { describe, expect, test } from '@jest/globals';
import {
  FAKER_LOCALES,
  MIMESIS_LOCALES,
} from '../../../../../../src/plugins/events/template/context/faker/localeNames.js';
import { localesIn } from '../../../../../../src/plugins/events/template/context/faker/scan.js';

const ALL = [...FAKER_LOCALES.keys()];
const EVERY = [...MIMESIS_LOCALES.keys()];

describe('the locales that templates need', () => {
  test.each<[readonly string[], readonly string[], readonly string[]]>([
    [["{{ module.faker.locale['en_US'].name() }}"], ['en_US'], []],
    [['{{ module.faker.locale.de_DE.name() }}{{ module.faker.locale.en.name() }}'], ['de_DE', 'en'], []],
    [["{{ module['faker']['locale']['ja_JP'].name() }}"], ['ja_JP'], []],
    [["{{ module.mimesis.locale['en-gb'].person.age() }}"], [], ['en-gb']],
    [
      ["{% set f = module.faker %}{% macro m() %}{{ f.locale['ru_RU'].name() }}{% endmacro %}"],
      ['ru_RU'],
      [],
    ],
    [
      ['{% set f = module.faker.locale.fr %}{% for i in range(2) %}{{ f.name() }}{% endfor %}', 'plain'],
      ['fr'],
      [],
    ],
    // The module is taken in one file and used in another.
    [
      ["{% import 'b' as b %}{{ b.go(module.faker) }}", '{% macro go(f) %}{{ f.locale.it }}{% endmacro %}'],
      ['it'],
      [],
    ],
    [['{{ module.faker.locale.de.name() }}{{ module.mimesis.locale.de.person.age() }}'], ['de'], ['de']],
    [['{{ module.faker.locale.xx_XX.name() }}'], [], []],
    [['{{ module.rand.chance(1) }}{{ row.locale }}{{ params.locale.de }}'], [], []],
    [['{{ module.faker.locale.de.name() }}{{ params.locale }}{{ locale }}'], ['de'], []],
    [["{{ {'locale': 'en'} }}{{ module.faker.locale.de.locale() }}{# module.faker.locale[x] #}"], ['de'], []],
    [['{{ module.faker.locale.de.name( }}'], [], []],
    [[], [], []],
  ])('%j', (templates, faker, mimesis) => {
    expect(localesIn(templates)).toEqual({ faker, mimesis });
  });

  test.each([
    '{{ module.faker.locale[params.where].name() }}',
    "{{ module.faker.locale['en' ~ '_US'].name() }}",
    '{% set l = module.faker.locale %}{{ l.de.name() }}',
    "{{ (module.faker | attr('locale'))['de'].name() }}",
    "{{ [module.faker] | map(attribute='locale.de') | list }}",
    '{% for l in module.faker.locale %}{{ l }}{% endfor %}',
    "{% set x = 'locale' %}{{ module.faker[x].de.name() }}",
    '{{ module.faker.locale[1:2] }}',
  ])('all of faker: %s', (template) => {
    expect(localesIn([template])).toEqual({ faker: ALL, mimesis: [] });
  });

  test('all of both if the module is passed on', () => {
    expect(localesIn(['{% set m = module %}{{ m[a].locale[b] }}'])).toEqual({ faker: ALL, mimesis: EVERY });
  });
});
