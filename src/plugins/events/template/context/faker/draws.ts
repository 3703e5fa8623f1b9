import type { Random } from '../../../../../domain/random.js';
import { raise, type Value } from '../../../../../template/index.js';

export const LOWER_LETTERS = 'abcdefghijklmnopqrstuvwxyz';
export const UPPER_LETTERS = LOWER_LETTERS.toUpperCase();
export const LETTERS = LOWER_LETTERS + UPPER_LETTERS;
export const DIGITS = '0123456789';
export const HEX_DIGITS = '0123456789abcdef';

export const pick = <T>(random: Random, items: readonly T[]): T => {
  const item = items[random.integer(0, items.length - 1)];
  return item === undefined ? raise('IndexError', 'nothing to choose from') : item;
};

/** Weights of 0 or more, with a sum above 0. */
export const pickWeighted = <T>(
  random: Random,
  items: readonly (readonly [item: T, weight: number])[],
): T => {
  const total = items.reduce((sum, [, weight]) => sum + weight, 0);
  if (items.some(([, weight]) => !(weight >= 0)) || !(total > 0))
    return raise('ValueError', 'weights must be 0 or more, with a sum above 0');
  let rest = random.next() * total;
  for (const [item, weight] of items) {
    rest -= weight;
    if (rest < 0) return item;
  }
  return pick(
    random,
    items.filter(([, weight]) => weight > 0).map(([item]) => item),
  );
};

export const chance = (random: Random, probability: number): boolean => random.next() < probability;

/** With repeats. */
export const pickMany = <T>(random: Random, items: readonly T[], count: number): T[] =>
  Array.from({ length: count }, () => pick(random, items));

export const shuffled = <T>(random: Random, items: readonly T[], count = items.length): T[] => {
  const rest = items.slice();
  const result: T[] = [];
  while (result.length < count && rest.length > 0)
    result.push(...rest.splice(random.integer(0, rest.length - 1), 1));
  return result;
};

/** `alphabet`: ASCII. */
export const characters = (random: Random, alphabet: string, count: number): string => {
  let result = '';
  for (let i = 0; i < count; i++) result += alphabet.charAt(random.integer(0, alphabet.length - 1));
  return result;
};

export const digits = (random: Random, count: number): string => characters(random, DIGITS, count);

export const hex = (random: Random, count: number): string => characters(random, HEX_DIGITS, count);

export const between = (random: Random, low: number, high: number): number =>
  low + (high - low) * random.next();

/** Both ends included; ValueError for an empty range. */
export const wholeBetween = (random: Random, low: number, high: number, what: string): number =>
  low > high
    ? raise('ValueError', `${what}: no number between ${low} and ${high}`)
    : random.integer(low, high);

/** Version 4 (RFC 9562): 122 random bits. */
export const uuid4 = (random: Random): string => {
  const variant = pick(random, ['8', '9', 'a', 'b']);
  return `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-${variant}${hex(random, 3)}-${hex(random, 12)}`;
};

const DIGIT_HOLDERS: Readonly<Record<string, (random: Random) => string>> = {
  '#': (random) => digits(random, 1),
  '%': (random) => String(random.integer(1, 9)),
  $: (random) => String(random.integer(2, 9)),
  '!': (random) => (chance(random, 0.5) ? digits(random, 1) : ''),
  '@': (random) => (chance(random, 0.5) ? String(random.integer(1, 9)) : ''),
};

/** `#` digit, `%` digit but 0, `$` 2 to 9, `!` digit or nothing, `@` digit but 0 or nothing. */
export const numerify = (random: Random, pattern: string): string =>
  pattern.replace(/[#%$!@]/g, (holder) => DIGIT_HOLDERS[holder]?.(random) ?? holder);

/** `?` becomes a letter. */
export const lexify = (random: Random, pattern: string, letters: string): string =>
  pattern.replaceAll('?', () => characters(random, letters, 1));

/** `^` becomes a hexadecimal digit. */
export const hexify = (random: Random, pattern: string, isUpper: boolean): string =>
  pattern.replaceAll('^', () => (isUpper ? hex(random, 1).toUpperCase() : hex(random, 1)));

export const repeated = (times: number, draw: () => Value): Value[] => Array.from({ length: times }, draw);
