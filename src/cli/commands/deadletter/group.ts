import * as E from 'fp-ts/lib/Either.js';
import type { SpateError } from '../../../domain/errors.js';
import type { DeadLetterFolder, StoredDeadLetter } from '../../../ports/deadLetters.js';
import type { Command, CommandGroup } from '../../arguments/command.js';
import { flagOption, integerOption, textOption } from '../../arguments/option.js';
import { reportError, usageError } from '../../report.js';
import { EXIT, type Io } from '../../terminal/io.js';
import { escapeControls } from '../../terminal/text.js';
import { deadletterList } from './list.js';
import { deadletterPurge } from './purge.js';
import { deadletterResend } from './resend.js';
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

const DEFAULT_LIMIT = 20;

/** Time and reason on one line, the event below. */
const pretty = ({ at, code, reason, event }: StoredDeadLetter): string => {
  const lines = event.split('\n').map((line) => `    ${escapeControls(line)}`);
  return `${escapeControls(`${at} ${code}: ${reason}`)}\n${lines.join('\n')}\n`;
};

const FORMS = {
  pretty,
  json: ({ line }: StoredDeadLetter) => `${line}\n`,
  events: ({ event }: StoredDeadLetter) => `${event}\n`,
} as const;

interface Shown {
  letters: number;
  torn: number;
  hasMore: boolean;
}

/** Writes letters up to the limit; flushes for back-pressure. */
const showFolder = async (
  folder: DeadLetterFolder,
  isWanted: (deadLetter: StoredDeadLetter) => boolean,
  show: { readonly limit: number; readonly form: (deadLetter: StoredDeadLetter) => string; readonly io: Io },
  shown: Shown,
): Promise<SpateError | null> => {
  for await (const run of folder.read()) {
    if (E.isLeft(run)) return run.left;
    const wanted = run.right.deadLetters.filter(isWanted);
    const taken = wanted.slice(0, show.limit - shown.letters);
    show.io.stdout.write(taken.map(show.form).join(''));
    await show.io.flush();
    shown.letters += taken.length;
    shown.torn += run.right.torn;
    shown.hasMore = taken.length < wanted.length;
    if (shown.hasMore) return null;
  }
  return null;
};

const options = {
  ...STATE_OPTIONS,
  limit: integerOption('N', { help: `Maximum letters (default ${DEFAULT_LIMIT}).` }, { min: 1 }),
  reason: textOption('TEXT', { help: 'Only letters with this text in their code or reason.' }),
  json: flagOption({ help: 'Print the stored letters, one JSON object per line.' }),
  events: flagOption({ help: 'Print only the events.' }),
};

const deadletterShow: Command<typeof options> = {
  name: 'deadletter show',
  summary: 'Shows dead letters, oldest first.',
  positionals: { usage: WHICH, min: 1, max: 1 },
  options,
  notes: [WHICH_NOTE],
  examples: [
    {
      title: 'See the oldest letters of an output',
      line: 'spate deadletter show -c settings/spate.yml shop-orders/1-file',
    },
    {
      title: 'Save the events that a database rejected',
      line: 'spate deadletter show -c settings/spate.yml visits --reason rejected --events > refused.txt',
    },
  ],
  run: async ({ options: values, positionals: [which] }, { io }) => {
    const misused = usageWithoutState(values, 'deadletter show', io);
    if (misused !== null) return misused;
    if (values.json === true && values.events === true)
      return usageError(io, 'deadletter show', 'give --json or --events, not both');
    const selection = await selectDeadLetters(values, which, io);
    if (E.isLeft(selection)) return reportError(io, selection.left);
    const form = FORMS[values.json === true ? 'json' : values.events === true ? 'events' : 'pretty'];
    const limit = values.limit ?? DEFAULT_LIMIT;
    const shown: Shown = { letters: 0, torn: 0, hasMore: false };
    for (const folder of selection.right.folders) {
      if (selection.right.folders.length > 1) io.stderr.write(`${deadLettersName(folder)}:\n`);
      const error = await showFolder(folder, withReason(values.reason), { limit, form, io }, shown);
      if (error !== null) return reportError(io, error);
      if (shown.hasMore) break;
    }
    const what = shown.hasMore
      ? `the first ${shown.letters} letters; --limit N shows more`
      : shown.letters === 0
        ? 'no letters match'
        : '';
    const note = [what, tornNote(shown.torn)].filter((text) => text !== '').join('; ');
    if (note !== '') io.stderr.write(`spate: ${note}.\n`);
    return EXIT.ok;
  },
};

export const deadletter: CommandGroup = {
  name: 'deadletter',
  summary: 'Shows, resends and removes dead letters: events that an output could not deliver.',
  notes: [
    'The daemon and spate generate --state store dead letters with the reason in the state folder. All commands are safe ' +
      'while the daemon runs; a resend and a purge of the same output exclude each other.',
  ],
  commands: [deadletterList, deadletterShow, deadletterResend, deadletterPurge],
};
