import type { Random } from '../../../../../domain/random/random.js';
import { floatOf, PyDict, type Value } from '../../../../../template/index.js';
import { oneOf, real, whole } from '../faker/args.js';
import { cardNumber, cardOf, securityCode } from '../faker/cards.js';
import { between, hex, pick, wholeBetween } from '../faker/draws.js';
import { CRYPTOCURRENCIES, companyName, companySuffix, currencyCode } from '../faker/groups/business.js';
import { fullName } from '../faker/groups/person.js';
import type { Group } from '../faker/providers.js';
import { plainOf } from './enums.js';
import { genderOf } from './people.js';
import { BANKS, STOCK_EXCHANGES, STOCKS } from './tables.js';

const CRYPTO_SYMBOLS = ['₿', 'Ł', 'Ξ', 'Đ'];

const price = (random: Random, low: Value | undefined, high: Value | undefined, digits: number): Value =>
  floatOf(Number(between(random, real(low, 'minimum'), real(high, 'maximum')).toFixed(digits)));

export const finance: Group = (locale) => {
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

/** Names of the enum's cards in `cards.ts`. */
const CARD_KINDS: Readonly<Record<string, string>> = {
  Visa: 'visa16',
  MasterCard: 'mastercard',
  'American Express': 'amex',
};

export const payment: Group = (locale) => {
  const { random, of } = locale;
  const number = (kind: Value | undefined): string => {
    const names = Object.keys(CARD_KINDS);
    const wanted = oneOf(plainOf(kind), 'card_type', names) ?? pick(random, names);
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
