import { beforeAll, describe, expect, test } from '@jest/globals';
import { Providers } from '../../../../../../src/plugins/events/template/context/faker/providers.js';
import { TemplateObject, type Value } from '../../../../../../src/template/index.js';
import { englishRendering, moduleWith, type Rendering } from '../faker/support.js';
import { SHAPES } from './shapes.js';

let english: Rendering;
beforeAll(async () => {
  english = await englishRendering();
});

const memberOf = (owner: Value | undefined, name: string): Value | undefined =>
  owner instanceof TemplateObject ? (owner.attribute(name) ?? owner.item(name)) : undefined;

/** Paths of all methods of a locale: `person.full_name`. */
const methodsOf = (locale: Value | undefined): readonly string[] =>
  locale instanceof Providers
    ? locale.memberNames.flatMap((group) => {
        const methods = locale.attribute(group);
        return methods instanceof Providers ? methods.memberNames.map((name) => `${group}.${name}`) : [];
      })
    : [];

describe('methods of mimesis in en', () => {
  test('are all in the table of shapes', async () => {
    const names = await moduleWith({ mimesis: ['en'] });
    const locale = ['mimesis', 'locale', 'en'].reduce<Value | undefined>(memberOf, names.get('module'));
    expect([...methodsOf(locale)].sort()).toEqual(Object.keys(SHAPES).sort());
  });

  test.each(Object.entries(SHAPES))('%s is like %s', (name, shape) => {
    for (const value of english.many(`m.${name}()`, 30)) expect(value).toMatch(shape);
  });

  test('give many values', () => {
    const few = Object.keys(SHAPES).filter((name) => new Set(english.many(`m.${name}()`, 60)).size === 1);
    expect(few.sort()).toEqual(['address.default_country', 'path.home', 'path.root', 'text.alphabet']);
  });
});

const ENUMS = 'module.mimesis.enums';

describe('arguments', () => {
  test.each([
    [`m.person.full_name(gender=${ENUMS}.Gender.FEMALE)`, / /],
    ["m.person.first_name('male')", /^\p{Lu}/u],
    ["m.person.email(domains=['corp.test', '@corp.test'])", /^[a-z0-9]+@corp\.test$/],
    ["m.person.email(['a.b'], unique=True)", /^[0-9a-f]{32}@a\.b$/],
    ["m.person.username('l_d', [1990, 1991])", /^[a-z]+_199[01]$/],
    ["m.person.username(mask='C.U-d')", /^[A-Z][a-z]*\.[A-Z]+-\d{4}$/],
    ['m.person.password(12)', /^\S{12}$/],
    ['m.person.password(hashed=True)', /^[0-9a-f]{64}$/],
    ["m.person.phone_number(mask='+49-###')", /^\+49-\d{3}$/],
    ["m.person.telephone('*-1', placeholder='*')", /^\d-1$/],
    ['m.person.age(5, maximum=6)', /^[56]$/],
    ['m.person.height(1, 1.1)', /^1\.(0\d?|1)$/],
    [`m.internet.port(${ENUMS}.PortRange.EPHEMERAL)`, /^(49|5\d|6[0-5])\d{3}$/],
    ['m.internet.port([80, 81])', /^8[01]$/],
    ["m.internet.url(scheme='ftp', port_range=[21, 21])", /^ftp:\/\/[a-z.-]+:21\/$/],
    [`m.internet.url(${ENUMS}.URLScheme.WSS)`, /^wss:/],
    ["m.internet.hostname(subdomains=['www'])", /^www\./],
    [`m.internet.tld(${ENUMS}.TLDType.GEOTLD)`, /^\.[a-z]+$/],
    ['m.internet.uri(query_params_count=2)', /\?[a-z]+=[a-z]+&[a-z]+=[a-z]+$/],
    ['m.internet.slug(2)', /^[a-z]+-[a-z]+$/],
    [`m.internet.content_type(${ENUMS}.MimeType.TEXT)`, /^text\//],
    ['m.address.latitude(dms=True)', /^\d{1,2}º\d{1,2}'\d{1,2}\.\d{3}"[NS]$/],
    ["m.address.coordinates()['latitude'] is number", /^True$/],
    [`m.address.country_code(${ENUMS}.CountryCode.A3)`, /^[A-Z]{3}$/],
    ["m.address.country_code('numeric')", /^\d{3}$/],
    ['m.address.state(abbr=True)', /^[A-Z]{2}$/],
    ['m.address.street_number(1)', /^1$/],
    ['m.address.continent(code=True)', /^[A-Z]{2}$/],
    ['m.text.words(quantity=2)|length', /^2$/],
    ['m.text.hex_color(safe=True)', /^#(00|80|c0|ff)/],
    ['m.text.rgb_color(safe=True)', /^\((0|128|192|255), /],
    ['m.finance.price(1, 2)', /^(1\.\d{1,2}|2\.0)$/],
    [`m.payment.credit_card_number(card_type=${ENUMS}.CardType.VISA)`, /^4\d{3} \d{4} \d{4} \d{4}$/],
    [`m.cryptographic.hash(${ENUMS}.Algorithm.MD5)`, /^[0-9a-f]{32}$/],
    ['m.cryptographic.token_hex(4)', /^[0-9a-f]{8}$/],
    [`m.code.isbn(${ENUMS}.ISBNFormat.ISBN13)`, /^97[89]-/],
    ["m.code.ean('ean-8')", /^\d{8}$/],
    ["m.code.issn(mask='##-@')", /^\d\d-[A-Z]$/],
    ['m.numeric.integers(1, 2, n=3)', /^\[[12], [12], [12]\]$/],
    ['m.numeric.float_number(1, 2, precision=1)', /^(1\.\d|2\.0)$/],
    ["m.numeric.matrix(2, 1, 'integers', 3, 3)", /^\[\[3\], \[3\]\]$/],
    [`m.file.extension(${ENUMS}.FileType.AUDIO)`, /^\.(aac|flac|m4a|mp3|ogg|wav)$/],
    ['m.science.dna_sequence(length=3)', /^[TCGA]{3}$/],
    ["m.science.metric_prefix('negative', symbol=True)", /^[dcmμnpfa]$/],
    ['m.datetime.month(abbr=True)', /^[A-Z][a-z]{2}$/],
    ['m.choice([1, 2])', /^[12]$/],
    ['m.choice.choice(items=[1, 2])', /^[12]$/],
    ['m.choice([1, 2], length=3)', /^\[[12], [12], [12]\]$/],
    ["m.choice(('a', 'b'), length=2, unique=True)", /^\('([ab])', '(?!\1)[ab]'\)$/],
    ["m.choice('xyz', length=2)", /^[xyz]{2}$/],
    ['module.mimesis.random.randint(1, 2)', /^[12]$/],
    ['module.mimesis.random.randints(n=2, a=1, b=2)', /^\[[12], [12]\]$/],
    ["module.mimesis.random.choice(['a', 'b'])", /^[ab]$/],
    ["module.mimesis.random.choices(['a', 'b'], k=2)", /^\['[ab]', '[ab]'\]$/],
    ['module.mimesis.random.sample([1, 2], 2)|sort', /^\[1, 2\]$/],
    ['module.mimesis.random.random()', /^0\.\d+|\d.*e-/],
    ['module.mimesis.random.uniform(1, 2, precision=2)', /^(1\.\d{1,2}|2\.0)$/],
    ["module.mimesis.random.weighted_choice({'a': 0, 'b': 1})", /^b$/],
    [`module.mimesis.random.choice_enum_item(${ENUMS}.Gender)`, /^Gender\.(FE)?MALE$/],
    ["module.mimesis.random.generate_string('ab', length=3)", /^[ab]{3}$/],
    ["module.mimesis.random.generate_string_by_mask('@#-', char='@', digit='#')", /^[A-Z]\d-$/],
  ])('%s is like %s', (expression, shape) => {
    for (const value of english.many(expression, 20)) expect(value).toMatch(shape);
  });

  test.each([
    ["m.person.first_name('other')", 'ValueError: gender must be Gender.MALE'],
    ["m.person.username(mask='xyz')", 'ValueError: mask must consist of C, U, l, d'],
    ["m.person.username('d', [1])", 'ValueError: drange must be a list of two whole numbers'],
    ['m.person.age(7, 6)', 'ValueError: age: no number between 7 and 6'],
    ['m.internet.port(80)', 'TypeError: port_range must be a member of PortRange'],
    ['m.internet.port([1, 99999])', 'ValueError: port_range must be two numbers from 0 to 65535'],
    ["m.internet.tld('x')", 'ValueError: tld_type must be one of cctld'],
    ["m.address.country_code('fifa')", 'ValueError: code_format must be'],
    ['m.numeric.integers(n=-1)', 'ValueError: n must be 0 to 10000'],
    ['m.numeric.matrix(1000, 1000)', 'ValueError: m times n must be 0 to 10000'],
    ['m.numeric.float_number(precision=99)', 'ValueError: precision must be 0 to 15'],
    ['m.choice([])', 'ValueError: items must not be empty'],
    ['m.choice([1], length=2, unique=True)', 'ValueError: cannot pick 2 distinct items from 1'],
    ["m.choice([1], length='x')", 'TypeError: length must be an integer'],
    ["module.mimesis.random.weighted_choice(['a'])", 'TypeError: choices must be an object'],
    ['module.mimesis.random.randint(2, 1)', 'ValueError: randint'],
    [`${ENUMS}.Gender.OTHER.value`, "UndefinedError: Gender has no member 'OTHER'; known: MALE, FEMALE"],
  ])('%s fails: %s', (expression, message) => {
    expect(english.error(expression)).toContain(message);
  });
});

describe('enums', () => {
  test.each([
    [`${ENUMS}.Gender.MALE`, 'Gender.MALE'],
    [
      `[${ENUMS}.Gender.MALE, ${ENUMS}.PortRange.ALL]`,
      "[<Gender.MALE: 'male'>, <PortRange.ALL: (1, 65535)>]",
    ],
    [`${ENUMS}.Gender['FEMALE'].value`, 'female'],
    [`${ENUMS}.CardType.VISA.name`, 'VISA'],
    [`${ENUMS}.Gender | length`, '2'],
    [`${ENUMS}.Gender`, "<enum 'Gender'>"],
    [`${ENUMS}.Gender.MALE == ${ENUMS}.Gender.MALE`, 'True'],
    [`${ENUMS}.Gender.MALE == 'male'`, 'False'],
  ])('%s is %s', (expression, text) => {
    expect(english.shown(expression)).toBe(text);
  });
});
