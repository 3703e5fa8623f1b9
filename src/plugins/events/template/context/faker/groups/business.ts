import type { Random } from '../../../../../../domain/random.js';
import { PyTuple, raise, type Value } from '../../../../../../template/index.js';
import { digits, pick } from '../draws.js';
import type { LoadedLocale } from '../locales.js';
import { momentAt, nowSeconds, secondBetween, secondsFrom } from '../moments.js';
import { drawnOneOf, flag, type Group, textOrNone, wholeOrNone } from '../providers.js';
import { abaDigit, luhnDigit } from './codes.js';
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
      drawnOneOf(size === null ? null : String(size), 'length', ['8', '11']);
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

interface Card {
  readonly name: string;
  readonly prefixes: readonly string[];
  readonly length: number;
  readonly codeName: string;
  readonly codeLength: number;
}

const card = (
  name: string,
  prefixes: readonly string[],
  length = 16,
  codeName = 'CVC',
  codeLength = 3,
): Card => ({ name, prefixes, length, codeName, codeLength });

/** By the names of Python's Faker; prefixes as published by the networks. */
const CARDS: ReadonlyMap<string, Card> = new Map([
  ['amex', card('American Express', ['34', '37'], 15, 'CID', 4)],
  ['diners', card('Diners Club / Carte Blanche', ['300', '301', '302', '303', '304', '305', '36', '38'], 14)],
  ['discover', card('Discover', ['6011', '65'])],
  ['jcb15', card('JCB 15 digit', ['2131', '1800'], 15)],
  ['jcb16', card('JCB 16 digit', ['35'])],
  ['maestro', card('Maestro', ['5018', '5020', '5038', '6304', '6759', '6761', '6763'], 12, 'CVV')],
  ['mastercard', card('Mastercard', ['51', '52', '53', '54', '55', '2221', '2720'], 16, 'CVV')],
  ['visa13', card('VISA 13 digit', ['4'], 13)],
  ['visa16', card('VISA 16 digit', ['4'])],
  ['visa19', card('VISA 19 digit', ['4'], 19)],
]);

const KINDS = [...CARDS.keys()];

const ALIASES: Readonly<Record<string, string>> = { visa: 'visa16', jcb: 'jcb16' };

/** Returns a card of a kind, or of any kind when it is null. A `ValueError` lists the kinds. */
export const cardOf = (random: Random, kind: string | null): Card => {
  const name = kind ?? pick(random, KINDS);
  return (
    CARDS.get(ALIASES[name] ?? name) ??
    raise('ValueError', `unknown card type '${name}'; known: ${KINDS.join(', ')}`)
  );
};

/** Passes Luhn's check. */
export const cardNumber = (random: Random, { prefixes, length }: Card): string => {
  const prefix = pick(random, prefixes);
  const body = prefix + digits(random, length - prefix.length - 1);
  return body + luhnDigit(body);
};

export const securityCode = (random: Random, { codeLength }: Card): string => digits(random, codeLength);
