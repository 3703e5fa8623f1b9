import { failure, type Issue, type SpateError } from '../domain/errors.js';
import { sentencesOf } from '../domain/text/shown.js';
import { showPath } from '../schema/index.js';

/** Problems listed in a message; `issues` has them all. */
const MAX_LISTED = 20;

const locationOf = (file: string, { line, column }: Issue): string =>
  line === undefined ? file : `${file}:${line}:${column ?? 1}`;

/** `file:line:column  input[0].cron.count  must be an integer. Hint.` */
const showIssue = (file: string, issue: Issue): string => {
  const parts = [locationOf(file, issue), showPath(issue.path), sentencesOf(issue)];
  return parts.filter((part) => part !== '').join('  ');
};

/** The error of an invalid document; `file` is empty for a value that comes from no file. */
export const invalid = (file: string, issues: readonly Issue[]): SpateError => {
  const lines = issues.slice(0, MAX_LISTED).map((issue) => showIssue(file, issue));
  const rest = issues.length - lines.length;
  const title = `${file === '' ? 'There are' : `${file} has`} ${issues.length} problems:`;
  const message =
    issues.length === 1
      ? lines.join('')
      : [title, ...lines.map((line) => `  ${line}`), ...(rest > 0 ? [`  and ${rest} more`] : [])].join('\n');
  return failure('invalid', message, file === '' ? { issues } : { file, issues });
};
