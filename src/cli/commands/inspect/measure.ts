import * as E from 'fp-ts/lib/Either.js';
import type { KeyringAccess } from '../../../daemon/secrets.js';
import type { Result } from '../../../domain/errors.js';
import type { GeneratorParams } from '../../../domain/generator.js';
import type { JsonObject } from '../../../domain/json.js';
import { MICROS_PER_HOUR, type Micros } from '../../../domain/time/micros.js';
import type { Zone } from '../../../domain/time/zone.js';
import { makeInspector } from '../../../inspect/inspector.js';
import { ratesOf, speedOf } from '../../../inspect/rates.js';
import type { InspectReport, LimitHit, Schedule } from '../../../inspect/report.js';
import { SCHEDULE_HOURS, scheduleTally } from '../../../inspect/schedule.js';
import type { Services } from '../../terminal/io.js';
import { MAX_TIMESTAMPS } from './limits.js';

export interface MeasureOptions {
  readonly params: GeneratorParams;
  readonly globals: JsonObject;
  readonly now: Micros;
  readonly events: number;
  readonly output: number;
  readonly keyring: KeyringAccess;
  readonly services: Services;
}

const measureSchedule = async ({
  params,
  now,
  keyring,
  services,
}: MeasureOptions): Promise<Result<Schedule>> => {
  const { sampleTimestamps } = await services.sample();
  const to = now + SCHEDULE_HOURS * MICROS_PER_HOUR;
  const sampled = await sampleTimestamps({ params, keyring, from: now, to });
  if (E.isLeft(sampled)) return sampled;
  const tally = scheduleTally(now, MAX_TIMESTAMPS);
  for await (const { micros, length } of sampled.right.batches) {
    let isOver = false;
    for (let index = 0; index < length && !isOver; index++) isOver = !tally.add(micros[index] as Micros);
    if (isOver) break;
  }
  return E.right(tally.result());
};

const scheduleHits = ({ is_complete }: Schedule): readonly LimitHit[] =>
  is_complete
    ? []
    : [
        {
          limit: 'schedule_timestamps',
          max: MAX_TIMESTAMPS,
          message: 'the schedule has more timestamps in 24 hours; rates are those of its start',
        },
      ];

export interface Measured {
  readonly report: InspectReport;
  readonly zone: Zone;
}

/** Runs a generator in memory and measures its events. Returns an error when it cannot be loaded. */
export const measure = async (options: MeasureOptions): Promise<Result<Measured>> => {
  const { params, now, keyring, globals, events, output, services } = options;
  const { clock } = services;
  const { sampleEvents } = await services.sample();
  const sampled = await sampleEvents({
    params,
    keyring,
    globals,
    now,
    events,
    output,
    allow_subprocess: false,
  });
  if (E.isLeft(sampled)) return sampled;
  const inspector = makeInspector();
  let timestamps = 0;
  let ms = 0;
  let before = clock.monotonicMs();
  for await (const batch of sampled.right.batches) {
    ms += clock.monotonicMs() - before;
    timestamps += batch.timestamps;
    const { micros, formatted, failures } = batch;
    await inspector.add({ micros, events: formatted, failures });
    before = clock.monotonicMs();
  }
  ms += clock.monotonicMs() - before;
  const schedule = await measureSchedule(options);
  if (E.isLeft(schedule)) return schedule;
  const made = await inspector.report();
  return E.right({
    zone: sampled.right.zone,
    report: {
      generator: params.id,
      seed: sampled.right.seed,
      now,
      timezone: params.timezone,
      wanted: events,
      timestamps,
      ...made,
      limits: [...made.limits, ...scheduleHits(schedule.right)],
      schedule: schedule.right,
      rates: ratesOf(schedule.right, made, timestamps),
      speed: speedOf(made, ms / 1_000),
    },
  });
};
