import { makeInspector } from '../../../src/analysis/inspect/inspector.js';
import { INSPECT_LIMITS, type InspectLimits } from '../../../src/analysis/inspect/limits.js';
import { ratesOf, scheduleTally, speedOf } from '../../../src/analysis/inspect/rates.js';
import type {
  EventsReport,
  FieldReport,
  InspectReport,
  Schedule,
} from '../../../src/analysis/inspect/report.js';

export const inspected = async (
  events: readonly string[],
  limits: Partial<InspectLimits> = {},
): Promise<EventsReport> => {
  const inspector = makeInspector({ ...INSPECT_LIMITS, ...limits });
  await inspector.add({ micros: events.map((_, index) => index * 1_000_000), events, failures: [] });
  return inspector.report();
};

export const fieldsOf = async (
  events: readonly string[],
  limits: Partial<InspectLimits> = {},
): Promise<Readonly<Record<string, FieldReport>>> => {
  const { fields } = await inspected(events, limits);
  return Object.fromEntries(fields.map((field) => [field.path, field]));
};

/** 2026-03-02T00:00:00Z */
export const DAY = 1_772_409_600_000_000;

export const scheduleOf = (timestamps: readonly number[], max = 1_000_000): Schedule => {
  const tally = scheduleTally(DAY, max);
  for (const at of timestamps) tally.add(at);
  return tally.result();
};

export const reportOf = async (
  events: readonly string[],
  given: Partial<InspectReport> = {},
): Promise<InspectReport> => {
  const made = await inspected(events);
  const schedule = scheduleOf(events.map((_, index) => DAY + index * 1_000_000));
  return {
    generator: 'demo',
    seed: '7',
    now: DAY,
    timezone: 'UTC',
    wanted: events.length,
    timestamps: events.length,
    ...made,
    schedule,
    rates: ratesOf(schedule, made, events.length),
    speed: speedOf(made, 2),
    ...given,
  };
};

export const sequence = <A>(length: number, make: (index: number) => A): readonly A[] =>
  Array.from({ length }, (_, index) => make(index));
