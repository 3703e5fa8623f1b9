import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { parse } from 'yaml';
import { nodeFiles } from '../../../adapters/files/files.js';
import { systemClock } from '../../../adapters/systemClock.js';
import { MAX_CONFIG_BYTES } from '../../../config/generator/config.js';
import { failure, type Result, reasonOf } from '../../../domain/errors.js';
import { isJsonObject, type JsonObject } from '../../../domain/json.js';
import { plural } from '../../../domain/text/shown.js';
import { type CheckedPlugin, type CheckedRule, checkPlugins } from '../../../plugins/thirdParty/check.js';
import { entryOf } from '../../files/plugins.js';
import { reportError } from '../../report.js';
import { EXIT, type Io } from '../../terminal/io.js';

/** Returns the parameters of `--params`, or null to try the examples. */
const triesOf = async (
  given: string | undefined,
  cwd: string,
): Promise<Result<readonly JsonObject[] | null>> => {
  if (given === undefined) return E.right(null);
  const file = resolve(cwd, given);
  const text = existsSync(file) ? await nodeFiles.readText(file, MAX_CONFIG_BYTES) : E.right(given);
  if (E.isLeft(text)) return text;
  const refuse = (why: string): Result<never> =>
    E.left(
      failure('invalid', `--params: ${why}. Give a file or JSON with one object of parameters, or a list.`),
    );
  try {
    const value: unknown = parse(text.right);
    const tries: readonly unknown[] = Array.isArray(value) ? value : [value];
    return tries.length > 0 && tries.every(isJsonObject)
      ? E.right(tries as readonly JsonObject[])
      : refuse(`${given} is no object`);
  } catch (thrown) {
    return refuse(`${given} cannot be read: ${reasonOf(thrown)}`);
  }
};

const WORDS: Readonly<Record<CheckedRule['outcome'], string>> = {
  kept: 'ok',
  broken: 'BROKEN',
  skipped: 'skipped',
};

const ruleLine = ({ title, outcome, reason }: CheckedRule): string =>
  `  ${WORDS[outcome].padEnd(8)} ${title}${reason === '' ? '' : `: ${reason}`}\n`;

const pluginText = ({ kind, name, rules }: CheckedPlugin): string =>
  `${kind} ${name}\n${rules.map(ruleLine).join('')}`;

/** Checks the plugins of a file or package; one line for each rule. */
export const runCheck = async (named: string, params: string | undefined, io: Io): Promise<number> => {
  const tries = await triesOf(params, io.cwd);
  if (E.isLeft(tries)) return reportError(io, tries.left);
  const entry = entryOf(named, io.cwd);
  const checked = await checkPlugins({ entry, folder: io.cwd, tries: tries.right, clock: systemClock });
  if (E.isLeft(checked)) return reportError(io, checked.left);
  io.stdout.write(checked.right.map(pluginText).join('\n'));
  const rules = checked.right.flatMap((plugin) => plugin.rules);
  const broken = rules.filter(({ outcome }) => outcome === 'broken').length;
  if (broken === 0) return EXIT.ok;
  io.stderr.write(`spate: ${named} breaks ${plural(broken, 'rule')} of ${rules.length}.\n`);
  return EXIT.failed;
};
