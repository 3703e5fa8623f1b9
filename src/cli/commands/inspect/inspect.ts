import { showCount } from '../../../domain/text/shown.js';
import type { Command } from '../../arguments/command.js';
import { flagOption, integerOption, textOption, textsOption } from '../../arguments/option.js';
import { PLUGIN_OPTIONS, SAMPLE_OPTIONS } from '../../arguments/sharedOptions.js';
import { KEYRING_OPTION } from '../../files/keyring.js';
import {
  DEFAULT_COMPARED,
  DEFAULT_INSPECTED,
  DEFAULT_LABEL,
  MAX_COMPARED,
  MAX_INSPECTED,
  MAX_TIMESTAMPS,
} from '../limits.js';

export const inspectOptions = {
  events: integerOption(
    'N',
    { short: 'n', help: `Number of events to make (default ${DEFAULT_INSPECTED}).` },
    { min: 1, max: MAX_INSPECTED },
  ),
  ...SAMPLE_OPTIONS,
  json: flagOption({ help: 'Print the report as JSON.' }),
  html: textOption('FILE', { help: 'Also write the report to FILE, as one page with plots.' }),
  tells: flagOption({
    help: 'Instead, say what gives the attacks among the events away: of a ready-made generator each anomaly in turn.',
  }),
  label: textOption('FIELD', {
    help: `With --tells: the field that names the attack an event belongs to (default ${DEFAULT_LABEL}).`,
  }),
  indicator: textsOption('FIELD', {
    help: 'With --tells: a field that may tell an attack, such as the address of the attacker. May be repeated.',
  }),
  'keyring-cryptfile': KEYRING_OPTION,
  ...PLUGIN_OPTIONS,
};

export const inspect: Command<typeof inspectOptions> = {
  name: 'inspect',
  summary: 'Measures what a generator makes: rates, sizes, fields and their values, compressibility.',
  positionals: { usage: 'PATH', min: 1, max: 1 },
  options: inspectOptions,
  usesPlugins: true,
  notes: [
    'PATH is a config file, or a folder with a generator.yml. The generator runs in memory, without waiting; no output is opened.',
    'The schedule counts the timestamps of the inputs in the 24 hours from --now ' +
      `(at most ${showCount(MAX_TIMESTAMPS)}); volumes multiply them by the measured size, line ends included. The speed is that of this machine ` +
      'making events one timestamp at a time; a run makes them in batches and may be faster.',
    'Fields come from events that are JSON, CEF or key=value. A tilde marks an estimate: beyond 10,000 distinct values of a field, ' +
      'their number (standard error 1.6 %) and entropy. The report names every limit that was hit.',
    `--tells makes events (default ${showCount(DEFAULT_COMPARED)}, at most ${showCount(MAX_COMPARED)}) and looks for marks that more than a fifth of an attack has and no normal ` +
      'event: values, fields, lengths, fractions of a second, hours. A tree of two questions then tries to tell the attack; ' +
      'its balanced accuracy is measured on events that it was not made from. An event without label, or with none, normal or benign, is a normal one.',
    'Exit codes: 0 measured, with --tells nothing gives an attack away; 1 invalid generator, failed or no events, an attack is given away, or FILE cannot be written; 2 wrong usage.',
  ],
  examples: [
    { title: 'See rates, sizes and fields', line: 'spate inspect generators/access-log' },
    {
      title: 'Get the report as JSON, repeatable',
      line: 'spate inspect generators/ecs-web-auth --seed 7 --now 2026-03-02T09:00:00Z --json',
    },
    {
      title: 'Write a page with plots',
      line: 'spate inspect generators/ecs-web-auth --events 100000 --html report.html',
    },
    {
      title: 'Learn what gives the attacks of a generator away',
      line: 'spate inspect generators/network-firewall --tells --seed 7',
    },
  ],
  run: async (given, context) => {
    // Lazy: other commands start faster without it.
    if (given.options.tells === true) return (await import('./runTells.js')).runTells(given, context);
    const { runInspect } = await import('./runInspect.js');
    return runInspect(given, context);
  },
};
