import type { JsonSchema } from '../schema/index.js';
import { amount, count, list, maybe, object, text, time } from './responses.js';

const item = {
  name: text,
  summary: maybe(text),
  duration: { ...maybe(amount), description: 'Seconds; null: the file is invalid.' },
  state: { type: 'string', enum: ['idle', 'running', 'paused'] },
  position: {
    ...maybe(amount),
    description: 'Seconds after the start, negative until it begins; null while idle.',
  },
  problem: { ...maybe(text), description: 'Why the file cannot be used.' },
} satisfies Readonly<Record<string, JsonSchema>>;

const run = object({ seed: text, started_at: time, round: count, rounds: count });

const moment = object({
  phase: text,
  number: { ...count, description: 'Which of `of` times, from 1.' },
  of: count,
  from: { type: 'number', description: 'Seconds after the start.' },
  to: amount,
  effects: list(object({ member: text, effect: text })),
});

const member = object({
  name: text,
  path: text,
  generator_id: {
    ...maybe(text),
    description: 'Null: no generator has this config; the incident makes one meanwhile.',
  },
  phase: maybe(text),
});

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

/** Schemas of incidents, by their name under `components.schemas`. */
export const INCIDENT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Incident: object(item),
  IncidentRun: run,
  IncidentDetails: object({
    ...item,
    text: { type: 'string', description: 'The file, YAML.' },
    entities: {
      ...maybe({ type: 'object', additionalProperties: true }),
      description: 'As drawn for the run, or by `seed`.',
    },
    timeline: list(moment),
    members: list(member),
    run: orNull(run),
    last: orNull(
      object({
        at: time,
        outcome: { type: 'string', enum: ['finished', 'stopped', 'cut_off'] },
        reason: { ...maybe(text), description: 'Why a member could not be released.' },
      }),
    ),
  }),
};
