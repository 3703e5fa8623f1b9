import { isAbsolute, relative } from 'node:path';
import { plural } from '../../../domain/text/shown.js';
import type { Severity, TemplateFinding } from '../../../template/index.js';
import { escapeControls } from '../../terminal/text.js';

/** Line and column count from 1. */
export interface FileFinding {
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly severity: Severity;
  readonly code: string;
  /** The problem and the fix. */
  readonly message: string;
  /** Source line with a marker below the column; may be empty. */
  readonly shown: string;
}

/** Relative if below `cwd`. */
export const findingPath = (path: string, cwd: string): string => {
  const below = relative(cwd, path);
  return below === '' || below.startsWith('..') || isAbsolute(below) ? path : below;
};

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

export const messageOf = ({ message, hint }: Pick<TemplateFinding, 'message' | 'hint'>): string =>
  [message, ...(hint === null ? [] : [hint])].map(sentence).join(' ');

/** `file:3:7: error: problem. Fix.`, then the source line and its marker. */
export const findingText = ({ file, line, column, severity, message, shown }: FileFinding): string => {
  const location = line === null ? file : `${file}:${line}:${column ?? 1}`;
  const lines =
    shown === ''
      ? ''
      : shown
          .split('\n')
          .map((one) => `${escapeControls(one)}\n`)
          .join('');
  return `${escapeControls(`${location}: ${severity}: ${message}`)}\n${lines}`;
};

export const findingsJson = (findings: readonly FileFinding[]): string =>
  `${JSON.stringify(
    findings.map(({ file, line, column, severity, code, message }) => ({
      file,
      line,
      column,
      severity,
      code,
      message,
    })),
    null,
    2,
  )}\n`;

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note'];

export const countOfFindings = (findings: readonly FileFinding[], severity: Severity): number =>
  findings.filter((one) => one.severity === severity).length;

/** `2 errors, 1 note in 3 templates` */
/** `none` is written without findings. */
export const summaryOf = (
  findings: readonly FileFinding[],
  checked: number,
  none = 'no problems',
): string => {
  const counts = SEVERITIES.map((severity) => [severity, countOfFindings(findings, severity)] as const)
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => plural(count, severity));
  return `${counts.length === 0 ? none : counts.join(', ')} in ${plural(checked, 'template')}`;
};

/** Unique findings by file, line and column. */
export const inOrder = (findings: readonly FileFinding[]): readonly FileFinding[] => {
  const unique = new Map(
    findings.map((one) => [[one.file, one.line, one.column, one.code, one.message].join('\0'), one]),
  );
  const files = [...new Set([...unique.values()].map(({ file }) => file))];
  const order = new Map(files.map((file, index) => [file, index]));
  return [...unique.values()].sort(
    (a, b) =>
      (order.get(a.file) ?? 0) - (order.get(b.file) ?? 0) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  );
};
