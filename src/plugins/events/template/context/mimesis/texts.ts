import { PyTuple, type Value } from '../../../../../template/index.js';
import { count, flag } from '../faker/args.js';
import { hex, LOWER_LETTERS, pick, UPPER_LETTERS } from '../faker/draws.js';
import { paragraph, sentence, wordsOf } from '../faker/groups/lorem.js';
import { colorName, emoji, rgb, safeHexColor } from '../faker/groups/misc.js';
import type { Group } from '../faker/providers.js';
import { ANSWERS, LEVELS } from './tables.js';

const channels = (code: string): Value =>
  new PyTuple([1, 3, 5].map((at) => Number.parseInt(code.slice(at, at + 2), 16)));

export const text: Group = (locale) => {
  const { random } = locale;
  const words = wordsOf(locale);
  return {
    'alphabet(lower_case=False)': (isLower) => [...(flag(isLower) ? LOWER_LETTERS : UPPER_LETTERS)],
    'level()': () => pick(random, LEVELS),
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
