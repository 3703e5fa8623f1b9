import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

export const ROOT = join(import.meta.dirname, '..', '..');

export interface Import {
  /** Path from the root (`src/domain/json.ts`), or name of the package (`node:fs`). */
  readonly target: string;
  readonly isOurs: boolean;
  readonly isTypeOnly: boolean;
  /** Loaded when a call asks for it. */
  readonly isLate?: true;
}

export interface Source {
  /** From the root, with `/`. */
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  /** Used globals: `process`, `Date.now`, `setTimeout`. */
  readonly uses: ReadonlySet<string>;
}

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** The source behind an import of ours. */
const sourceOf = (path: string): string => {
  const source = path.replace(/\.js$/, '.ts');
  return existsSync(join(ROOT, `${source}x`)) ? `${source}x` : source;
};

const importOf = (path: string, specifier: string, isTypeOnly: boolean): Import =>
  specifier.startsWith('.')
    ? { target: sourceOf(normalize(join(dirname(path), specifier))), isOurs: true, isTypeOnly }
    : { target: packageOf(specifier), isOurs: false, isTypeOnly };

/** `import { type A, type B }` and `import type` leave nothing at run time. */
const isTypeClause = (clause: ts.ImportClause | undefined): boolean => {
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const named = clause.namedBindings;
  if (clause.name !== undefined || named === undefined || !ts.isNamedImports(named)) return false;
  return named.elements.length > 0 && named.elements.every(({ isTypeOnly }) => isTypeOnly);
};

const importedBy = (path: string, node: ts.Node): Import | null => {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    return importOf(path, node.moduleSpecifier.text, isTypeClause(node.importClause));
  }
  if (
    ts.isExportDeclaration(node) &&
    node.moduleSpecifier !== undefined &&
    ts.isStringLiteral(node.moduleSpecifier)
  ) {
    return importOf(path, node.moduleSpecifier.text, node.isTypeOnly);
  }
  if (
    ts.isImportTypeNode(node) &&
    ts.isLiteralTypeNode(node.argument) &&
    ts.isStringLiteral(node.argument.literal)
  ) {
    return importOf(path, node.argument.literal.text, true);
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [specifier] = node.arguments;
    if (specifier !== undefined && ts.isStringLiteral(specifier))
      return { ...importOf(path, specifier.text, false), isLate: true };
  }
  return null;
};

/** The global named by an identifier; `null`: a property, a parameter... */
const globalOf = (node: ts.Identifier): string | null => {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return null;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return null;
  if (ts.isPropertySignature(parent) || ts.isTypeReferenceNode(parent) || ts.isQualifiedName(parent))
    return null;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node)
    return `${node.text}.${parent.name.text}`;
  if (ts.isNewExpression(parent) && parent.expression === node && (parent.arguments ?? []).length === 0) {
    return `new ${node.text}()`;
  }
  return node.text;
};

/** Imports and used globals of a source file. */
export const parseSource = (path: string, text: string): Source => {
  const imports: Import[] = [];
  const uses = new Set<string>();
  const visit = (node: ts.Node): void => {
    const found = importedBy(path, node);
    if (found !== null) imports.push(found);
    if (ts.isIdentifier(node)) {
      const name = globalOf(node);
      if (name !== null) uses.add(name);
      if (name?.startsWith('process.') === true) uses.add('process');
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return { path, lines: text.split('\n').length - 1, imports, uses };
};

/** All TypeScript files of `src` and `actors`. */
export const readSources = (): readonly Source[] =>
  ['src', 'actors'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((path) => path.endsWith('.ts') || path.endsWith('.tsx'))
      .sort()
      .map((path) => parseSource(path, readFileSync(join(ROOT, path), 'utf8'))),
  );

const atRunTime = ({ isTypeOnly }: Import): boolean => !isTypeOnly;

/** Import cycles, those at run time unless `counts` says otherwise, each as the paths of one circle. */
export const cyclesOf = (
  sources: readonly Source[],
  counts: (one: Import) => boolean = atRunTime,
): readonly (readonly string[])[] => {
  const imported = new Map(
    sources.map(({ path, imports }) => [
      path,
      imports.filter((one) => one.isOurs && counts(one)).map(({ target }) => target),
    ]),
  );
  const cycles: string[][] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path);
    if (at !== -1) return void cycles.push([...trail.slice(at), path]);
    if (done.has(path)) return;
    for (const next of imported.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of imported.keys()) visit(path, []);
  return cycles;
};
