import type { Regex, RegexSubject, Spans } from '../../regex/regex.js';
import { raise } from '../errors.js';
import { checkItems, checkLonger, checkText } from '../limits.js';
import { callMethodOf, type Methods, methodOf, methods, native, rawMethods } from '../values/methods.js';
import { PyIterator } from '../values/operations/iterate.js';
import { repr, textRepr } from '../values/operations/print.js';
import { asIndex, needIndex } from '../values/operations/subscript.js';
import { PyDict } from '../values/types/dict.js';
import { textOf } from '../values/types/markup.js';
import { PyTuple } from '../values/types/sequences.js';
import { callValue, type HashKey, type Kwargs, TemplateObject, type Value } from '../values/value.js';
import { HostModule } from './hostModule.js';
import {
  compiled,
  cutText,
  expanded,
  FLAGS,
  matches,
  memoized,
  needPattern,
  type Searched,
  searched,
} from './rePattern.js';

interface MatchData {
  readonly regex: Regex;
  readonly pattern: Value;
  readonly subject: RegexSubject;
  readonly from: number;
}

class PyMatch extends TemplateObject {
  constructor(
    readonly found: MatchData,
    readonly spans: Spans,
  ) {
    super();
  }
  get typeName(): string {
    return 're.Match';
  }
  indexOf(group: Value): number {
    const name = textOf(group);
    const index = name === null ? asIndex(group) : this.found.regex.names.get(name);
    return index !== undefined && index >= 0 && index <= this.found.regex.groups
      ? index
      : raise('IndexError', 'no such group');
  }
  span(index: number): readonly [number, number] {
    const [from = -1, to = -1] = this.spans.subarray(2 * index, 2 * index + 2);
    return from < 0 || to < 0 ? [-1, -1] : [from, to];
  }
  group(index: number, fallback: Value = null): Value {
    const [from, to] = this.span(index);
    return from < 0 ? fallback : cutText(this.found.subject, from, to);
  }
  get groups(): readonly number[] {
    return Array.from({ length: this.found.regex.groups }, (_, index) => index + 1);
  }
  private get last(): number | null {
    let last: number | null = null;
    for (const index of this.groups) {
      const [, to] = this.span(index);
      if (to >= 0 && (last === null || to > this.span(last)[1])) last = index;
    }
    return last;
  }
  override attribute(name: string): Value | undefined {
    const { pattern, regex, subject } = this.found;
    switch (name) {
      case 'string':
        return subject.text;
      case 're':
        return pattern;
      case 'pos':
        return this.found.from;
      case 'endpos':
        return subject.length;
      case 'lastindex':
        return this.last;
      case 'lastgroup':
        return [...regex.names].find(([, index]) => index === this.last)?.[0] ?? null;
      default:
        return methodOf(MATCH_METHODS, this, name);
    }
  }
  override callMethod(name: string, args: readonly Value[], kwargs: Kwargs | null): Value | undefined {
    return callMethodOf(MATCH_METHODS, this, name, args, kwargs);
  }
  override item(key: Value): Value | undefined {
    return this.group(this.indexOf(key));
  }
  override repr(): string {
    const [from, to] = this.span(0);
    return `<re.Match object; span=(${from}, ${to}), match=${textRepr(cutText(this.found.subject, from, to))}>`;
  }
}

const MATCH_METHODS: Methods<PyMatch> = new Map([
  ...methods<PyMatch>({
    'groups(default=None)': (self, fallback) =>
      new PyTuple(self.groups.map((index) => self.group(index, fallback))),
    'groupdict(default=None)': (self, fallback) => {
      const dict = new PyDict();
      for (const [name, index] of self.found.regex.names) dict.set(name, self.group(index, fallback));
      return dict;
    },
    'start(group=0, /)': (self, group) => self.span(self.indexOf(group))[0],
    'end(group=0, /)': (self, group) => self.span(self.indexOf(group))[1],
    'span(group=0, /)': (self, group) => new PyTuple([...self.span(self.indexOf(group))]),
    'expand(template)': (self, template) =>
      expanded(textOf(template) ?? raise('TypeError', `expected str, got ${repr(template)}`), self),
  }),
  ...rawMethods<PyMatch>({
    group: (self, args) => {
      const [first = 0] = args;
      return args.length <= 1
        ? self.group(self.indexOf(first))
        : new PyTuple(args.map((each) => self.group(self.indexOf(each))));
    },
  }),
]);

const SHOWN_FLAGS = ['IGNORECASE', 'MULTILINE', 'DOTALL', 'VERBOSE', 'ASCII'];

class PyPattern extends TemplateObject {
  constructor(
    readonly regex: Regex,
    readonly flags: number,
  ) {
    super();
  }
  get typeName(): string {
    return 're.Pattern';
  }
  override attribute(name: string): Value | undefined {
    switch (name) {
      case 'pattern':
        return this.regex.pattern;
      case 'flags':
        return this.flags;
      case 'groups':
        return this.regex.groups;
      case 'groupindex': {
        const dict = new PyDict();
        for (const [group, index] of this.regex.names) dict.set(group, index);
        return dict;
      }
      default:
        return methodOf(PATTERN_METHODS, this, name);
    }
  }
  override callMethod(name: string, args: readonly Value[], kwargs: Kwargs | null): Value | undefined {
    return callMethodOf(PATTERN_METHODS, this, name, args, kwargs);
  }
  override repr(): string {
    const flags = SHOWN_FLAGS.filter((name) => (this.flags & (FLAG_NAMES[name] ?? 0)) !== 0);
    const shown = flags.map((name) => `re.${name}`).join('|');
    return `re.compile(${textRepr(this.regex.pattern)}${shown === '' ? '' : `, ${shown}`})`;
  }
  override equals(other: Value): boolean {
    return (
      other instanceof PyPattern && other.regex.pattern === this.regex.pattern && other.flags === this.flags
    );
  }
  override hashKey(): HashKey {
    return this.regex;
  }
}

const window = (text: Value, from: Value, to: Value): Searched =>
  searched(needPattern(text), needIndex(from), to === null ? undefined : needIndex(to));

const matchOf = (pattern: PyPattern, where: Searched, mode: 'search' | 'match' | 'full'): Value => {
  const spans = memoized(pattern.regex, where, mode);
  if (spans === null) return null;
  return new PyMatch({ regex: pattern.regex, pattern, ...where }, spans);
};

function* found(pattern: PyPattern, where: Searched): Generator<PyMatch> {
  for (const spans of matches(pattern.regex, where))
    yield new PyMatch({ regex: pattern.regex, pattern, ...where }, spans);
}

const findAll = (pattern: PyPattern, where: Searched): Value[] => {
  const all: Value[] = [];
  for (const match of found(pattern, where)) {
    const groups = match.groups.map((index) => match.group(index, ''));
    const [only = match.group(0)] = groups;
    all.push(groups.length < 2 ? only : new PyTuple(groups));
  }
  checkItems(all.length);
  return all;
};

const split = (pattern: PyPattern, text: Value, limit: number): Value[] => {
  const where = searched(needPattern(text));
  const parts: Value[] = [];
  let from = 0;
  if (limit >= 0)
    for (const spans of matches(pattern.regex, where, limit)) {
      const match = new PyMatch({ regex: pattern.regex, pattern, ...where }, spans);
      const [start, end] = match.span(0);
      parts.push(cutText(where.subject, from, start), ...match.groups.map((index) => match.group(index)));
      from = end;
    }
  parts.push(cutText(where.subject, from, where.subject.length));
  checkItems(parts.length);
  return parts;
};

/** The text after replacement, and the number of matches. */
const replaced = (pattern: PyPattern, next: Value, text: Value, limit: number): readonly [string, number] => {
  const template = textOf(next);
  const where = searched(needPattern(text));
  let result = '';
  let from = 0;
  let count = 0;
  for (const spans of matches(pattern.regex, where, limit)) {
    const match = new PyMatch({ regex: pattern.regex, pattern, ...where }, spans);
    const [start, end] = match.span(0);
    const part = template === null ? needPattern(callValue(next, [match], null)) : expanded(template, match);
    result += cutText(where.subject, from, start) + part;
    checkLonger(result.length);
    from = end;
    count++;
  }
  return [checkText(result + cutText(where.subject, from, where.subject.length)), count];
};

const PATTERN_METHODS: Methods<PyPattern> = methods<PyPattern>({
  'search(string, pos=0, endpos=None)': (self, text, from, to) =>
    matchOf(self, window(text, from, to), 'search'),
  'match(string, pos=0, endpos=None)': (self, text, from, to) =>
    matchOf(self, window(text, from, to), 'match'),
  'fullmatch(string, pos=0, endpos=None)': (self, text, from, to) =>
    matchOf(self, window(text, from, to), 'full'),
  'findall(string, pos=0, endpos=None)': (self, text, from, to) => findAll(self, window(text, from, to)),
  'finditer(string, pos=0, endpos=None)': (self, text, from, to) =>
    new PyIterator(found(self, window(text, from, to)), 'callable_iterator'),
  'split(string, maxsplit=0)': (self, text, limit) => split(self, text, needIndex(limit)),
  'sub(repl, string, count=0)': (self, next, text, count) => replaced(self, next, text, needIndex(count))[0],
  'subn(repl, string, count=0)': (self, next, text, count) =>
    new PyTuple([...replaced(self, next, text, needIndex(count))]),
});

const patternOf = (pattern: Value, flags: Value): PyPattern => {
  if (pattern instanceof PyPattern) {
    return flags === 0
      ? pattern
      : raise('ValueError', 'cannot process flags argument with a compiled pattern');
  }
  const regex = compiled(needPattern(pattern), needIndex(flags));
  const { dotMatchesAll, ignoresCase, isAscii, isMultiline, isVerbose } = regex.flags;
  const number =
    (isAscii ? FLAGS.A : FLAGS.U) |
    (ignoresCase ? FLAGS.I : 0) |
    (isMultiline ? FLAGS.M : 0) |
    (dotMatchesAll ? FLAGS.S : 0) |
    (isVerbose ? FLAGS.X : 0);
  return new PyPattern(regex, number);
};

/** Module functions: a pattern, then the arguments of its method. */
const ofPattern = (signature: string, method: string) =>
  native(signature, (pattern = null, ...rest) => {
    const flags = rest.pop() ?? 0;
    return callMethodOf(PATTERN_METHODS, patternOf(pattern, flags), method, rest, null) ?? null;
  });

const SPECIAL = /[\t\n\v\f\r #$&()*+\-.?[\\\]^{|}~]/g;

const FLAG_NAMES: Readonly<Record<string, number>> = {
  ASCII: FLAGS.A,
  IGNORECASE: FLAGS.I,
  MULTILINE: FLAGS.M,
  DOTALL: FLAGS.S,
  UNICODE: FLAGS.U,
  VERBOSE: FLAGS.X,
  NOFLAG: 0,
};

/** Python syntax on an interruptible engine; no bytes. */
export const reModule = (): HostModule =>
  new HostModule('re', {
    ...FLAGS,
    ...FLAG_NAMES,
    compile: native('compile(pattern, flags=0)', (pattern = null, flags = 0) => patternOf(pattern, flags)),
    search: ofPattern('search(pattern, string, flags=0)', 'search'),
    match: ofPattern('match(pattern, string, flags=0)', 'match'),
    fullmatch: ofPattern('fullmatch(pattern, string, flags=0)', 'fullmatch'),
    findall: ofPattern('findall(pattern, string, flags=0)', 'findall'),
    finditer: ofPattern('finditer(pattern, string, flags=0)', 'finditer'),
    split: ofPattern('split(pattern, string, maxsplit=0, flags=0)', 'split'),
    sub: ofPattern('sub(pattern, repl, string, count=0, flags=0)', 'sub'),
    subn: ofPattern('subn(pattern, repl, string, count=0, flags=0)', 'subn'),
    escape: native('escape(pattern)', (text = null) =>
      checkText(needPattern(text).replace(SPECIAL, (each) => `\\${each}`)),
    ),
    purge: native('purge()', () => null),
  });
