import type { Random } from '../../../../../domain/random.js';
import { floatOf, PyDict, PyTuple, type Value } from '../../../../../template/index.js';
import { between, chance, hex, LOWER_LETTERS, pick, UPPER_LETTERS, wholeBetween } from '../faker/draws.js';
import {
  CRYPTOCURRENCIES,
  cardNumber,
  cardOf,
  companyName,
  companySuffix,
  currencyCode,
  securityCode,
} from '../faker/groups/business.js';
import { fileWord, MIME_TYPES, ofKind } from '../faker/groups/files.js';
import { userName } from '../faker/groups/internet.js';
import { paragraph, sentence, wordsOf } from '../faker/groups/lorem.js';
import { colorName, emoji, rgb, safeHexColor } from '../faker/groups/misc.js';
import { fullName } from '../faker/groups/person.js';
import type { LoadedLocale } from '../faker/locales.js';
import {
  count,
  drawnOneOf,
  flag,
  type Group,
  Providers,
  pureMembers,
  real,
  whole,
} from '../faker/providers.js';
import { Choice } from './choice.js';
import * as tables from './deviceTables.js';
import { LANGUAGES } from './deviceTables.js';
import { plainOf } from './enums.js';
import { internetProvider } from './internet.js';
import { code, cryptographic, numeric, science } from './numbers.js';
import { genderOf, personProvider } from './people.js';
import { addressProvider } from './places.js';
import { ANSWERS, BANKS, FILE_EXTENSIONS, LOG_LEVEL_NAMES, STOCK_EXCHANGES, STOCKS } from './tables.js';
import { datetime } from './time.js';

const CRYPTO_SYMBOLS = ['₿', 'Ł', 'Ξ', 'Đ'];

const price = (random: Random, low: Value | undefined, high: Value | undefined, digits: number): Value =>
  floatOf(Number(between(random, real(low, 'minimum'), real(high, 'maximum')).toFixed(digits)));

const finance: Group = (locale) => {
  const { random, of } = locale;
  return {
    'company()': () => companyName(locale),
    'company_type(abbr=False)': () => companySuffix(locale),
    'currency_iso_code(allow_random=False)': () => currencyCode(locale),
    'currency_symbol()': () => of((faker) => faker.finance.currencySymbol()),
    'cryptocurrency_iso_code()': () => pick(random, CRYPTOCURRENCIES)[0],
    'cryptocurrency_symbol()': () => pick(random, CRYPTO_SYMBOLS),
    'bank()': () => pick(random, BANKS),
    'price(minimum=500, maximum=1500)': (low, high) => price(random, low, high, 2),
    'price_in_btc(minimum=0, maximum=2)': (low, high) => price(random, low, high, 7),
    'stock_ticker()': () => pick(random, STOCKS)[0],
    'stock_name()': () => pick(random, STOCKS)[1],
    'stock_exchange()': () => pick(random, STOCK_EXCHANGES),
  };
};

/** Names of the enum's cards in `groups/business.ts` of faker. */
const CARD_KINDS: Readonly<Record<string, string>> = {
  Visa: 'visa16',
  MasterCard: 'mastercard',
  'American Express': 'amex',
};

const payment: Group = (locale) => {
  const { random, of } = locale;
  const number = (kind: Value | undefined): string => {
    const names = Object.keys(CARD_KINDS);
    const wanted = drawnOneOf(plainOf(kind), 'card_type', names) ?? pick(random, names);
    const digits = cardNumber(random, cardOf(random, CARD_KINDS[wanted] ?? null));
    return wanted === 'American Express'
      ? digits.replace(/^(.{4})(.{6})/, '$1 $2 ')
      : (digits.match(/.{4}/g) ?? []).join(' ');
  };
  const expiry = (low: Value | undefined, high: Value | undefined): string => {
    const year = wholeBetween(random, whole(low, 'minimum'), whole(high, 'maximum'), 'the years');
    return `${String(random.integer(1, 12)).padStart(2, '0')}/${year}`;
  };
  return {
    'credit_card_number(card_type=None)': number,
    'credit_card_network()': () => pick(random, Object.keys(CARD_KINDS)),
    'credit_card_expiration_date(minimum=26, maximum=35)': expiry,
    'credit_card_owner(gender=None)': (gender) =>
      new PyDict()
        .set('credit_card', number(null))
        .set('expiration_date', expiry(26, 35))
        .set('owner', fullName(locale, genderOf(random, gender)).toUpperCase()),
    'cvv()': () => securityCode(random, cardOf(random, 'visa16')),
    'cid()': () => securityCode(random, cardOf(random, 'amex')),
    'bitcoin_address()': () => of((faker) => faker.finance.bitcoinAddress()),
    'ethereum_address()': () => `0x${hex(random, 40)}`,
  };
};

const SIZE_UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];
const USER_FOLDERS = [
  'Books',
  'Desktop',
  'Development',
  'Documents',
  'Downloads',
  'Movies',
  'Music',
  'Pictures',
  'Videos',
];

const file: Group = (locale) => {
  const { random } = locale;
  const extension = (type: Value | undefined): string =>
    ofKind(random, FILE_EXTENSIONS, drawnOneOf(plainOf(type), 'file_type', Object.keys(FILE_EXTENSIONS)));
  return {
    'file_name(file_type=None)': (type) => `${fileWord(locale)}${extension(type)}`,
    'extension(file_type=None)': extension,
    'mime_type(type_=None)': (type) =>
      ofKind(random, MIME_TYPES, drawnOneOf(plainOf(type), 'type_', Object.keys(MIME_TYPES))),
    'size(minimum=1, maximum=100)': (low, high) =>
      `${wholeBetween(random, whole(low, 'minimum'), whole(high, 'maximum'), 'size')} ${pick(random, SIZE_UNITS)}`,
  };
};

/** Linux paths. */
const path: Group = (locale) => {
  const { random } = locale;
  const user = (): string => `/home/${userName(locale)}`;
  const folder = (): string => `${user()}/Development/${pick(random, LANGUAGES).replace(/[^A-Za-z]/g, '')}`;
  return {
    'root()': () => '/',
    'home()': () => '/home',
    'user()': user,
    'users_folder()': () => `${user()}/${pick(random, USER_FOLDERS)}`,
    'dev_dir()': folder,
    'project_dir()': () => `${folder()}/${fileWord(locale)}`,
  };
};

const hardware: Group = ({ random }) => ({
  'resolution()': () => pick(random, tables.RESOLUTIONS),
  'screen_size()': () => pick(random, tables.SCREEN_SIZES),
  'cpu()': () => pick(random, tables.CPUS),
  'cpu_frequency()': () => `${(random.integer(15, 57) / 10).toFixed(1)}GHz`,
  'cpu_codename()': () => pick(random, tables.CPU_CODENAMES),
  'generation()': () => pick(random, tables.GENERATIONS),
  'ram_type()': () => pick(random, tables.RAM_TYPES),
  'ram_size()': () => pick(random, tables.RAM_SIZES),
  'ssd_or_hdd()': () => pick(random, tables.DISKS),
  'graphics()': () => pick(random, tables.GRAPHICS),
  'manufacturer()': () => pick(random, tables.COMPUTER_MAKERS),
  'phone_model()': () => pick(random, tables.PHONES),
});

const development: Group = ({ random, now }) => ({
  'software_license()': () => pick(random, tables.LICENSES),
  'version()': () => `${random.integer(0, 20)}.${random.integer(0, 20)}.${random.integer(0, 20)}`,
  'calver()': () => {
    const year = new Date(Math.floor(now() / 1_000)).getUTCFullYear();
    return `${random.integer(2016, Math.max(2016, year))}.${random.integer(1, 12)}.${random.integer(1, 30)}`;
  },
  'stage()': () => pick(random, tables.STAGES),
  'programming_language()': () => pick(random, tables.LANGUAGES),
  'os()': () => pick(random, tables.SYSTEMS),
  'boolean()': () => chance(random, 0.5),
  'system_quality_attribute()': () => pick(random, tables.QUALITIES),
  'ility()': () => pick(random, tables.QUALITIES),
});

const transport: Group = ({ of }) => ({
  'manufacturer()': () => of((faker) => faker.vehicle.manufacturer()),
  'car()': () => of((faker) => faker.vehicle.vehicle()),
  'airplane()': () => of((faker) => faker.airline.airplane().name),
  'vehicle_registration_code(locale=None)': () => of((faker) => faker.location.countryCode('alpha-2')),
  'vin_code()': () => of((faker) => faker.vehicle.vin()),
  'vin()': () => of((faker) => faker.vehicle.vin()),
});

const food: Group = ({ random, of }) => ({
  'dish()': () => of((faker) => faker.food.dish()),
  'drink()': () => pick(random, tables.DRINKS),
  'fruit()': () => of((faker) => faker.food.fruit()),
  'spices()': () => of((faker) => faker.food.spice()),
  'vegetable()': () => of((faker) => faker.food.vegetable()),
});

const channels = (code: string): Value =>
  new PyTuple([1, 3, 5].map((at) => Number.parseInt(code.slice(at, at + 2), 16)));

const text: Group = (locale) => {
  const { random } = locale;
  const words = wordsOf(locale);
  return {
    'alphabet(lower_case=False)': (isLower) => [...(flag(isLower) ? LOWER_LETTERS : UPPER_LETTERS)],
    'level()': () => pick(random, LOG_LEVEL_NAMES),
    'text(quantity=5)': (quantity) => paragraph(locale, words, count(quantity, 'quantity'), false),
    'sentence()': () => sentence(locale, words),
    'title()': () => sentence(locale, words).slice(0, -1),
    'words(quantity=5)': (quantity) => words(count(quantity, 'quantity')),
    'word()': () => words(1).join(''),
    'quote()': () => sentence(locale, words, 12),
    'color()': () => colorName(locale),
    'hex_color(safe=False)': (isSafe) => (flag(isSafe) ? safeHexColor(random) : `#${hex(random, 6)}`),
    'rgb_color(safe=False)': (isSafe) =>
      flag(isSafe) ? channels(safeHexColor(random)) : new PyTuple([...rgb(random)]),
    'answer()': () => pick(random, ANSWERS),
    'emoji(category=None)': () => emoji(locale),
  };
};

export const MIMESIS_GROUPS: Readonly<Record<string, Group>> = {
  person: personProvider,
  internet: internetProvider,
  address: addressProvider,
  datetime,
  text,
  finance,
  hardware,
  code,
  cryptographic,
  numeric,
  payment,
  transport,
  food,
  path,
  file,
  development,
  science,
};

/** All that a locale of `module.mimesis` has. */
export const mimesisProviders = (locale: LoadedLocale): Providers => {
  const owner = `module.mimesis.locale['${locale.name}']`;
  const groups = Object.entries(MIMESIS_GROUPS).map(([name, group]): [string, Value] => [
    name,
    new Providers(`${owner}.${name}`, new Map(pureMembers(group(locale)))),
  ]);
  return new Providers(owner, new Map([...groups, ['choice', new Choice(locale.random)]]));
};
