import type { Random } from '../../../../../../domain/random.js';
import { raise, type Value } from '../../../../../../template/index.js';
import { digits, lexify, numerify, pick, UPPER_LETTERS, wholeBetween } from '../draws.js';
import { elements, fakeText, type Group, whole } from '../providers.js';

/** US plates: `#` digit, `?` letter. */
const PLATES = ['??? ###', '###-???', '???-####', '#??? ###', '### ???', '#?? ?##', '??-#####'];

const padded = (value: number, size: number): string => String(value).padStart(size, '0');

/** US number: area 001 to 899 except 666, group 01 to 99, serial 0001 to 9999. */
const socialSecurityNumber = (random: Random): string => {
  const area = wholeBetween(random, 1, 898, 'ssn');
  return `${padded(area < 666 ? area : area + 1, 3)}-${padded(random.integer(1, 99), 2)}-${padded(random.integer(1, 9_999), 4)}`;
};

/** With a valid check digit; `prefix`: leading digits. */
export const ean = (random: Random, size: number, prefix = ''): string => {
  if (!/^\d*$/.test(prefix) || prefix.length >= size)
    return raise('ValueError', `the prefix of an EAN must be fewer than ${size} digits`);
  const body = prefix + digits(random, size - 1 - prefix.length);
  return body + eanDigit(body);
};

export const isbn13 = (random: Random, separator = '-'): string => {
  const registrant = random.integer(2, 5);
  const parts = [
    pick(random, ['978', '979']),
    pick(random, ['0', '1']),
    digits(random, registrant),
    digits(random, 8 - registrant),
  ];
  return [...parts, eanDigit(parts.join(''))].join(separator);
};

export const isbn10 = (random: Random, separator = '-'): string => {
  const registrant = random.integer(2, 5);
  const parts = [pick(random, ['0', '1']), digits(random, registrant), digits(random, 8 - registrant)];
  return [...parts, isbn10Digit(parts.join(''))].join(separator);
};

/** Strings, or lists of digits. */
const prefixOf = (random: Random, value: Value | undefined): string => {
  if ((value ?? null) === null) return '';
  const prefix = pick(random, elements(value, 'prefixes'));
  if (typeof prefix === 'string') return prefix;
  return elements(prefix, 'a prefix')
    .map((digit) => String(whole(digit, 'a digit of a prefix')))
    .join('');
};

export const codes: Group = ({ random, of }) => ({
  'ssn()': () => socialSecurityNumber(random),
  'license_plate()': () => lexify(random, numerify(random, pick(random, PLATES)), UPPER_LETTERS),
  'vin()': () => of((faker) => faker.vehicle.vin()),
  'ean(length=13, prefixes=None)': (size, prefixes) => {
    const given = whole(size, 'length');
    return given === 8 || given === 13
      ? ean(random, given, prefixOf(random, prefixes))
      : raise('ValueError', 'length must be 8 or 13');
  },
  'ean8(prefixes=None)': (prefixes) => ean(random, 8, prefixOf(random, prefixes)),
  'ean13(prefixes=None)': (prefixes) => ean(random, 13, prefixOf(random, prefixes)),
  'upc_a()': () => ean(random, 12),
  "isbn10(separator='-')": (separator) => isbn10(random, fakeText(separator, 'separator')),
  "isbn13(separator='-')": (separator) => isbn13(random, fakeText(separator, 'separator')),
});

/** Luhn's check digit (ISO/IEC 7812-1, annex B), for cards and IMEI. */
export const luhnDigit = (digits: string): string => {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    // Every second digit from the right counts double.
    const value = i % 2 === 0 ? digit * 2 : digit;
    sum += value > 9 ? value - 9 : value;
  }
  return String((10 - (sum % 10)) % 10);
};

/** Check digit of EAN, UPC, ISBN-13: weights 3 and 1 from the right (GS1). */
const eanDigit = (digits: string): string => {
  let sum = 0;
  for (let i = 0; i < digits.length; i++)
    sum += Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 3 : 1);
  return String((10 - (sum % 10)) % 10);
};

/** Check digit of ISBN-10: weights 10 to 2, modulo 11, X for ten. */
const isbn10Digit = (digits: string): string => {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits[i]) * (10 - i);
  const rest = (11 - (sum % 11)) % 11;
  return rest === 10 ? 'X' : String(rest);
};

/** Check digit of ISSN: weights 8 to 2, modulo 11, X for ten. */
export const issnDigit = (digits: string): string => {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits[i]) * (8 - i);
  const rest = (11 - (sum % 11)) % 11;
  return rest === 10 ? 'X' : String(rest);
};

/** Check digit of ABA bank numbers: weights 3, 7, 1. */
export const abaDigit = (digits: string): string => {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits[i]) * ([3, 7, 1][i % 3] ?? 1);
  return String((10 - (sum % 10)) % 10);
};
