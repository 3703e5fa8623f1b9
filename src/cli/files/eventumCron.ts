import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { readDocument } from '../../config/yaml/document.js';
import { locateIssues } from '../../config/yaml/source.js';
import type { Issue } from '../../domain/errors.js';
import { isJsonObject, type Json } from '../../domain/json.js';
import { parseCron } from '../../plugins/inputs/cron/expression.js';
import { installed } from '../../plugins/installed.js';

/** The first line of each config that `spate import eventum` writes. */
export const IMPORTED_LINE =
  '# Imported from Eventum, where the last of six cron fields is seconds; here it is the first. Delete this line once you have checked them.';

const IMPORTED = /^# Imported from Eventum\b/m;

/** The settings file of an installation of Eventum. */
export const EVENTUM_FILE = 'eventum.yml';

/** Whether a config lies in a folder with `eventum.yml`, or at most two levels below: `generators/web/generator.yml`. */
const isBesideEventum = (path: string): boolean => {
  const folder = dirname(path);
  return [folder, dirname(folder), dirname(dirname(folder))].some((each) =>
    existsSync(join(each, EVENTUM_FILE)),
  );
};

/** Cron expressions of a config, with their paths. */
export const cronExpressions = (
  config: Json,
): readonly { readonly path: Issue['path']; readonly expression: string }[] => {
  const inputs = isJsonObject(config) && Array.isArray(config['input']) ? config['input'] : [];
  return (inputs as readonly Json[]).flatMap((input, index) => {
    const cron = isJsonObject(input) ? input['cron'] : null;
    const expression = isJsonObject(cron) ? cron['expression'] : null;
    return typeof expression === 'string'
      ? [{ path: ['input', index, 'cron', 'expression'], expression }]
      : [];
  });
};

/** Six or seven fields with the seconds in front. Null for other expressions, and where a year is given. */
export const withSecondsFirst = (expression: string): string | null => {
  const fields = expression.trim().split(/\s+/);
  const [second, year = '*'] = fields.slice(5);
  if (second === undefined || fields.length > 7 || year !== '*') return null;
  return [second, ...fields.slice(0, 5)].join(' ');
};

/** Whether six fields tick at one time with the seconds first, and at another with the seconds last. */
export const isReadBothWays = (expression: string): boolean => {
  const other = withSecondsFirst(expression);
  const [here, there] = [parseCron(expression), parseCron(other ?? '')];
  return E.isRight(here) && E.isRight(there) && JSON.stringify(here.right) !== JSON.stringify(there.right);
};

/** Warnings about six cron fields in a config that comes from Eventum: its first line says so, or `eventum.yml` is near. */
export const cronDoubts = (text: string, shown: string, path: string): readonly Issue[] => {
  const isImported = IMPORTED.test(text);
  if (!isImported && !isBesideEventum(path)) return [];
  const document = readDocument(text, shown, installed().shapes.generator);
  if (E.isLeft(document)) return [];
  const { source, value } = document.right;
  const hint = isImported
    ? 'Check it, then delete the line about Eventum at the top of the file.'
    : '`spate import eventum` moves the seconds to the front.';
  const issues = cronExpressions(value)
    .filter(({ expression }) => isReadBothWays(expression))
    .map((one) => ({
      path: one.path,
      type: 'bad_format',
      message: `"${one.expression}" begins with seconds here; Eventum reads them from the last field`,
      hint,
    }));
  return locateIssues(source, issues);
};
