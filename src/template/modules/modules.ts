import type { Random } from '../../domain/random.js';
import type { Micros } from '../../domain/time/micros.js';
import { DAY_NAMES_FROM_MONDAY, MONTH_NAMES } from '../../domain/time/names.js';
import { raise } from '../errors.js';
import { chargeLength, checkLength, checkLonger, checkText } from '../limits.js';
import { capitalized } from '../text/characters.js';
import { split } from '../text/search.js';
import { callMethodOf, type Methods, methodOf, native, rawMethods } from '../values/methods.js';
import { iterate } from '../values/operations/iterate.js';
import { repr, str } from '../values/operations/print.js';
import { needIndex } from '../values/operations/subscript.js';
import { needBytes, PyBytes } from '../values/types/bytes.js';
import { fillDict, PyDict } from '../values/types/dict.js';
import { textOf } from '../values/types/markup.js';
import { PyTuple } from '../values/types/sequences.js';
import { intOf, type Kwargs, TemplateObject, typeName, type Value } from '../values/value.js';
import { collectionsModule } from './collections/module.js';
import { dayOf, isLeap, monthLength, weekdayOf } from './datetime/civil.js';
import { datetimeModule } from './datetime/module.js';
import { type PyTzinfo, UTC_ZONE } from './datetime/zones.js';
import { type Digest, hashlibModule } from './hashlib.js';
import { HostModule, LazyMembers, type MemberMakers } from './hostModule.js';
import { ipaddressModule } from './ipaddress/module.js';
import { itertoolsModule } from './itertools.js';
import { jsonModule } from './json.js';
import { mathModule } from './math.js';
import { randomModule } from './random.js';
import { reModule } from './re.js';
import { timeModule } from './time.js';
import { urllibModule } from './urlParse.js';
import { uuidModule } from './uuid.js';

export interface ModulePorts {
  readonly random: () => Random;
  /** Clock of `datetime.now()`: the event's timestamp, which makes seeded runs repeatable. */
  readonly now: () => Micros;
  readonly digest: Digest;
  /** Zone of `time.localtime()`; default UTC. */
  readonly zone?: PyTzinfo;
}

/** Python modules: a closed list without host access, created at first use. `hosted`: of the plugin. */
export const makeModules = (ports: ModulePorts, hosted: MemberMakers = {}): LazyMembers =>
  new LazyMembers({
    ...hosted,
    datetime: () => datetimeModule(ports.now),
    json: () => jsonModule(),
    math: () => mathModule(),
    hashlib: () => hashlibModule(ports.digest),
    base64: () => base64Module(),
    calendar: () => calendarModule(),
    random: () => randomModule(ports.random),
    re: () => reModule(),
    uuid: () => uuidModule(ports.random, ports.now, ports.digest),
    string: () => stringModule(),
    ipaddress: () => ipaddressModule(),
    time: () => timeModule(ports.now, ports.zone ?? UTC_ZONE),
    itertools: () => itertoolsModule(),
    collections: () => collectionsModule(),
    urllib: () => urllibModule(),
  });

const MONTHS = ['', ...MONTH_NAMES];
const DAYS = DAY_NAMES_FROM_MONDAY;

const timegm = (value: Value | undefined): Value => {
  const [year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0] = [...iterate(value ?? null)]
    .slice(0, 6)
    .map(needIndex);
  const days = dayOf(year, month, 1) + day - 1;
  return intOf(BigInt(days) * 86_400n + BigInt((hour * 60 + minute) * 60 + second));
};

const monthRange = (year: number, month: number): PyTuple => {
  if (month < 1 || month > 12) return raise('IllegalMonthError', `bad month number ${month}; must be 1-12`);
  return new PyTuple([weekdayOf(dayOf(year, month, 1)), monthLength(year, month)]);
};

const leapDays = (from: number, to: number): number => {
  const before = (year: number): number =>
    Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
  return before(to - 1) - before(from - 1);
};

const calendarModule = (): HostModule => {
  const days = Object.fromEntries(DAYS.map((name, index) => [name.toUpperCase(), index]));
  return new HostModule('calendar', {
    ...days,
    timegm: native('timegm(tuple)', timegm),
    isleap: native('isleap(year)', (year) => isLeap(needIndex(year ?? null))),
    leapdays: native('leapdays(y1, y2)', (from, to) =>
      leapDays(needIndex(from ?? null), needIndex(to ?? null)),
    ),
    monthrange: native('monthrange(year, month)', (year, month) =>
      monthRange(needIndex(year ?? null), needIndex(month ?? null)),
    ),
    weekday: native('weekday(year, month, day)', (year, month, day) =>
      weekdayOf(dayOf(needIndex(year ?? null), needIndex(month ?? null), needIndex(day ?? null))),
    ),
    month_name: [...MONTHS],
    month_abbr: MONTHS.map((name) => name.slice(0, 3)),
    day_name: [...DAYS],
    day_abbr: DAYS.map((name) => name.slice(0, 3)),
  });
};

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

const stringModule = (): HostModule =>
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

const bytesOf = (value: Value | undefined): Uint8Array => {
  const text = textOf(value ?? null);
  if (text === null) return needBytes(value ?? null);
  if (!/^\p{ASCII}*$/u.test(text))
    return raise('ValueError', 'string argument should contain only ASCII characters');
  return Buffer.from(text, 'latin1');
};

const text = (source: string): PyBytes => {
  checkLength(source.length);
  return new PyBytes(Buffer.from(source, 'latin1'));
};

/** Ignores characters outside the alphabet, as Python does. */
const decode64 = (value: Value | undefined): PyBytes => {
  const source = Buffer.from(bytesOf(value))
    .toString('latin1')
    .replace(/[^A-Za-z0-9+/=]/g, '');
  const [digits = '', ...padding] = source.split('=');
  if (digits.length % 4 === 1) {
    return raise(
      'Error',
      `Invalid base64-encoded string: number of data characters (${digits.length}) cannot be 1 more than a multiple of 4`,
    );
  }
  if (digits.length % 4 !== 0 && padding.length < 4 - (digits.length % 4))
    return raise('Error', 'Incorrect padding');
  return new PyBytes(Buffer.from(digits, 'base64'));
};

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const encode32 = (bytes: Uint8Array): string => {
  let result = '';
  let bits = 0;
  let count = 0;
  for (const [index, byte] of bytes.entries()) {
    if ((index & 0x3fff) === 0x3fff) chargeLength(0x20000);
    bits = (bits << 8) | byte;
    count += 8;
    while (count >= 5) {
      count -= 5;
      result += ALPHABET[(bits >> count) & 31] ?? '';
    }
    bits &= (1 << count) - 1;
  }
  if (count > 0) result += ALPHABET[(bits << (5 - count)) & 31] ?? '';
  return result.padEnd(Math.ceil(result.length / 8) * 8, '=');
};

const urlSafe = (source: string): string => source.replaceAll('+', '-').replaceAll('/', '_');

const base64Module = (): HostModule => {
  const encode = (value: Value | undefined): string =>
    Buffer.from(needBytes(value ?? null)).toString('base64');
  return new HostModule('base64', {
    b64encode: native('b64encode(s)', (value) => text(encode(value))),
    standard_b64encode: native('standard_b64encode(s)', (value) => text(encode(value))),
    urlsafe_b64encode: native('urlsafe_b64encode(s)', (value) => text(urlSafe(encode(value)))),
    b64decode: native('b64decode(s)', decode64),
    standard_b64decode: native('standard_b64decode(s)', decode64),
    urlsafe_b64decode: native('urlsafe_b64decode(s)', (value) => {
      const source = Buffer.from(bytesOf(value)).toString('latin1');
      return decode64(source.replaceAll('-', '+').replaceAll('_', '/'));
    }),
    b32encode: native('b32encode(s)', (value) => text(encode32(needBytes(value ?? null)))),
    b16encode: native('b16encode(s)', (value) =>
      text(
        Buffer.from(needBytes(value ?? null))
          .toString('hex')
          .toUpperCase(),
      ),
    ),
    b16decode: native('b16decode(s, casefold=False)', (value, folds) => {
      const source = Buffer.from(bytesOf(value)).toString('latin1');
      const isRight = (folds === true ? /^(?:[0-9A-Fa-f]{2})*$/ : /^(?:[0-9A-F]{2})*$/).test(source);
      return isRight ? new PyBytes(Buffer.from(source, 'hex')) : raise('Error', 'Non-base16 digit found');
    }),
  });
};
