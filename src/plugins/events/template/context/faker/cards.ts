import type { Random } from '../../../../../domain/random.js';
import { raise } from '../../../../../template/index.js';
import { luhnDigit } from './checkDigits.js';
import { digits, pick } from './draws.js';

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
