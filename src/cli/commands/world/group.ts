import type { Command, CommandGroup } from '../../arguments/command.js';
import { flagOption, integerOption, textOption } from '../../arguments/option.js';

const FILE_NOTE = 'FILE is a world file, such as worlds/acme.yml. Without it, the default world is taken.';

const worldShow: Command<Record<string, never>> = {
  name: 'world show',
  summary: 'Says who and what is in a world: people, hosts, sites, attacks, and how much happens.',
  positionals: { usage: '[FILE]', min: 0, max: 1 },
  options: {},
  notes: [
    FILE_NOTE,
    'How much happens a minute is measured in the busiest hour of a Tuesday by the clock of the largest site; for 5,000 ' +
      'people that takes ten to twenty seconds.',
  ],
  examples: [{ title: 'See what a world has', line: 'spate world show worlds/acme.yml' }],
  run: async (given, context) => {
    // Lazy: other commands start faster without it.
    const { runWorldShow } = await import('./show.js');
    return runWorldShow(given, context);
  },
};

export const worldDayOptions = {
  date: textOption('DATE', {
    help: 'The day, such as 2026-03-10, by the clock of their site (default today).',
  }),
  json: flagOption({ help: 'Print JSON, for programs.' }),
};

const worldDay: Command<typeof worldDayOptions> = {
  name: 'world day',
  summary: 'Shows the day of a person: where they are when, and all that they do.',
  positionals: { usage: 'PERSON [FILE]', min: 1, max: 2 },
  options: worldDayOptions,
  notes: [
    'PERSON is a user name such as ada.lovelace, or the number of a person from 0.',
    FILE_NOTE,
    'Prints the parts of the day, then a line for each activity: time in the zone of their site, kind, host, facts. Of people and ' +
      'hosts in facts only the name is shown, of internet accesses the address.',
    'Exit codes: 0 shown; 1 invalid file, or no such person; 2 wrong usage.',
  ],
  examples: [
    { title: 'See what the first person does', line: 'spate world day 0 worlds/acme.yml --date 2026-03-10' },
    { title: 'Get it for a program', line: 'spate world day 0 --json' },
  ],
  run: async (given, context) => {
    // Lazy: other commands start faster without it.
    const { runWorldDay } = await import('./day.js');
    return runWorldDay(given, context);
  },
};

/** A day; longer checks would hold too many activities in memory. */
const MAX_CHECKED_MINUTES = 1_440;
const DEFAULT_CHECKED_MINUTES = 60;

export const worldCheckOptions = {
  minutes: integerOption(
    'N',
    { help: `Minutes to make and check (default ${DEFAULT_CHECKED_MINUTES}).` },
    { min: 1, max: MAX_CHECKED_MINUTES },
  ),
  start: textOption('TIME', {
    help: 'The first minute, ISO 8601 (default 10:00 on a Tuesday at the largest site).',
  }),
};

const worldCheck: Command<typeof worldCheckOptions> = {
  name: 'world check',
  summary: 'Makes minutes of a world and checks that its activities agree with each other.',
  positionals: { usage: '[FILE]', min: 0, max: 1 },
  options: worldCheckOptions,
  notes: [
    FILE_NOTE,
    'Each effect must have its cause, each session must begin before it is used, and the like.',
    'Prints a line for each problem. Exit codes: 0 none; 1 problems, or an invalid file; 2 wrong usage.',
  ],
  examples: [{ title: 'Check ten minutes', line: 'spate world check worlds/acme.yml --minutes 10' }],
  run: async (given, context) => {
    // Lazy: other commands start faster without it.
    const { runWorldCheck } = await import('./check.js');
    const minutes = given.options.minutes ?? DEFAULT_CHECKED_MINUTES;
    return runWorldCheck({ ...given, options: { ...given.options, minutes } }, context);
  },
};

export const worldGroup: CommandGroup = {
  name: 'world',
  summary: 'Shows and checks worlds: people, hosts, and all that they do.',
  commands: [worldShow, worldDay, worldCheck],
};
