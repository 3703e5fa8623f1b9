import * as E from 'fp-ts/lib/Either.js';
import { type IsMatch, olderThan, purgeFolder } from '../../../adapters/deadLetters/folder.js';
import type { Result } from '../../../domain/errors.js';
import { plural, showCount } from '../../../domain/text/shown.js';
import type { Micros } from '../../../domain/time/micros.js';
import { parseSpan } from '../../../domain/time/span.js';
import type { DeadLetterFolder } from '../../../ports/deadLetters.js';
import type { Command, CommandContext } from '../../arguments/command.js';
import { flagOption, type Option, textOption } from '../../arguments/option.js';
import { reportError, usageError } from '../../report.js';
import { EXIT } from '../../terminal/io.js';
import {
  deadLettersName,
  STATE_OPTIONS,
  selectDeadLetters,
  tornNote,
  usageWithoutState,
  WHICH,
  WHICH_NOTE,
  withReason,
} from './selection.js';

const countMatches = async (
  folders: readonly DeadLetterFolder[],
  isMatch: IsMatch,
): Promise<Result<number>> => {
  let count = 0;
  for (const folder of folders) {
    for await (const run of folder.read()) {
      if (E.isLeft(run)) return run;
      count += run.right.deadLetters.filter(isMatch).length;
    }
  }
  return E.right(count);
};

/** Asks for confirmation. Returns null when it is given, else the exit code. */
const confirm = async (
  folders: readonly DeadLetterFolder[],
  isMatch: IsMatch,
  { io }: CommandContext,
): Promise<number | null> => {
  if (io.ask === null) {
    const message = 'cannot ask for confirmation without a terminal. Add --yes to remove the letters.';
    return usageError(io, 'deadletter purge', message);
  }
  const count = await countMatches(folders, isMatch);
  if (E.isLeft(count)) return reportError(io, count.left);
  const answer = await io.ask(
    `Remove ${plural(count.right, 'letter')} of ${folders.map(deadLettersName).join(', ')} permanently? [y/N] `,
  );
  if (/^y(es)?$/i.test(answer.trim())) return null;
  io.stderr.write('spate: nothing was removed.\n');
  return EXIT.failed;
};

const spanOption: Option<Micros> = {
  takes: 'value',
  placeholder: 'DURATION',
  help: 'Only letters older than this, e.g. 30m, 12h, 7d.',
  read: (texts) => E.mapLeft((message: string) => `is wrong: ${message}`)(parseSpan(texts.at(-1) ?? '')),
};

const options = {
  ...STATE_OPTIONS,
  all: flagOption({ help: 'All generators and outputs.' }),
  'older-than': spanOption,
  reason: textOption('TEXT', { help: 'Only letters with this text in their code or reason.' }),
  yes: flagOption({ help: 'Do not ask for confirmation. Required without a terminal.' }),
};

export const deadletterPurge: Command<typeof options> = {
  name: 'deadletter purge',
  summary: 'Removes dead letters permanently.',
  positionals: { usage: `${WHICH}|--all`, min: 0, max: 1 },
  options,
  notes: [WHICH_NOTE, 'Letters that a running daemon adds meanwhile stay.'],
  examples: [
    {
      title: 'Remove letters older than a week',
      line: 'spate deadletter purge -c settings/spate.yml --all --older-than 7d --yes',
    },
    {
      title: 'Remove letters that a database rejected',
      line: 'spate deadletter purge -c settings/spate.yml visits/1-clickhouse --reason rejected',
    },
  ],
  run: async ({ options: values, positionals: [which] }, context) => {
    const { io, services } = context;
    const misused = usageWithoutState(values, 'deadletter purge', io);
    if (misused !== null) return misused;
    if ((which === undefined) !== (values.all === true))
      return usageError(io, 'deadletter purge', `name ${WHICH}, or give --all`);
    const selection = await selectDeadLetters(values, which, io);
    if (E.isLeft(selection)) return reportError(io, selection.left);
    const { folders } = selection.right;
    const span = values['older-than'];
    const [isOld, hasText] = [
      olderThan(span === undefined ? null : services.clock.now() - span),
      withReason(values.reason),
    ];
    const isMatch: IsMatch = (deadLetter) => isOld(deadLetter) && hasText(deadLetter);
    const refused =
      values.yes === true || folders.length === 0 ? null : await confirm(folders, isMatch, context);
    if (refused !== null) return refused;
    let code: number = EXIT.ok;
    for (const folder of folders) {
      const purged = await purgeFolder(folder, isMatch);
      if (E.isLeft(purged)) {
        code = reportError(io, purged.left);
        continue;
      }
      const { removed, left, torn } = purged.right;
      const stays = left > 0 ? `, ${showCount(left)} ${left === 1 ? 'stays' : 'stay'}` : '';
      const aside = torn > 0 ? `; ${tornNote(torn)}: see torn.txt in ${folder.path}` : '';
      io.stderr.write(`${deadLettersName(folder)}: ${plural(removed, 'letter')} removed${stays}${aside}\n`);
    }
    if (folders.length === 0) io.stderr.write('There are no dead letters.\n');
    return code;
  },
};
