import { isAbsolute } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { DEFAULT_TEMPLATE_LIMITS, type TemplateLimits } from '../domain/generator.js';
import type { Random } from '../domain/random.js';
import { type Compiled, compile } from './compile/compile.js';
import { markingOf } from './compile/unit.js';
import {
  Fault,
  located,
  positionsOf,
  type Signal,
  syntaxError,
  type TemplateError,
  templateError,
} from './errors.js';
import { makeFilters } from './filters/filters.js';
import { makeTests } from './filters/tests.js';
import { beginRender, checkOutput, endRender, NO_CLOCK } from './limits.js';
import { makeGlobals } from './modules/globals.js';
import { allStatements, type Body } from './parse/ast.js';
import { PLAIN_WHITESPACE, SyntaxFault, type Whitespace } from './parse/cursor.js';
import { normalised } from './parse/lexer.js';
import { parseSource } from './parse/parser.js';
import { Context } from './runtime/context.js';
import { type LoadedTemplate, renderRoot, type TemplateSource } from './runtime/templates.js';
import type { Methods } from './values/methods.js';
import type { Value } from './values/value.js';

export interface EnvironmentOptions {
  /** The text of a template, by name; `null` if missing. */
  readonly loader: (name: string) => string | null;
  readonly random: Random;
  readonly limits?: Partial<TemplateLimits>;
  /** Clock for `render_ms`; without it renders have no deadline. */
  readonly monotonicMs?: (() => number) | undefined;
  readonly whitespace?: Partial<Whitespace>;
  readonly globals?: ReadonlyMap<string, Value>;
  /** Fail the load if a template named by a literal is missing, unless optional. Jinja fails at render. */
  readonly requiresNamed?: boolean;
  /** Record which lines run (`takeTrail`); slower. */
  readonly isTraced?: boolean;
  /** Names of the host with methods that may end a render (`TemplateObject.ending`). */
  readonly enders?: ReadonlySet<string>;
  /** More filters and tests; they override built-in ones. */
  readonly filters?: Methods<Value>;
  readonly tests?: Methods<Value>;
}

/**
 * Names of a render: included templates see `variables` and `globals`, imported ones `globals` only. The names in
 * `globals` must not change: imports are kept for them.
 */
export interface RenderNames {
  readonly variables: ReadonlyMap<string, Value>;
  readonly globals?: ReadonlyMap<string, Value>;
}

export interface Template {
  readonly name: string;
  /** Renders a text. Returns an error of the template; exceptions of the host (signals, bugs) pass through. */
  readonly render: (names: RenderNames) => E.Either<TemplateError, string>;
  /** The same, but a signal at the top of the template is returned: throwing it costs far more. */
  readonly renderOrEnd: (names: RenderNames) => E.Either<TemplateError, string | Signal>;
  /** Renders UTF-8. Returns the number of bytes written, or -1 when the buffer is too small. It then holds a part. */
  readonly renderInto: (
    names: RenderNames,
    target: Uint8Array,
    offset: number,
  ) => E.Either<TemplateError, number>;
}

export interface Environment {
  /** Loads a template and those it names by a literal. Returns an error when it is missing, or one has wrong syntax. */
  readonly load: (name: string) => E.Either<TemplateError, Template>;
  readonly fromText: (name: string, text: string) => E.Either<TemplateError, Template>;
  /** Sources of all templates loaded by name so far. */
  readonly sources: () => readonly string[];
}

const NOTHING: ReadonlyMap<string, Value> = new Map();

interface Loaded extends LoadedTemplate {
  readonly source: string;
  readonly body: Body;
}

interface TemplateReference {
  readonly name: string;
  readonly at: number;
  /** False with `ignore missing` and in lists. */
  readonly isNeeded: boolean;
}

const namedIn = (body: Body): readonly TemplateReference[] => {
  const names: TemplateReference[] = [];
  for (const node of allStatements(body)) {
    if (
      node.kind !== 'include' &&
      node.kind !== 'import' &&
      node.kind !== 'fromImport' &&
      node.kind !== 'extends'
    ) {
      continue;
    }
    const { template } = node;
    const isList = template.kind === 'list' || template.kind === 'tuple';
    const isNeeded = !isList && !(node.kind === 'include' && node.ignoresMissing);
    for (const part of isList ? template.items : [template]) {
      if (part.kind === 'constant' && typeof part.value === 'string')
        names.push({ name: part.value, at: part.at, isNeeded });
    }
  }
  return names;
};

export const makeEnvironment = (options: EnvironmentOptions): Environment => {
  const limits: TemplateLimits = { ...DEFAULT_TEMPLATE_LIMITS, ...options.limits };
  const clock = options.monotonicMs ?? NO_CLOCK;
  const whitespace: Whitespace = { ...PLAIN_WHITESPACE, ...options.whitespace };
  const filters: Methods<Value> = new Map([
    ...makeFilters({ random: () => options.random, filters: () => filters, tests: () => tests }),
    ...(options.filters ?? []),
  ]);
  const tests: Methods<Value> = new Map([...makeTests(filters), ...(options.tests ?? [])]);
  const language = { filters, tests, ...(options.enders === undefined ? {} : { enders: options.enders }) };
  const builtins = new Context(
    new Map([...makeGlobals(() => options.random), ...(options.globals ?? [])]),
    null,
    new Map(),
  );
  /** One for each set of globals: hosts pass the same at each render. */
  const contexts = new WeakMap<ReadonlyMap<string, Value>, Context>();
  const globalContext = (globals: ReadonlyMap<string, Value>): Context => {
    const known = contexts.get(globals);
    if (known !== undefined) return known;
    const context = builtins.with(globals);
    context.isGlobal = true;
    contexts.set(globals, context);
    return context;
  };
  const bare = globalContext(NOTHING);
  const known = new Map<string, Loaded>();

  const compiled = (name: string, text: string): Loaded => {
    const source = normalised(text, whitespace.keep_trailing_newline);
    const origin = { name, source };
    try {
      const body = parseSource(source, whitespace);
      const marking = options.isTraced === true ? markingOf(source) : null;
      const made: Compiled = compile(body, { ...language, marking }, origin, templates);
      return { ...origin, body, compiled: () => made };
    } catch (thrown) {
      throw asSyntaxFault(thrown, origin);
    }
  };

  const find = (name: string): Loaded | null => {
    const already = known.get(name);
    if (already !== undefined) return already;
    const text = options.loader(name);
    if (text === null) return null;
    const made = compiled(name, text);
    known.set(name, made);
    return made;
  };
  const templates: TemplateSource = { find };

  /** Loads referenced templates now, which reports their errors at start. */
  const loadNamed = (first: Loaded): void => {
    const seen = new Set<Loaded>([first]);
    for (const template of seen) {
      for (const { name, at, isNeeded } of namedIn(template.body)) {
        const found = find(name);
        if (found !== null) seen.add(found);
        else if (isNeeded && options.requiresNamed === true)
          throw located(
            new Fault('TemplateNotFound', `template ${JSON.stringify(name)} does not exist`),
            template,
            at,
          );
      }
    }
  };

  const renderOrEnd = (
    template: Loaded,
    { variables, globals = NOTHING }: RenderNames,
  ): E.Either<TemplateError, string | Signal> => {
    const before = beginRender(limits, clock);
    const outer = globals === NOTHING ? bare : globalContext(globals);
    try {
      const rendered = renderRoot(template, outer.with(variables), null);
      return E.right(typeof rendered === 'string' ? checkOutput(rendered) : rendered);
    } catch (thrown) {
      if (thrown instanceof Fault) return E.left(templateError(thrown, positionsOf(thrown)));
      throw thrown;
    } finally {
      endRender(before);
    }
  };

  const render = (template: Loaded, names: RenderNames): E.Either<TemplateError, string> => {
    const rendered = renderOrEnd(template, names);
    if (E.isRight(rendered) && typeof rendered.right !== 'string') throw rendered.right;
    return rendered as E.Either<TemplateError, string>;
  };

  const asTemplate = (template: Loaded): Template => {
    loadNamed(template);
    return {
      name: template.name,
      render: (names) => render(template, names),
      renderOrEnd: (names) => renderOrEnd(template, names),
      renderInto: (names, target, offset) => {
        const text = render(template, names);
        return E.isLeft(text) ? text : E.right(writeInto(text.right, target, offset));
      },
    };
  };

  const attempt = (make: () => E.Either<TemplateError, Template>): E.Either<TemplateError, Template> => {
    try {
      return make();
    } catch (thrown) {
      if (thrown instanceof Fault) return E.left(templateError(thrown, positionsOf(thrown)));
      throw thrown;
    }
  };

  return {
    sources: () => [...known.values()].map(({ source }) => source),
    fromText: (name, text) => attempt(() => E.right(asTemplate(compiled(name, text)))),
    load: (name) =>
      attempt(() => {
        const found = find(name);
        return found === null
          ? E.left(syntaxError('TemplateNotFound', `template ${name} not found`, name))
          : E.right(asTemplate(found));
      }),
  };
};

const encoder = new TextEncoder();

const writeInto = (text: string, target: Uint8Array, offset: number): number => {
  const { read, written } = encoder.encodeInto(text, target.subarray(offset));
  return read === text.length ? written : -1;
};

/** Turns an error of the parser, or a compiler stack overflow, into a template error with its position. */
const asSyntaxFault = (
  thrown: unknown,
  origin: { readonly name: string; readonly source: string },
): unknown => {
  if (thrown instanceof SyntaxFault)
    return located(new Fault(thrown.kind, thrown.message), origin, thrown.at);
  if (thrown instanceof RangeError || thrown instanceof SyntaxError) {
    return located(new Fault('TemplateSyntaxError', 'the template is nested too deeply'), origin, 0);
  }
  return thrown;
};

/** Size limit of a template, in bytes: a wrong path must not fill the memory. */
export const MAX_TEMPLATE_BYTES = 16 * 1024 * 1024;

/** True for names outside the folder, and names that are not files. */
export const isOutsideName = (name: string): boolean =>
  name === '' || name.includes('\0') || isAbsolute(name) || name.split(/[/\\]/).includes('..');
