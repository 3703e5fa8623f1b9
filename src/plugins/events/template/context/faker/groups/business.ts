import type { Random } from '../../../../../../domain/random.js';
import { PyTuple, type Value } from '../../../../../../template/index.js';
import { flag, oneOf, textOrNone, wholeOrNone } from '../args.js';
import { cardNumber, cardOf, securityCode } from '../cards.js';
import { abaDigit } from '../checkDigits.js';
import { digits, pick } from '../draws.js';
import type { LoadedLocale } from '../locales.js';
import { momentAt, nowSeconds, secondBetween, secondsFrom } from '../moments.js';
import type { Group } from '../providers.js';
import { fullName } from './person.js';

export const CRYPTOCURRENCIES: readonly (readonly [code: string, name: string])[] = [
  ['ADA', 'Cardano'],
  ['BCH', 'Bitcoin Cash'],
  ['BNB', 'BNB'],
  ['BTC', 'Bitcoin'],
  ['DASH', 'Dash'],
  ['DOGE', 'Dogecoin'],
  ['DOT', 'Polkadot'],
  ['ETC', 'Ethereum Classic'],
  ['ETH', 'Ethereum'],
  ['LTC', 'Litecoin'],
  ['SOL', 'Solana'],
  ['TRX', 'TRON'],
  ['XLM', 'Stellar'],
  ['XMR', 'Monero'],
  ['XRP', 'XRP'],
  ['ZEC', 'Zcash'],
];

export const companyName = ({ of }: LoadedLocale): string => of((faker) => faker.company.name());
export const companySuffix = ({ of }: LoadedLocale): string =>
  of((faker) => {
    const known: unknown = faker.definitions.company['legal_entity_type'];
    const texts = Array.isArray(known) ? known.filter((each) => typeof each === 'string') : [];
    return faker.helpers.arrayElement(texts);
  });
export const currencyCode = ({ of }: LoadedLocale): string => of((faker) => faker.finance.currencyCode());

/** With valid check digits; British if the country has no IBAN. */
const iban = ({ of, country }: LoadedLocale): string =>
  of((faker) => {
    try {
      return faker.finance.iban({ countryCode: country });
    } catch {
      return faker.finance.iban({ countryCode: 'GB' });
    }
  });

/** 8 or 11 characters (ISO 9362). */
const swift = ({ of }: LoadedLocale, length: number | null): string =>
  of((faker) => faker.finance.bic({ includeBranchCode: length === 11 }));

/** US dollars and cents, with commas. */
const priceTag = (random: Random): string => {
  const dollars = pick(random, [
    random.integer(1, 99),
    random.integer(100, 999),
    random.integer(1_000, 9_999),
    random.integer(10_000, 99_999),
  ]);
  return `$${dollars.toLocaleString('en-US')}.${digits(random, 2)}`;
};

const cards: Group = (locale) => {
  const { random } = locale;
  const kind = (value: Value): ReturnType<typeof cardOf> => cardOf(random, textOrNone(value, 'card_type'));
  const expiry = (from: Value, to: Value, format: string): string => {
    const now = nowSeconds(locale, null);
    const [start, end] = [from, to].map((each) => secondsFrom(each, now, locale.zone, 86_400));
    return momentAt(secondBetween(random, start ?? now, end ?? now), null).format(format);
  };
  return {
    'credit_card_number(card_type=None)': (type) => cardNumber(random, kind(type ?? null)),
    'credit_card_provider(card_type=None)': (type) => kind(type ?? null).name,
    'credit_card_security_code(card_type=None)': (type) => securityCode(random, kind(type ?? null)),
    "credit_card_expire(start='now', end='+10y', date_format='%m/%y')": (start, end, format) =>
      expiry(start ?? 'now', end ?? '+10y', textOrNone(format, 'date_format') ?? '%m/%y'),
    'credit_card_full(card_type=None)': (type) => {
      const card = kind(type ?? null);
      const line = `${cardNumber(random, card)} ${expiry('now', '+10y', '%m/%y')}`;
      return `${card.name}\n${fullName(locale)}\n${line}\n${card.codeName}: ${securityCode(random, card)}\n`;
    },
  };
};

export const business: Group = (locale) => {
  const { random, of } = locale;
  return {
    'company()': () => companyName(locale),
    'company_suffix()': () => companySuffix(locale),
    'catch_phrase()': () => of((faker) => faker.company.catchPhrase()),
    'bs()': () => of((faker) => faker.company.buzzPhrase()),
    'iban()': () => iban(locale),
    'bban()': () => iban(locale).slice(4),
    'bank_country()': () => iban(locale).slice(0, 2),
    'aba()': () => {
      const body = `${pick(random, ['0', '1', '2', '3'])}${digits(random, 7)}`;
      return body + abaDigit(body);
    },
    'swift(length=None, primary=False, use_dataset=False)': (length, primary) => {
      const size = wholeOrNone(length, 'length');
      oneOf(size === null ? null : String(size), 'length', ['8', '11']);
      if (size !== 11 || !flag(primary)) return swift(locale, size);
      return `${swift(locale, 8)}XXX`;
    },
    'swift8(use_dataset=False)': () => swift(locale, 8),
    'swift11(primary=False, use_dataset=False)': (primary) =>
      flag(primary) ? `${swift(locale, 8)}XXX` : swift(locale, 11),
    'currency()': () => {
      const { code, name } = of((faker) => faker.finance.currency());
      return new PyTuple([code, name]);
    },
    'currency_code()': () => currencyCode(locale),
    'currency_name()': () => of((faker) => faker.finance.currencyName()),
    'currency_symbol(code=None)': (code) => {
      const wanted = textOrNone(code, 'code');
      if (wanted === null) return of((faker) => faker.finance.currencySymbol());
      return of(
        (faker) => faker.definitions.finance.currency.find((each) => each.code === wanted)?.symbol || wanted,
      );
    },
    'cryptocurrency()': () => new PyTuple([...pick(random, CRYPTOCURRENCIES)]),
    'cryptocurrency_code()': () => pick(random, CRYPTOCURRENCIES)[0],
    'cryptocurrency_name()': () => pick(random, CRYPTOCURRENCIES)[1],
    'pricetag()': () => priceTag(random),
    ...cards(locale),
  };
};
