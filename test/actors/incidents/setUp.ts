import { afterEach } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { createActor } from 'xstate';
import type { IncidentsInput } from '../../../actors/incidents/incident.js';
import { incidentsLogic } from '../../../actors/incidents/incidents.js';
import { type IncidentFile, readIncident } from '../../../src/config/incidents/read.js';
import { failure, type Result } from '../../../src/domain/errors.js';
import { noSuchGenerator } from '../../../src/domain/generator.js';
import { NO_HEALTH } from '../../../src/domain/stats/health.js';
import type { GeneratorListItem } from '../../../src/messages/generators.js';
import type { Assignment, IncidentRequests } from '../../../src/messages/incidents.js';
import { fakeClock } from '../../support/clocks/fakeClock.js';
import { memoryLog } from '../../support/logs.js';

export const THEFT = `
summary: Knocks, then takes.
duration: 100s
members:
  door: {path: ../generators/door}
  safe: {path: ../generators/safe, params: {rate: 3}}
entities:
  thief: {pick: [ana, bob, cem]}
phases:
  - {name: knocks, at: 10s, for: 10s, members: {door: {events: 5, globals: {who: '\${thief}'}}}}
  - {name: takes, at: 50s, for: 10s, stopped: [door], members: {safe: {events: 5}}}
`;

const started: { readonly stop: () => void }[] = [];
afterEach(() => {
  for (const actor of started.splice(0)) actor.stop();
});

const itemOf = (
  id: string,
  path: string,
  phase: GeneratorListItem['status']['phase'],
): GeneratorListItem => ({
  id,
  path,
  status: {
    is_initializing: false,
    is_running: phase === 'running',
    is_ended_up: phase === 'stopped' || phase === 'failed',
    is_ended_up_successfully: phase === 'stopped',
    is_stopping: false,
    phase,
    reason: null,
    error_code: null,
    restarts: 0,
    ...NO_HEALTH,
  },
  start_time: null,
  scenarios: [],
});

/** Generators of a service, and what was asked of them. */
export const scriptedGenerators = () => {
  const known = new Map<string, GeneratorListItem>();
  const steps: string[] = [];
  const assigned = new Map<string, Assignment | null>();
  const failing = new Set<string>();
  const answer = <A>(step: string, id: string, right: A): Result<A> => {
    steps.push(`${step} ${id}`);
    if (failing.has(`${step} ${id}`)) return E.left(failure('output_failed', `${step} ${id} failed`));
    return known.has(id) ? E.right(right) : E.left(noSuchGenerator(id));
  };
  const register = (id: string, phase: GeneratorListItem['status']['phase'], path = `${id}/generator.yml`) =>
    void known.set(id, itemOf(id, path, phase));
  const generators: IncidentsInput['generators'] = {
    list: async () => E.right([...known.values()]),
    shownPath: (path) => `${path.split('/').at(-1)}/generator.yml`,
    create: async (id, params) => {
      register(id, 'idle', String(params['path']));
      return answer('create', id, null);
    },
    start: async (id) => answer('start', id, true as const),
    assign: async (id, given) => {
      assigned.set(id, given);
      return answer(given === null ? 'unassign' : 'assign', id, null);
    },
    stop: async (id) => answer('stop', id, null),
    remove: async (id) => {
      const removed = answer('remove', id, null);
      known.delete(id);
      return removed;
    },
  };
  return { generators, register, steps, assigned, failing };
};

/** The registry of incidents over scripted generators, on a fake clock, with files in memory. */
export const makeIncidents = (
  files: Record<string, string> = { theft: THEFT },
  /** When noted runs began; they outlive a service. */
  notes = new Map<string, string>(),
) => {
  const clock = fakeClock();
  const { log, lines } = memoryLog();
  const scripted = scriptedGenerators();
  const file = (name: string) => ({ file: `/incidents/${name}.yml`, name });
  const actor = createActor(incidentsLogic, {
    input: {
      files: {
        names: async () => E.right(Object.keys(files).sort()),
        text: async (name) => E.fromNullable(failure('not_found', `no file ${name}`))(files[name]),
        read: async (name, text) => readIncident(text, file(name)),
        draw: async (_name, _file: IncidentFile, seed) => E.right({ thief: seed === '7' ? 'ana' : 'bob' }),
        truth: async (incident, members, after) =>
          E.right({
            lines: members.map((member) => `${incident.name} ${member} ${after}`),
            next: '1',
            is_anew: false,
            is_more: false,
            problem: null,
          }),
        write: async (name, text) => {
          files[name] = text;
          return E.right(undefined);
        },
        remove: async (name) => {
          delete files[name];
          return E.right(null);
        },
        noteRun: async (name, startedAt) => {
          if (startedAt === null) notes.delete(name);
          else notes.set(name, startedAt);
          return E.right(undefined);
        },
        notedRun: async (name) => notes.get(name) ?? null,
      },
      generators: scripted.generators,
      clock,
      drawSeed: () => 'drawn',
      log,
      refusal: null,
    },
  });
  actor.subscribe({ error: () => {} });
  started.push(actor.start());
  const ask = <K extends keyof IncidentRequests>(
    type: K,
    payload: IncidentRequests[K]['payload'],
  ): Promise<Result<IncidentRequests[K]['answer']>> =>
    new Promise((resolve) => actor.send({ type, payload, reply: resolve } as never));
  return { ...scripted, ask, clock, log: lines, files };
};
