import * as E from 'fp-ts/lib/Either.js';
import type { Micros } from '../../../../src/domain/time/micros.js';
import { MICROS_PER_SECOND } from '../../../../src/domain/time/micros.js';
import { type Zone, zoneOf } from '../../../../src/domain/time/zone.js';
import type { CronExpression } from '../../../../src/plugins/inputs/cron/expression.js';
import { parseCron } from '../../../../src/plugins/inputs/cron/expression.js';
import type { CronTicks } from '../../../../src/plugins/inputs/cron/matcher.js';
import { cronTicks } from '../../../../src/plugins/inputs/cron/matcher.js';

export const zoneNamed = (id: string): Zone => {
  const zone = zoneOf(id);
  if (zone === null) throw new Error(`no zone ${id}`);
  return zone;
};

/** The expression, or a failed test with the sentence. */
export const cron = (text: string): CronExpression => {
  const parsed = parseCron(text);
  if (E.isLeft(parsed)) throw new Error(`${text}: ${parsed.left}`);
  return parsed.right;
};

export const micros = (iso: string): Micros => Date.parse(iso) * 1000;

/** All ticks up to `limit` of them, read with buffers of `length`. */
export const drain = (ticks: CronTicks, limit = Number.POSITIVE_INFINITY, length = 64): number[] => {
  const out = new Float64Array(length);
  const all: number[] = [];
  while (all.length < limit) {
    const count = ticks(out, Math.min(length, limit - all.length));
    if (count === 0) break;
    for (let i = 0; i < count; i++) all.push(out[i] as number);
  }
  return all;
};

/** Ticks of a text in a zone, both ends inclusive. */
export const ticksOf = (text: string, zone: string, from: string, end: string): number[] =>
  drain(cronTicks(cron(text), zoneNamed(zone), micros(from), micros(end)));

/** `2024-03-31 03:00 +02:00`: what a wall clock of the zone shows, seconds only where they are not 0. */
export const shown = (instant: Micros, zone: string): string => {
  const offset = zoneNamed(zone).offsetSecondsAt(instant);
  const wall = new Date((instant + offset * MICROS_PER_SECOND) / 1000).toISOString();
  const seconds = wall.slice(17, 19) === '00' ? '' : wall.slice(16, 19);
  const size = new Date(Math.abs(offset) * 1000).toISOString().slice(11, 16);
  return `${wall.slice(0, 10)} ${wall.slice(11, 16)}${seconds} ${offset < 0 ? '-' : '+'}${size}`;
};
