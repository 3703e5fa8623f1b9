import * as E from 'fp-ts/lib/Either.js';
import {
  Composer,
  CST,
  Document,
  type DocumentOptions,
  isAlias,
  isCollection,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  type Node,
  type ParseOptions,
  Parser,
  type SchemaOptions,
  visit,
  type YAMLError,
} from 'yaml';
import { failure, type Issue, type Result, reasonOf } from '../../domain/errors.js';
import type { Json } from '../../domain/json.js';
import { MAX_ISSUES } from '../../schema/index.js';
import { invalid } from '../report.js';
import { explainMistakes, shownLine } from './explain.js';
import { stepsTo } from './steps.js';
import { MAX_YAML_DEPTH, readNode } from './value.js';

/** UTF-16 units; the largest config of a request fits. */
export const MAX_YAML_LENGTH = 2_097_152;

/** Both counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface YamlSource {
  readonly file: string;
  /** Dotted keys as written, placeholders untouched. */
  readonly value: Json;
  /** For edits. */
  readonly document: Document;
  /** The position of a key or value by its path, plain or expanded; of its nearest parent if missing. */
  readonly locate: (path: readonly (string | number)[], part?: 'key' | 'value') => Position;
}

const start = (node: Node | null): number | null => node?.range?.[0] ?? null;

const offsetOf = (document: Document, path: readonly (string | number)[], part: 'key' | 'value'): number => {
  const root = document.contents;
  const last = stepsTo(root, path).at(-1);
  if (last === undefined) return start(root) ?? 0;
  const { slot, node, matched } = last;
  const key = isPair(slot) ? start(slot.key as Node | null) : null;
  // A block collection begins on a later line; people look for its key.
  const isExact = matched === path.length && part === 'value';
  const isShown = isAlias(node) || (isScalar(node) && node.source !== '');
  return (isExact && isShown ? start(node) : key) ?? start(node) ?? 0;
};

/** Mistakes for which the whole document is searched. */
const MAX_OPENERS = 10;

/** Where the quoted text or the list or object in brackets begins that a mistake is about: the last one that has no end. */
const openerOf = (document: Document, text: string, { message, pos }: YAMLError): number | undefined => {
  const [, close] = /(["'\]}])(?:quote)?$/.exec(message) ?? [];
  let opener: number | undefined;
  if (close === undefined) return opener;
  visit(document, {
    Node: (_, node) => {
      const [from, end] = isNode(node) ? (node.range ?? []) : [];
      if (from === undefined || end === undefined || from >= pos[0]) return;
      const isFlow = isCollection(node) && node.flow === true && text[end - 1] !== close;
      if (isFlow || (isScalar(node) && text[from] === close)) opener = from;
    },
  });
  return opener;
};

const syntaxIssues = (
  document: Document,
  text: string,
  positionAt: (offset: number) => Position,
): readonly Issue[] => {
  const found = [...document.errors, ...document.warnings].slice(0, MAX_ISSUES);
  if (found.length === 0) return [];
  const mistakes = found.map((error, index) => ({
    code: error.code,
    message: error.message,
    offset: error.pos[0],
    opener: index < MAX_OPENERS ? openerOf(document, text, error) : undefined,
  }));
  return explainMistakes(text, mistakes).map(({ offset, ...words }) => ({
    path: [],
    type: 'syntax',
    ...words,
    ...positionAt(offset),
  }));
};

/** Adds the line to mistakes in the syntax. */
const withLines = (text: string, issues: readonly Issue[]): readonly Issue[] =>
  issues.map((issue) =>
    issue.type === 'syntax' && issue.line !== undefined
      ? { ...issue, shown: shownLine(text, issue.line, issue.column ?? 1) }
      : issue,
  );

/** Each level of values takes at most two levels of syntax. */
const MAX_SYNTAX_DEPTH = 2 * MAX_YAML_DEPTH + 8;

/** Whether a syntax tree is too deep; checked without recursion, because the composer recurses. */
const isTooDeep = (tokens: readonly CST.Token[]): boolean => {
  const open: { readonly token: CST.Token; readonly depth: number }[] = tokens.map((token) => ({
    token,
    depth: 0,
  }));
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    const { token } = top;
    const depth = top.depth + 1;
    if (depth > MAX_SYNTAX_DEPTH) return true;
    if (token.type === 'document' && token.value !== undefined) open.push({ token: token.value, depth });
    if (!CST.isCollection(token)) continue;
    for (const { key, value } of token.items) {
      if (key) open.push({ token: key, depth });
      if (value) open.push({ token: value, depth });
    }
  }
  return false;
};

const OPTIONS = {
  version: '1.2',
  schema: 'core',
  strict: true,
  stringKeys: true,
  // `readNode` finds duplicates in linear time, with the name of the key.
  uniqueKeys: false,
  resolveKnownTags: false,
  prettyErrors: false,
} as const satisfies ParseOptions & DocumentOptions & SchemaOptions;

const problem = (message: string, location: Position): Issue => ({
  path: [],
  type: 'syntax',
  message,
  ...location,
});

const compose = (text: string, positionAt: (offset: number) => Position, lineCounter: LineCounter) =>
  E.flatten(
    E.tryCatch(
      (): E.Either<readonly Issue[], Document> => {
        const tokens = [...new Parser(lineCounter.addNewLine).parse(text)];
        if (isTooDeep(tokens)) return E.left([problem('is nested too deeply', positionAt(0))]);
        const composer = new Composer({ ...OPTIONS, lineCounter });
        const [document, second] = [...composer.compose(tokens, true, text.length)];
        if (second !== undefined) {
          const message = 'starts a second document; keep one and remove the --- lines';
          return E.left([problem(message, positionAt(second.range[0]))]);
        }
        return E.right(document ?? new Document(null, OPTIONS));
      },
      (thrown) => [problem(`cannot be parsed: ${reasonOf(thrown)}`, positionAt(0))],
    ),
  );

/**
 * Parses one YAML 1.2 document in the core schema: no dates, `yes` is text. Returns the error `too_large`, or `invalid`
 * with every problem by line and column: syntax, duplicate keys, unknown tags, more documents, too much depth or too
 * many values (each alias counts), numbers outside of JSON.
 */
export const parseYaml = (text: string, file: string): Result<YamlSource> => {
  if (text.length > MAX_YAML_LENGTH) {
    return E.left(
      failure(
        'too_large',
        `${file}: the file has more than ${MAX_YAML_LENGTH} characters. Split or shorten it.`,
        { file },
      ),
    );
  }
  const lineCounter = new LineCounter();
  const positionAt = (offset: number): Position => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const composed = compose(text, positionAt, lineCounter);
  const refuse = (issues: readonly Issue[]) => E.left(invalid(file, withLines(text, issues)));
  if (E.isLeft(composed)) return refuse(composed.left);
  const document = composed.right;
  const problems = syntaxIssues(document, text, positionAt);
  if (problems.length > 0) return refuse(problems);
  const read = readNode(document.contents);
  if (E.isLeft(read)) {
    const located = read.left.map(({ offset, ...issue }) => ({ ...issue, ...positionAt(offset) }));
    return refuse(located);
  }
  return E.right({
    file,
    value: read.right,
    document,
    locate: (path, part = 'value') => positionAt(offsetOf(document, path, part)),
  });
};

/** Problems of a key rather than of its value. */
const ABOUT_KEYS: ReadonlySet<string> = new Set(['unknown_key', 'unknown_kind', 'conflict', 'missing']);

/** Adds lines and columns to problems. */
export const locateIssues = (source: YamlSource, issues: readonly Issue[]): Issue[] =>
  issues.map((issue) => ({
    ...issue,
    ...source.locate(issue.path, ABOUT_KEYS.has(issue.type) ? 'key' : 'value'),
  }));
