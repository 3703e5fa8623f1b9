import {
  boolean,
  defaulted,
  integer,
  lazily,
  listOf,
  number,
  oneOf,
  optional,
  path,
  record,
  required,
  text,
} from '../../../schema/index.js';
import { type ActivityKind, ALL_ACTIVITY_KINDS } from '../../../world/activity/kinds.js';
import { MAX_DELAY_SECONDS } from '../../../world/observe.js';
import { HOST_ROLES } from '../../../world/population/entities.js';
import { MAX_WORLD_LOAD, MAX_WORLD_PEOPLE } from '../../../world/spec.js';
import { inputPlugin } from '../../declare.js';
import { checkStartBeforeEnd, dateTimeShape } from '../shared/dateTimeField.js';

const MAX_CLOCK_ERROR = 60;

const fields = lazily(() => ({
  path: optional(path(), {
    help: 'File of the world. Default: the default world.',
    example: '../../worlds/acme.yml',
    reads: 'file',
  }),
  people: optional(integer({ min: 1, max: MAX_WORLD_PEOPLE }), {
    help: 'People of the organization. Default: 200.',
    example: 500,
  }),
  seed: optional(integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), {
    help: 'Seed of the world. Generators with the same world see the same people, hosts and activities. Default: 7.',
    example: 7,
  }),
  load: optional(number({ exclusiveMin: 0, max: MAX_WORLD_LOAD }), {
    help: 'Multiplies people and visitors. It never changes how long something takes. Default: 1.',
    example: 2,
  }),
  kinds: required(
    listOf(oneOf(ALL_ACTIVITY_KINDS as readonly [ActivityKind, ...ActivityKind[]]), { min: 1 }),
    {
      help: 'Kinds of activities that give timestamps.',
      example: ['logon', 'logon_failed'],
    },
  ),
  where: optional(
    record({
      os: optional(oneOf(['windows', 'linux']), { help: 'Only hosts with this operating system.' }),
      roles: optional(listOf(oneOf(HOST_ROLES), { min: 1 }), {
        help: 'Only hosts with one of these roles.',
        example: ['domain_controller'],
      }),
      sites: optional(listOf(text({ minLength: 1 }), { min: 1 }), {
        help: 'Only hosts at one of these sites, by name.',
        example: ['hamburg'],
      }),
      over_vpn: defaulted(boolean(), false, {
        help: 'Of connections, only those over the VPN to a server; all other kinds stay. It costs much less than all connections.',
      }),
    }),
    { help: 'What the source sees. Default: all, and what happens outside of the organization.' },
  ),
  sensor: optional(
    record({
      seen: defaulted(number({ min: 0, max: 1 }), 1, {
        help: 'Share of the activities that the source sees.',
      }),
      delay: defaulted(number({ min: 0, max: MAX_DELAY_SECONDS }), 0, {
        help: `Mean delay of a timestamp after its activity; exponential, cut at ${MAX_DELAY_SECONDS}.`,
        unit: 'seconds',
      }),
      clock_error: defaulted(number({ min: -MAX_CLOCK_ERROR, max: MAX_CLOCK_ERROR }), 0, {
        help: 'How far the clock of the source is ahead.',
        unit: 'seconds',
      }),
    }),
    { help: 'How well the source sees. Default: everything, at once, with the right time.' },
  ),
  anomaly: defaulted(text({ minLength: 1 }), 'none', {
    help: 'Attack of the world whose activities make events; the value `anomaly` in `globals` goes before it. `none` shows no attack.',
    example: 'password_spray',
  }),
  attack_only: defaulted(boolean(), false, {
    help: 'Only the campaigns of `anomaly` that begin and end between `start` and `end`, whatever `globals` say: for inputs that add an attack to others.',
  }),
  start: optional(dateTimeShape(), { help: 'Start, inclusive; default now.', example: '2026-01-01' }),
  end: optional(dateTimeShape(), {
    help: 'End, exclusive; default never. Relative values count from start.',
    example: '+10d',
  }),
}));

export const worldSpec = inputPlugin({
  name: 'world',
  summary: 'Timestamps of what happens in a world of people and hosts that all generators share.',
  fields,
  rules: [{ fields: ['start', 'end'], check: checkStartBeforeEnd }],
  notes: [
    'A world follows from its seed and the time alone: generators, partitions and nodes agree on it without talking, and any moment can be entered without the past. `template` and `script` get the `activity` of each timestamp; mode `activity` of `template` picks templates by its kind.',
    'Each activity that the source sees gives one timestamp: its time, plus the delay, plus the clock error. Of two in one microsecond, the later one moves on by one. What a source misses and delays depends on the seed of the world, `kinds` and `where`, not on the seed of the generator.',
    'Activities of an attack make an event only when `globals` has its name as `anomaly`, or, without such a value, the parameter has. In a scenario, a change takes effect at the next event, and all other attacks count as dropped. In no scenario, those are not made: it takes less time, and a change by the generator itself takes effect some minutes of the world later.',
    'In a scenario, the globals `people_factor` and `outside_factor` (0 to 1, default 1) say which part of the people, and of visitors and strangers, makes events; what is left out counts as dropped.',
    'Several generators of a thread compute each minute of a world once. `skip_past` begins at the start of generation.',
  ],
  examples: [
    { title: 'Logons of a company', params: { kinds: ['logon', 'logon_failed', 'logoff'] } },
    {
      title: 'What an agent on Windows hosts in Hamburg reports, late and not everything',
      params: {
        people: 500,
        seed: 11,
        kinds: ['logon', 'process_start', 'dns_query'],
        where: { os: 'windows', sites: ['hamburg'] },
        sensor: { seen: 0.98, delay: 2, clock_error: -0.4 },
      },
    },
  ],
});
