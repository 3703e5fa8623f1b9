import type { Random } from '../../../../../../domain/random/random.js';
import { type Callable, checkText, HostModule } from '../../../../../../template/index.js';
import { needCount, needText } from '../calls/arguments.js';
import { unary } from '../calls/functions.js';
import { type Alphabet, DECIMAL, LETTERS, LOWERCASE, PUNCTUATION, UPPERCASE } from './alphabet.js';
import { hexText } from './hex.js';
import { patterns } from './pattern.js';

export const stringModule = (random: Random): HostModule => {
  const patternText = patterns(random);
  const textsOf = (name: string, draw: (length: number) => string): Callable => {
    const fn = `rand.string.${name}`;
    return unary(`${fn}(n)`, (n) => checkText(draw(needCount(n, fn))));
  };
  const of = (name: string, alphabet: Alphabet): Callable =>
    textsOf(name, (length) => alphabet.draw(random, length));
  return new HostModule('rand.string', {
    letters_lowercase: of('letters_lowercase', LOWERCASE),
    letters_uppercase: of('letters_uppercase', UPPERCASE),
    letters: of('letters', LETTERS),
    digits: of('digits', DECIMAL),
    punctuation: of('punctuation', PUNCTUATION),
    hex: textsOf('hex', (length) => hexText(random, length)),
    pattern: unary('rand.string.pattern(format)', (format) =>
      checkText(patternText(needText(format, 'rand.string.pattern', 'format'))),
    ),
  });
};
