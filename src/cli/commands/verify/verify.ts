import type { Command } from '../../arguments/command.js';
import { flagOption, integerOption, textOption, textsOption } from '../../arguments/option.js';
import { CLICKHOUSE_PASSWORD_VARIABLE, DEFAULT_SHOWN, MAX_SHOWN } from '../limits.js';

export const verifyOptions = {
  clickhouse: textOption('URL', {
    help: 'Read from this server, e.g. http://localhost:8123. Requires --query.',
  }),
  query: textOption('SQL', {
    help: 'Query to read; in FORMAT TabSeparated unless it names another one.',
  }),
  user: textOption('NAME', { help: 'Database user (default: default).' }),
  'password-file': textOption('FILE', {
    help: `File with the password (default: $${CLICKHOUSE_PASSWORD_VARIABLE}).`,
  }),
  'arrival-column': textOption('NAME', {
    help: 'Column with the arrival time of a row, to measure latency: DateTime (UTC) or epoch number.',
  }),
  expect: integerOption(
    'N',
    { help: 'Number of distinct events that must have arrived on all streams; detects a missing end.' },
    { min: 1 },
  ),
  'allow-duplicates': flagOption({
    help: 'Accept duplicates and torn lines, for at-least-once delivery.',
  }),
  'ground-truth': textsOption('FILE', {
    help: 'Labels of the imperfections that the output made on purpose: explained loss and duplicates do not fail. Can be repeated.',
  }),
  'max-shown': integerOption(
    'N',
    { help: `Numbers and lines to list per problem (default ${DEFAULT_SHOWN}).` },
    { min: 0, max: MAX_SHOWN },
  ),
  json: flagOption({ help: 'Print the report as JSON.' }),
};

export const verify: Command<typeof verifyOptions> = {
  name: 'verify',
  summary: 'Checks delivered events by their marks: loss, duplicates, order, damage, latency.',
  positionals: { usage: 'FILE...', min: 0, max: Number.POSITIVE_INFINITY },
  options: verifyOptions,
  notes: [
    'Set `marks` on the event plugin (script, template, replay) to add marks: stream, sequence number and checksum. Each line is ' +
      'one event; events of several lines, JSON arrays (json-batch) and reformatted JSON are recognized.',
    'FILE - is standard input. Reading from a pipe also measures latency: the time from the timestamp of an event to its arrival.',
    'With --clickhouse, --query must return rows as they were written: all columns in order, the mark last (a JSON member ' +
      '`spate` with FORMAT JSONEachRow). If a column holds whole events, end the query with FORMAT TSVRaw. A query of only the ' +
      'mark detects loss and duplicates, but not damage. --arrival-column is removed from the row first.',
    'An event with a wrong checksum counts as lost. Sequence numbers start at 1 in each stream.',
    '--ground-truth is the file of `imperfections.ground_truth` of the output. Events that it says were dropped, truncated, ' +
      'malformed or lost in a silence are not lost, and a second copy that it says was made is no duplicate. A copy or a damaged line that it says was ' +
      'made and that did not arrive fails.',
    'Exit codes: 0 no loss, duplicates or damage; 1 some, no marks found, or unreadable input; 2 wrong usage. ' +
      'Wrong order and lines without a mark do not fail.',
  ],
  examples: [
    { title: 'Verify a file', line: 'spate verify out/events.log --expect 100000' },
    {
      title: 'Verify a live stream, with latency',
      line: 'spate verify -',
    },
    {
      title: 'Verify a table',
      line: "spate verify --clickhouse http://localhost:8123 --query 'SELECT at, page, mark FROM visits'",
    },
  ],
  run: async (given, context) => {
    // Lazy: other commands start faster without it.
    const { runVerify } = await import('./runVerify.js');
    return runVerify(given, context);
  },
};
