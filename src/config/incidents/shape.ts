import { checkGeneratorId, MAX_ID_LENGTH } from '../../domain/identifiers.js';
import { durationSeconds } from '../../domain/incidents/incident.js';
import { isJsonObject } from '../../domain/json.js';
import { MARK_MODES } from '../../domain/marks/mark.js';
import { entityProblem } from '../../incidents/entities.js';
import {
  anyJson,
  defaulted,
  freeObject,
  integer,
  listOf,
  mapOf,
  number,
  oneOf,
  optional,
  path,
  record,
  refined,
  required,
  text,
  type ValueOf,
} from '../../schema/index.js';
import { defect } from '../../schema/issues.js';
import { ATTACK_NAMES } from '../../world/attack/names.js';

/** Each runs on a thread of its own. */
const MAX_MEMBERS = 20;
const MAX_PHASES = 1_000;
const MAX_REPEATS = 1_000;
const MAX_EVENTS = 10_000_000;

const duration = text({
  label: 'duration',
  maxLength: 64,
  check: (written) =>
    durationSeconds(written) === null
      ? defect('bad_format', 'must be a duration such as 90s, 5m or 1h30m')
      : null,
});

const name = text({
  label: 'name',
  maxLength: 64,
  check: (written) =>
    /^[A-Za-z_][\w -]*$/.test(written)
      ? null
      : defect('bad_format', 'must begin with a letter, and have letters, digits, spaces, _ and - only'),
});

const entity = refined(anyJson(), (value) => {
  const problem = entityProblem(value);
  return problem === null ? null : defect('bad_format', problem);
});

const member = record({
  path: required(path(), {
    help: 'Config of the generator, or its folder; relative to this file.',
    example: '../generators/vpn-gateway',
  }),
  params: defaulted(freeObject(), {}, { help: 'Values for the placeholders ${params.name} of its config.' }),
  id: optional(text({ label: 'id', maxLength: MAX_ID_LENGTH, check: checkGeneratorId }), {
    help: 'Generator of the service that takes part. Default: the only one with this config.',
    example: 'vpn',
  }),
});

/** The value of one key is checked with the config of the member. */
const plugin = refined(freeObject(), (value) =>
  Object.keys(value).length === 1 && Object.values(value).every(isJsonObject)
    ? null
    : defect('not_one_key', 'must have exactly one key, the name of a plugin'),
);

const phaseMember = record({
  events: defaulted(integer({ min: 0, max: MAX_EVENTS }), 0, {
    help: 'Events that the phase adds, evenly over its length.',
    example: 60,
  }),
  input: defaulted(listOf(plugin), [], {
    help: 'More events that the phase adds, at the timestamps of these inputs.',
    example: [{ rate: { events_per_second: 2, arrivals: 'poisson' } }],
  }),
  attack: optional(oneOf(ATTACK_NAMES), {
    help: 'Attack of the world of this member: the phase adds its campaigns that begin and end within it. It lasts at least an hour then.',
    example: 'ransomware',
  }),
  templates: defaulted(listOf(text({ minLength: 1 })), [], {
    help: 'Aliases of the templates that make these events. Default: those that make the others.',
    example: ['brute-force'],
  }),
  globals: defaulted(
    freeObject(),
    {},
    {
      help: 'Values that these events read from `globals`; `${entity.property}` stands for what was drawn.',
      example: { anomaly: 'brute_force', attacker_ip: '${attacker.ip}' },
    },
  ),
  rate_factor: defaulted(number({ exclusiveMin: 0, max: 1_000_000 }), 1, {
    help: 'Factor of the rate of its usual events meanwhile; of `cron` inputs, their `count` is rounded.',
    example: 0.1,
  }),
  output: optional(listOf(plugin), {
    help: 'Outputs in place of its own meanwhile; an empty list: its events are lost.',
    example: [{ stdout: {} }],
  }),
});

const phase = record({
  name: required(name, { help: 'Name in the ground truth; each once.', example: 'brute force' }),
  at: required(duration, { help: 'Time after the start of the incident.', example: '5m' }),
  for: required(duration, { help: 'Length.', example: '2m' }),
  repeat: optional(
    record({
      times: required(integer({ min: 1, max: MAX_REPEATS }), {
        help: 'How often it comes in all.',
        example: 3,
      }),
      every: required(duration, { help: 'Time from one beginning to the next.', example: '10m' }),
    }),
    { help: 'The phase comes several times.' },
  ),
  stopped: defaulted(listOf(text()), [], {
    help: 'Members that make no events of their own meanwhile.',
    example: ['firewall'],
  }),
  globals: defaulted(
    freeObject(),
    {},
    { help: 'Values that the usual events of all members, and those that it adds, read meanwhile.' },
  ),
  members: defaulted(
    mapOf(phaseMember, { max: MAX_MEMBERS }),
    {},
    { help: 'What the phase adds to members.' },
  ),
});

const incidentFields = {
  summary: optional(text({ maxLength: 1_000 }), { help: 'What happens.' }),
  duration: required(duration, {
    help: 'Length of the incident, with the time before and after.',
    example: '30m',
  }),
  members: required(mapOf(member, { max: MAX_MEMBERS }), {
    help: 'Generators that take part, by a name of your choice.',
  }),
  entities: defaulted(
    mapOf(entity),
    {},
    {
      help: 'Who and what takes part: values, or draws with `pick` (from a list or a file), `number` or `address`.',
      example: { attacker: { ip: { address: '198.51.100.0/24' } }, victim: { pick: 'users.csv' } },
    },
  ),
  phases: required(listOf(phase, { min: 1, max: MAX_PHASES }), { help: 'What happens when.' }),
  marks: optional(oneOf(MARK_MODES), {
    help: 'Marks of all events, by which the ground truth names them. Default: as the configs of the members say.',
  }),
  ground_truth: optional(plugin, {
    help: 'Output for the ground truth, as in `output`. `{member}` stands for the name of the member.',
    example: { file: { path: 'out/{member}.truth.jsonl' } },
  }),
} as const;

export type IncidentDocument = ValueOf<typeof incidentFields>;

export const incidentShape = record(incidentFields);
