import { compile } from '../compile/compile.js';
import type { Language } from '../compile/unit.js';
import { makeFilters } from '../filters/filters.js';
import type { Body } from '../parse/ast.js';
import { normalised } from '../parse/lexer.js';
import { parseSource, parseText } from '../parse/parser.js';
import { SyntaxFault } from '../parse/syntaxFault.js';
import { PLAIN_WHITESPACE } from '../parse/token.js';
import { makeTests } from '../tests/tests.js';
import type { Method, Methods } from '../values/calls/method.js';
import { raise } from '../values/fault.js';
import type { Value } from '../values/value.js';
import type { Subject } from './finding.js';
import { type Names, namesOf } from './scopes.js';
import { linksIn, type Uses, usesOf } from './uses.js';

export interface ReadTemplate {
  readonly subject: Subject;
  readonly body: Body;
  readonly names: Names;
  readonly uses: Uses;
}

interface Broken {
  readonly subject: Subject;
  readonly reason: string;
  readonly at: number;
}

export const makeLanguage = (): Language => {
  const random = (): never => raise('RuntimeError', 'nothing is rendered while templates are checked');
  const filters: Methods<Value> = makeFilters({ random, filters: () => filters, tests: () => tests });
  const tests: Methods<Value> = makeTests(filters);
  return { filters, tests };
};

const UNKNOWN: Method<Value> = { signature: null, raw: () => null };

/** Contains every name: the compiler continues after unknown filters, which `usesOf` reports. */
class Everything extends Map<string, Method<Value>> {
  override get(name: string): Method<Value> {
    return super.get(name) ?? UNKNOWN;
  }
}

/** Parses a template. `path`: position of an inline template in the config. */
export const readTemplate = (
  name: string,
  text: string,
  path: Subject['path'],
  { filters, tests }: Language,
): ReadTemplate | Broken => {
  const source = normalised(text, PLAIN_WHITESPACE.keep_trailing_newline);
  const subject: Subject = { name, source, path };
  try {
    const body = parseSource(source, PLAIN_WHITESPACE);
    // Compiling finds errors the parser leaves, such as `break` outside a loop. The code is not run.
    compile(body, { filters: new Everything(filters), tests: new Everything(tests) }, subject, null);
    return { subject, body, names: namesOf(body), uses: usesOf(body) };
  } catch (thrown) {
    if (thrown instanceof SyntaxFault) return { subject, reason: thrown.message, at: thrown.at };
    if (thrown instanceof RangeError || thrown instanceof SyntaxError)
      return { subject, reason: 'the template is nested too deeply', at: 0 };
    throw thrown;
  }
};

/** Literal template names in a text; empty if it does not parse. */
export const templatesNamedIn = (text: string): readonly string[] => {
  try {
    return linksIn(parseText(text)).flatMap(({ names }) => names.map(({ name }) => name));
  } catch (thrown) {
    if (thrown instanceof SyntaxFault || thrown instanceof RangeError) return [];
    throw thrown;
  }
};
