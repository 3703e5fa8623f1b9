import { checkLonger, checkText } from '../limits.js';
import { capitalized } from '../text/characters.js';
import { split } from '../text/split.js';
import { callMethodOf, type Methods, methodOf, native, rawMethods } from '../values/calls/method.js';
import { raise } from '../values/fault.js';
import { repr, str } from '../values/operations/print.js';
import { fillDict, PyDict } from '../values/types/dict.js';
import { textOf } from '../values/types/markup.js';
import { type Kwargs, TemplateObject, typeName, type Value } from '../values/value.js';
import { HostModule } from './hostModule.js';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
const WHITESPACE = ' \t\n\r\v\f';

const PLACE = /\$(?:(\$)|([_a-zA-Z][_a-zA-Z0-9]*)|\{([_a-zA-Z][_a-zA-Z0-9]*)\}|)/g;

const needText = (value: Value): string =>
  textOf(value) ?? raise('TypeError', `expected str, not ${typeName(value)}`);

class PyTemplate extends TemplateObject {
  constructor(readonly template: string) {
    super();
  }
  get typeName(): string {
    return 'string.Template';
  }
  override attribute(name: string): Value | undefined {
    return name === 'template' ? this.template : methodOf(TEMPLATE_METHODS, this, name);
  }
  override callMethod(name: string, args: readonly Value[], kwargs: Kwargs | null): Value | undefined {
    return callMethodOf(TEMPLATE_METHODS, this, name, args, kwargs);
  }
  filled(args: readonly Value[], kwargs: Kwargs | null, isSafe: boolean): string {
    const [source] = args;
    const values = fillDict(new PyDict(), source, kwargs);
    let length = 0;
    const result = this.template.replace(
      PLACE,
      (whole: string, dollar?: string, plain?: string, braced?: string, ...rest: unknown[]) => {
        if (dollar !== undefined) return '$';
        const name = plain ?? braced;
        if (name === undefined) return isSafe ? whole : this.invalid(Number(rest[0]));
        const value = values.get(name);
        if (value === undefined) return isSafe ? whole : raise('KeyError', repr(name));
        const text = str(value);
        length += text.length;
        checkLonger(length);
        return text;
      },
    );
    return checkText(result);
  }
  private invalid(at: number): never {
    const before = this.template.slice(0, at).split('\n');
    const column = (before.at(-1) ?? '').length + 1;
    return raise('ValueError', `Invalid placeholder in string: line ${before.length}, col ${column}`);
  }
}

const TEMPLATE_METHODS: Methods<PyTemplate> = rawMethods<PyTemplate>({
  substitute: (self, args, kwargs) => self.filled(args, kwargs, false),
  safe_substitute: (self, args, kwargs) => self.filled(args, kwargs, true),
});

export const stringModule = (): HostModule =>
  new HostModule('string', {
    ascii_lowercase: LOWER,
    ascii_uppercase: UPPER,
    ascii_letters: LOWER + UPPER,
    digits: DIGITS,
    hexdigits: `${DIGITS}abcdefABCDEF`,
    octdigits: '01234567',
    punctuation: PUNCTUATION,
    whitespace: ' \t\n\r\x0b\x0c',
    printable: DIGITS + LOWER + UPPER + PUNCTUATION + WHITESPACE,
    capwords: native('capwords(s, sep=None)', (text = null, separator = null) => {
      const between = separator === null ? null : needText(separator);
      const words = split(needText(text), between === '' ? null : between, -1);
      return checkText(words.map(capitalized).join(between === null || between === '' ? ' ' : between));
    }),
    Template: native('Template(template)', (template = null) => new PyTemplate(needText(template))),
  });
