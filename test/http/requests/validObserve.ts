import { expect } from '@jest/globals';
import { defaultAnswers } from '../support.js';
import type { ValidRequest } from './validRequest.js';

const answers = defaultAnswers();
const TAIL_DEFAULTS = { rate: 10, max_bytes: 16_384 };
const UPGRADE = { detail: expect.stringContaining('WebSocket'), code: 'upgrade_required' };

/** Where nothing is known there are no counts; seconds in which no event was late have no lateness. */
const SERIES = {
  ...{ from: '2026-01-01T00:00:00Z', step: 10, seconds: [0, 9.5], produced: [null, 5], written: [null, 4] },
  ...{
    failed: [null, 1],
    dead_lettered: [null, 0],
    lateness_p50_us: [null, 15],
    lateness_p99_us: [null, 1_023],
  },
  ...{ delivery_lag_p99_us: [null, 31], queue_batches: [null, 2], busy_percent: [null, 12.5] },
};

/** As `VALID`, for observing routes. */
export const VALID_OBSERVE: readonly ValidRequest[] = [
  [
    'readReadiness',
    'GET',
    '/ready',
    undefined,
    { type: 'observe.ready', payload: { strict: false } },
    200,
    answers['observe.ready'],
  ],
  [
    'readAudit',
    'GET',
    '/audit?user=ann&target=%2Fgenerators&since=2026-01-01T00:00:00Z&limit=5',
    undefined,
    {
      type: 'observe.audit',
      payload: {
        user: 'ann',
        operation: null,
        target: '/generators',
        since: '2026-01-01T00:00:00Z',
        until: null,
        offset: 0,
        limit: 5,
      },
    },
    200,
    {
      entries: [
        {
          at: '2026-01-01T00:00:00.000Z',
          user: 'ann',
          client: '127.0.0.1',
          operation: 'login',
          target: '/auth/login',
          status: 200,
        },
      ],
      next_offset: null,
    },
  ],
  ['readMetrics', 'GET', '/metrics', undefined, { type: 'observe.metrics', payload: null }, 200, 'PK'],
  [
    'followEvents',
    'GET',
    '/events?id=a&id=b%20c',
    undefined,
    { type: 'observe.events', payload: { ids: ['a', 'b c'], last_event_id: null, past: 0 } },
    200,
    'PK',
  ],
  [
    'tailGenerator',
    'GET',
    '/generators/g/tail?find=status%3A%3E%3D500',
    undefined,
    { type: 'observe.tail', payload: { id: 'g', find: 'status:>=500', ...TAIL_DEFAULTS } },
    200,
    'PK',
  ],
  [
    'tailGenerators',
    'GET',
    '/tails?id=g&id=h&id=g&find=&find=denied&rate=5',
    undefined,
    { type: 'observe.tails', payload: { ids: ['g', 'h'], find: ['', 'denied'], ...TAIL_DEFAULTS, rate: 5 } },
    200,
    'PK',
  ],
  [
    'followMainLog',
    'GET',
    '/instance/logs/main',
    undefined,
    { type: 'observe.log', payload: { id: null, from_bytes: 8_192 } },
    426,
    UPGRADE,
  ],
  [
    'followGeneratorLog',
    'GET',
    '/generators/g/logs?end_offset=0',
    undefined,
    { type: 'observe.log', payload: { id: 'g', from_bytes: 0 } },
    426,
    UPGRADE,
  ],
  [
    'readSeries',
    'GET',
    '/series?from=2026-01-01T01:00:00%2B01:00&to=2999-01-01T00:00:00Z&step=10',
    undefined,
    {
      type: 'observe.series',
      payload: { id: null, from_ms: 1_767_225_600_000, to_ms: 32_472_144_000_000, last_s: 300, step_s: 10 },
    },
    200,
    SERIES,
  ],
  [
    'readBusiestSeries',
    'GET',
    '/series/busiest?last=60&most=2',
    undefined,
    {
      type: 'observe.busiest',
      payload: { from_ms: null, to_ms: null, last_s: 60, step_s: null, count: 2 },
    },
    200,
    [{ id: 'web', from: '2026-01-01T00:00:00Z', step: 10, seconds: [9.5], produced: [5] }],
  ],
  [
    'readGeneratorSeries',
    'GET',
    '/generators/g/series',
    undefined,
    { type: 'observe.series', payload: { id: 'g', from_ms: null, to_ms: null, last_s: 300, step_s: null } },
    200,
    SERIES,
  ],
  [
    'readInstanceInfo',
    'GET',
    '/instance/info',
    undefined,
    { type: 'instance.info', payload: null },
    200,
    answers['instance.info'],
  ],
  ['stopInstance', 'POST', '/instance/stop', undefined, { type: 'instance.stop', payload: null }, 200, null],
  [
    'restartInstance',
    'POST',
    '/instance/restart',
    undefined,
    { type: 'instance.restart', payload: null },
    200,
    null,
  ],
];
