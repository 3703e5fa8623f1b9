import * as E from 'fp-ts/lib/Either.js';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import { defaulted, integer, record, required, text } from '../../schema/index.js';
import { apiPath } from '../api.js';
import { asks, name, type Tool, tool } from '../tool.js';

const id = required(name, { help: 'Id of the generator, as list_generators shows it.', example: 'clicks' });
const one = record({ id });

/** `status` of the API without flags that `phase` tells too. */
const statusOf = (status: Json | undefined): JsonObject => {
  const {
    phase = null,
    reason = null,
    error_code = null,
    restarts = null,
    health = null,
    health_reason = null,
    remedy = null,
  } = (status ?? {}) as JsonObject;
  return { phase, reason, error_code, restarts, health, health_reason, remedy };
};

const listItem = (item: Json): Json => {
  const { status, ...rest } = item as JsonObject;
  return { ...rest, ...statusOf(status) };
};

/** Counters without the buckets of their histograms. */
const statsOf = (stats: Json): Json =>
  Object.fromEntries(
    Object.entries(stats as JsonObject).map(([key, value]) => {
      if (!isJsonObject(value) || value['buckets'] === undefined) return [key, value];
      const { buckets: _, ...rest } = value;
      return [key, rest];
    }),
  );

export const generatorTools: readonly Tool[] = [
  tool({
    name: 'list_generators',
    title: 'List generators',
    description:
      'Lists registered generators with id, path of the config, phase (idle, loading, running, draining, backing_off, finished, ' +
      'failed, stopped), the reason of a failure, health (ok, degraded, failing, idle) with its reason and remedy, and scenarios. Start here to see what the service runs.',
    effect: 'reads',
    input: record({
      contains: defaulted(text(), '', { help: 'Only ids with this text.' }),
      phase: defaulted(text(), '', { help: 'Only generators in this phase.', example: 'failed' }),
      limit: defaulted(integer({ min: 1, max: 1_000 }), 100, { help: 'Maximum generators to list.' }),
    }),
    run: async ({ contains, phase, limit }, { api }) =>
      E.map((all: Json) => {
        const items = (all as readonly Json[]).map(listItem) as readonly JsonObject[];
        const found = items.filter(
          (item) => String(item['id']).includes(contains) && (phase === '' || item['phase'] === phase),
        );
        return { total: found.length, generators: found.slice(0, limit) };
      })(await api({ method: 'get', path: '/generators/' })),
  }),
  tool({
    name: 'get_generator',
    title: 'Get a generator',
    description:
      'Returns phase and parameters of one generator, and its last starts, ends and failures with reasons, newest first. ' +
      'Use it to find out why a generator does not run.',
    effect: 'reads',
    input: one,
    run: async ({ id: given }, { api }) => {
      const status = await api({ method: 'get', path: apiPath`/generators/${given}/status` });
      if (E.isLeft(status)) return status;
      const params = await api({ method: 'get', path: apiPath`/generators/${given}` });
      if (E.isLeft(params)) return params;
      const history = await api({ method: 'get', path: apiPath`/generators/${given}/history` });
      if (E.isLeft(history)) return history;
      return E.right({
        id: given,
        ...statusOf(status.right),
        params: params.right,
        history: (history.right as readonly Json[]).slice(0, 10),
      });
    },
  }),
  tool({
    name: 'get_stats',
    title: 'Get the counters of a generator',
    description:
      'Returns the counters of the current or last run: generated, produced, written, failed, dead-lettered and abandoned events by ' +
      'plugin, events per second, lateness and delivery lag in milliseconds. Fails with not_ready before the first run.',
    effect: 'reads',
    input: one,
    run: asks(
      'stats',
      ({ id: given }) => ({ method: 'get', path: apiPath`/generators/${given}/stats` }),
      statsOf,
    ),
  }),
];
