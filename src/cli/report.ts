import { ERRORS, type Issue, type SpateError } from '../domain/errors.js';
import { asSentence, sentencesOf } from '../domain/text/shown.js';
import { showPath } from '../schema/index.js';
import { EXIT, type Io } from './terminal/io.js';
import { escapeControls } from './terminal/text.js';

/** `file:line:column: input[0].timer.seconds: must be at least 0.1. Hint.` */
const issueLine = (file: string, issue: Issue): string => {
  const { path, line, column, shown } = issue;
  const location = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  const written = [location, showPath(path), sentencesOf(issue)].filter((part) => part !== '').join(': ');
  return shown === undefined ? written : `${written}\n${shown.split('\n').map(escapeControls).join('\n')}`;
};

/** By position in the file; issues without one keep their order. */
const inOrder = (a: Issue, b: Issue): number =>
  (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);

/** One line per issue, or the message; the source line follows a mistake in the syntax. */
export const problemLines = ({ message, file = '', issues = [] }: SpateError): readonly string[] =>
  issues.length === 0 ? [message] : [...issues].sort(inOrder).map((issue) => issueLine(file, issue));

/** Prints an error to standard error; returns its exit code. */
export const reportError = (io: Io, error: SpateError): number => {
  for (const line of problemLines(error)) io.stderr.write(`spate: ${line}\n`);
  return ERRORS[error.code].exit;
};

/** Reports a wrong command line; returns its exit code. `command`: the words after `spate`, as far as they are known. */
export const usageError = (io: Io, command: string, message: string): number => {
  const words = command === '' ? '' : ` ${command}`;
  io.stderr.write(`spate${words}: ${asSentence(message)}\nTry '${io.program}${words} --help'.\n`);
  return EXIT.usage;
};
