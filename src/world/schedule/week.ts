import { MICROS_PER_HOUR, type Micros } from '../../domain/time/micros.js';

export const HOURS_PER_WEEK = 168;
/** 1970-01-01 was a Thursday. */
const HOURS_FROM_MONDAY = 72;

/** Hours since a Monday at midnight of 1969, by the sun at a longitude: a clock without jumps. */
export const solarHours = (longitude: number, at: Micros): number =>
  at / MICROS_PER_HOUR + longitude / 15 + HOURS_FROM_MONDAY;

const rise = (hours: number): number => 1 / (1 + Math.exp(-hours));

/** From 0 to 1, how much it is the weekend at an hour of the week. */
export const weekendAt = (hours: number): number => rise(hours - 116) * (1 - rise(hours - 166));

/** 1 at the top, and less before and after it, smoothly. */
export const bump = (hour: number, top: number, width: number): number =>
  Math.exp(-(((hour - top) / width) ** 2));
