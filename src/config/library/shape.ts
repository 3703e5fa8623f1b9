import {
  defaulted,
  integer,
  listOf,
  mapOf,
  record,
  required,
  type Shape,
  text,
  type ValueOf,
} from '../../schema/index.js';

/** Characters. */
const MAX_SUMMARY_LENGTH = 100;
const MAX_HELP_LENGTH = 300;
const MAX_CHOICE_LENGTH = 100;
/** Entries of each list. */
const MAX_ENTRIES = 100;

const MAX_EVENT_BYTES = 16_777_216;

/** Text for a line of a list. */
const line = (maxLength: number): Shape<string> =>
  text({
    label: `one line of 1..${maxLength} characters`,
    minLength: 1,
    maxLength,
    check: (value) =>
      value.includes('\n')
        ? { type: 'not_allowed', message: 'must be one line', hint: 'Write it without a line break.' }
        : null,
  });

const help = line(MAX_HELP_LENGTH);

const category = text({
  label: 'word',
  check: (value) =>
    /^[a-z][a-z0-9]*$/.test(value)
      ? null
      : { type: 'bad_format', message: 'must be one word of lower-case letters and digits' },
});

const libraryFields = {
  summary: required(line(MAX_SUMMARY_LENGTH), {
    help: 'What the generator imitates.',
    example: 'Logon, process and group events of Windows computers as ECS documents.',
  }),
  category: required(category, {
    help: 'First part of the name of the folder, before a dash.',
    example: 'windows',
  }),
  event_bytes: required(integer({ min: 1, max: MAX_EVENT_BYTES }), {
    help: 'Typical size of an event as written.',
    unit: 'bytes',
  }),
  parameters: defaulted(
    mapOf(help, { max: MAX_ENTRIES }),
    {},
    {
      help: 'Help for each placeholder `${params.NAME:-default}` of generator.yml; the default stays there.',
      example: { rate: 'Events a second at night.' },
    },
  ),
  choices: defaulted(
    mapOf(listOf(text({ minLength: 1, maxLength: MAX_CHOICE_LENGTH }), { min: 1, max: MAX_ENTRIES }), {
      max: MAX_ENTRIES,
    }),
    {},
    {
      help: 'The only values of a parameter; others are refused. Those of `anomaly` are the `anomalies`, `none` and the default.',
      example: { format: ['json', 'combined'] },
    },
  ),
  anomalies: defaulted(
    mapOf(help, { max: MAX_ENTRIES }),
    {},
    {
      help: 'What happens for each value of the scenario global `anomaly`.',
      example: { brute_force: 'Many failed logons, then a successful one.' },
    },
  ),
  indicators: defaulted(
    mapOf(listOf(text({ minLength: 1, maxLength: MAX_CHOICE_LENGTH }), { min: 1, max: MAX_ENTRIES }), {
      max: MAX_ENTRIES,
    }),
    {},
    {
      help: 'Fields whose values may tell an attack from normal events, by anomaly, such as the address of the attacker; `spate inspect --tells` leaves them out.',
      example: { brute_force: ['/source/ip'] },
    },
  ),
  detections: defaulted(listOf(help, { max: MAX_ENTRIES }), [], {
    help: 'Detection rules that the events can drive.',
  }),
} as const;

/** A `library.yml`: what makes a generator a ready-made one. */
export const libraryShape = record(libraryFields);

export type LibraryDocument = ValueOf<typeof libraryFields>;
