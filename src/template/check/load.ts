import { compile } from '../compile/compile.js';
import type { Language } from '../compile/unit.js';
import { Fault, raise } from '../errors.js';
import { makeFilters } from '../filters/filters.js';
import { makeTests } from '../filters/tests.js';
import type { Body } from '../parse/ast.js';
import { PLAIN_WHITESPACE, SyntaxFault } from '../parse/cursor.js';
import { normalised } from '../parse/lexer.js';
import { parseSource, parseText } from '../parse/parser.js';
import type { Methods, NativeMethod } from '../values/methods.js';
import type { Value } from '../values/value.js';
import type { FindingSubject, Findings } from './finding.js';
import type { RootTemplate } from './roots.js';
import { type Names, scopeNamesOf } from './scopes.js';
import { type LinkedName, linksIn, type TemplateLink, type Uses, usesOf } from './uses.js';

/** The text of a template; `null` if missing. Throws a `Fault` if unusable. */
export type LoadTemplate = (name: string) => string | null;

export interface ResolvedLink {
  readonly link: TemplateLink;
  readonly targets: readonly CheckedTemplate[];
  /** True if the link may reach other templates: dynamic, broken or missing. */
  readonly isOpen: boolean;
}

export interface CheckedTemplate extends ReadTemplate {
  readonly links: readonly ResolvedLink[];
}

export interface LoadedTemplates {
  readonly roots: readonly (readonly [RootTemplate, CheckedTemplate | null])[];
  readonly templates: readonly CheckedTemplate[];
  readonly reached: ReadonlySet<string>;
}

/** Templates read per check; the rest are skipped. */
const MAX_TEMPLATES = 2_000;

type Building = ReadTemplate & { links: ResolvedLink[] };
type ReadOutcome = Building | null;

const folderOf = (name: string): string => name.slice(0, name.lastIndexOf('/') + 1);

class Loader {
  readonly templates: Building[] = [];
  private readonly byName = new Map<string, ReadOutcome | 'missing'>();

  constructor(
    private readonly load: LoadTemplate,
    private readonly language: Language,
    private readonly findings: Findings,
  ) {}

  get reached(): ReadonlySet<string> {
    return new Set([...this.byName].flatMap(([name, found]) => (found === 'missing' ? [] : [name])));
  }

  read(name: string, text: string, path: FindingSubject['path']): ReadOutcome {
    const read = readTemplate(name, text, path, this.language);
    if ('reason' in read) {
      const { subject, at, reason } = read;
      this.findings.add(subject, at, () => ({ severity: 'error', code: 'syntax', message: reason }));
      return null;
    }
    const building = { ...read, links: [] };
    this.templates.push(building);
    return building;
  }

  find(name: string): ReadOutcome | 'missing' {
    const known = this.byName.get(name);
    if (known !== undefined) return known;
    if (this.byName.size >= MAX_TEMPLATES) return null;
    const found = this.fetch(name);
    this.byName.set(name, found);
    return found;
  }

  private fetch(name: string): ReadOutcome | 'missing' {
    try {
      const text = this.load(name);
      return text === null ? 'missing' : this.read(name, text, null);
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      const subject = { name, source: '', path: null };
      const { message } = thrown;
      this.findings.add(subject, 0, () => ({ severity: 'error', code: 'unreadable', message }));
      return null;
    }
  }

  resolve(template: Building): void {
    template.links = template.uses.links.map((link) => {
      const found = link.names.map((one) => [one, this.find(one.name)] as const);
      const targets = found.flatMap(([, one]) => (one === 'missing' || one === null ? [] : [one]));
      const isFound = found.some(([, one]) => one !== 'missing');
      const [first] = link.names;
      const mayMiss = link.node.kind === 'include' && link.node.ignoresMissing;
      if (first !== undefined && !isFound && !link.isDynamic && !mayMiss)
        this.missing(template.subject, first, link.names.length > 1);
      return { link, targets, isOpen: link.isDynamic || targets.length < link.names.length };
    });
  }

  private missing(subject: FindingSubject, { name, at }: LinkedName, isOneOfMany: boolean): void {
    const beside = `${folderOf(subject.name)}${name}`;
    const isBeside = beside !== name && this.find(beside) !== 'missing';
    this.findings.add(subject, at, () => ({
      severity: 'error',
      code: 'template_not_found',
      message: isOneOfMany
        ? 'none of these templates was found'
        : `template '${name}' not found in the generator's folder`,
      hint: isBeside
        ? `Paths are relative to the generator's folder: write '${beside}'.`
        : "Correct the name, add the file, or write 'ignore missing' in the include.",
    }));
  }
}

/** Loads the roots and the templates they name by a literal. Reports missing and broken ones. */
export const loadAll = (
  roots: readonly RootTemplate[],
  load: LoadTemplate,
  language: Language,
  findings: Findings,
): LoadedTemplates => {
  const loader = new Loader(load, language, findings);
  const found = roots.map((root): readonly [RootTemplate, Building | null] => {
    const one = root.text === null ? loader.find(root.name) : loader.read(root.name, root.text, root.path);
    if (one !== 'missing') return [root, one];
    findings.inConfig(root.path ?? [], {
      severity: 'error',
      code: 'template_not_found',
      message: `template '${root.name}' not found in the generator's folder`,
      hint: 'Correct the path or add the file.',
    });
    return [root, null];
  });
  // The list grows during the loop.
  for (const template of loader.templates) loader.resolve(template);
  return { roots: found, templates: loader.templates, reached: loader.reached };
};

interface ReadTemplate {
  readonly subject: FindingSubject;
  readonly body: Body;
  readonly names: Names;
  readonly uses: Uses;
}

interface Broken {
  readonly subject: FindingSubject;
  readonly reason: string;
  readonly at: number;
}

export const makeLanguage = (): Language => {
  const random = (): never => raise('RuntimeError', 'nothing is rendered while templates are checked');
  const filters: Methods<Value> = makeFilters({ random, filters: () => filters, tests: () => tests });
  const tests: Methods<Value> = makeTests(filters);
  return { filters, tests };
};

const UNKNOWN: NativeMethod<Value> = { signature: null, raw: () => null };

/** Contains every name: the compiler continues after unknown filters, which `usesOf` reports. */
class Everything extends Map<string, NativeMethod<Value>> {
  override get(name: string): NativeMethod<Value> {
    return super.get(name) ?? UNKNOWN;
  }
}

/** Parses a template. `path`: position of an inline template in the config. */
const readTemplate = (
  name: string,
  text: string,
  path: FindingSubject['path'],
  { filters, tests }: Language,
): ReadTemplate | Broken => {
  const source = normalised(text, PLAIN_WHITESPACE.keep_trailing_newline);
  const subject: FindingSubject = { name, source, path };
  try {
    const body = parseSource(source, PLAIN_WHITESPACE);
    // Compiling finds errors the parser leaves, such as `break` outside a loop. The code is not run.
    compile(body, { filters: new Everything(filters), tests: new Everything(tests) }, subject, null);
    return { subject, body, names: scopeNamesOf(body), uses: usesOf(body) };
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
