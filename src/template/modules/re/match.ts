import type { Regex, Spans, Subject } from '../../../domain/regex/regex.js';
import { callMethodOf, type Methods, methodOf, methods, rawMethods } from '../../values/calls/method.js';
import { raise } from '../../values/fault.js';
import { repr, textRepr } from '../../values/operations/print.js';
import { asIndex } from '../../values/operations/subscript.js';
import { PyDict } from '../../values/types/dict.js';
import { textOf } from '../../values/types/markup.js';
import { PyTuple } from '../../values/types/tuple.js';
import { type Kwargs, TemplateObject, type Value } from '../../values/value.js';
import { cut } from './pattern.js';
import { expanded } from './replacement.js';

export interface MatchData {
  readonly regex: Regex;
  readonly pattern: Value;
  readonly subject: Subject;
  readonly from: number;
}

export class PyMatch extends TemplateObject {
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
    return from < 0 ? fallback : cut(this.found.subject, from, to);
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
    return `<re.Match object; span=(${from}, ${to}), match=${textRepr(cut(this.found.subject, from, to))}>`;
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
